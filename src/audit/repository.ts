import type { Db } from "../../db/connect.ts";
import { contains } from "../../db/expressions.ts";
import { prepared } from "../../db/prepared.ts";
import type { AuditEntryRow, AuditHeadRow } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import { type AuditEntry, type ChainHead, COMMAND, EMPTY_CHAIN } from "./chain.ts";

/** Where an organization's chain ends. */
export async function readHead(db: Db, organizationId: string): Promise<ChainHead> {
  const [head] = await headOf(db, { organizationId });
  return head ?? EMPTY_CHAIN;
}

const headOf = prepared((db, { organizationId }: { organizationId: string }) =>
  db
    .selectFrom("audit_heads")
    .select(["sequence", "hash"])
    .where("organization_id", "=", organizationId),
);

/** Where every chain ends, in order of the organization. */
export function listHeads(db: Db) {
  return db.selectFrom("audit_heads").selectAll().orderBy("organization_id").execute();
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

/** Adds the row at which a chain's head is to be. */
export async function insertEntry(trx: Db, entry: AuditEntry, head: ChainHead): Promise<void> {
  await insertRow(trx, {
    organization_id: entry.organizationId,
    sequence: head.sequence,
    time: entry.time,
    request_id: entry.requestId,
    key_id: entry.keyId,
    user_id: entry.userId,
    role: entry.role,
    method: entry.method,
    route: entry.route,
    status: entry.status,
    patient_ids: JSON.stringify(entry.patientIds),
    hash: head.hash,
  });
}

const insertRow = prepared((trx, row: AuditEntryRow) =>
  trx.insertInto("audit_entries").values(row),
);

/** Notes where an organization's chain ends now. */
export async function moveHead(trx: Db, organizationId: string, head: ChainHead): Promise<void> {
  await upsertHead(trx, { organization_id: organizationId, ...head });
}

const upsertHead = prepared((trx, { organization_id, sequence, hash }: AuditHeadRow) =>
  trx
    .insertInto("audit_heads")
    .values({ organization_id, sequence, hash })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet({ sequence, hash })),
);

/** The rows of one chain after a number, in order, at most `limit`. */
export function listEntriesAfter(
  db: Db,
  organizationId: string,
  sequence: number,
  limit: number,
): Promise<AuditEntryRow[]> {
  return db
    .selectFrom("audit_entries")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("sequence", ">", sequence)
    .orderBy("sequence")
    .limit(limit)
    .execute();
}

/** Rows of all chains that concern a patient, were caused by a key, or fall into a time; both ends included. */
export interface AuditFilter {
  patientId?: string;
  keyId?: string;
  from?: Instant;
  to?: Instant;
}

/** The rows of one chain that pass the filter, after a number, in order, at most `limit`. */
export function listMatchingEntries(
  db: Db,
  organizationId: string,
  { patientId, keyId, from, to }: AuditFilter,
  sequence: number,
  limit: number,
): Promise<AuditEntryRow[]> {
  let query = db
    .selectFrom("audit_entries")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("sequence", ">", sequence);
  // The ids are a JSON list of plain ids, so that one in quotation marks is that id and no part of another.
  if (patientId !== undefined)
    query = query.where(contains("patient_ids", JSON.stringify(patientId)));
  if (keyId !== undefined) query = query.where("key_id", "=", keyId);
  if (from !== undefined) query = query.where("time", ">=", from);
  if (to !== undefined) query = query.where("time", "<=", to);
  return query.orderBy("sequence").limit(limit).execute();
}

/** When a command that concerns all organizations was last recorded. */
export async function findLastCommand(db: Db, command: string): Promise<Instant | undefined> {
  const row = await db
    .selectFrom("audit_entries")
    .select("time")
    .where("organization_id", "=", "")
    .where("method", "=", COMMAND)
    .where("route", "=", command)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.time;
}

/** A row as the entry that its hash covers. */
export function toEntry(row: AuditEntryRow): AuditEntry {
  return {
    organizationId: row.organization_id,
    time: row.time,
    requestId: row.request_id,
    keyId: row.key_id,
    userId: row.user_id,
    role: row.role,
    method: row.method,
    route: row.route,
    status: row.status,
    patientIds: JSON.parse(row.patient_ids) as string[],
  };
}
