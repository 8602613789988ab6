import { describe, expect, test } from "bun:test";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { newChallenge, isValidChallenge } from "../../src/sign-in/challenge.ts";
import {
  type PasskeyUse,
  type RegisteredPasskey,
  type Registration,
  verifyRegistration,
  verifyUse,
} from "../../src/sign-in/webauthn.ts";
import {
  type Algorithm,
  attestationObject,
  BACKED_UP,
  coseKey,
  HAS_CREDENTIAL,
  MAY_BE_BACKED_UP,
  PRESENT,
  type Said,
  SoftwarePasskey,
  VERIFIED,
} from "../support/sign-in/authenticator.ts";

/** Ceremonies and mutations of them; the verdicts are compared with those of @simplewebauthn/server. */

const ORIGIN = "https://caseload.example";
const HOST = "caseload.example";
const CHALLENGE = newChallenge("secret", 0);
const expected = {
  origin: ORIGIN,
  host: HOST,
  isChallenge: (challenge: string) => isValidChallenge(challenge, "secret", 0),
};
const oracle = {
  expectedChallenge: expected.isChallenge,
  expectedOrigin: ORIGIN,
  expectedRPID: HOST,
  requireUserVerification: true,
};
const create = { challenge: CHALLENGE, rp: { id: HOST }, user: { id: "dXNlcg" } };
const get = { challenge: CHALLENGE, rpId: HOST };

const algorithms: Algorithm[] = [-8, -7, -257];

async function oracleOfRegistration({ id, response }: Registration): Promise<boolean> {
  const { clientDataJSON, authenticatorData } = response;
  const object = attestationObject(Buffer.from(authenticatorData, "base64url"));
  return verifyRegistrationResponse({
    ...oracle,
    supportedAlgorithmIDs: algorithms,
    response: {
      ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
      response: { clientDataJSON, attestationObject: object.toString("base64url") },
    },
  }).then(
    ({ verified }) => verified,
    () => false,
  );
}

async function oracleOfUse(
  { id, response }: PasskeyUse,
  passkey: SoftwarePasskey,
  count: number,
): Promise<boolean> {
  const { userHandle, ...rest } = response;
  return verifyAuthenticationResponse({
    ...oracle,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(coseKey(passkey.publicKey, passkey.algorithm)),
      counter: count,
    },
    response: {
      ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
      response: { ...rest, ...(userHandle !== undefined && { userHandle }) },
    },
  }).then(
    ({ verified }) => verified,
    () => false,
  );
}

function stored({ publicKey, isSynced, signatureCount }: RegisteredPasskey) {
  return { publicKey, isSynced, signatureCount, userHandle: create.user.id };
}

function registered(passkey: SoftwarePasskey): RegisteredPasskey {
  const registration = verifyRegistration(passkey.register(create), expected);
  if (registration === undefined) throw new Error("The registration is refused");
  return registration;
}

describe.each(algorithms)("algorithm %d", (algorithm) => {
  const passkey = new SoftwarePasskey(ORIGIN, { algorithm, isCounting: true });

  test("a registration and a use are accepted, as by the oracle", async () => {
    const registration = passkey.register(create);
    expect(verifyRegistration(registration, expected)).toEqual({
      credentialId: passkey.id,
      publicKey: registration.response.publicKey,
      algorithm,
      isSynced: false,
      signatureCount: 0,
      challenge: CHALLENGE,
    });
    expect(await oracleOfRegistration(registration)).toBeTrue();
    const known = stored(registered(passkey));
    const use = passkey.use(get);
    const verdict = verifyUse(use, known, expected);
    expect(verdict).toEqual({ signatureCount: 1, challenge: CHALLENGE });
    expect(await oracleOfUse(use, passkey, 0)).toBeTrue();
  });

  test("another passkey's signature is refused", async () => {
    const other = new SoftwarePasskey(ORIGIN, { algorithm, isCounting: true });
    other.register(create);
    const use = other.use(get);
    expect(verifyUse(use, stored(registered(passkey)), expected)).toBeUndefined();
    expect(await oracleOfUse(use, passkey, 0)).toBeFalse();
  });
});

