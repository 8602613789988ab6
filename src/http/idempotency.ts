import { createHash } from "node:crypto";
import type { Db } from "../../db/database.ts";
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

/** Identifies a request for recognizing its retries. */
export interface Attempt {
  organizationId: string;
  route: string;
  key: string;
  bodyHash: string;
  queryHash: string;
  /** The key that encrypts the response. */
  sealingKey: Buffer;
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
}

/** The attempt that an Idempotency-Key identifies. */
export function newAttempt(
  identity: Pick<Attempt, "organizationId" | "route" | "key" | "now">,
  { body, query }: { body: Uint8Array; query: unknown },
): Attempt {
  const parameters = JSON.stringify(query ?? {});
  return {
    ...identity,
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
    }
  );
}

/** Stores a response, encrypted. */
export async function recordResponse(
  trx: Db,
  attempt: Attempt,
  { status, body, patientIds, sequence }: RecordedResponse,
): Promise<void> {
  const { organizationId, bodyHash, queryHash, now } = attempt;
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
