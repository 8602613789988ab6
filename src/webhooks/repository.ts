import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { WebhookRow } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";

/** A webhook, with the sequence of its organization's last write. */
export type WebhookWithSequence = WebhookRow & { sequence: number };

export async function insertWebhook(trx: Db, row: WebhookRow): Promise<void> {
  await trx.insertInto("webhooks").values(row).execute();
}

/** All webhooks, ordered by organization, then creation. */
export function listWebhooks(db: Db): Promise<WebhookWithSequence[]> {
  return withSequence(db)
    .orderBy("webhook.organization_id")
    .orderBy("webhook.created_at")
    .orderBy("webhook.id")
    .execute();
}

export function findWebhook(db: Db, id: string): Promise<WebhookWithSequence | undefined> {
  return withSequence(db).where("webhook.id", "=", id).executeTakeFirst();
}

/** Webhooks with a due call. */
export function listDueWebhooks(db: Db, now: Instant): Promise<WebhookWithSequence[]> {
  return withSequence(db)
    .where("webhook.is_off", "=", 0)
    .where("webhook.due_at", "<=", now)
    .whereRef("organization.sequence", ">", "webhook.acknowledged")
    .execute();
}

function withSequence(db: Db) {
  return db
    .selectFrom("webhooks as webhook")
    .innerJoin("organizations as organization", (join) =>
      join.onRef("organization.public_id", "=", "webhook.organization_id"),
    )
    .selectAll("webhook")
    .select("organization.sequence");
}

/** The key of a webhook. */
export type WebhookKey = Pick<WebhookRow, "organization_id" | "id">;

/**
 * Reserves a due call: until `until`, other nodes do not find it due.
 *
 * @returns the sequence to report; undefined if another node has reserved the call, or it no longer exists.
 */
export async function takeDueCall(
  trx: Db,
  { organization_id, id }: WebhookKey,
  { now, until }: { now: Instant; until: Instant },
): Promise<number | undefined> {
  const taken = await trx
    .updateTable("webhooks")
    .set({ due_at: until })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("is_off", "=", 0)
    .where("due_at", "<=", now)
    .where(
      sql<boolean>`acknowledged < (select sequence from organizations where public_id = ${organization_id})`,
    )
    .returning(
      sql<number>`(select sequence from organizations where public_id = ${organization_id})`.as(
        "sequence",
      ),
    )
    .executeTakeFirst();
  return taken?.sequence;
}

/** Stores the outcome of a call. */
export async function updateWebhook(
  trx: Db,
  { organization_id, id }: WebhookKey,
  columns: Partial<Pick<WebhookRow, "acknowledged" | "is_off" | "failures" | "due_at">>,
): Promise<void> {
  await trx
    .updateTable("webhooks")
    .set(columns)
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .execute();
}

export async function deleteWebhook(trx: Db, { organization_id, id }: WebhookKey): Promise<void> {
  await trx
    .deleteFrom("webhooks")
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .execute();
}

/** The state of an endpoint: `failing` if its last call failed, `off` after it answered 410. */
export function webhookState({ is_off, failures }: WebhookRow): "active" | "failing" | "off" {
  if (is_off === 1) return "off";
  return failures > 0 ? "failing" : "active";
}
