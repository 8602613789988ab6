import type { Database, Db } from "../../db/database.ts";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { recordCommand } from "../audit/trail.ts";
import { DomainError, InvalidInput } from "../lib/errors.ts";
import { noteWrite } from "../organizations/write-repository.ts";
import type { Line } from "./lines.ts";
import { Mistakes } from "./mistakes.ts";
import { type PracticeFile, readPracticeFile } from "./read-file.ts";
import { FileChanged } from "./unchanged-since.ts";
import { DryRun, writePracticeFile, type Written } from "./import.ts";
import { ImportRefused, InvalidFile, type WriteFileOptions } from "./import-state.ts";

/** The import command's name in the audit trail. */
export const IMPORT = "import";

export interface ImportOptions extends WriteFileOptions {
  /** The operating system user who runs the import. */
  operator: string;
  /** The name of the file. */
  name?: string;
  /** Called with the number of lines after the file was read, before it is written and other writers have to wait. */
  reading?: (lines: number) => void;
}

export interface NothingWritten {
  /** The file's organization, if the first line names it. */
  organizationId: string | undefined;
  mistakes: Mistakes;
  /** The mistakes are the records that have changed after this sequence. */
  changedSince?: number;
  /** What the flags do not allow; then that alone is told. */
  refusal?: string;
}

export type ImportOutcome = Written | NothingWritten;

/** Imports a practice file, for the command: completely, or not at all. */
export async function importPractice(
  database: Database,
  lines: AsyncIterable<Line>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const read = new Mistakes(true);
  const file = await readPracticeFile(lines, { mistakes: read });
  if (file === undefined || read.isFull)
    return { organizationId: file?.organizationId, mistakes: read };
  const { organizationId, counts } = file;
  options.reading?.([...counts.values()].reduce((sum, count) => sum + count, 0));
  try {
    return await write(database, file, options);
  } catch (error) {
    if (error instanceof InvalidFile) return { organizationId, mistakes: error.mistakes };
    if (error instanceof DryRun) return error.written;
    if (error instanceof FileChanged)
      return { organizationId, mistakes: mistakesOf(error), changedSince: error.since };
    const nothing = { organizationId, mistakes: read };
    if (error instanceof InvalidInput) return { ...nothing, refusal: ABOVE_LAST_WRITE };
    if (error instanceof DomainError || error instanceof ImportRefused)
      return { ...nothing, refusal: error.message };
    throw error;
  }
}

const ABOVE_LAST_WRITE =
  "--unchanged-since is greater than the sequence of the last write; give the sequence that an export of this database printed. Nothing was written.";

function mistakesOf({ records }: FileChanged): Mistakes {
  const mistakes = new Mistakes(true);
  for (const { line, message, ...subject } of records)
    mistakes.add(line, subject, { path: [], message });
  return mistakes;
}

function write(database: Database, file: PracticeFile, options: ImportOptions): Promise<Written> {
  const { organizationId } = file;
  return database.write((trx) => writeRecordedFile(trx, file, options), {
    ...{ organizationId, isLong: true },
  });
}

/** Writes a file in a transaction, with the row of the import in the audit trail. */
export async function writeRecordedFile(
  trx: Db,
  file: PracticeFile,
  { operator, name, ...options }: ImportOptions,
): Promise<Written> {
  const { organizationId } = file;
  const written = await writePracticeFile(trx, file, options);
  const { now: time } = options;
  await noteWrite(trx, { organizationId, time, keyId: null, userId: null, operator });
  await recordCommand(trx, {
    organizationId,
    command: IMPORT,
    operator,
    time,
    patientIds: ALL_PATIENTS,
    target: name,
  });
  return written;
}
