import { createHash } from "node:crypto";
import type { Db } from "../../db/database.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { PlainError } from "./errors.ts";
import { deleteAnswerRows, findAnswerRow, insertAnswerRow } from "./idempotency-repository.ts";
import { seal, sealingKey, unseal } from "./sealing.ts";

/**
 * Retries of a POST: an answer is kept under its Idempotency-Key, in the transaction that
 * made it, and given again to a retry. Writes run one after another, so a retry that arrives while the
 * first is still running waits for it and gets its answer.
 */

/** How long an answer is kept, in milliseconds. */
const RETENTION = 24 * 60 * 60 * 1000;

/** Visible ASCII characters. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** What makes two requests the same one. */
export interface Attempt {
  organizationId: string;
  route: string;
  key: string;
  bodyHash: string;
  /** What its answer is sealed with. */
  sealingKey: Buffer;
  now: Instant;
}

/** An answer as it was first given. */
export interface RecordedAnswer {
  status: number;
  answer: string;
  /** The patients whose data it carries. */
  patientIds: string[];
}

/**
 * The attempt that a request's Idempotency-Key names, or undefined where it carries none.
 *
 * @throws PlainError 400 for a malformed key.
 */
export function attemptOf(
  request: Request,
  body: Uint8Array,
  rest: Omit<Attempt, "key" | "bodyHash" | "sealingKey">,
): Attempt | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (!IDEMPOTENCY_KEY.test(key))
    throw new PlainError(400, "Idempotency-Key must be 1 to 255 visible ASCII characters");
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return { ...rest, key, bodyHash, sealingKey: sealingKey(body) };
}

/**
 * The answer that an earlier request with the same key was given, if any.
 *
 * @throws PlainError 422 when that request had another body.
 */
export async function findAnswer(db: Db, attempt: Attempt): Promise<RecordedAnswer | undefined> {
  const row = await findAnswerRow(db, keyOf(attempt), expiry(attempt.now));
  if (row !== undefined && row.body_hash !== attempt.bodyHash)
    throw new PlainError(422, "Idempotency-Key was used with another request body");
  return (
    row && {
      status: row.status,
      answer: unseal(row.answer, attempt.sealingKey),
      patientIds: JSON.parse(row.patient_ids) as string[],
    }
  );
}

/** Keeps an answer, sealed. */
export async function recordAnswer(
  trx: Db,
  attempt: Attempt,
  { status, answer, patientIds }: RecordedAnswer,
): Promise<void> {
  const { organizationId, bodyHash, now } = attempt;
  // One that is too old may still hold the place of this one.
  await forgetExpiredAnswers(trx, organizationId, now);
  const row = {
    ...keyOf(attempt),
    body_hash: bodyHash,
    status,
    answer: seal(answer, attempt.sealingKey),
    patient_ids: JSON.stringify(patientIds),
    created_at: now,
  };
  await insertAnswerRow(trx, row);
}

/** Deletes an organization's answers that no retry is given any more. */
export async function forgetExpiredAnswers(
  trx: Db,
  organizationId: string,
  now: Instant,
): Promise<void> {
  await deleteAnswerRows(trx, organizationId, expiry(now));
}

function keyOf({ organizationId, route, key }: Attempt) {
  return { organization_id: organizationId, route, idempotency_key: key };
}

function expiry(now: Instant): Instant {
  return toInstant(epochMilliseconds(now) - RETENTION);
}
