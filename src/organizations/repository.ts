import { type Selectable, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import type { OrganizationRow, Schema } from "../../db/schema.ts";
import { CommandError } from "../lib/command-error.ts";
import type { Instant } from "../lib/instant.ts";
import { parseTimeZone, type TimeZone } from "../lib/time-zone.ts";
import type { RecordType } from "../schema/record-types.ts";

/** An organization; undefined if it does not exist. */
export const findOrganization = preparedFirst(
  (db, { organizationId }: { organizationId: string }) =>
    db.selectFrom("organizations").selectAll().where("public_id", "=", organizationId),
);

/** @throws CommandError for an unknown organization. */
export async function requireOrganization(db: Db, organizationId: string): Promise<void> {
  if (!(await organizationExists(db, organizationId)))
    throw new CommandError(
      `There is no organization ${organizationId}; "caseload organizations list" shows them.`,
    );
}

export async function organizationExists(db: Db, organizationId: string): Promise<boolean> {
  return (await findOrganization(db, { organizationId })) !== undefined;
}

/** The organization of a caller. It exists as long as the caller's key. */
export async function getOrganization(
  db: Db,
  organizationId: string,
): Promise<Selectable<Schema["organizations"]>> {
  const row = await findOrganization(db, { organizationId });
  if (row === undefined) throw new Error("The organization is gone");
  return row;
}

/** The time zones in use by practices and patients, sorted. */
export async function listTimeZones(db: Db): Promise<TimeZone[]> {
  const rows = await db
    .selectFrom("organizations")
    .select("time_zone")
    .union(db.selectFrom("users").select("time_zone"))
    .execute();
  return rows.flatMap(({ time_zone }) => parseTimeZone(time_zone ?? "") ?? []).sort();
}

/** The time zone of an organization; undefined if it has none, or does not exist. */
export async function findTimeZone(db: Db, organizationId: string): Promise<TimeZone | undefined> {
  const organization = await findOrganization(db, { organizationId });
  return parseTimeZone(organization?.time_zone ?? "");
}

/** The last sequence of an organization. */
export const findSequence = preparedFirst((db, { organizationId }: { organizationId: string }) =>
  db.selectFrom("organizations").select("sequence").where("public_id", "=", organizationId),
);

/** The minimum by which sequences are advanced after a restore. */
const ANOTHER_HISTORY = 1_000_000_000;

/** The last sequence of each organization, by its id. */
export async function lastSequences(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom("organizations").select(["public_id", "sequence"]).execute();
  return new Map(rows.map((row) => [row.public_id, row.sequence]));
}

/**
 * Advances the sequences of all organizations and forgets earlier changes, so that followers do not confuse new writes
 * with writes that had the same sequences after the backup: to the sequence plus a billion or to the milliseconds since
 * 1970, whichever is larger, so that each restore of a backup begins at another number.
 *
 * @param now in epoch milliseconds.
 * @param replaced the sequences of the replaced database, which are exceeded even if the clock was set back.
 */
export async function beginAnotherHistory(
  trx: Db,
  now: number,
  replaced: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  const first = Math.max(now, ...replaced.values().map((sequence) => sequence + 1));
  const sequence = sql<number>`max(sequence + ${ANOTHER_HISTORY}, ${first})`;
  await trx.updateTable("organizations").set({ sequence, changes_known_from: sequence }).execute();
}

/** Forgets an organization's deletions before an instant. Changes since before then are no longer known. */
export async function forgetDeletions(
  trx: Db,
  organizationId: string,
  before: Instant,
): Promise<void> {
  const forgotten = await trx
    .deleteFrom("deletions")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "<", before)
    .returning("sequence")
    .execute();
  if (forgotten.length === 0) return;
  const last = forgotten.reduce((most, { sequence }) => Math.max(most, sequence), 0);
  await trx
    .updateTable("organizations")
    .set({ changes_known_from: last })
    .where("public_id", "=", organizationId)
    .where("changes_known_from", "<", last)
    .execute();
}

/** The ids of all organizations. */
export async function listOrganizationIds(db: Db): Promise<string[]> {
  return (await listOrganizations(db)).map((row) => row.public_id);
}

/** All organizations, by id. */
export function listOrganizations(db: Db): Promise<Pick<OrganizationRow, "public_id" | "name">[]> {
  return db
    .selectFrom("organizations")
    .select(["public_id", "name"])
    .orderBy("public_id")
    .execute();
}

/**
 * Takes the next number of the sequence of an organization's writes. Every record that a write changes is given the
 * number of that write.
 */
export async function nextSequence(trx: Db, organizationId: string): Promise<number> {
  const [row] = await nextSequenceOf(trx, { organizationId });
  if (row === undefined) throw new Error("The organization is gone");
  return row.sequence;
}

/** A record deleted by a write. */
interface Deletion {
  organization_id: string;
  type: RecordType;
  public_id: string;
  /** The sequence of the write. */
  sequence: number;
  deleted_at: Instant;
}

/** Records a deletion, for exports of changes (docs/keeping-a-copy.md). */
export async function noteDeletion(trx: Db, deletion: Deletion): Promise<void> {
  await trx.insertInto("deletions").values(deletion).execute();
}

const nextSequenceOf = prepared((trx, { organizationId }: { organizationId: string }) =>
  trx
    .updateTable("organizations")
    .set((set) => ({ sequence: set("sequence", "+", 1) }))
    .where("public_id", "=", organizationId)
    .returning("sequence"),
);
