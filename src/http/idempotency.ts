import { createHash } from "node:crypto";
import type { Db } from "../../db/database.ts";
import type { Caller } from "../callers/api-keys.ts";
import { ownPatientsOf } from "../callers/own-patients.ts";
import { succeeds } from "../callers/repository.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { PlainError } from "./errors.ts";
import {
  deleteResponseRows,
  findResponseRow,
  insertResponseRow,
} from "./idempotency-repository.ts";
import { seal, sealingKey, unseal } from "./sealing.ts";

/**
 * Idempotent POSTs: the response is stored under the Idempotency-Key, in the transaction of the write, and replayed for
 * retries. Writes are serialized, so a retry that arrives during the first attempt waits and then gets its response.
 */

/** How long responses are stored, in milliseconds. */
const RETENTION = 24 * 60 * 60 * 1000;

/** Visible ASCII characters. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** How the name of a key begins that is nobody's. */
const KEY = "key ";

/** A caller as the recipient of a response: a person, however they ask, or a key that is nobody's. */
function nameOf({ userId, keyId }: Caller): string {
  return userId === null ? `${KEY}${keyId}` : `user ${userId}`;
}

/** Identifies a request for recognizing its retries. */
export interface Attempt {
  organizationId: string;
  route: string;
  key: string;
  bodyHash: string;
  queryHash: string;
  /** The key that encrypts the response. */
  sealingKey: Buffer;
  /** Who makes it: a person, or a key of nobody. */
  caller: string;
  now: Instant;
}

/** A response as it was first sent. */
export interface RecordedResponse {
  status: number;
  body: string;
  /** The patients whose data it contains. */
  patientIds: string[];
  /** The organization's sequence, for responses that show it. */
  sequence: number | undefined;
  /** To whom it was sent; null for one of an earlier version. */
  caller: string | null;
}

/** The attempt that an Idempotency-Key identifies. */
export function newAttempt(
  identity: Pick<Attempt, "route" | "key" | "now"> & { caller: Caller },
  { body, query }: { body: Uint8Array; query: unknown },
): Attempt {
  const parameters = JSON.stringify(query ?? {});
  return {
    ...{ ...identity, organizationId: identity.caller.organizationId },
    caller: nameOf(identity.caller),
    bodyHash: sha256(body),
    queryHash: sha256(parameters),
    sealingKey: sealingKey(Buffer.concat([body, Buffer.from(parameters)])),
  };
}

/**
 * The Idempotency-Key of a request; undefined without the header.
 *
 * @throws PlainError 400 for a malformed key.
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key") ?? undefined;
  if (key !== undefined && !IDEMPOTENCY_KEY.test(key))
    throw new PlainError(400, "Idempotency-Key must be 1 to 255 visible ASCII characters");
  return key;
}

function sha256(text: Uint8Array | string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * The stored response of an earlier request with the same key, if any.
 *
 * @throws PlainError 422 if that request had another body or query.
 */
export async function findResponse(
  db: Db,
  attempt: Attempt,
): Promise<RecordedResponse | undefined> {
  const row = await findResponseRow(db, keyOf(attempt), expiry(attempt.now));
  if (row !== undefined && row.body_hash !== attempt.bodyHash)
    throw new PlainError(422, "Idempotency-Key was used with another request body");
  if (row !== undefined && row.query_hash !== attempt.queryHash)
    throw new PlainError(422, "Idempotency-Key was used with other query parameters");
  return (
    row && {
      status: row.status,
      body: unseal(row.body, attempt.sealingKey),
      patientIds: JSON.parse(row.patient_ids) as string[],
      sequence: row.sequence ?? undefined,
      caller: row.caller,
    }
  );
}

/**
 * Requires that a stored response was sent to whoever asks again, and that they may see the patients whose data it has:
 * whoever guesses a key, or sees somebody no more, does not get it.
 *
 * @param seesAll whether the patients are not looked at, since the response is about the caller's own lines.
 * @throws PlainError 403
 */
export async function requireRecipient(
  db: Db,
  { caller: recipient, patientIds }: RecordedResponse,
  { caller, now, seesAll }: { caller: Caller; now: Instant; seesAll: boolean },
): Promise<void> {
  const isSame =
    recipient === null ||
    recipient === nameOf(caller) ||
    (recipient.startsWith(KEY) && (await succeeds(db, caller, recipient.slice(KEY.length))));
  const isShown =
    seesAll ||
    !caller.ownPatientsOnly ||
    new Set(patientIds).isSubsetOf(new Set(await ownPatientsOf(caller, db, now)));
  if (!isSame || !isShown) throw new PlainError(403, "Access denied");
}

/** Stores a response, encrypted. */
export async function recordResponse(
  trx: Db,
  attempt: Attempt,
  { status, body, patientIds, sequence }: Omit<RecordedResponse, "caller">,
): Promise<void> {
  const { organizationId, bodyHash, queryHash, caller, now } = attempt;
  // An expired response may still occupy the key.
  await forgetExpiredResponses(trx, organizationId, now);
  const row = {
    ...keyOf(attempt),
    body_hash: bodyHash,
    query_hash: queryHash,
    status,
    body: seal(body, attempt.sealingKey),
    patient_ids: JSON.stringify(patientIds),
    sequence: sequence ?? null,
    caller,
    created_at: now,
  };
  await insertResponseRow(trx, row);
}

/** Deletes an organization's expired responses. */
export async function forgetExpiredResponses(
  trx: Db,
  organizationId: string,
  now: Instant,
): Promise<void> {
  await deleteResponseRows(trx, organizationId, expiry(now));
}

function keyOf({ organizationId, route, key }: Attempt) {
  return { organization_id: organizationId, route, idempotency_key: key };
}

function expiry(now: Instant): Instant {
  return toInstant(epochMilliseconds(now) - RETENTION);
}
