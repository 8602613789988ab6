import { describe, expect, test } from "bun:test";
import { createHash, generateKeyPairSync } from "node:crypto";
import { newChallenge, isValidChallenge } from "../../src/sign-in/challenge.ts";
import {
  type RegisteredPasskey,
  verifyRegistration,
  verifyUse,
} from "../../src/sign-in/webauthn.ts";
import {
  type Algorithm,
  BACKED_UP,
  coseKey,
  HAS_CREDENTIAL,
  MAY_BE_BACKED_UP,
  PRESENT,
  type Said,
  SoftwarePasskey,
  VERIFIED,
} from "../support/sign-in/authenticator.ts";

/** Ceremonies as browsers make them, and what is wrong with others. */

const ORIGIN = "https://caseload.example";
const HOST = "caseload.example";
const CHALLENGE = newChallenge("secret", 0);
const expected = {
  origin: ORIGIN,
  host: HOST,
  isChallenge: (challenge: string) => isValidChallenge(challenge, "secret", 0),
};
const create = { challenge: CHALLENGE, rp: { id: HOST }, user: { id: "dXNlcg" } };
const get = { challenge: CHALLENGE, rpId: HOST };

const algorithms: Algorithm[] = [-8, -7, -257];

function stored({ publicKey, isSynced, signatureCount }: RegisteredPasskey) {
  return { publicKey, isSynced, signatureCount, userHandle: create.user.id };
}

async function registered(passkey: SoftwarePasskey): Promise<RegisteredPasskey> {
  const registration = await verifyRegistration(passkey.register(create), expected);
  if (registration === undefined) throw new Error("The registration is refused");
  return registration;
}

describe.each(algorithms)("algorithm %d", (algorithm) => {
  const passkey = new SoftwarePasskey(ORIGIN, { algorithm, isCounting: true });

  test("a registration and a use are accepted", async () => {
    const registration = passkey.register(create);
    expect(await verifyRegistration(registration, expected)).toEqual({
      credentialId: passkey.id,
      publicKey: coseKey(passkey.publicKey, algorithm).toString("base64url"),
      isSynced: false,
      signatureCount: 0,
      challenge: CHALLENGE,
    });
    const known = stored(await registered(passkey));
    const use = passkey.use(get);
    const verdict = await verifyUse(use, known, expected);
    expect(verdict).toEqual({ signatureCount: 1, challenge: CHALLENGE });
  });

  test("another passkey's signature is refused", async () => {
    const other = new SoftwarePasskey(ORIGIN, { algorithm, isCounting: true });
    other.register(create);
    const use = other.use(get);
    expect(await verifyUse(use, stored(await registered(passkey)), expected)).toBeUndefined();
  });
});

