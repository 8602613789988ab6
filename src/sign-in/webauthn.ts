import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { RegistrationBody, SignInBody } from "./model.ts";

/**
 * The checks of WebAuthn's two ceremonies (Web Authentication Level 3, sections 7.1 and 7.2) by @simplewebauthn/server,
 * which the first of them loads. What it leaves to its caller is here: pages within pages, and the lengths of ids and keys.
 */

/** Signature algorithms, by their numbers in COSE. Some browsers hand out the key of the first one alone. */
export const algorithms = { es256: -7, ed25519: -8, rs256: -257 } as const;

const MIN_RSA_BITS = 2_048;

/** The longest credential id, in bytes (section 7.1). */
const LONGEST_ID = 1_023;

/** What a ceremony must have been made for. */
export interface Expected {
  /** The origin of the page, such as `https://caseload.example`. */
  origin: string;
  /** The RP id, which is the origin's host. */
  host: string;
  isChallenge(challenge: string): boolean;
}

/** The response of `navigator.credentials.create`. All binary values are in base64url. */
export type Registration = RegistrationBody["credential"];

/** What is kept of a new passkey. */
export interface RegisteredPasskey {
  credentialId: string;
  /** COSE in base64url. */
  publicKey: string;
  /** Whether its provider may copy it to other devices. */
  isSynced: boolean;
  signatureCount: number;
  challenge: string;
}

/** The response of `navigator.credentials.get`. */
export type PasskeyUse = SignInBody["credential"];

/** The passkey whose use is claimed. */
export interface UsedPasskey {
  publicKey: string;
  isSynced: boolean;
  signatureCount: number;
  userHandle: string;
}

/** Checks a registration. Undefined if anything about it is wrong. */
export async function verifyRegistration(
  { id, response }: Registration,
  expected: Expected,
): Promise<RegisteredPasskey | undefined> {
  const { clientDataJSON, attestationObject } = response;
  const challenge = challengeOf(clientDataJSON, expected);
  if (challenge === undefined) return undefined;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { decodeCredentialPublicKey } = await import("@simplewebauthn/server/helpers");
  try {
    const { registrationInfo: info } = await verifyRegistrationResponse({
      ...optionsFor(challenge, expected),
      supportedAlgorithmIDs: Object.values(algorithms),
      response: {
        ...credentialOf(id),
        response: {
          clientDataJSON,
          attestationObject: await withoutAttestation(attestationObject),
        },
      },
    });
    if (info === undefined || info.credential.id !== id) return undefined;
    const { credential, credentialDeviceType } = info;
    if (bytesOf(id).length > LONGEST_ID) return undefined;
    const key: unknown = decodeCredentialPublicKey(credential.publicKey);
    if (!isUsable(key as ReadonlyMap<number, unknown>)) return undefined;
    return {
      credentialId: id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      isSynced: credentialDeviceType === "multiDevice",
      signatureCount: credential.counter,
      challenge,
    };
  } catch {
    return undefined;
  }
}

/** Checks a use of a passkey. Undefined if anything about it is wrong. */
export async function verifyUse(
  { id, response }: PasskeyUse,
  { publicKey, isSynced, signatureCount, userHandle }: UsedPasskey,
  expected: Expected,
): Promise<{ signatureCount: number; challenge: string } | undefined> {
  const challenge = challengeOf(response.clientDataJSON, expected);
  if (challenge === undefined || (response.userHandle ?? userHandle) !== userHandle)
    return undefined;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      ...optionsFor(challenge, expected),
      credential: { id, publicKey: bytesOf(publicKey), counter: signatureCount },
      response: {
        ...credentialOf(id),
        response: response as AuthenticationResponseJSON["response"],
      },
    });
    if (!verified || (info.credentialDeviceType === "multiDevice") !== isSynced) return undefined;
    return { signatureCount: info.newCounter, challenge };
  } catch {
    return undefined;
  }
}

/** Once an authenticator counts, a count that does not grow is that of a copy. Synced passkeys do not count. */
export function isCountAhead(count: number, last: number): boolean {
  return count > last || (count === 0 && last === 0);
}

/** The challenge of a ceremony; undefined if it is none of ours, or the page was within another one. */
function challengeOf(clientDataJSON: string, { isChallenge }: Expected): string | undefined {
  try {
    const json = new TextDecoder().decode(bytesOf(clientDataJSON));
    const { challenge, crossOrigin = false, topOrigin } = JSON.parse(json);
    if (crossOrigin !== false || topOrigin !== undefined) return undefined;
    return typeof challenge === "string" && isChallenge(challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
}

function optionsFor(expectedChallenge: string, { origin, host }: Expected) {
  return {
    ...{ expectedChallenge, expectedOrigin: origin, expectedRPID: host },
    requireUserVerification: true,
  };
}

function credentialOf(id: string) {
  return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
}

/**
 * An attestation object of the format "none". No attestation is asked for, and some password managers make one all the
 * same: it counts for nothing, and to verify it would mean to ask servers that it names.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import("@simplewebauthn/server/helpers");
  const authData = decodeAttestationObject(bytesOf(attestationObject)).get("authData");
  const none = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]),
  );
  return Buffer.from(none).toString("base64url");
}

/** Parameters of keys in COSE (RFC 9053, section 7), which have one number in keys of different types. */
const TYPE = 1;
const ALGORITHM = 3;
const CURVE_OR_MODULUS = -1;

/** Whether a key is one of the algorithm that it names, and long enough. */
function isUsable(key: ReadonlyMap<number, unknown>): boolean {
  const type = key.get(TYPE);
  const specific = key.get(CURVE_OR_MODULUS);
  const algorithm = key.get(ALGORITHM);
  if (algorithm === algorithms.es256) return type === 2 && specific === 1;
  if (algorithm === algorithms.ed25519) return type === 1 && specific === 6;
  return type === 3 && specific instanceof Uint8Array && bitsOf(specific) >= MIN_RSA_BITS;
}

function bitsOf(modulus: Uint8Array): number {
  return BigInt(`0x0${Buffer.from(modulus).toString("hex")}`).toString(2).length;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, "base64url"));
}
