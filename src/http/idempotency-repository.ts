import type { Db } from "../../db/database.ts";
import type { IdempotentAnswerRow } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";

/** The primary key of a stored response. */
type AnswerKey = Pick<IdempotentAnswerRow, "organization_id" | "route" | "idempotency_key">;

/** The response stored under a key after an instant. */
export function findAnswerRow(db: Db, key: AnswerKey, after: Instant) {
  return db
    .selectFrom("idempotent_answers")
    .select(["body_hash", "query_hash", "status", "answer", "patient_ids", "sequence"])
    .where("organization_id", "=", key.organization_id)
    .where("route", "=", key.route)
    .where("idempotency_key", "=", key.idempotency_key)
    .where("created_at", ">", after)
    .executeTakeFirst();
}

export async function insertAnswerRow(trx: Db, row: IdempotentAnswerRow): Promise<void> {
  await trx.insertInto("idempotent_answers").values(row).execute();
}

/** Deletes an organization's responses stored up to an instant. */
export async function deleteAnswerRows(
  trx: Db,
  organizationId: string,
  upTo: Instant,
): Promise<void> {
  await trx
    .deleteFrom("idempotent_answers")
    .where("organization_id", "=", organizationId)
    .where("created_at", "<=", upTo)
    .execute();
}