describe("every bit of a ceremony", () => {
  const read = (text: string): Said => JSON.parse(Buffer.from(text, "base64url").toString());

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

  test.each(algorithms)("of a use with algorithm %d counts", async (algorithm) => {
    const passkey = new SoftwarePasskey(ORIGIN, { algorithm, isCounting: true });
    const known = stored(await registered(passkey));
    const use = passkey.use(get);
    const accepted: string[] = [];
    let tried = 0;
    for (const part of ["clientDataJSON", "authenticatorData", "signature"] as const)
      for (const changed of mutations(use.response[part])) {
        const mutated = { ...use, response: { ...use.response, [part]: changed } };
        if ((await verifyUse(mutated, known, expected)) !== undefined) accepted.push(part);
        tried += 1;
      }
    expect(tried).toBeGreaterThan(2_000);
    // An ECDSA signature may be spelled in DER that is not quite right: what it says is the same.
    expect(accepted.filter((part) => part !== "signature" || algorithm !== -7)).toEqual([]);
  });

  test("of a registration counts, but for those of the model, the counter and the key", async () => {
    const passkey = new SoftwarePasskey(ORIGIN);
    const { id, response } = passkey.register(create);
    const isAccepted = async (changed: Partial<typeof response>) =>
      (await verifyRegistration({ id, response: { ...response, ...changed } }, expected)) !==
      undefined;
    const said = ({ type, challenge, origin, crossOrigin = false, topOrigin }: Said) => {
      return { type, challenge, origin, crossOrigin, topOrigin };
    };
    const honest = said(read(response.clientDataJSON));
    for (const clientDataJSON of mutations(response.clientDataJSON))
      if (await isAccepted({ clientDataJSON })) expect(said(read(clientDataJSON))).toEqual(honest);
    const object = Buffer.from(response.attestationObject, "base64url");
    const host = object.indexOf(createHash("sha256").update(HOST).digest());
    const credential = object.indexOf(Buffer.from(id, "base64url"));
    const taken = new Set<number>();
    for (let bit = host * 8; bit < (credential + 32) * 8; bit += 1) {
      const changed = Buffer.from(object);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const attestationObject = changed.toString("base64url");
      if (await isAccepted({ attestationObject })) taken.add((bit >> 3) - host);
    }
    // A passkey that may be backed up is one, too; and the flags that are reserved.
    const flags = [32];
    const counter = [33, 34, 35, 36];
    const model = Array.from({ length: 16 }, (_, byte) => 37 + byte);
    expect([...taken]).toEqual([...flags, ...counter, ...model]);
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
    expect(await verifyRegistration(registration, expected)).toBeUndefined();
    const use = passkey.use(get, {
      ...said,
      ...(said.flags && { flags: said.flags & ~HAS_CREDENTIAL }),
    });
    expect(await verifyUse(use, stored(await registered(passkey)), expected)).toBeUndefined();
  });

  test("a use that may be backed up, of a passkey that may not, and the other way round", async () => {
    const flags = PRESENT | VERIFIED;
    const fixed = new SoftwarePasskey(ORIGIN);
    const synced = new SoftwarePasskey(ORIGIN, { isSynced: true });
    const uses = [
      [fixed, fixed.use(get, { flags: flags | MAY_BE_BACKED_UP })],
      [synced, synced.use(get, { flags })],
    ] as const;
    for (const [passkey, use] of uses)
      expect(await verifyUse(use, stored(await registered(passkey)), expected)).toBeUndefined();
    const notYet = synced.use(get, { flags: flags | MAY_BE_BACKED_UP });
    expect(await verifyUse(notYet, stored(await registered(synced)), expected)).toBeDefined();
  });

  test("another person's handle is refused, none is not", async () => {
    const passkey = new SoftwarePasskey(ORIGIN);
    const known = stored(await registered(passkey));
    const use = passkey.use(get, { userHandle: "b3RoZXI" });
    expect(await verifyUse(use, known, expected)).toBeUndefined();
    const { userHandle: _, ...response } = use.response;
    expect(await verifyUse({ ...use, response }, known, expected)).toBeDefined();
  });

  test("a counter must grow once it is not 0", async () => {
    const passkey = new SoftwarePasskey(ORIGIN);
    const known = stored(await registered(passkey));
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
      const verdict = await verifyUse(use, { ...known, signatureCount: last }, expected);
      expect(verdict !== undefined).toBe(isAccepted);
    }
  });

  test("a key must be one of the algorithm that it names, RSA with 2,048 bits", async () => {
    const keys = {
      p256: generateKeyPairSync("ec", { namedCurve: "prime256v1" }),
      p384: generateKeyPairSync("ec", { namedCurve: "secp384r1" }),
      rsa1024: generateKeyPairSync("rsa", { modulusLength: 1024 }),
      rsa2048: generateKeyPairSync("rsa", { modulusLength: 2048 }),
      ed25519: generateKeyPairSync("ed25519"),
    };
    const accepted: [string, number][] = [];
    for (const [name, { publicKey }] of Object.entries(keys))
      for (const algorithm of [-8, -7, -257, -37, 0, 1]) {
        const passkey = new SoftwarePasskey(ORIGIN);
        const registration = passkey.register(create, { key: coseKey(publicKey, algorithm) });
        const verdict = await verifyRegistration(registration, expected);
        if (verdict !== undefined) accepted.push([name, algorithm]);
      }
    expect(accepted).toEqual([
      ["p256", -7],
      ["rsa2048", -257],
      ["ed25519", -8],
    ]);
  });

  test("an attestation counts for nothing, whatever it says", async () => {
    const passkey = new SoftwarePasskey(ORIGIN);
    for (const format of ["none", "packed", "fido-u2f", "apple", "tpm", "compound"]) {
      const registration = passkey.register(create, { attestation: format });
      expect(await verifyRegistration(registration, expected)).toBeDefined();
    }
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
