import type { Db } from "../../db/connect.ts";
import type { Instant } from "../lib/instant.ts";
import { type AuditEntry, COMMAND, nextHead } from "./chain.ts";
import { insertEntry, moveHead, readHead } from "./repository.ts";

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
      head = nextHead(head, entry);
      await insertEntry(trx, entry, head);
    }
    await moveHead(trx, organizationId, head);
  }
}

/** Adds the row of an act on the command line, such as `keys create`. */
export function recordCommand(
  trx: Db,
  act: {
    organizationId: string;
    command: string;
    time: Instant;
    keyId?: string;
    patientIds?: readonly string[];
  },
): Promise<void> {
  return recordEntry(trx, {
    organizationId: act.organizationId,
    time: act.time,
    requestId: crypto.randomUUID(),
    keyId: act.keyId ?? null,
    userId: null,
    role: null,
    method: COMMAND,
    route: act.command,
    status: 0,
    patientIds: act.patientIds ?? [],
  });
}
