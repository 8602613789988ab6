import type { Db } from "../../db/database.ts";
import type { Instant } from "../lib/instant.ts";
import { type AuditEntry, COMMAND, nextRow, type PatientIds } from "./chain.ts";
import { insertRow, moveHead, readHead } from "./repository.ts";

/** Adds a row to the audit trail, in the transaction of the act where that changes anything. */
export function recordEntry(trx: Db, entry: AuditEntry): Promise<void> {
  return recordEntries(trx, [entry]);
}

/** Adds rows to the audit trail, each chain's in the order given. */
export async function recordEntries(trx: Db, entries: readonly AuditEntry[]): Promise<void> {
  const chains = Map.groupBy(entries, ({ organizationId }) => organizationId);
  for (const [organizationId, added] of chains) {
    let head = await readHead(trx, organizationId);
    for (const entry of added) {
      const row = nextRow(head, entry);
      await insertRow(trx, row);
      head = { sequence: row.sequence, hash: row.hash };
    }
    await moveHead(trx, organizationId, head);
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
