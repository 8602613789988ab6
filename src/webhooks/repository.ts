import { type ExpressionBuilder, sql, type StringReference } from "kysely";
import type { Db } from "../../db/database.ts";
import type { WebhookRow } from "../../db/schema.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";

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

/** The webhook of an organization with a URL. */
export function findWebhookByUrl(
  db: Db,
  organizationId: string,
  url: string,
): Promise<WebhookWithSequence | undefined> {
  return withSequence(db)
    .where("webhook.organization_id", "=", organizationId)
    .where("webhook.url", "=", url)
    .executeTakeFirst();
}

/** More than any call waits, in milliseconds: a due time further ahead stems from a clock that was wrong. */
const LONGEST_WAIT = 60 * 60 * 1_000;

function farthestDue(now: Instant): Instant {
  return toInstant(epochMilliseconds(now) + LONGEST_WAIT);
}

/** Condition: a due time is past, or too far ahead. */
function isDue<Tables, Names extends keyof Tables>(
  where: ExpressionBuilder<Tables, Names>,
  column: StringReference<Tables, Names>,
  now: Instant,
) {
  const due = sql.ref<Instant>(column);
  return where.or([where(due, "<=", now), where(due, ">", farthestDue(now))]);
}

/** Webhooks with a due call. */
export function listDueWebhooks(db: Db, now: Instant): Promise<WebhookWithSequence[]> {
  return withSequence(db)
    .where("webhook.is_off", "=", 0)
    .where((where) => isDue(where, "webhook.due_at", now))
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

/** How long a call is reserved for the node that makes it, in milliseconds; longer than the timeout of a call. */
const LEASE = 30_000;

/**
 * Reserves a due call for this node: others do not find it due for half a minute.
 *
 * @returns the sequence to report; undefined if another node has reserved the call, or it no longer exists.
 */
export async function takeDueCall(
  trx: Db,
  { organization_id, id }: WebhookKey,
  now: Instant,
): Promise<number | undefined> {
  const lastSequence = sql<number>`(select sequence from organizations where public_id = ${organization_id})`;
  const taken = await trx
    .updateTable("webhooks")
    .set({ last_attempt_at: now, due_at: endOfLease(now) })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("is_off", "=", 0)
    .where((where) => isDue(where, "due_at", now))
    .where("acknowledged", "<", lastSequence)
    .returning(lastSequence.as("sequence"))
    .executeTakeFirst();
  return taken?.sequence;
}

function endOfLease(beginning: Instant): Instant {
  return toInstant(epochMilliseconds(beginning) + LEASE);
}

/** Makes a call that waits after failures due, unless it is being made. */
export async function makeDue(trx: Db, id: string, now: Instant): Promise<void> {
  const webhook = await findWebhook(trx, id);
  if (webhook === undefined) return;
  const { last_attempt_at: attempt, due_at: due } = webhook;
  if (attempt !== null && due === endOfLease(attempt)) return;
  await updateWebhook(trx, webhook, { due_at: now });
}

/** Changes the state of a webhook, such as after a call. */
export async function updateWebhook(
  trx: Db,
  { organization_id, id }: WebhookKey,
  columns: Partial<Omit<WebhookRow, keyof WebhookKey>>,
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

/** The number of writes that the endpoint has not acknowledged. */
export function writesBehind({ sequence, acknowledged }: WebhookWithSequence): number {
  return sequence - acknowledged;
}

/** When the next call is due: now if its due time is too far ahead, null if nothing waits for it. */
export function nextAttempt(webhook: WebhookWithSequence, now: Instant): Instant | null {
  if (webhook.is_off === 1 || writesBehind(webhook) === 0) return null;
  return isTooFarAhead(webhook, now) ? now : webhook.due_at;
}

/** Whether the due time stems from a clock that was wrong. */
export function isTooFarAhead({ due_at }: WebhookRow, now: Instant): boolean {
  return due_at > farthestDue(now);
}

/** The state of an endpoint: `failing` if its last call failed, `off` after it answered 410. */
export function webhookState({ is_off, failures }: WebhookRow): "active" | "failing" | "off" {
  if (is_off === 1) return "off";
  return failures > 0 ? "failing" : "active";
}
