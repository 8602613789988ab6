import type { Database, Db } from "../../db/database.ts";
import { InvalidInput } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { recordTypes } from "./model.ts";
import { ImportOvertaken, PracticeImport } from "./practice-import.ts";

/** What a request brings. */
export interface ImportRequest {
  organizationId: string;
  file: Uint8Array;
  now: Instant;
  isDryRun: boolean;
}

/** What came of a file without mistakes: how many records of each type there were. */
export interface ImportResult {
  organizationId: string;
  dryRun: boolean;
  counts: Record<string, number>;
}

/**
 * Runs a transaction, unless the request is a retry.
 *
 * @param prepare runs before the transaction, and only if there is to be one, and answers how it is to be run.
 */
type Transact<Answer> = (
  work: (trx: Db) => Promise<ImportResult>,
  prepare: () => Promise<PracticeImport["writeOptions"]>,
) => Promise<Answer>;

/** How often a file is read again that another import was faster than. */
const ATTEMPTS = 3;

/**
 * Imports a practice file into the organization of a request.
 *
 * @throws InvalidInput with an issue for each mistake: its path begins with the number of the line.
 * @throws DomainError where the file is another organization's, or others were faster again and again.
 */
export async function importRequest<Answer>(
  database: Database,
  request: ImportRequest,
  transact: Transact<Answer>,
): Promise<Answer | ImportResult> {
  for (let attempt = 1; ; attempt++) {
    const run = new PracticeImport(database, request.now);
    try {
      return await importOnce(run, request, transact);
    } catch (error) {
      if (!(error instanceof ImportOvertaken) || attempt === ATTEMPTS) throw error;
    } finally {
      run.close();
    }
  }
}

async function importOnce<Answer>(
  run: PracticeImport,
  { organizationId, file, isDryRun }: ImportRequest,
  transact: Transact<Answer>,
): Promise<Answer | ImportResult> {
  const prepare = async () => {
    await run.gather([file], organizationId);
    if (!run.isRead) throw new InvalidInput(run.badLines.issues());
    return run.writeOptions;
  };
  const work = async (trx: Db) => {
    await run.move(trx, isDryRun);
    return resultOf(run, organizationId, isDryRun);
  };
  const answer = await run.settle(transact(work, prepare));
  if (run.badLines.count > 0) throw new InvalidInput(run.badLines.issues());
  return answer ?? resultOf(run, organizationId, isDryRun);
}

function resultOf(
  { counts }: PracticeImport,
  organizationId: string,
  dryRun: boolean,
): ImportResult {
  const occurred = recordTypes.filter((type) => counts.has(type));
  return {
    organizationId,
    dryRun,
    counts: Object.fromEntries(occurred.map((type) => [type, counts.get(type) ?? 0])),
  };
}
