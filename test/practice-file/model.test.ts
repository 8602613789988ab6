import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Database } from "../../db/database.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { CsvFolder } from "../../src/practice-file/csv/folder.ts";
import { exportCsv, fillFolder } from "../../src/practice-file/csv/write.ts";
import { importPractice } from "../../src/practice-file/import-command.ts";
import type { Line } from "../../src/practice-file/lines.ts";
import { linesOf } from "../../src/practice-file/lines.ts";
import type { OwnedType } from "../../src/schema/record-types.ts";
import { newDatabase, NOW, temporaryFolder } from "../support/harness.ts";
import { fullPractice, databaseOfFullPractice } from "../support/practice-file/full-practice.ts";
import { applied, merged, type Model, talliesOf } from "../support/practice-file/model.ts";
import {
  changesAfter,
  exportRecords,
  exportText,
  type Fields,
  fileOf,
  keyOf,
  mustImport,
  RecordMap,
} from "../support/practice-file/practice-file.ts";
import { tablesOf } from "../support/practice-file/csv.ts";
import { type RandomFile, randomFile } from "../support/practice-file/random-lines.ts";
import { runs } from "../support/runs.ts";

/**
 * Random files over a practice with every type of record, compared with a model: a map of records, and the rules that
 * they must keep. Every third file is a folder of CSV. Two copies follow the changes: a map, and another database that imports them.
 */

const own: Fields = { type: "organization", publicId: "org_maple" };
const ROUNDS = 12;
const RUNS = runs(9);

/** The lines as whole records, as the rows of a spreadsheet have them. */
function wholeLines(practice: Model, lines: readonly Fields[], now: string): Fields[] {
  return lines.map((line) =>
    line.deleted === true ? line : merged(practice.get(keyOf(line)), line, now),
  );
}

/** The lines of a folder of CSV. Users have just the entries of the files of their lists. */
function csvLines(lines: readonly Fields[]): AsyncIterable<Line> {
  const folder = temporaryFolder();
  const entries = { "user.payors.csv": "publicId,payorId\n", "user.credentials.csv": "publicId\n" };
  // An object that is null is a cell of one of its columns that is empty.
  const rows = lines.map(({ attribution, ...line }) =>
    line.type === "intakeLead" && line.deleted !== true
      ? { ...line, attribution: attribution ?? { referrer: null } }
      : line,
  );
  const files = { ...entries, ...tablesOf([own, ...rows]).files };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return new CsvFolder(folder).lines(async () => undefined, NOW.slice(0, 10) as CalendarDate);
}

/** What an import reports: its counts by type, or that it was refused. */
async function outcomeOf(
  database: Database,
  { lines, missing }: RandomFile,
  { now, isCsv }: { now: string; isCsv: boolean },
) {
  const options = {
    now: now as Instant,
    operator: "ana",
    ...(missing !== undefined && {
      deleteMissing: [missing.type as OwnedType],
      deleteMany: missing.many,
    }),
  };
  try {
    const source = isCsv ? csvLines(lines) : linesOf([Buffer.from(fileOf([own, ...lines]))]);
    const outcome = await importPractice(database, source, options);
    if ("mistakes" in outcome) return { refused: outcome.mistakes.report("f") };
    const { organization: _, ...tallies } = Object.fromEntries(outcome.tallies);
    return { tallies };
  } catch (error) {
    if (error instanceof CommandError) return { refused: [error.message] };
    throw error;
  }
}

/** Exports what changed after a sequence as a folder of CSV. */
async function csvAfter(database: Database, after: number): Promise<string> {
  const folder = join(temporaryFolder(), "csv");
  await fillFolder(folder, (writer) =>
    database.read((db) => exportCsv(db, "org_maple", { writer, after })),
  );
  return folder;
}

async function mustImportFolder(database: Database, folder: string): Promise<void> {
  const lines = new CsvFolder(folder).lines(
    async () => undefined,
    NOW.slice(0, 10) as CalendarDate,
  );
  const outcome = await importPractice(database, lines, { now: NOW as Instant, operator: "ana" });
  if ("mistakes" in outcome) throw new Error(outcome.mistakes.report(folder).join("\n"));
}

test("an import writes what a map of records has after the same lines, or refuses them, and copies follow", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (random) => {
      const [database, mirror] = [await databaseOfFullPractice(), await newDatabase()];
      let model: Model = new Map(fullPractice.map((record) => [keyOf(record), record]));
      const copy = new RecordMap();
      let sequence = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const now = `2026-04-01T00:00:${String(round).padStart(2, "0")}.000Z`;
        const isCsv = round % 3 === 2;
        const { missing, ...file } = randomFile(random, model, now);
        const lines = isCsv ? wholeLines(model, file.lines, now) : file.lines;
        const { after, faults } = applied(model, lines, { now, missing });
        const outcome = await outcomeOf(database, { lines, missing }, { now, isCsv });
        const said = { lines, missing, faults, outcome };
        if (faults.length > 0 || "refused" in outcome)
          expect({ ...said, isRefused: "refused" in outcome }).toEqual({
            ...said,
            isRefused: faults.length > 0,
          });
        else {
          expect({ lines, tallies: outcome.tallies as object }).toEqual({
            lines,
            tallies: talliesOf(model, after, lines),
          });
          model = after;
          accepted += 1;
        }
        const records = await exportRecords(database, "org_maple");
        expect({
          lines,
          records: Object.fromEntries(records.map((each) => [keyOf(each), each])),
        }).toEqual({
          lines,
          records: Object.fromEntries(model),
        });
        const changes = await changesAfter(database, sequence);
        copy.apply(changes.file);
        const text = await exportText(database, "org_maple");
        copy.expectToEqual(text);
        if (isCsv) await mustImportFolder(mirror, await csvAfter(database, sequence));
        else await mustImport(mirror, changes.file);
        expect(await exportText(mirror, "org_maple")).toBe(text);
        ({ sequence } = changes);
      }
    }),
    { numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
  );
  // About four of seven files are accepted, by chance sometimes only two of five.
  expect(accepted).toBeGreaterThan((RUNS * ROUNDS) / 5);
}, 300_000);
