import type { Database, Db } from "../../db/database.ts";
import type { AuditEntryRow } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import { type AuditEntry, COMMAND, nextRow, type PatientIds } from "./chain.ts";
import { insertRows, lockEnd, moveHead, readEnd, readEnds } from "./repository.ts";

/** Appends an entry to the audit trail. For changes, call it in their transaction. */
export function recordEntry(trx: Db, entry: AuditEntry): Promise<void> {
  return recordEntries(trx, [entry]);
}

/**
 * Appends entries to the audit trail, in the given order within each chain. Takes the lock of each chain, so the caller
 * may hold the lock of any organization or none.
 */
export async function recordEntries(trx: Db, entries: readonly AuditEntry[]): Promise<void> {
  const chains = Map.groupBy(entries, ({ organizationId }) => organizationId);
  for (const [organizationId, added] of chains) {
    const end = await lockEnd(trx, organizationId);
    const rows: AuditEntryRow[] = [];
    for (const entry of added) rows.push(nextRow(rows.at(-1) ?? end, entry));
    await insertRows(trx, rows);
    // On PostgreSQL only once a minute: frequent updates of one row become slow while another transaction holds an old
    // snapshot.
    const isNewMinute = minuteOf(end.time) !== minuteOf(added.at(-1)?.time);
    if (isNewMinute || trx.engine === "sqlite")
      await moveHead(trx, organizationId, rows.at(-1) ?? end);
  }
}

function minuteOf(time: Instant | null | undefined): string | undefined {
  return time?.slice(0, "2026-03-11T15:00".length);
}

/**
 * Stores the current heads of all chains, as on a clean shutdown. Without it, a truncation of the rows after the last
 * stored head would not be detected.
 */
export async function settleHeads(database: Database): Promise<void> {
  const heads = await database.read(readEnds);
  for (const [organizationId, { head }] of heads) {
    const { sequence } = await database.read((db) => readEnd(db, organizationId));
    if (sequence > head.sequence)
      await database.write(
        async (trx) => moveHead(trx, organizationId, await lockEnd(trx, organizationId)),
        { organizationId, isTrailOnly: true },
      );
  }
}

/** The execution of a command, such as `keys create`. */
export interface CommandAct {
  /** Empty for commands that concern no organization, or all. */
  organizationId: string;
  command: string;
  /** The operating system user who ran the command. */
  operator: string;
  time: Instant;
  /** The exit status. Default: 0. */
  status?: number;
  keyId?: string;
  patientIds?: PatientIds;
  /** The arguments of the command. */
  target?: string | undefined;
}

/** Appends the row of a command in its own transaction, which does not wait for data writes. */
export function recordCommandAlone(database: Database, act: CommandAct): Promise<void> {
  const { organizationId } = act;
  return database.write((trx) => recordCommand(trx, act), { organizationId, isTrailOnly: true });
}

/** Appends the row of a command. */
export function recordCommand(trx: Db, act: CommandAct): Promise<void> {
  return recordEntry(trx, {
    organizationId: act.organizationId,
    time: act.time,
    requestId: crypto.randomUUID(),
    keyId: act.keyId ?? null,
    userId: null,
    role: null,
    method: COMMAND,
    route: act.command,
    status: act.status ?? 0,
    patientIds: act.patientIds ?? [],
    target: act.target ?? null,
    address: null,
    operator: act.operator,
    requests: null,
  });
}