describe("every bit of a ceremony", () => {
  /** A binary value with each of its bits changed, and of other lengths. */
  function* mutations(text: string): Generator<string> {
    const bytes = Buffer.from(text, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      yield changed.toString("base64url");
    }
    for (const length of [0, 1, 32, 36, bytes.length - 1])
      yield bytes.subarray(0, length).toString("base64url") || "AA";
    yield Buffer.concat([bytes, Buffer.alloc(1)]).toString("base64url");
  }

  test.each(algorithms)(
    "of a use with algorithm %d gets the oracle's verdict",
    async (algorithm) => {
      const passkey = new SoftwarePasskey(ORIGIN, { algorithm, isCounting: true });
      const known = stored(registered(passkey));
      const use = passkey.use(get);
      let accepted = 0;
      let tried = 0;
      for (const part of ["clientDataJSON", "authenticatorData", "signature"] as const)
        for (const changed of mutations(use.response[part])) {
          const mutated = { ...use, response: { ...use.response, [part]: changed } };
          const verdict = verifyUse(mutated, known, expected) !== undefined;
          // The oracle takes ECDSA signatures that are not quite in DER; we do not.
          if (part !== "signature" || algorithm !== -7)
            expect(verdict).toBe(await oracleOfUse(mutated, passkey, 0));
          tried += 1;
          if (verdict) accepted += 1;
        }
      expect(tried).toBeGreaterThan(2_000);
      expect(accepted).toBe(0);
    },
  );

  test("of a registration gets the oracle's verdict", async () => {
    const passkey = new SoftwarePasskey(ORIGIN);
    const registration = passkey.register(create);
    const { clientDataJSON, authenticatorData } = registration.response;
    const verdicts = { accepted: 0, refused: 0 };
    const compare = async (response: Partial<Registration["response"]>, id = registration.id) => {
      const mutated = { id, response: { ...registration.response, ...response } };
      const verdict = verifyRegistration(mutated, expected) !== undefined;
      expect({ response, verdict }).toEqual({
        response,
        verdict: await oracleOfRegistration(mutated),
      });
      verdicts[verdict ? "accepted" : "refused"] += 1;
    };
    for (const changed of mutations(clientDataJSON)) await compare({ clientDataJSON: changed });
    // What comes behind the credential id, the key in COSE and extensions, is the browser's to read.
    const bytes = Buffer.from(authenticatorData, "base64url");
    const HAS_EXTENSIONS = 0x80;
    for (let bit = 0; bit < (55 + 32) * 8; bit += 1) {
      if (bit >> 3 === 32 && 1 << (bit & 7) === HAS_EXTENSIONS) continue;
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      // The oracle does not compare it with the id of the response, so that follows.
      const id = bit >> 3 < 55 ? registration.id : changed.toString("base64url", 55, 55 + 32);
      await compare({ authenticatorData: changed.toString("base64url") }, id);
    }
    expect(verdicts.refused).toBeGreaterThan(1_000);
    // The authenticator's model and counter may be any.
    expect(verdicts.accepted).toBeGreaterThan(100);
  });
});

