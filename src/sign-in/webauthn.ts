import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";

/**
 * The checks of WebAuthn's two ceremonies (Web Authentication Level 3, sections 7.1 and 7.2), as far as a service needs
 * them that asks for no attestation. Browsers hand out the public key as SPKI (`getPublicKey()`) and the authenticator's
 * data as they are, so there is no CBOR and no COSE to read.
 */

/** Signature algorithms, by their numbers in COSE; the preferred one first. */
export const algorithms = { ed25519: -8, es256: -7, rs256: -257 } as const;

const MIN_RSA_BITS = 2_048;

/** What a ceremony must have been made for. */
export interface Expected {
  /** The origin of the page, such as `https://caseload.example`. */
  origin: string;
  /** The RP id, which is the origin's host. */
  host: string;
  isChallenge(challenge: string): boolean;
}

/** The response of `navigator.credentials.create`. All binary values are in base64url. */
export interface Registration {
  id: string;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    publicKey: string;
    publicKeyAlgorithm: number;
  };
}

/** What is kept of a new passkey. */
export interface RegisteredPasskey {
  credentialId: string;
  /** SPKI in base64url. */
  publicKey: string;
  algorithm: number;
  /** Whether its provider may copy it to other devices. */
  isSynced: boolean;
  signatureCount: number;
  challenge: string;
}

/** The response of `navigator.credentials.get`. */
export interface PasskeyUse {
  id: string;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | undefined;
  };
}

/** The passkey whose use is claimed. */
export interface UsedPasskey {
  publicKey: string;
  isSynced: boolean;
  signatureCount: number;
  userHandle: string;
}

/** Checks a registration. Undefined if anything about it is wrong. */
export function verifyRegistration(
  { id, response }: Registration,
  expected: Expected,
): RegisteredPasskey | undefined {
  const clientData = bytesOf(response.clientDataJSON);
  const data = readAuthenticatorData(bytesOf(response.authenticatorData));
  const challenge = challengeOf(clientData, "webauthn.create", expected);
  const key = publicKeyOf(bytesOf(response.publicKey), response.publicKeyAlgorithm);
  if (challenge === undefined || key === undefined) return undefined;
  if (data === undefined || !isByPerson(data, expected)) return undefined;
  if (data.credentialId === undefined || data.credentialId !== id) return undefined;
  return {
    credentialId: id,
    publicKey: key.export({ type: "spki", format: "der" }).toString("base64url"),
    algorithm: response.publicKeyAlgorithm,
    isSynced: data.isSynced,
    signatureCount: data.signatureCount,
    challenge,
  };
}

/** Checks a use of a passkey. Undefined if anything about it is wrong. */
export function verifyUse(
  { response }: PasskeyUse,
  passkey: UsedPasskey,
  expected: Expected,
): { signatureCount: number; challenge: string } | undefined {
  const clientData = bytesOf(response.clientDataJSON);
  const authenticatorData = bytesOf(response.authenticatorData);
  const data = readAuthenticatorData(authenticatorData);
  const challenge = challengeOf(clientData, "webauthn.get", expected);
  if (challenge === undefined) return undefined;
  if (data === undefined || !isByPerson(data, expected)) return undefined;
  if (data.isSynced !== passkey.isSynced) return undefined;
  if ((response.userHandle ?? passkey.userHandle) !== passkey.userHandle) return undefined;
  if (!isCountAhead(data.signatureCount, passkey.signatureCount)) return undefined;
  const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
  if (!isSigned(signed, bytesOf(response.signature), passkey.publicKey)) return undefined;
  return { signatureCount: data.signatureCount, challenge };
}

/** Once an authenticator counts, a count that does not grow is that of a copy. Synced passkeys do not count. */
export function isCountAhead(count: number, last: number): boolean {
  return count > last || (count === 0 && last === 0);
}

