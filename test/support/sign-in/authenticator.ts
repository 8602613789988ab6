import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import type { PasskeyUse, Registration } from "../../../src/sign-in/webauthn.ts";

/**
 * An authenticator and its browser in software: makes the ceremonies that `navigator.credentials` would. Each part can
 * be replaced, to make ceremonies that no honest browser makes.
 */

export type Algorithm = -8 | -7 | -257;

/** What a ceremony says, where it differs from what it should. */
export interface Said {
  origin?: string;
  /** The host whose hash is in the authenticator's data. */
  host?: string;
  type?: string;
  challenge?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  /** Flags of the authenticator's data. */
  flags?: number;
  count?: number;
  userHandle?: string;
  /** The public key, in COSE. */
  key?: Buffer;
  /** The format of the attestation. */
  attestation?: string;
}

export const PRESENT = 0x01;
export const VERIFIED = 0x04;
export const MAY_BE_BACKED_UP = 0x08;
export const BACKED_UP = 0x10;
export const HAS_CREDENTIAL = 0x40;

/** The part of the options that an authenticator reads. */
export interface CreateOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}
export interface GetOptions {
  challenge: string;
  rpId: string;
}

/** A passkey as a fixture keeps it. */
export interface StoredPasskey {
  id: string;
  algorithm: Algorithm;
  /** In JWK. */
  privateKey: Record<string, string>;
  userHandle: string;
  /** Of signatures. */
  count: number;
}

export class SoftwarePasskey {
  readonly id: string;
  readonly #keys: KeyPair;
  #userHandle = "";
  #count = 0;

  constructor(
    readonly origin: string,
    readonly options: {
      algorithm?: Algorithm;
      isSynced?: boolean;
      isCounting?: boolean;
      /** Length of the credential id, in bytes. */
      idLength?: number;
      /** One that was registered before. */
      stored?: StoredPasskey;
    } = {},
  ) {
    const { stored, idLength = 32 } = options;
    this.id = stored?.id ?? randomBytes(idLength).toString("base64url");
    this.#keys = stored === undefined ? newKeys(this.algorithm) : keysOf(stored);
    this.#userHandle = stored?.userHandle ?? "";
    this.#count = stored?.count ?? 0;
  }

  get algorithm(): Algorithm {
    return this.options.stored?.algorithm ?? this.options.algorithm ?? -7;
  }

  get privateKey(): KeyObject {
    return this.#keys.privateKey;
  }

  get publicKey(): KeyObject {
    return this.#keys.publicKey;
  }

  /** What `navigator.credentials.create` gives. */
  register({ challenge, rp, user }: CreateOptions, said: Said = {}): Registration {
    this.#userHandle = user.id;
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const key = said.key ?? coseKey(this.#keys.publicKey, this.algorithm);
    const attested = [Buffer.alloc(16), length, id, key];
    const flags = this.#flags | HAS_CREDENTIAL;
    return {
      id: this.id,
      response: {
        clientDataJSON: this.#clientData("webauthn.create", { challenge, ...said }),
        attestationObject: attestationObject(
          Buffer.concat([this.#authenticatorData({ host: rp.id, flags, ...said }), ...attested]),
          said.attestation,
        ).toString("base64url"),
      },
    };
  }

  /** What `navigator.credentials.get` gives. */
  use({ challenge, rpId }: GetOptions, said: Said = {}): PasskeyUse {
    if (this.options.isCounting) this.#count += 1;
    const clientDataJSON = this.#clientData("webauthn.get", { challenge, ...said });
    const data = this.#authenticatorData({ host: rpId, flags: this.#flags, ...said });
    return {
      id: this.id,
      response: {
        clientDataJSON,
        authenticatorData: data.toString("base64url"),
        signature: this.#sign(data, Buffer.from(clientDataJSON, "base64url")).toString("base64url"),
        userHandle: said.userHandle ?? this.#userHandle,
      },
    };
  }

  get #flags(): number {
    return PRESENT | VERIFIED | (this.options.isSynced ? MAY_BE_BACKED_UP | BACKED_UP : 0);
  }

  #clientData(type: string, said: Said): string {
    const { challenge, origin = this.origin, crossOrigin = false, topOrigin } = said;
    const data = { type: said.type ?? type, challenge, origin, crossOrigin, topOrigin };
    return Buffer.from(JSON.stringify(data)).toString("base64url");
  }

  #authenticatorData({ host = "", flags = 0, count = this.#count }: Said): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(count, 1);
    return Buffer.concat([sha256(host), rest]);
  }

  #sign(data: Buffer, clientData: Buffer): Buffer {
    const digest = this.algorithm === -8 ? null : "sha256";
    return sign(digest, Buffer.concat([data, sha256(clientData)]), this.#keys.privateKey);
  }
}

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

function newKeys(algorithm: Algorithm): KeyPair {
  if (algorithm === -8) return generateKeyPairSync("ed25519");
  if (algorithm === -7) return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  return generateKeyPairSync("rsa", { modulusLength: 2048 });
}

function keysOf({ privateKey: key }: StoredPasskey): KeyPair {
  const privateKey = createPrivateKey({ key, format: "jwk" });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

function sha256(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

/** A public key in COSE (RFC 9053), as authenticators write it. */
export function coseKey(key: KeyObject, algorithm: number): Buffer {
  const { kty, crv, x = "", y = "", n = "", e = "" } = key.export({ format: "jwk" });
  const bytes = (text: string) => cborBytes(Buffer.from(text, "base64url"));
  const curve = cborInteger({ "P-256": 1, "P-384": 2, Ed25519: 6 }[crv ?? ""] ?? 0);
  const parameters = {
    OKP: [cborInteger(-1), curve, cborInteger(-2), bytes(x)],
    EC: [cborInteger(-1), curve, cborInteger(-2), bytes(x), cborInteger(-3), bytes(y)],
    RSA: [cborInteger(-1), bytes(n), cborInteger(-2), bytes(e)],
  }[kty as "OKP" | "EC" | "RSA"];
  const entries = 2 + parameters.length / 2;
  return Buffer.concat([
    Buffer.from([0xa0 | entries]),
    ...[cborInteger(1), cborInteger({ OKP: 1, EC: 2, RSA: 3 }[kty as "OKP" | "EC" | "RSA"])],
    ...[cborInteger(3), cborInteger(algorithm)],
    ...parameters,
  ]);
}

/** An attestation object, whose statement is empty. */
function attestationObject(authenticatorData: Buffer, format = "none"): Buffer {
  const text = (value: string) => cborHead(3, value.length, Buffer.from(value));
  return Buffer.concat([
    Buffer.from([0xa3]),
    ...[text("fmt"), text(format), text("attStmt"), Buffer.from([0xa0])],
    ...[text("authData"), cborBytes(authenticatorData)],
  ]);
}

function cborBytes(bytes: Buffer): Buffer {
  return cborHead(2, bytes.length, bytes);
}

function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
}

function cborHead(type: number, value: number, rest: Buffer = Buffer.alloc(0)): Buffer {
  const major = type << 5;
  const head =
    value < 24
      ? [major | value]
      : value < 256
        ? [major | 24, value]
        : [major | 25, value >> 8, value & 255];
  return Buffer.concat([Buffer.from(head), rest]);
}
