import { constants, accessSync, createReadStream, statSync } from "node:fs";
import type { Writable } from "node:stream";
import type { Database } from "../../db/database.ts";
import { organizationExists } from "../access/repository.ts";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { recordCommand } from "../audit/recording.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { Refused } from "../lib/refused.ts";
import { CsvFolder } from "../practice-file/csv-read.ts";
import { importLines, importPractice, type ImportOutcome } from "../practice-file/import.ts";
import { recordTypes } from "../practice-file/model.ts";
import { type BadLines, MAX_BAD_LINES } from "../practice-file/problems.ts";
import { IMPORT } from "../practice-file/repository.ts";
import type { Output } from "./output.ts";
import { withProgress } from "./progress.ts";

/** A practice file that is about to be read. */
export interface PracticeFile {
  /** How messages call it: as the operator did. */
  name: string;
  chunks: AsyncIterable<Uint8Array>;
  /** In bytes; unknown of a pipe. */
  size?: number;
}

/** What an operator may name to be imported. */
export type PracticeSource = PracticeFile | CsvFolder;

const STANDARD_INPUT = "-";
/** Larger pieces cost fewer turns of the event loop. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Finds the practice file or the folder of CSV that an operator names; `-` is standard input. Call it before the database is
 * opened, which makes one that does not exist.
 *
 * @throws Refused when there is no such file, or it cannot be read.
 */
export function openPracticeFile(path: string, stdin: AsyncIterable<Uint8Array>): PracticeSource {
  if (path === STANDARD_INPUT) return { name: path, chunks: stdin };
  if (/\.csv$/i.test(path))
    throw new Refused(
      `${path} is a table. Name the folder that it is in, or a practice file, which has one record a line, as JSON; "caseload template" prints one to begin with.`,
    );
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Refused(`There is no file ${path}.`);
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new Refused(`Cannot read ${path}; check its permissions.`);
  }
  if (found.isDirectory()) return new CsvFolder(path);
  const chunks = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  // What a pipe holds is not known before it ends.
  return found.isFile() ? { name: path, chunks, size: found.size } : { name: path, chunks };
}

/** What those write otherwise who have not read how cells are written. */
const CELLS =
  "In cells, several ids have ; between them, a switch is true or false, a decimal has a point, a date is 2026-03-01, an instant 2026-03-01T14:00:00Z.";

interface ImportCommand {
  database: Database;
  clock: Clock;
  operator: string;
  output: Output;
  terminal: Writable & { isTTY?: boolean };
}

/**
 * Imports a practice file: all of it, or nothing where a line is bad, or nothing at all in a dry run. Each of the
 * three leaves a row in the audit trail.
 *
 * @throws Refused when a line is bad; each has then been named on standard error.
 */
export async function importCommand(
  command: ImportCommand,
  source: PracticeSource,
  { dryRun = false }: { dryRun?: boolean },
): Promise<void> {
  const { database, clock, operator, output, terminal } = command;
  const isTables = source instanceof CsvFolder;
  const name = isTables ? source.path : source.name;
  const options = { now: toInstant(clock.now()), operator, name, dryRun };
  const outcome = isTables
    ? await importLines(database, source.lines(), options)
    : await importPractice(
        database,
        withProgress(refusingOtherForms(name, source.chunks), source.size, terminal),
        options,
      );
  if (dryRun || "badLines" in outcome)
    await recordNothingWritten(command, { name, dryRun, outcome });
  if ("badLines" in outcome) {
    for (const line of outcome.badLines.report(name, isTables ? source.place : undefined))
      output.words(line);
    if (isTables) output.words(CELLS);
    throw new Refused(refusal(name, outcome.badLines));
  }
  const counts = recordTypes
    .filter((type) => outcome.counts.has(type))
    .map((type) => `${type} ${outcome.counts.get(type)}`)
    .join(", ");
  output.words(
    dryRun
      ? `${name} can be imported into ${outcome.organizationId}; this was a dry run, and nothing was written: ${counts}.`
      : `Imported into ${outcome.organizationId}: ${counts}.`,
  );
  for (const surprise of outcome.surprises) output.words(`Note: ${surprise}`);
}

/** What a file that is no practice file begins with, and what is said of it. */
const otherForms: [beginning: RegExp, sentence: string][] = [
  [
    // As that of a workbook does, or text in UTF-16.
    /\0/,
    "is no text in UTF-8. Save the sheets of a workbook as CSV, one for each type of record, and name their folder.",
  ],
  [
    /^\[/,
    "is one list of JSON. A practice file has one record a line, without brackets around and commas between them.",
  ],
  [/^\{\s*\n/, "has records over several lines. A practice file has one record a line."],
];

/** In bytes, behind what is blank. */
const BEGINNING = 64;

/** The bytes of a file, unless it begins as one of another form does. */
async function* refusingOtherForms(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let beginning = "";
  for await (const chunk of chunks) {
    if (beginning.length < BEGINNING) {
      const text = `${beginning}${Buffer.from(chunk).toString("latin1", 0, 4 * BEGINNING)}`;
      beginning = text.replace(/^\xef\xbb\xbf/, "").trimStart();
      for (const [begins, sentence] of otherForms)
        if (begins.test(beginning)) throw new Refused(`${name} ${sentence}`);
    }
    yield chunk;
  }
}

/** The row of an import that was dry or failed, whose transaction left nothing. */
async function recordNothingWritten(
  { database, clock, operator }: ImportCommand,
  { name, dryRun, outcome }: { name: string; dryRun: boolean; outcome: ImportOutcome },
): Promise<void> {
  const { organizationId = "" } = outcome;
  await database.write(
    async (trx) =>
      recordCommand(trx, {
        // One that the file would have made has no chain.
        organizationId: (await organizationExists(trx, organizationId)) ? organizationId : "",
        command: dryRun ? `${IMPORT} --dry-run` : IMPORT,
        operator,
        time: toInstant(clock.now()),
        status: "badLines" in outcome ? 1 : 0,
        patientIds: ALL_PATIENTS,
        target: name,
      }),
    { organizationId, isTrailOnly: true },
  );
}

function refusal(name: string, badLines: BadLines): string {
  if (badLines.isFull)
    return `${name} has ${MAX_BAD_LINES} bad lines or more; these are the first that were found. Nothing was written.`;
  const count = badLines.count === 1 ? "1 bad line" : `${badLines.count} bad lines`;
  return `${name} has ${count}. Nothing was written.`;
}