/** The challenge of a ceremony's client data; undefined if it was made for something else. */
function challengeOf(
  clientData: Buffer,
  type: "webauthn.create" | "webauthn.get",
  { origin, isChallenge }: Expected,
): string | undefined {
  const data = readObject(clientData);
  const { challenge, crossOrigin = false, topOrigin } = data;
  if (data.type !== type || data.origin !== origin) return undefined;
  if (crossOrigin !== false || topOrigin !== undefined) return undefined;
  return typeof challenge === "string" && isChallenge(challenge) ? challenge : undefined;
}

function readObject(json: Buffer): Record<string, unknown> {
  try {
    // Replaces invalid UTF-8, as WebAuthn prescribes.
    const value: unknown = JSON.parse(new TextDecoder().decode(json));
    return { ...(value as object) };
  } catch {
    return {};
  }
}

/** The authenticator's part of a ceremony. */
interface AuthenticatorData {
  hostHash: Buffer;
  isPresent: boolean;
  isVerified: boolean;
  isSynced: boolean;
  isBackedUp: boolean;
  signatureCount: number;
  /** In base64url; undefined if there is none, as in uses. */
  credentialId: string | undefined;
}

/** Positions within it (Web Authentication, section 6.1). */
const FLAGS = 32;
const COUNT = 33;
const ATTESTED = 37;
const ID_LENGTH = ATTESTED + 16;
const ID = ID_LENGTH + 2;
/** The longest credential id (section 7.1), in bytes. */
const LONGEST_ID = 1_023;

const PRESENT = 0x01;
const VERIFIED = 0x04;
const MAY_BE_BACKED_UP = 0x08;
const BACKED_UP = 0x10;
const HAS_CREDENTIAL = 0x40;

function readAuthenticatorData(bytes: Buffer): AuthenticatorData | undefined {
  if (bytes.length < ATTESTED) return undefined;
  const flags = bytes.readUInt8(FLAGS);
  const has = (flag: number) => (flags & flag) !== 0;
  return {
    hostHash: bytes.subarray(0, FLAGS),
    isPresent: has(PRESENT),
    isVerified: has(VERIFIED),
    isSynced: has(MAY_BE_BACKED_UP),
    isBackedUp: has(BACKED_UP),
    signatureCount: bytes.readUInt32BE(COUNT),
    credentialId: has(HAS_CREDENTIAL) ? attestedId(bytes) : undefined,
  };
}

/** The credential id. The public key behind it is read by the browser. */
function attestedId(bytes: Buffer): string | undefined {
  if (bytes.length < ID) return undefined;
  const length = bytes.readUInt16BE(ID_LENGTH);
  const end = ID + length;
  if (length === 0 || length > LONGEST_ID || end >= bytes.length) return undefined;
  return bytes.toString("base64url", ID, end);
}

/** Whether the authenticator is one for this host, and has verified the person; and its backup flags are possible. */
function isByPerson(data: AuthenticatorData, { host }: Expected): boolean {
  if (!data.hostHash.equals(sha256(host))) return false;
  if (data.isBackedUp && !data.isSynced) return false;
  return data.isPresent && data.isVerified;
}

/** The key, if it is one of the algorithm. */
function publicKeyOf(spki: Buffer, algorithm: number): KeyObject | undefined {
  const key = readKey(spki);
  const { namedCurve, modulusLength = 0 } = key?.asymmetricKeyDetails ?? {};
  const isOf: Record<number, boolean> = {
    [algorithms.ed25519]: key?.asymmetricKeyType === "ed25519",
    [algorithms.es256]: key?.asymmetricKeyType === "ec" && namedCurve === "prime256v1",
    [algorithms.rs256]: key?.asymmetricKeyType === "rsa" && modulusLength >= MIN_RSA_BITS,
  };
  return isOf[algorithm] === true ? key : undefined;
}

function isSigned(data: Buffer, signature: Buffer, publicKey: string): boolean {
  const key = readKey(bytesOf(publicKey));
  if (key === undefined) return false;
  try {
    return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", data, key, signature);
  } catch {
    return false;
  }
}

function readKey(spki: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: spki, format: "der", type: "spki" });
  } catch {
    return undefined;
  }
}

function bytesOf(base64url: string): Buffer {
  return Buffer.from(base64url, "base64url");
}

function sha256(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}
