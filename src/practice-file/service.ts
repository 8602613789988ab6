import type { Db } from "../../db/database.ts";
import { ChangedRecords, InvalidInput, type Issue } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { MAX_TOLD, Mistakes } from "./mistakes.ts";
import { linesOf, type PracticeFile, readPracticeFile } from "./read-file.ts";
import type { Sender } from "./rights.ts";
import { FileChanged } from "./unchanged-since.ts";
import { writePracticeFile, type Written } from "./write-file.ts";
import { InvalidFile } from "./writing.ts";

export { DryRun } from "./write-file.ts";

/** The input of a request. */
export interface ImportRequest {
  sender: Sender;
  file: Uint8Array;
  now: Instant;
  isDryRun: boolean;
  unchangedSince: number | undefined;
  /** Called between parts of the work. If it throws, the work stops. */
  pause: () => void;
}

/**
 * Reads and checks the practice file of a request.
 *
 * @throws InvalidInput if the first line is no organization.
 * @throws DomainError if the file is of another organization, or has a line that the sender may not send.
 */
export async function readRequest({ sender, file, pause }: ImportRequest): Promise<PracticeFile> {
  const mistakes = new Mistakes(false);
  const read = await readPracticeFile(linesOf([file]), { mistakes, sender, pause });
  if (read === undefined) throw new InvalidInput(mistakes.issues());
  return read;
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
  file: PracticeFile,
  { sender, now, isDryRun, unchangedSince, pause }: ImportRequest,
): Promise<Written> {
  const mistakes = file.mistakes.copy();
  try {
    const options = { now, mistakes, sender, isDryRun, unchangedSince, pause };
    return await writePracticeFile(trx, file, options);
  } catch (error) {
    if (error instanceof InvalidFile) throw new InvalidInput(error.mistakes.issues());
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

/** The answer to a request. */
export function answerOf(
  { organizationId, counts, tallies, notes, sequence }: Written,
  { isDryRun }: ImportRequest,
) {
  return {
    organizationId,
    dryRun: isDryRun,
    sequence: isDryRun ? null : sequence,
    counts: Object.fromEntries([...tallies.keys()].map((type) => [type, counts.get(type) ?? 0])),
    changes: Object.fromEntries(tallies),
    notes,
  };
}
