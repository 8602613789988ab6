import type { Db } from "../../db/database.ts";
import type { IdempotentResponseRow } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";

type ResponseKey = Pick<IdempotentResponseRow, "organization_id" | "route" | "idempotency_key">;

/** The response stored under a key after an instant. */
export function findResponseRow(db: Db, key: ResponseKey, after: Instant) {
  return db
    .selectFrom("idempotent_responses")
    .select(["body_hash", "query_hash", "status", "body", "patient_ids", "sequence", "caller"])
    .where("organization_id", "=", key.organization_id)
    .where("route", "=", key.route)
    .where("idempotency_key", "=", key.idempotency_key)
    .where("created_at", ">", after)
    .executeTakeFirst();
}

export async function insertResponseRow(trx: Db, row: IdempotentResponseRow): Promise<void> {
  await trx.insertInto("idempotent_responses").values(row).execute();
}

/** Deletes an organization's responses stored up to an instant. */
export async function deleteResponseRows(
  trx: Db,
  organizationId: string,
  upTo: Instant,
): Promise<void> {
  await trx
    .deleteFrom("idempotent_responses")
    .where("organization_id", "=", organizationId)
    .where("created_at", "<=", upTo)
    .execute();
}
