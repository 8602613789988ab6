import type { Database, Db } from "../../db/database.ts";
import { ChangedRecords, InvalidInput, type Issue } from "../lib/errors.ts";
import { possibleInstants } from "../lib/day-finder.ts";
import { localDate, UTC } from "../lib/time-zone.ts";
import { findTimeZone } from "../organizations/repository.ts";
import type { RecordType } from "../schema/record-types.ts";
import { haveMoreSessions } from "../sessions/repository.ts";
import { MAX_TOLD, Mistakes } from "./mistakes.ts";
import { CsvUpload } from "./csv/upload.ts";
import { linesOf } from "./lines.ts";
import { lookedAt } from "./looked-at.ts";
import { type PracticeFile, readPracticeFile } from "./read-file.ts";
import type { Sender } from "./rights.ts";
import { FileChanged } from "./unchanged-since.ts";
import { writePracticeFile, type Written } from "./import.ts";
import { InvalidFile, type WriteFileOptions } from "./import-state.ts";

export interface ImportRequest extends WriteFileOptions {
  sender: Sender;
  file: Uint8Array;
  /** Of the records of a file of CSV; undefined for a practice file. */
  type: RecordType | undefined;
}

interface ReadRequest extends PracticeFile {
  /** Of a file of CSV. */
  csv?: CsvUpload;
}

/**
 * Reads and checks the practice file of a request, or its file of CSV.
 *
 * @throws InvalidInput if the first line is no organization, or the file is not CSV.
 * @throws DomainError if the file is of another organization, or has a line that the sender may not send.
 */
export async function readRequest(
  database: Database,
  { sender, file, type, now }: ImportRequest,
): Promise<ReadRequest> {
  const { organizationId } = sender;
  const zone = type && (await database.read((db) => findTimeZone(db, organizationId)));
  const today = localDate(now, zone ?? UTC);
  const csv = type && new CsvUpload(file, { type, organizationId, zone, today });
  const mistakes = new Mistakes(false);
  const lines = csv?.lines() ?? linesOf([file]);
  const read = await readPracticeFile(lines, { mistakes, sender });
  if (read === undefined) throw new InvalidInput(mistakes.issues(csv?.place));
  return { ...read, ...(csv && { csv }) };
}

/** The number of sessions of those named whose findings a worker compares. */
const MANY_SESSIONS = 5_000;

/**
 * Whether it takes long to say what a file changes in the findings.
 *
 * @throws InvalidInput if that cannot be said of such a file.
 */
export async function isLongComparison(
  db: Db,
  file: ReadRequest,
  { comparesFindings = false, now }: ImportRequest,
): Promise<boolean> {
  if (!comparesFindings) return false;
  const { people, days } = await lookedAt(db, file, now);
  if (days === undefined) return false;
  const looked = { people, span: possibleInstants(days), most: MANY_SESSIONS };
  return haveMoreSessions(db, file.organizationId, looked);
}

/**
 * Writes a file that was read, in the request's transaction.
 *
 * @throws InvalidInput with one issue per mistake; paths begin with the line number.
 * @throws DomainError if the file has a line that the sender may not send.
 * @throws ChangedRecords with one issue per record that has changed after `unchangedSince`; paths are line numbers.
 * @throws DryRun at the end of a dry run.
 */
export async function writeRequest(
  trx: Db,
  file: ReadRequest,
  request: ImportRequest,
): Promise<Written> {
  try {
    return await writePracticeFile(trx, file, { ...request, source: file.csv });
  } catch (error) {
    if (error instanceof InvalidFile)
      throw new InvalidInput(error.mistakes.issues(file.csv?.place));
    if (error instanceof FileChanged) throw new ChangedRecords(issuesOf(error));
    throw error;
  }
}

/** The first changed records. Whoever may see them reads them again, so they are not named. */
function issuesOf({ records }: FileChanged): Issue[] {
  return records.slice(0, MAX_TOLD).map(({ line = 0, message }) => ({
    code: "custom",
    message,
    path: [line],
    reason: "changed_since",
  }));
}
