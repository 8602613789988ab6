import { type Selectable, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { byEngine } from "../../db/engine.ts";
import { prepared, preparedInsert } from "../../db/prepared.ts";
import type { AuditEntryRow, Schema } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import { type ChainHead, COMMAND, EMPTY_CHAIN, printHead } from "./chain.ts";

/** Where a chain ends, and when its last row was written; null for one that has none. */
export interface ChainEnd extends ChainHead {
  time: Instant | null;
}

/**
 * Where an organization's chain ends: behind its last row, or behind its head where the last rows are missing, so that
 * the gap stays and verification tells of it.
 */
export async function readEnd(db: Db, organizationId: string): Promise<ChainEnd> {
  const ends = await endsOf(db, { organizationId });
  // A head that somebody took away stays missing, so that verification tells of that, too.
  if (ends.length === 0) ends.push(...(await lastRowOf(db, { organizationId })));
  return ends.reduce((end, other) => (other.sequence > end.sequence ? other : end), {
    ...EMPTY_CHAIN,
    time: null,
  });
}

/**
 * Takes the lock of an organization's chain, which lasts until the transaction ends, and reads where the chain ends.
 * Whoever adds to a chain or moves its head does this first. The lock is the chain's own: rows of reads need not wait
 * until a long write has finished. It is taken after the organization's lock and never before it, so nobody waits in a
 * circle. On SQLite a transaction that writes has the whole database.
 */
export async function lockEnd(trx: Db, organizationId: string): Promise<ChainEnd> {
  if (trx.engine === "sqlite") return readEnd(trx, organizationId);
  // Both are sent at once, and the server executes them in order: the end is the one that the last holder left.
  const [, end] = await Promise.all([
    lockChain(trx, { organizationId }),
    readEnd(trx, organizationId),
  ]);
  return end;
}

/** The seed is another than that of the locks of organizations without a row. */
const lockChain = prepared(
  (_, { organizationId }: { organizationId: string }) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 1))`,
);

const lastRowOf = prepared((db, { organizationId }: { organizationId: string }) =>
  db
    .selectFrom("audit_entries")
    .select(["sequence", "hash", sql<Instant | null>`time`.as("time")])
    .where("organization_id", "=", organizationId)
    .orderBy("sequence", "desc")
    .limit(1),
);

/** SQLite's heads are moved with each row, so that the rows need not be looked at. */
const endsOf = prepared((_, { organizationId }: { organizationId: string }) =>
  byEngine<ChainEnd>({
    sqlite: sql`
      select sequence, hash, null as time from audit_heads where organization_id = ${organizationId}`,
    postgresql: sql`
      (select sequence, hash, time from audit_entries where organization_id = ${organizationId}
        order by sequence desc limit 1)
      union all
      select sequence, hash, null from audit_heads where organization_id = ${organizationId}`,
  }),
);

/** What is kept of a chain beside its rows: where it ends, and the last row that was moved to an archive. */
export interface ChainEnds {
  head: ChainHead;
  anchor: ChainHead;
}

/** The ends of every chain, by the organization. */
export async function readEnds(db: Db): Promise<Map<string, ChainEnds>> {
  const rows = await db.selectFrom("audit_heads").selectAll().orderBy("organization_id").execute();
  return new Map(rows.map((row) => [row.organization_id, toEnds(row)]));
}

/** The ends of an organization's chain; undefined where its head is gone. */
export async function readEndsOf(db: Db, organizationId: string): Promise<ChainEnds | undefined> {
  const row = await db
    .selectFrom("audit_heads")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row && toEnds(row);
}

function toEnds(row: Selectable<Schema["audit_heads"]>): ChainEnds {
  return {
    head: { sequence: row.sequence, hash: row.hash },
    anchor: { sequence: row.anchor_sequence, hash: row.anchor_hash },
  };
}

/** Where every chain that has rows ends, as `printHead` writes it. */
export async function printedHeads(db: Db): Promise<string[]> {
  return [...(await readEnds(db))]
    .filter(([, { head }]) => head.sequence > 0)
    .map(([organizationId, { head }]) => printHead(organizationId, head));
}

/** Every organization that has rows, whether or not it has a head. */
export async function listChains(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("audit_entries")
    .select("organization_id")
    .distinct()
    .orderBy("organization_id")
    .execute();
  return rows.map((row) => row.organization_id);
}

/** Adds the next rows of a chain. */
export const insertRows = preparedInsert("audit_entries", [
  "organization_id",
  "sequence",
  "time",
  "request_id",
  "key_id",
  "user_id",
  "role",
  "method",
  "route",
  "status",
  "patient_ids",
  "hash",
  "target",
  "address",
  "operator",
  "requests",
]);

/**
 * Notes where an organization's chain ends now. On PostgreSQL that is done once a minute: a row that is updated each
 * time becomes slow as long as somebody else has a snapshot.
 */
export async function moveHead(
  trx: Db,
  organizationId: string,
  { sequence, hash, isNewMinute }: ChainHead & { isNewMinute: boolean },
): Promise<void> {
  if (isNewMinute || trx.engine === "sqlite")
    await updateHead(trx, { organizationId, sequence, hash });
}

const updateHead = prepared((trx, values: ChainHead & { organizationId: string }) =>
  trx
    .updateTable("audit_heads")
    .set({ sequence: values.sequence, hash: values.hash })
    .where("organization_id", "=", values.organizationId),
);

/** Which rows of a chain are listed: those caused by a key, or of a time; both ends included. */
export interface RowFilter {
  keyId?: string;
  from?: Instant;
  to?: Instant;
}

/** The rows of one chain that pass the filter, after a number, in order, at most `limit`. */
export function listRowsAfter(
  db: Db,
  organizationId: string,
  sequence: number,
  { limit, keyId, from, to }: RowFilter & { limit: number },
): Promise<AuditEntryRow[]> {
  let query = db
    .selectFrom("audit_entries")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("sequence", ">", sequence);
  if (keyId !== undefined) query = query.where("key_id", "=", keyId);
  if (from !== undefined) query = query.where("time", ">=", from);
  if (to !== undefined) query = query.where("time", "<=", to);
  return query.orderBy("sequence").limit(limit).execute();
}

/** What keys and people are called now, by their ids. */
export interface Names {
  keys: ReadonlyMap<string, string>;
  users: ReadonlyMap<string, string>;
}

/** The names of all keys and users of an organization. */
export async function readNames(db: Db, organizationId: string): Promise<Names> {
  const keys = await db
    .selectFrom("api_keys")
    .select(["id", "name"])
    .where("organization_id", "=", organizationId)
    .execute();
  const users = await db
    .selectFrom("users")
    .select(["public_id", "first_name", "last_name"])
    .where("organization_id", "=", organizationId)
    .execute();
  return {
    keys: new Map(keys.map(({ id, name }) => [id, name])),
    users: new Map(users.map((user) => [user.public_id, `${user.first_name} ${user.last_name}`])),
  };
}

/**
 * The last row of a chain that is older than an instant; undefined where none is. Rows before it are as old, whatever
 * they say: a clock that was wrong once may have given them times of the future.
 */
export async function findLastBefore(
  db: Db,
  organizationId: string,
  before: Instant,
): Promise<ChainHead | undefined> {
  return db
    .selectFrom("audit_entries")
    .select(["sequence", "hash"])
    .where("organization_id", "=", organizationId)
    .where("time", "<", before)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The oldest rows of all chains with a time after an instant. */
export function listRowsOfLater(
  db: Db,
  instant: Instant,
  limit: number,
): Promise<{ organization_id: string; sequence: number; time: Instant }[]> {
  return db
    .selectFrom("audit_entries")
    .select(["organization_id", "sequence", "time"])
    .where("time", ">", instant)
    .orderBy("organization_id")
    .orderBy("sequence")
    .limit(limit)
    .execute();
}

/** Where a row of a chain stands. */
export function findRow(
  db: Db,
  organizationId: string,
  sequence: number,
): Promise<ChainHead | undefined> {
  return db
    .selectFrom("audit_entries")
    .select(["sequence", "hash"])
    .where("organization_id", "=", organizationId)
    .where("sequence", "=", sequence)
    .executeTakeFirst();
}

/** Removes the oldest rows of a chain, which are in an archive. */
export async function deleteRowsUpTo(
  trx: Db,
  organizationId: string,
  sequence: number,
): Promise<void> {
  await trx
    .deleteFrom("audit_entries")
    .where("organization_id", "=", organizationId)
    .where("sequence", "<=", sequence)
    .execute();
}

/** Notes behind which row a chain begins. */
export async function moveAnchor(
  trx: Db,
  organizationId: string,
  anchor: ChainHead,
): Promise<void> {
  await trx
    .updateTable("audit_heads")
    .set({ anchor_sequence: anchor.sequence, anchor_hash: anchor.hash })
    .where("organization_id", "=", organizationId)
    .execute();
}

/** When one of some commands that concern all organizations was last recorded as done. */
export async function findLastCommand(
  db: Db,
  commands: readonly string[],
): Promise<Instant | undefined> {
  const row = await db
    .selectFrom("audit_entries")
    .select("time")
    .where("organization_id", "=", "")
    .where("method", "=", COMMAND)
    .where("route", "in", commands)
    .where("status", "=", 0)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.time;
}

/** What successful commands of these names were given, each text once. */
export async function listTargets(db: Db, commands: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("audit_entries")
    .select("target")
    .distinct()
    .where("method", "=", COMMAND)
    .where("route", "in", commands)
    .where("status", "=", 0)
    .where("target", "is not", null)
    .execute();
  return rows.map(({ target }) => target ?? "");
}

/** How much of a spool is in the chains, in bytes. */
export async function readTaken(trx: Db, spoolId: string): Promise<number> {
  const row = await trx
    .selectFrom("audit_spools")
    .select("taken")
    .where("id", "=", spoolId)
    .executeTakeFirst();
  return row?.taken ?? 0;
}

/** Notes how much of a spool is in the chains. There is one at a time, so others are gone. */
export async function setTaken(trx: Db, spoolId: string, taken: number): Promise<void> {
  await trx.deleteFrom("audit_spools").execute();
  await trx.insertInto("audit_spools").values({ id: spoolId, taken }).execute();
}
