import type { Database } from "../../db/database.ts";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { recordCommand } from "../audit/recording.ts";
import type { Instant } from "../lib/instant.ts";
import type { Line } from "./lines.ts";
import type { RecordType } from "./model.ts";
import { PracticeImport } from "./practice-import.ts";
import type { BadLines } from "./problems.ts";
import { IMPORT } from "./repository.ts";

export interface ImportOptions {
  /** Recorded where a record does not say when it was made or changed. */
  now: Instant;
  /** The operating system's user who imports. */
  operator: string;
  /** What the file is called. */
  name?: string;
  /** Does everything but keep it. */
  dryRun?: boolean;
}

/** What came of an import: how many records of each type were written, or why nothing was. */
export type ImportOutcome =
  | {
      organizationId: string;
      counts: ReadonlyMap<RecordType, number>;
      /** What is no mistake, and may be none that was meant. */
      surprises: string[];
    }
  /** Whose file it is, where its first line says so. */
  | { organizationId: string | undefined; badLines: BadLines };

/**
 * Reads a practice file into the database, as a command. Every record is made, or updated whole, in one transaction:
 * one bad line leaves everything as it was.
 *
 * @throws ImportOvertaken where another import into the organization was committed meanwhile.
 */
export function importPractice(
  database: Database,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  return importGathered(database, (run) => run.gather(chunks), options);
}

/** The same of lines that come from tables. */
export function importLines(
  database: Database,
  lines: AsyncIterable<Line>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  return importGathered(database, (run) => run.gatherLines(lines), options);
}

async function importGathered(
  database: Database,
  gather: (run: PracticeImport) => Promise<void>,
  { now, operator, name, dryRun = false }: ImportOptions,
): Promise<ImportOutcome> {
  const run = new PracticeImport(database, now);
  try {
    await gather(run);
    const { organizationId = "", badLines, counts } = run;
    const move = () =>
      database.write(
        async (trx) => {
          await run.move(trx, dryRun);
          await recordCommand(trx, {
            organizationId,
            command: IMPORT,
            operator,
            time: now,
            patientIds: ALL_PATIENTS,
            ...(name !== undefined && { target: name }),
          });
        },
        { organizationId, ...run.writeOptions },
      );
    if (run.isRead) await run.settle(move());
    return badLines.count > 0
      ? { organizationId: run.organizationId, badLines }
      : { organizationId, counts, surprises: run.surprises.sentences() };
  } finally {
    run.close();
  }
}
