import type { Database } from "../../db/database.ts";
import { ALL_PATIENTS, type AuditEntry, type ChainHead, toEntry } from "../audit/chain.ts";
import { recordCommandAlone } from "../audit/recording.ts";
import { listChains, listRowsAfter, type RowFilter } from "../audit/repository.ts";
import { verifyChains } from "../audit/verification.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { Refused } from "../lib/refused.ts";
import { printChains } from "./audit-archive.ts";
import { type Output, printable } from "./output.ts";

/** Rows that are read at once. */
const BATCH = 1_000;

const HEAD = [
  "TIME",
  "ORGANIZATION",
  "NUMBER",
  "KEY",
  "USER",
  "ROLE",
  "ACT",
  "STATUS",
  "PATIENTS",
  "OPERATOR",
  "ADDRESS",
  "REQUESTS",
  "TARGET",
];

/**
 * Prints the rows of the audit trail that pass the filter, as they are read: tab-separated, or one JSON a line. That
 * somebody reads the trail is in it before the first row leaves.
 *
 * @throws Refused, after all others are printed, where rows are not as they were written: whom they concern is not
 * known, so each is named whatever the filter says.
 */
export async function listAuditCommand(
  {
    database,
    clock,
    operator,
    output,
  }: { database: Database; clock: Clock; operator: string; output: Output },
  { json, patientId, ...filter }: RowFilter & { patientId?: string; json?: boolean },
): Promise<void> {
  const time = toInstant(clock.now());
  await recordCommandAlone(database, {
    organizationId: "",
    command: "audit list",
    operator,
    time,
    patientIds: patientId === undefined ? [] : [patientId],
    target: JSON.stringify({ patientId, ...filter }),
  });
  if (json !== true) output.result(HEAD.join("\t"));
  let tampered = 0;
  for (const organizationId of await database.read(listChains))
    for (let last = 0; ;) {
      const rows = await database.read((db) =>
        listRowsAfter(db, organizationId, last, { ...filter, limit: BATCH }),
      );
      for (const row of rows) {
        const entry = toEntry(row);
        if (entry === undefined) {
          tampered += 1;
          output.words(
            `audit trail of ${organizationId || "-"}: row ${row.sequence} is not as it was written`,
          );
        } else if (concerns(entry, patientId))
          output.result(
            json === true
              ? JSON.stringify({ sequence: row.sequence, ...entry, hash: row.hash })
              : textLine(row.sequence, entry),
          );
      }
      if (rows.length < BATCH) break;
      last = rows.at(-1)?.sequence ?? last;
    }
  if (tampered > 0)
    throw new Refused(
      `${tampered === 1 ? "1 row is" : `${tampered} rows are`} not as written; find out who changed the trail ("caseload audit verify").`,
    );
}

function concerns({ patientIds }: AuditEntry, patientId: string | undefined): boolean {
  return patientId === undefined || patientIds === ALL_PATIENTS || patientIds.includes(patientId);
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
    patientsOf(entry),
    entry.operator ?? "-",
    entry.address ?? "-",
    entry.requests ?? "-",
    entry.target ?? "-",
  ]
    .map((cell) => printable(String(cell)))
    .join("\t");
}

function patientsOf({ patientIds }: AuditEntry): string {
  return patientIds === ALL_PATIENTS ? patientIds : patientIds.join(",") || "-";
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
  printChains(output, chains, options.json === true);
  output.words(`The audit trail is whole (${chains.length} chains). Keep these heads elsewhere.`);
}
