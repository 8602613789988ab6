import type { Database, Db } from "../../db/database.ts";
import type { AuditEntryRow } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import { type AuditEntry, COMMAND, nextRow, type PatientIds } from "./chain.ts";
import { insertRows, lockEnd, moveHead, readEnd, readEnds } from "./repository.ts";

/** Adds a row to the audit trail, in the transaction of the act where that changes anything. */
export function recordEntry(trx: Db, entry: AuditEntry): Promise<void> {
  return recordEntries(trx, [entry]);
}

/**
 * Adds rows to the audit trail, each chain's in the order given. It takes the lock of each chain, so it may run under
 * the lock of any organization, or of none.
 */
export async function recordEntries(trx: Db, entries: readonly AuditEntry[]): Promise<void> {
  const chains = Map.groupBy(entries, ({ organizationId }) => organizationId);
  for (const [organizationId, added] of chains) {
    const end = await lockEnd(trx, organizationId);
    const rows: AuditEntryRow[] = [];
    for (const entry of added) rows.push(nextRow(rows.at(-1) ?? end, entry));
    await insertRows(trx, rows);
    const { sequence, hash } = rows.at(-1) ?? end;
    const isNewMinute = minuteOf(end.time) !== minuteOf(added.at(-1)?.time);
    await moveHead(trx, organizationId, { sequence, hash, isNewMinute });
  }
}

function minuteOf(time: Instant | null | undefined): string | undefined {
  return time?.slice(0, "2026-03-11T15:00".length);
}

/**
 * Notes where the chains end that have gone on since that was noted, as at a clean stop: rows that are cut off behind
 * it are not missed.
 */
export async function settleHeads(database: Database): Promise<void> {
  const heads = await database.read(readEnds);
  for (const [organizationId, { head }] of heads) {
    const { sequence } = await database.read((db) => readEnd(db, organizationId));
    if (sequence > head.sequence)
      await database.write(
        async (trx) =>
          moveHead(trx, organizationId, {
            ...(await lockEnd(trx, organizationId)),
            isNewMinute: true,
          }),
        { organizationId, isTrailOnly: true },
      );
  }
}

/** An act on the command line, such as `keys create`. */
export interface CommandAct {
  /** Empty for one that concerns no organization, or all. */
  organizationId: string;
  command: string;
  /** The operating system's user who gave the command. */
  operator: string;
  time: Instant;
  /** The exit status; 0 unless given. */
  status?: number;
  keyId?: string;
  patientIds?: PatientIds;
  /** What the command was given. */
  target?: string;
}

/** Adds the row of an act on the command line, in a transaction of its own that waits for no write of data. */
export function recordCommandAlone(database: Database, act: CommandAct): Promise<void> {
  const { organizationId } = act;
  return database.write((trx) => recordCommand(trx, act), { organizationId, isTrailOnly: true });
}

/** Adds the row of an act on the command line. */
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
