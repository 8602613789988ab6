import { writeInBulk } from "../../db/bulk.ts";
import type { Database, Db } from "../../db/database.ts";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { recordCommand } from "../audit/recording.ts";
import type { Instant } from "../lib/instant.ts";
import { type ImportContext, openImport } from "./import-context.ts";
import { importRecord } from "./import-record.ts";
import { readLines } from "./lines.ts";
import type { RecordType } from "./model.ts";
import { BadLines, type Problem } from "./problems.ts";
import { type ReadRecord, readRecord } from "./read-record.ts";
import { RecordLine } from "./record-line.ts";
import { createFileRecords, dropFileRecords } from "./repository.ts";

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
  | { organizationId: string; counts: ReadonlyMap<RecordType, number> }
  /** Whose file it is, where its first line says so. */
  | { organizationId: string | undefined; badLines: BadLines };

/**
 * Reads a practice file into the database (practice file). Every record is made, or updated whole, in one
 * transaction: one bad line leaves everything as it was.
 *
 * The transaction stays open while the file is read, and no other write gets through meanwhile, be it of
 * this process or another. Reads go on. The file can be read only once, and the writes of a group are repeated where
 * one of them throws: a process that imports has no other write under way.
 */
export async function importPractice(
  database: Database,
  chunks: AsyncIterable<Uint8Array>,
  { now, operator, name, dryRun = false }: ImportOptions,
): Promise<ImportOutcome> {
  try {
    return await database.write(
      async (trx) => {
        const outcome = await new PracticeImport(trx, now).run(chunks);
        if (dryRun || "badLines" in outcome) throw new RolledBack(outcome);
        const { organizationId } = outcome;
        await recordCommand(trx, {
          organizationId,
          command: "import",
          operator,
          time: now,
          patientIds: ALL_PATIENTS,
          ...(name !== undefined && { target: name }),
        });
        return outcome;
      },
      { organizationId: "" },
    );
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome;
    throw error;
  }
}

/** Undoes the transaction, and carries out of it what came of it. */
class RolledBack extends Error {
  constructor(readonly outcome: ImportOutcome) {
    super("The import was rolled back");
  }
}

const NO_ORGANIZATION: Problem = {
  field: "type",
  message: "The first line must be the organization, which all others belong to",
};

/** Where a large file has most of its records. */
const LARGE_TABLES = ["sessions", "encounters"] as const;

/** One run over one file. */
class PracticeImport {
  readonly #badLines = new BadLines();
  readonly #counts = new Map<RecordType, number>();

  constructor(
    private readonly trx: Db,
    private readonly now: Instant,
  ) {}

  async run(chunks: AsyncIterable<Uint8Array>): Promise<ImportOutcome> {
    await createFileRecords(this.trx);
    const context = await writeInBulk(this.trx, LARGE_TABLES, () => this.#importLines(chunks));
    if (context !== undefined && !this.#badLines.isFull) await this.#recheck(context);
    if (context === undefined || this.#badLines.count > 0)
      return { organizationId: context?.organizationId, badLines: this.#badLines };
    await dropFileRecords(this.trx);
    return { organizationId: context.organizationId, counts: this.#counts };
  }

  /** Undefined where the first line does not say whose the others are. */
  async #importLines(chunks: AsyncIterable<Uint8Array>): Promise<ImportContext | undefined> {
    let context: ImportContext | undefined;
    for await (const line of readLines(chunks)) {
      const read = readRecord(line);
      context ??= await this.#begin(line.number, read);
      if (context === undefined) return undefined;
      await this.#importLine(line.number, read, context);
      if (this.#badLines.isFull) return context;
    }
    if (context === undefined) this.#badLines.add(1, {}, [NO_ORGANIZATION]);
    return context;
  }

  async #begin(number: number, read: ReadRecord): Promise<ImportContext | undefined> {
    const { type, publicId } = read.subject;
    if (type === "organization" && publicId !== undefined)
      return openImport(this.trx, publicId, number, this.now);
    const isOrganization = type === "organization" && "problems" in read;
    this.#badLines.add(number, read.subject, isOrganization ? read.problems : [NO_ORGANIZATION]);
    return undefined;
  }

  async #importLine(number: number, read: ReadRecord, context: ImportContext): Promise<void> {
    const { type, publicId } = read.subject;
    const line = new RecordLine(number, type, context.known);
    const isAgain =
      type !== undefined &&
      publicId !== undefined &&
      !(await noteInFile(type, publicId, line, context));
    if ("problems" in read) line.problems.push(...read.problems);
    else if (line.isSound) await importRecord(read.record, line, context);

    if (line.problems.length > 0) this.#badLines.add(number, read.subject, line.problems);
    if (type === undefined) return;
    if (line.isSound) this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    // What refers to an id that stands twice is held against the line that was read first.
    else if (publicId !== undefined && !isAgain) context.known.addUnwritten(type, publicId);
  }

  async #recheck({ rechecks, statements }: ImportContext): Promise<void> {
    for (const { line, subject, problem } of await rechecks.run(statements))
      this.#badLines.add(line, subject, [problem]);
  }
}

/** Whether the id is new in the file; one that is not is refused. */
async function noteInFile(
  type: RecordType,
  publicId: string,
  line: RecordLine,
  { statements, rechecks }: ImportContext,
): Promise<boolean> {
  rechecks.standsInFile(type, publicId);
  if (await statements.addToFile(type, publicId, line.number)) return true;
  const first = await statements.lineInFile(type, publicId);
  line.refuse("publicId", `Stands in this file twice, first on line ${first}`);
  return false;
}
