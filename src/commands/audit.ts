import { Command } from "@commander-js/extra-typings";
import type { Database } from "../../db/database.ts";
import type { AuditEntryRow } from "../../db/schema.ts";
import { ALL_PATIENTS, type AuditEntry, type ChainHead, toEntry } from "../audit/chain.ts";
import {
  listChains,
  listRowsAfter,
  type Names,
  readNames,
  type RowFilter,
} from "../audit/repository.ts";
import { verifyChains } from "../audit/verification.ts";
import { CommandError } from "../lib/command-error.ts";
import { beginningArgument, chainHeadsArgument, deadlineArgument } from "./arguments.ts";
import { archiveAuditCommand, printChains, verifyArchiveCommand } from "./audit-archive.ts";
import type { CommandContext, DatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { printable } from "./output.ts";
import { record } from "./recording.ts";
import { printablePieces, writePieces } from "./standard-output.ts";

export function command(context: CommandContext) {
  const audit = new Command("audit").description("read, verify and archive the audit trail");
  audit
    .command("list")
    .description("list who did what, when, and to whose data")
    .option("--patient <id>", "only rows about this patient")
    .option("--key <id>", "only rows of this key")
    .option("--from <date>", "from this UTC date or instant on", beginningArgument)
    .option("--to <date>", "to this UTC date, included, or instant", deadlineArgument)
    .option("--names", "add the current names of keys and people")
    .option("--json", "one JSON object per line")
    .action(({ patient: patientId, key: keyId, ...flags }) =>
      onDatabase(context, listAuditCommand)({ patientId, keyId, ...flags }),
    );
  audit
    .command("archive <file>")
    .description("move the oldest rows of each chain to a new private file")
    .requiredOption("--before <date>", "rows before this UTC date or instant", beginningArgument)
    .action((file, { before }) => onDatabase(context, archiveAuditCommand)({ file, before }));
  audit
    .command("verify [file]")
    .description(
      "verify that no row was edited, removed or inserted, in the trail or an archive, and print the heads of the chains",
    )
    .option("--head <head>", "a head that was printed earlier; may be repeated", chainHeadsArgument)
    .option("--json", "as JSON")
    .action((file, { head: knownHeads = new Map<string, ChainHead>(), json = false }) =>
      file === undefined
        ? onDatabase(context, verifyAuditCommand)({ knownHeads, json })
        : verifyArchiveCommand(context, { file, knownHeads, json }),
    );
  return audit;
}

/** Rows read at once. */
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
 * Prints the rows of the audit trail that match the filter, tab-separated or one JSON object per line, while reading
 * them. Reading the trail is itself recorded, before the first row is printed.
 *
 * @throws CommandError, after all other rows, if rows were modified. Their patients and keys cannot be trusted, so all
 * modified rows are reported regardless of the filter.
 */
export async function listAuditCommand(
  context: DatabaseContext & Pick<CommandContext, "stdout">,
  {
    json,
    names,
    patientId,
    ...filter
  }: RowFilter & { patientId?: string | undefined; names?: boolean; json?: boolean },
): Promise<void> {
  const { database, output, stdout } = context;
  await record(context, {
    command: "audit list",
    // A patient's rows can also concern other patients, whose names are then shown.
    patientIds: names === true ? ALL_PATIENTS : patientId === undefined ? [] : [patientId],
    target: JSON.stringify({ patientId, ...filter, names }),
  });
  let tampered = 0;
  const lineOf = (
    row: AuditEntryRow,
    organizationId: string,
    directory: Names | undefined,
  ): string => {
    const entry = toEntry(row);
    if (entry === undefined) {
      tampered += 1;
      output.message(
        `audit trail of ${organizationId || "-"}: row ${row.sequence} is not as it was written`,
      );
      return "";
    }
    if (!concerns(entry, patientId)) return "";
    if (json !== true) return `${textLine(row.sequence, entry, directory)}\n`;
    const shown = { sequence: row.sequence, ...entry, hash: row.hash };
    return `${JSON.stringify({ ...shown, ...(directory && namesIn(entry, directory)) })}\n`;
  };
  async function* pages(): AsyncGenerator<string> {
    if (json !== true) yield `${HEAD.join("\t")}\n`;
    for (const organizationId of await database.read(listChains)) {
      const directory = names
        ? await database.read((db) => readNames(db, organizationId))
        : undefined;
      for await (const rows of pagesOf(database, organizationId, filter))
        yield rows.map((row) => lineOf(row, organizationId, directory)).join("");
    }
  }
  await writePieces(printablePieces(pages()), stdout);
  if (tampered > 0)
    throw new CommandError(
      `${tampered === 1 ? "1 row is" : `${tampered} rows are`} changed; find out who changed the trail ("caseload audit verify").`,
    );
}

/** The rows of an organization that match a filter, page by page. */
async function* pagesOf(
  database: Database,
  organizationId: string,
  filter: RowFilter,
): AsyncGenerator<AuditEntryRow[]> {
  for (let last = 0; ;) {
    const rows = await database.read((db) =>
      listRowsAfter(db, organizationId, last, { ...filter, limit: BATCH }),
    );
    yield rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.sequence ?? last;
  }
}

function concerns({ patientIds }: AuditEntry, patientId: string | undefined): boolean {
  return patientId === undefined || patientIds === ALL_PATIENTS || patientIds.includes(patientId);
}

/** The names for an entry, in the order of its ids; null for unknown ids. */
function namesIn(entry: AuditEntry, names: Names) {
  const { userId, patientIds } = entry;
  const { users } = names;
  return {
    keyName: nameOfKey(entry, names) ?? null,
    userName: users.get(userId ?? "") ?? null,
    patientNames: patientIds === ALL_PATIENTS ? [] : patientIds.map((id) => users.get(id) ?? null),
  };
}

/** The name of a key; of a sign-in or passkey, that of its person. */
function nameOfKey({ keyId, userId }: AuditEntry, { keys, users }: Names): string | undefined {
  return keyId === null ? undefined : (keys.get(keyId) ?? users.get(userId ?? ""));
}

function textLine(sequence: number, entry: AuditEntry, directory?: Names): string {
  const withName = (id: string | null, name: string | undefined) =>
    name === undefined ? (id ?? "-") : `${id} (${name})`;
  const withUserName = (id: string | null) => withName(id, directory?.users.get(id ?? ""));
  const { patientIds } = entry;
  return [
    entry.time,
    entry.organizationId || "-",
    sequence,
    withName(entry.keyId, directory && nameOfKey(entry, directory)),
    withUserName(entry.userId),
    entry.role ?? "-",
    `${entry.method} ${entry.route}`,
    entry.status,
    patientIds === ALL_PATIENTS ? patientIds : patientIds.map(withUserName).join(",") || "-",
    entry.operator ?? "-",
    entry.address ?? "-",
    entry.requests ?? "-",
    entry.target ?? "-",
  ]
    .map((cell) => printable(String(cell)))
    .join("\t");
}

/**
 * Verifies the audit trail, and prints the head of every chain. Heads that were printed before and kept elsewhere,
 * given as `knownHeads`, also prove that a chain was not rewritten since.
 *
 * @throws CommandError if a chain is invalid, with the first faulty row.
 */
export async function verifyAuditCommand(
  { database, output }: DatabaseContext,
  options: { knownHeads: ReadonlyMap<string, ChainHead>; json?: boolean },
): Promise<void> {
  const chains = await database.read((db) => verifyChains(db, options.knownHeads));
  printChains(output, chains, options.json === true);
  output.message(`The audit trail is whole (${chains.length} chains). Keep these heads elsewhere.`);
}
