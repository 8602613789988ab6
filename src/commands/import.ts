import { constants, accessSync, createReadStream, statSync } from "node:fs";
import { Command } from "@commander-js/extra-typings";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { recordCommand } from "../audit/trail.ts";
import { ConfigurationError } from "../config.ts";
import { CommandError } from "../lib/command-error.ts";
import { toInstant } from "../lib/instant.ts";
import { localDate, UTC } from "../lib/time-zone.ts";
import { findTimeZone, organizationExists } from "../organizations/repository.ts";
import { CsvFolder, WORKBOOK } from "../practice-file/csv/folder.ts";
import {
  IMPORT,
  importPractice,
  type ImportOutcome,
  type NothingWritten,
} from "../practice-file/import-command.ts";
import { MAX_TOLD } from "../practice-file/mistakes.ts";
import { responseOf } from "../practice-file/import.ts";
import { linesOf } from "../practice-file/lines.ts";
import { recordTypesArgument, sequenceArgument } from "./arguments.ts";
import type { CommandContext, DatabaseContext, FlagsOf } from "./context.ts";
import { closing, NO_BACKUP, openMigrated, openToTry } from "./database.ts";
import { countOf, tableLines, tableOf } from "./output.ts";
import { withProgress, withWritingProgress } from "./progress.ts";

const declared = () =>
  new Command("import")
    .argument("<file>")
    .description(
      "import a practice file or a folder of CSV, completely or not at all; - is standard input",
    )
    .option("--dry-run", "check the file against the database without writing")
    .option(
      "--delete-missing <types>",
      "delete records of these types (separated by commas) that are missing from the file",
      recordTypesArgument,
    )
    .option(
      "--unchanged-since <number>",
      "write nothing if a record of the file has changed after this sequence",
      sequenceArgument,
    )
    .option("--changes", "list the first 500 records that are created, changed or deleted")
    .option("--json", "as JSON")
    .option("--ignore-columns", "leave out columns of CSV that are no fields")
    .option("--delete-many", "allow deleting more than half of the records of a type")
    .option("--no-backup", NO_BACKUP);

export type ImportFlags = Omit<FlagsOf<typeof declared>, "backup">;

export const command = (context: CommandContext) =>
  declared().action(async (path, flags) => {
    if (flags.deleteMany && flags.deleteMissing === undefined)
      throw new ConfigurationError("--delete-many needs --delete-missing");
    const source = openPracticeFile(path, context.stdin.stream(), flags.ignoreColumns);
    const database = await (flags.dryRun ? openToTry : openMigrated)({
      ...context,
      backup: flags.backup,
    });
    await closing(database, () => importCommand({ ...context, database }, source, flags));
  });

export interface PracticeFile {
  /** The name used in messages: as given by the operator. */
  name: string;
  chunks: AsyncIterable<Uint8Array>;
  /** In bytes; undefined for a pipe. */
  size?: number;
}

export type PracticeSource = PracticeFile | CsvFolder;

const STANDARD_INPUT = "-";
/** Larger chunks need fewer turns of the event loop. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens the practice file, or the folder of CSV, of a path; `-` is standard input. Call it before opening the database,
 * which may create one.
 *
 * @throws CommandError if it does not exist or cannot be read.
 */
export function openPracticeFile(
  path: string,
  stdin: AsyncIterable<Uint8Array>,
  ignoresColumns = false,
): PracticeSource {
  if (path === STANDARD_INPUT) return { name: path, chunks: stdin };
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new CommandError(`There is no file ${path}.`);
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new CommandError(`Cannot read ${path}; check its permissions.`);
  }
  if (stats.isDirectory()) return new CsvFolder(path, ignoresColumns);
  if (WORKBOOK.test(path))
    throw new CommandError(
      `${path} is a workbook. Save each sheet as "CSV UTF-8" under the name of its type, such as session.csv, and name their folder.`,
    );
  if (/\.csv$/i.test(path))
    throw new CommandError(
      `${path} is a single table. Give the folder that contains it, or a practice file (newline-delimited JSON).`,
    );
  const chunks = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  // The size of a pipe is unknown.
  return stats.isFile() ? { name: path, chunks, size: stats.size } : { name: path, chunks };
}

/** The formats of CSV cells, for the message about lines with mistakes. */
const CELLS =
  'In a cell, separate several ids with ";". Write yes or no, decimals with a point, dates as 2026-03-01 or 3/1/2026, and times as 2026-03-01 14:30 or 3/1/2026 2:30 PM.';

/** For imports with at least this many lines, messages announce the write and report its duration. */
const MANY_LINES = 20_000;

type ImportContext = DatabaseContext & Pick<CommandContext, "terminal">;

/**
 * Imports a practice file completely, or not at all if a line is invalid or in a dry run. Each case leaves a row in the
 * audit trail.
 *
 * @throws CommandError if lines are invalid, after listing them on standard error, or if the import would delete more
 * than the flags allow.
 */