describe("what a ceremony says", () => {
  const wrong: Record<string, Said> = {
    "another origin": { origin: "https://other.example" },
    "a host above": { host: "example" },
    "another port": { origin: `${ORIGIN}:8443` },
    "the other ceremony": { type: "webauthn.other" },
    "a challenge of its own": { challenge: Buffer.alloc(54).toString("base64url") },
    "a page within another": { crossOrigin: true },
    "a page around": { topOrigin: ORIGIN },
    "nobody present": { flags: VERIFIED | HAS_CREDENTIAL },
    "nobody verified": { flags: PRESENT | HAS_CREDENTIAL },
    "backed up where it may not be": { flags: PRESENT | VERIFIED | BACKED_UP | HAS_CREDENTIAL },
  };

  test.each(Object.keys(wrong))("%s is refused at both ceremonies", async (what) => {
    const said = wrong[what] ?? {};
    const passkey = new SoftwarePasskey(ORIGIN);
    const registration = passkey.register(create, said);
    expect(verifyRegistration(registration, expected)).toBeUndefined();
    const use = passkey.use(get, {
      ...said,
      ...(said.flags && { flags: said.flags & ~HAS_CREDENTIAL }),
    });
    expect(verifyUse(use, stored(registered(passkey)), expected)).toBeUndefined();
    // The oracle leaves pages within pages to its caller.
    if (said.crossOrigin || said.topOrigin) return;
    expect(await oracleOfRegistration(registration)).toBeFalse();
    expect(await oracleOfUse(use, passkey, 0)).toBeFalse();
  });

  test("a use that may be backed up, of a passkey that may not, and the other way round", () => {
    const flags = PRESENT | VERIFIED;
    const fixed = new SoftwarePasskey(ORIGIN);
    const synced = new SoftwarePasskey(ORIGIN, { isSynced: true });
    const uses = [
      [fixed, fixed.use(get, { flags: flags | MAY_BE_BACKED_UP })],
      [synced, synced.use(get, { flags })],
    ] as const;
    for (const [passkey, use] of uses)
      expect(verifyUse(use, stored(registered(passkey)), expected)).toBeUndefined();
    const notYet = synced.use(get, { flags: flags | MAY_BE_BACKED_UP });
    expect(verifyUse(notYet, stored(registered(synced)), expected)).toBeDefined();
  });

  test("another person's handle is refused, none is not", () => {
    const passkey = new SoftwarePasskey(ORIGIN);
    const known = stored(registered(passkey));
    const use = passkey.use(get, { userHandle: "b3RoZXI" });
    expect(verifyUse(use, known, expected)).toBeUndefined();
    const { userHandle: _, ...response } = use.response;
    expect(verifyUse({ ...use, response }, known, expected)).toBeDefined();
  });

  test("a counter must grow once it is not 0", async () => {
    const passkey = new SoftwarePasskey(ORIGIN);
    const known = stored(registered(passkey));
    for (const [last, count, isAccepted] of [
      [0, 0, true],
      [0, 1, true],
      [1, 0, false],
      [5, 5, false],
      [5, 4, false],
      [5, 6, true],
      [5, 2 ** 32 - 1, true],
    ] as const) {
      const use = passkey.use(get, { count });
      const verdict = verifyUse(use, { ...known, signatureCount: last }, expected);
      expect(verdict !== undefined).toBe(isAccepted);
      expect(await oracleOfUse(use, passkey, last)).toBe(isAccepted);
    }
  });

  test("a key must be one of the algorithm that it names, RSA with 2,048 bits", async () => {
    const { generateKeyPairSync } = await import("node:crypto");
    const passkey = new SoftwarePasskey(ORIGIN);
    const { id, response } = passkey.register(create);
    const keys = {
      p384: generateKeyPairSync("ec", { namedCurve: "secp384r1" }).publicKey,
      rsa1024: generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey,
      rsa2048: generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey,
      ed25519: generateKeyPairSync("ed25519").publicKey,
    };
    const isAccepted = (name: keyof typeof keys, publicKeyAlgorithm: number) => {
      const publicKey = keys[name].export({ type: "spki", format: "der" }).toString("base64url");
      const changed = { id, response: { ...response, publicKey, publicKeyAlgorithm } };
      return verifyRegistration(changed, expected) !== undefined;
    };
    const accepted = (Object.keys(keys) as (keyof typeof keys)[]).flatMap((name) =>
      [-8, -7, -257, -37, 0, 1]
        .filter((algorithm) => isAccepted(name, algorithm))
        .map((algorithm) => [name, algorithm]),
    );
    expect(accepted).toEqual([
      ["rsa2048", -257],
      ["ed25519", -8],
    ]);
  });
});

describe("challenges", () => {
  const NOW = 1_800_000_000_000;
  const MINUTE = 60_000;
  const challenge = newChallenge("secret", NOW);

  test("are valid for five minutes, and a minute early for clocks that differ", () => {
    const ages = [-MINUTE - 1, -MINUTE, 0, 5 * MINUTE, 5 * MINUTE + 1];
    const verdicts = ages.map((age) => isValidChallenge(challenge, "secret", NOW + age));
    expect(verdicts).toEqual([false, true, true, true, false]);
  });

  test("are all different, and none of another secret", () => {
    expect(newChallenge("secret", NOW)).not.toBe(challenge);
    expect(isValidChallenge(challenge, "other", NOW)).toBeFalse();
  });

  test("have one spelling, and no bit can be changed", () => {
    const bytes = Buffer.from(challenge, "base64url");
    const spellings = [
      `${challenge}=`,
      `${challenge}A`,
      bytes.toString("base64"),
      ` ${challenge}`,
      "",
    ];
    const isOther = (text: string) => text !== challenge;
    for (const text of spellings.filter(isOther))
      expect(isValidChallenge(text, "secret", NOW)).toBeFalse();
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(isValidChallenge(changed.toString("base64url"), "secret", NOW)).toBeFalse();
    }
  });
});
