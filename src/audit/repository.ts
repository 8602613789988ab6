import { type Selectable, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { byEngine } from "../../db/engine.ts";
import { prepared, preparedInsert } from "../../db/prepared.ts";
import type { AuditEntryRow, Schema } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import { type ChainHead, COMMAND, EMPTY_CHAIN, printHead, rowColumns } from "./chain.ts";

/** The end of a chain and the time of its last row (null if the chain is empty). */
export interface ChainEnd extends ChainHead {
  time: Instant | null;
}

/**
 * The end of an organization's chain: its last row, or its stored head if the last rows are missing. New rows then
 * continue after the gap, so that verification finds it.
 */
export async function readEnd(db: Db, organizationId: string): Promise<ChainEnd> {
  const ends = await endsOf(db, { organizationId });
  // A missing head is not restored, so that verification reports it.
  if (ends.length === 0) ends.push(...(await lastRowOf(db, { organizationId })));
  return ends.reduce((end, other) => (other.sequence > end.sequence ? other : end), {
    ...EMPTY_CHAIN,
    time: null,
  });
}

/**
 * Takes the lock of an organization's chain until the end of the transaction, and reads the chain's end. Required
 * before adding rows or moving the head. The chain has its own lock so that the rows of reads do not wait for long
 * writes. It is always taken after the organization's lock, which rules out deadlocks. On SQLite, a write transaction
 * locks the whole database.
 */
export async function lockEnd(trx: Db, organizationId: string): Promise<ChainEnd> {
  if (trx.engine === "sqlite") return readEnd(trx, organizationId);
  // Sent together and executed in order, so the second statement sees the state left by the last holder of the lock.
  const [, end] = await Promise.all([
    lockChain(trx, { organizationId }),
    readEnd(trx, organizationId),
  ]);
  return end;
}

/** Uses a different hash seed than the locks of organizations without a row. */
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

/** On SQLite the head moves with each row, so the rows need not be read. */
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

/** The stored ends of a chain: its head, and its anchor (the last row that was archived). */
export interface ChainEnds {
  head: ChainHead;
  anchor: ChainHead;
}

/** The ends of all chains, by organization. */
export async function readEnds(db: Db): Promise<Map<string, ChainEnds>> {
  const rows = await db.selectFrom("audit_heads").selectAll().orderBy("organization_id").execute();
  return new Map(rows.map((row) => [row.organization_id, toEnds(row)]));
}

/** The ends of an organization's chain; undefined if its head is missing. */
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

/** The heads of all chains that have rows, in the format of `printHead`. */
export async function printedHeads(db: Db): Promise<string[]> {
  return [...(await readEnds(db))]
    .filter(([, { head }]) => head.sequence > 0)
    .map(([organizationId, { head }]) => printHead(organizationId, head));
}

/** All organizations that have rows, with or without a head. */
export async function listChains(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("audit_entries")
    .select("organization_id")
    .distinct()
    .orderBy("organization_id")
    .execute();
  return rows.map((row) => row.organization_id);
}

/** Appends rows to a chain. */
export const insertRows = preparedInsert("audit_entries", rowColumns);

/** Stores the current end of a chain. */
export async function moveHead(
  trx: Db,
  organizationId: string,
  { sequence, hash }: ChainHead,
): Promise<void> {
  await updateHead(trx, { organizationId, sequence, hash });
}

const updateHead = prepared((trx, values: ChainHead & { organizationId: string }) =>
  trx
    .updateTable("audit_heads")
    .set({ sequence: values.sequence, hash: values.hash })
    .where("organization_id", "=", values.organizationId),
);

/** Filter of rows by key and time; both bounds are included. */
export interface RowFilter {
  keyId?: string | undefined;
  from?: Instant;
  to?: Instant;
}

/** Rows of a chain that match the filter, after a sequence number, in order, at most `limit`. */
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

/** Current names of keys and people, by id. */
export interface Names {
  keys: ReadonlyMap<string, string>;
  users: ReadonlyMap<string, string>;
}

/** Reads the names of all keys and users of an organization. */
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
 * The last row of a chain that is older than an instant; undefined if there is none. All rows before it count as older,
 * whatever their timestamps: a wrong clock may have dated some in the future.
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

/** The first rows, of all chains, that are dated after an instant. */
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

/** Finds a row of a chain by sequence number. */
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

/** Removes the first rows of a chain, which have been archived. */
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

/** Moves the anchor: the row after which a chain begins. */
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

/** The time of the last successful run of one of the commands, among rows of no organization. */
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

/** The distinct targets of successful runs of these commands. */
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

/** The number of bytes of a spool that are already in the chains. */
export async function readTaken(trx: Db, spoolId: string): Promise<number> {
  const row = await trx
    .selectFrom("audit_spools")
    .select("taken")
    .where("id", "=", spoolId)
    .executeTakeFirst();
  return row?.taken ?? 0;
}

/**
 * Stores how many bytes of a spool are in the chains. Only one spool exists at a time, so entries of others are
 * removed.
 */
export async function setTaken(trx: Db, spoolId: string, taken: number): Promise<void> {
  await trx.deleteFrom("audit_spools").execute();
  await trx.insertInto("audit_spools").values({ id: spoolId, taken }).execute();
}
