import type { Database } from "../../db/database.ts";
import { ALL_PATIENTS, type AuditEntry, type ChainHead, toEntry } from "../audit/chain.ts";
import { recordCommandAlone } from "../audit/recording.ts";
import {
  listChains,
  listRowsAfter,
  type Names,
  readNames,
  type RowFilter,
} from "../audit/repository.ts";
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
  {
    json,
    names,
    patientId,
    ...filter
  }: RowFilter & { patientId?: string; names?: boolean; json?: boolean },
): Promise<void> {
  const time = toInstant(clock.now());
  await recordCommandAlone(database, {
    organizationId: "",
    command: "audit list",
    operator,
    time,
    // Rows of one patient may be of others, too, who are then shown by their names.
    patientIds: names === true ? ALL_PATIENTS : patientId === undefined ? [] : [patientId],
    target: JSON.stringify({ patientId, ...filter, names }),
  });
  if (json !== true) output.result(HEAD.join("\t"));
  let tampered = 0;
  for (const organizationId of await database.read(listChains)) {
    const known = names ? await database.read((db) => readNames(db, organizationId)) : undefined;
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
              ? JSON.stringify({
                  ...{ sequence: row.sequence, ...entry, hash: row.hash },
                  ...(known && namesIn(entry, known)),
                })
              : textLine(row.sequence, entry, known),
          );
      }
      if (rows.length < BATCH) break;
      last = rows.at(-1)?.sequence ?? last;
    }
  }
  if (tampered > 0)
    throw new Refused(
      `${tampered === 1 ? "1 row is" : `${tampered} rows are`} not as written; find out who changed the trail ("caseload audit verify").`,
    );
}

function concerns({ patientIds }: AuditEntry, patientId: string | undefined): boolean {
  return patientId === undefined || patientIds === ALL_PATIENTS || patientIds.includes(patientId);
}

/** Names of an entry, in the order of its ids; null for who is gone, or was never there. */
function namesIn({ keyId, userId, patientIds }: AuditEntry, { keys, users }: Names) {
  return {
    keyName: keys.get(keyId ?? "") ?? null,
    userName: users.get(userId ?? "") ?? null,
    patientNames: patientIds === ALL_PATIENTS ? [] : patientIds.map((id) => users.get(id) ?? null),
  };
}

function textLine(sequence: number, entry: AuditEntry, known?: Names): string {
  const named = (id: string | null, names?: ReadonlyMap<string, string>) => {
    const name = names?.get(id ?? "");
    return name === undefined ? (id ?? "-") : `${id} (${name})`;
  };
  const { patientIds } = entry;
  return [
    entry.time,
    entry.organizationId || "-",
    sequence,
    named(entry.keyId, known?.keys),
    named(entry.userId, known?.users),
    entry.role ?? "-",
    `${entry.method} ${entry.route}`,
    entry.status,
    patientIds === ALL_PATIENTS
      ? patientIds
      : patientIds.map((id) => named(id, known?.users)).join(",") || "-",
    entry.operator ?? "-",
    entry.address ?? "-",
    entry.requests ?? "-",
    entry.target ?? "-",
  ]
    .map((cell) => printable(String(cell)))
    .join("\t");
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