export async function importCommand(
  command: ImportContext,
  source: PracticeSource,
  flags: ImportFlags,
): Promise<void> {
  const { output } = command;
  const { dryRun = false } = flags;
  const isTables = source instanceof CsvFolder;
  const name = isTables ? source.path : source.name;
  const outcome = await importSource(command, source, { name, flags });
  if (dryRun || "mistakes" in outcome)
    await recordNothingWritten(command, { name, dryRun, outcome });
  if ("mistakes" in outcome) {
    if (outcome.refusal !== undefined) throw new CommandError(outcome.refusal);
    for (const line of outcome.mistakes.report(name, isTables ? source.place : undefined))
      output.message(line);
    if (isTables) output.message(CELLS);
    throw new CommandError(refusalOf(name, outcome));
  }
  const rowOf = isTables ? source.rowOf : undefined;
  const response = responseOf(outcome, { dryRun, ...(rowOf && { rowOf }) });
  if (flags.json) return output.result(JSON.stringify(response, null, 2));
  output.message(
    dryRun
      ? `${name} can be imported into ${outcome.organizationId}; this was a dry run, and nothing was written:`
      : `Imported into ${outcome.organizationId}:`,
  );
  const rows = [...outcome.tallies].map(([type, tally]) => [
    type,
    ...NUMBERS.map((name) => String(tally[name])),
  ]);
  for (const line of tableLines(["type", ...NUMBERS], rows)) output.message(line);
  for (const line of changesIn(response)) output.message(line);
  for (const note of outcome.notes) output.message(`Note: ${note}.`);
}

/** A table of what was done with each record, if that was to be listed. */
function changesIn({ records = [], recordsTotal = 0 }: ReturnType<typeof responseOf>): string[] {
  if (records.length === 0) return [];
  const others = recordsTotal - records.length;
  return [
    ...tableOf(records, {
      line: ({ line }) => line ?? "-",
      type: ({ type }) => type,
      publicId: ({ publicId }) => publicId,
      change: ({ change }) => change.toLowerCase(),
      fields: ({ fields }) => fields.join(", "),
    }),
    ...(others > 0 ? [`… and ${others.toLocaleString("en-US")} more.`] : []),
  ];
}

const NUMBERS = ["created", "changed", "unchanged", "deleted", "missing"] as const;

function importSource(
  command: ImportContext,
  source: PracticeSource,
  { name, flags }: { name: string; flags: ImportFlags },
): Promise<ImportOutcome> {
  const { database, clock, operator, output, terminal } = command;
  const now = toInstant(clock.now());
  const today = localDate(now, UTC);
  const lines =
    source instanceof CsvFolder
      ? source.lines((id) => database.read((db) => findTimeZone(db, id)), today)
      : linesOf(withProgress(rejectOtherFormats(name, source.chunks), source.size, terminal));
  let began: number | undefined;
  return withWritingProgress(terminal, async (bar) => {
    const options = {
      ...flags,
      listsChanges: flags.changes,
      ...(source instanceof CsvFolder && { source }),
      now,
      operator,
      name,
      reading(count: number) {
        if (count >= MANY_LINES) {
          began = performance.now();
          output.message(
            `Writing ${count.toLocaleString("en-US")} lines; other writes wait until it is done.`,
          );
        }
        bar.begin(count);
      },
      progress: bar.add,
    };
    try {
      return await importPractice(database, lines, options);
    } finally {
      if (began !== undefined)
        output.message(`That took ${((performance.now() - began) / 1000).toFixed(1)} seconds.`);
    }
  });
}

/** The beginnings of files in other formats, and the error messages. */
const otherFormats: [beginning: RegExp, message: string][] = [
  [
    // Also matches workbooks and text in UTF-16.
    /\0/,
    "is not UTF-8 text. Save the sheets of a workbook as CSV, one for each type of record, and name their folder.",
  ],
  [/^\[/, "is a JSON array. A practice file has one record per line, without brackets and commas."],
  [/^\{\s*\n/, "has records that span several lines. A practice file has one record per line."],
];

/** In bytes, after leading white space. */
const BEGINNING = 64;

/** Passes on a file's bytes, unless the file begins like one of another format. */
async function* rejectOtherFormats(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let beginning = "";
  for await (const chunk of chunks) {
    if (beginning.length < BEGINNING) {
      const text = `${beginning}${Buffer.from(chunk).toString("latin1", 0, 4 * BEGINNING)}`;
      beginning = text.replace(/^\xef\xbb\xbf/, "").trimStart();
      for (const [begins, message] of otherFormats)
        if (begins.test(beginning)) throw new CommandError(`${name} ${message}`);
    }
    yield chunk;
  }
}

/** Writes the audit row of a dry or failed import, whose transaction was rolled back. */
async function recordNothingWritten(
  { database, clock, operator }: ImportContext,
  { name, dryRun, outcome }: { name: string; dryRun: boolean; outcome: ImportOutcome },
): Promise<void> {
  const { organizationId = "" } = outcome;
  await database.write(
    async (trx) =>
      recordCommand(trx, {
        // An organization that the import would have created has no chain.
        organizationId: (await organizationExists(trx, organizationId)) ? organizationId : "",
        command: dryRun ? `${IMPORT} --dry-run` : IMPORT,
        operator,
        time: toInstant(clock.now()),
        status: "mistakes" in outcome ? 1 : 0,
        patientIds: ALL_PATIENTS,
        target: name,
      }),
    { organizationId, isTrailOnly: true },
  );
}

function refusalOf(name: string, { mistakes, changedSince }: NothingWritten): string {
  const { count } = mistakes;
  if (changedSince !== undefined) {
    const records = count === 1 ? "1 record that has" : `${count} records that have`;
    return `${name} has ${records} changed since ${changedSince}. Nothing was written.`;
  }
  if (mistakes.isFull)
    return `${name} has at least ${MAX_TOLD} lines with mistakes; these are the first that were found. Nothing was written.`;
  return `${name} has ${countOf(count, "line")} with mistakes. Nothing was written.`;
}
