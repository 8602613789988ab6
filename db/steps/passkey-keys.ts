import { createPublicKey } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../database.ts";

/** Part of step 0001: the public keys of passkeys, which were SPKI, are COSE (RFC 9053). Both are in base64url. */
export async function passkeyKeysInCose(trx: Db): Promise<void> {
  const { rows } = await sql<{ id: string; public_key: string }>`
    select id, public_key from passkeys`.execute(trx);
  for (const { id, public_key } of rows)
    await sql`update passkeys set public_key = ${coseOf(public_key)} where id = ${id}`.execute(trx);
}

const EC2 = 2;
const OKP = 1;
const RSA = 3;

/** The key types are those that passkeys could be registered with: Ed25519, P-256 and RSA. */
function coseOf(spki: string): string {
  const der = Buffer.from(spki, "base64url");
  const { kty, x, y, n, e } = createPublicKey({ key: der, format: "der", type: "spki" }).export({
    format: "jwk",
  });
  if (kty === "EC") return mapOf([1, EC2], [3, -7], [-1, 1], [-2, x], [-3, y]);
  if (kty === "OKP") return mapOf([1, OKP], [3, -8], [-1, 6], [-2, x]);
  return mapOf([1, RSA], [3, -257], [-1, n], [-2, e]);
}

/** A CBOR map of small integers, and of byte strings in base64url. */
function mapOf(...entries: [key: number, value: number | string | undefined][]): string {
  const encoded = entries.flatMap(([key, value = ""]) => [
    integer(key),
    typeof value === "number" ? integer(value) : bytes(Buffer.from(value, "base64url")),
  ]);
  return Buffer.concat([head(5, entries.length), ...encoded]).toString("base64url");
}

function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value);
}

function bytes(content: Buffer): Buffer {
  return Buffer.concat([head(2, content.length), content]);
}

/** The first bytes of a value: its type, and a number below 65,536. */
function head(type: number, number: number): Buffer {
  const first = type << 5;
  if (number < 24) return Buffer.from([first | number]);
  if (number < 256) return Buffer.from([first | 24, number]);
  return Buffer.from([first | 25, number >> 8, number & 255]);
}
