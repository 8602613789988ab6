import type { Db } from "../../db/database.ts";
import { writablePracticeFileTypes } from "../access/permissions.ts";
import type { Role } from "../access/roles.ts";
import { InvalidInput } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { Mistakes } from "./mistakes.ts";
import { linesOf, type PracticeFile, readPracticeFile } from "./read-file.ts";
import { writePracticeFile, type Written } from "./write-file.ts";
import { InvalidFile } from "./writing.ts";

export { DryRun } from "./write-file.ts";

/** The input of a request. */
export interface ImportRequest {
  organizationId: string;
  role: Role;
  file: Uint8Array;
  now: Instant;
  isDryRun: boolean;
  /** Called between parts of the work. If it throws, the work stops. */
  pause: () => void;
}

/**
 * Reads and checks the practice file of a request.
 *
 * @throws InvalidInput if the first line is no organization.
 * @throws DomainError if the file is of another organization, or has records that the role may not write.
 */
export async function readRequest({
  organizationId,
  role,
  file,
  pause,
}: ImportRequest): Promise<PracticeFile> {
  const mistakes = new Mistakes(false);
  const allowed = { organizationId, types: writablePracticeFileTypes[role] };
  const read = await readPracticeFile(linesOf([file]), { mistakes, allowed, pause });
  if (read === undefined) throw new InvalidInput(mistakes.issues());
  return read;
}

/**
 * Writes a file that was read, in the request's transaction.
 *
 * @throws InvalidInput with one issue per mistake; paths begin with the line number.
 * @throws DomainError if the file changes the organization, and the role may not.
 * @throws DryRun at the end of a dry run.
 */
export async function writeRequest(
  trx: Db,
  file: PracticeFile,
  { role, now, isDryRun, pause }: ImportRequest,
): Promise<Written> {
  const mistakes = file.mistakes.copy();
  const mayChangeOrganization = writablePracticeFileTypes[role].includes("organization");
  try {
    const options = { now, mistakes, mayChangeOrganization, isDryRun, pause };
    return await writePracticeFile(trx, file, options);
  } catch (error) {
    if (error instanceof InvalidFile) throw new InvalidInput(error.mistakes.issues());
    throw error;
  }
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
