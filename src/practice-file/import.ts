import type { Database } from "../../db/database.ts";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { recordCommand } from "../audit/recording.ts";
import type { Instant } from "../lib/instant.ts";
import { parseTimeZone, type TimeZone } from "../lib/time-zone.ts";
import type { OwnedType, RecordType } from "../schema/record-types.ts";
import type { Line } from "./lines.ts";
import { Mistakes } from "./mistakes.ts";
import { type PracticeFile, readPracticeFile } from "./read-file.ts";
import { findOrganization } from "./repository.ts";
import { FileRefused, writePracticeFile, type Written } from "./write-file.ts";

/** What an import is called in the audit trail. */
export const IMPORT = "import";

export interface ImportOptions {
  /** Recorded where a record does not say when it was made or changed. */
  now: Instant;
  /** The operating system's user who imports. */
  operator: string;
  /** What the file is called. */
  name?: string;
  /** Does everything but keep it. */
  dryRun?: boolean;
  deleteMissing?: readonly OwnedType[];
  deleteMany?: boolean;
  /** Is told when the file has been read, with how many lines it has, before others wait for it to be written. */
  reading?: (lines: number) => void;
  /** Is told how many lines have been written. */
  progress?: (lines: number) => void;
}

/** What came of an import, or why nothing was written. */
export type ImportOutcome =
  | ({ organizationId: string; counts: ReadonlyMap<RecordType, number> } & Written)
  /** Whose file it is, where its first line says so. */
  | { organizationId: string | undefined; mistakes: Mistakes };

/** Undoes a dry run. */
class RolledBack extends Error {
  constructor(readonly written: Written) {
    super("The import was a dry run");
  }
}

/**
 * Imports a practice file, as a command: all of it, or nothing where a line is bad.
 *
 * @throws DeletionRefused where `deleteMissing` would delete what it must not.
 */
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
    return { organizationId, counts, ...(await write(database, file, options)) };
  } catch (error) {
    if (error instanceof FileRefused) return { organizationId, mistakes: error.mistakes };
    if (error instanceof RolledBack) return { organizationId, counts, ...error.written };
    throw error;
  }
}

function write(
  database: Database,
  file: PracticeFile,
  { now, operator, name, dryRun = false, ...options }: ImportOptions,
): Promise<Written> {
  const { organizationId } = file;
  return database.write(
    async (trx) => {
      // The transaction may be run again, and then finds anew what is wrong.
      const mistakes = file.mistakes.copy();
      const written = await writePracticeFile(trx, file, { ...options, now, mistakes });
      if (dryRun) throw new RolledBack(written);
      await recordCommand(trx, {
        organizationId,
        command: IMPORT,
        operator,
        time: now,
        patientIds: ALL_PATIENTS,
        ...(name !== undefined && { target: name }),
      });
      return written;
    },
    { organizationId, isLong: true },
  );
}

/** The zone of an organization that is there already, as far as it has one. */
export async function storedZone(
  database: Database,
  organizationId: string,
): Promise<TimeZone | undefined> {
  const organization = await database.read((db) => findOrganization(db, organizationId));
  return parseTimeZone(organization?.time_zone ?? "");
}
