import type { Database } from "../../db/connect.ts";
import { type AuditEntry, type ChainHead } from "../audit/chain.ts";
import { type AuditFilter, listChains, listMatchingEntries, toEntry } from "../audit/repository.ts";
import { verifyChains } from "../audit/verification.ts";
import { Refused } from "../lib/refused.ts";
import type { Output } from "./output.ts";

/** Rows that are read at once. */
const BATCH = 1_000;

const HEAD = ["TIME", "ORGANIZATION", "NUMBER", "KEY", "USER", "ROLE", "ACT", "STATUS", "PATIENTS"];

/** Prints the rows of the audit trail that pass the filter, as they are read: tab-separated, or one JSON a line. */
export async function listAuditCommand(
  { database, output }: { database: Database; output: Output },
  { json, ...filter }: AuditFilter & { json?: boolean },
): Promise<void> {
  if (json !== true) output.result(HEAD.join("\t"));
  for (const organizationId of await database.read(listChains)) {
    let last = 0;
    for (;;) {
      const rows = await database.read((db) =>
        listMatchingEntries(db, organizationId, filter, last, BATCH),
      );
      for (const row of rows) {
        const entry = toEntry(row);
        output.result(
          json === true
            ? JSON.stringify({ sequence: row.sequence, ...entry, hash: row.hash })
            : textLine(row.sequence, entry),
        );
      }
      if (rows.length < BATCH) break;
      last = rows.at(-1)?.sequence ?? last;
    }
  }
}

function textLine(sequence: number, entry: AuditEntry): string {
  return [
    entry.time,
    entry.organizationId || "-",
    sequence,
    entry.keyId ?? "-",
    entry.userId ?? "-",
    entry.role ?? "-",
    `${entry.method} ${entry.route}`,
    entry.status,
    entry.patientIds.join(",") || "-",
  ].join("\t");
}

/**
 * Proves that the audit trail is whole, and prints the head of every chain. A head that was printed earlier
 * and kept elsewhere also proves that nobody rewrote the chain since: give it as `knownHeads`.
 *
 * @throws Refused where a chain is not whole, with the first row that shows it.
 */
export async function verifyAuditCommand(
  { database, output }: { database: Database; output: Output },
  options: { knownHeads: ReadonlyMap<string, ChainHead>; json?: boolean },
): Promise<void> {
  const chains = await database.read((db) => verifyChains(db, options.knownHeads));
  if (options.json === true) output.result(JSON.stringify(chains, null, 2));
  else
    for (const { organizationId, head, fault } of chains)
      if (fault === undefined)
        output.result(`${organizationId || "-"}:${head.sequence}:${head.hash}`);
  const faulty = chains.filter((chain) => chain.fault !== undefined);
  if (faulty.length > 0)
    throw new Refused(
      faulty
        .map(
          ({ organizationId, fault }) =>
            `audit trail of ${organizationId || "-"}: ${fault?.message}`,
        )
        .join("; "),
    );
  output.words(`The audit trail is whole (${chains.length} chains). Keep these heads elsewhere.`);
}
