import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Database, Db, WriteOptions } from "../../db/database.ts";
import { organizationExists } from "../access/repository.ts";
import { readEnd } from "../audit/repository.ts";
import { DomainError } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { Batch } from "./batch.ts";
import { Gathered } from "./gathered-repository.ts";
import { kinds } from "./kinds.ts";
import { KnownRecords } from "./known-records.ts";
import { LateChecks, type LateProblem } from "./late-checks.ts";
import { type Line, readLines } from "./lines.ts";
import type { RecordType } from "./model.ts";
import { type Moved, moveAhead, moveRest } from "./move.ts";
import { BadLines, type Problem } from "./problems.ts";
import { type ReadRecord, readRecord } from "./read-record.ts";
import type { ImportContext, RecordKind } from "./record-kind.ts";
import { RecordLine } from "./record-line.ts";
import { Surprises } from "./surprises.ts";
import { countWithoutEncounter, makeOrganization, wasImportedSince } from "./repository.ts";

/** Undoes a transaction whose work is done. */
class RolledBack extends Error {
  constructor(readonly problems: LateProblem[]) {
    super("The import was rolled back");
  }
}

/** What lines were checked against may have changed since: the file is to be read again. */
export class ImportOvertaken extends DomainError {
  constructor(organizationId: string) {
    super(
      "conflict",
      `Another import into ${organizationId} was faster, and nothing was written; run this one again`,
    );
  }
}

const NO_ORGANIZATION: Problem = {
  path: ["type"],
  message: "The first line must be the organization, which all others belong to",
};

/** A line, and what was read of it. */
interface LineRead {
  number: number;
  read: ReadRecord;
}

/**
 * One run over one practice file. Lines are checked and gathered in a private place first, while others read and
 * write; a transaction then only moves what has been gathered. Close it in the end.
 */
export class PracticeImport {
  readonly badLines = new BadLines();
  /** How many records of each type are sound. */
  readonly counts = new Map<RecordType, number>();
  readonly surprises = new Surprises();
  readonly #gathered: Gathered;
  #context: ImportContext | undefined;
  #late: LateProblem[] = [];
  /** What was found wrong while rows were moved, with what was known before. */
  #found: LateProblem[] = [];
  /** Where the organization's audit trail ended when this import began; undefined of a new organization. */
  #beginning: number | undefined;

  constructor(
    private readonly database: Database,
    private readonly now: Instant,
  ) {
    this.#gathered = new Gathered(database.openScratch());
  }

  /** Whose file it is, where its first line says so. */
  get organizationId(): string | undefined {
    return this.#context?.organizationId;
  }

  /** Whether so much of the file could be read that a transaction tells what else may be wrong with it. */
  get isRead(): boolean {
    return this.#context !== undefined && !this.badLines.isFull;
  }

  /**
   * Reads and checks all lines of a practice file, and gathers what they come to.
   *
   * @param onlyInto the organization that the file must be of.
   * @throws DomainError where it is another's.
   */
  async gather(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    onlyInto?: string,
  ): Promise<void> {
    await this.gatherLines(readLines(inTurns(chunks)), onlyInto);
  }

  /** The same of lines that have been cut already. */
  async gatherLines(lines: AsyncIterable<Line>, onlyInto?: string): Promise<void> {
    for await (const piece of piecesOf(lines)) {
      const context = this.#context ?? (await this.#begin(piece[0] as LineRead, onlyInto));
      if (context === undefined) return;
      this.#context = context;
      await this.#gatherPiece(piece, context);
      if (this.badLines.isFull) return;
    }
    if (this.#context === undefined) this.badLines.add(1, {}, [NO_ORGANIZATION]);
    else this.#late = await this.#context.late.unfitUsers(this.#context.known, this.database);
  }

  async #begin(
    { number, read }: LineRead,
    onlyInto: string | undefined,
  ): Promise<ImportContext | undefined> {
    const { type, publicId } = read.subject;
    if (type !== "organization" || publicId === undefined) {
      const isOrganization = type === "organization" && "problems" in read;
      this.badLines.add(number, read.subject, isOrganization ? read.problems : [NO_ORGANIZATION]);
      return undefined;
    }
    if (onlyInto !== undefined && publicId !== onlyInto)
      throw new DomainError("notAllowed", "Access denied");
    this.#beginning = await this.database.read(async (db) =>
      (await organizationExists(db, publicId)) ? (await readEnd(db, publicId)).sequence : undefined,
    );
    const isNew = this.#beginning === undefined;
    return {
      organizationId: publicId,
      organizationLine: number,
      now: this.now,
      known: new KnownRecords(this.#gathered, { id: publicId, isNew }),
      late: new LateChecks(this.#gathered),
    };
  }

  async #gatherPiece(piece: readonly LineRead[], context: ImportContext): Promise<void> {
    const { known } = context;
    await known.rehearse(this.database, () => {
      for (const { number, read } of piece) rehearse(number, read, context);
    });
    const batches = new Map<RecordType, Batch>();
    for (const { number, read } of piece) {
      this.#gatherLine(number, read, batches, context);
      if (this.badLines.isFull) return;
    }
    known.keep();
    this.#gathered.addBatches(batches);
  }

  #gatherLine(
    number: number,
    read: ReadRecord,
    batches: Map<RecordType, Batch>,
    context: ImportContext,
  ): void {
    const { known } = context;
    const { type, publicId } = read.subject;
    const line = new RecordLine(number, type, known);
    const isAgain =
      type !== undefined && publicId !== undefined && !isFirst(type, publicId, line, known);
    if ("problems" in read) line.problems.push(...read.problems);
    else if (line.isSound) {
      const kind = kindOf(read.record.type);
      kind.check?.(read.record as never, line, context);
      if (line.isSound) {
        const batch = batches.get(read.record.type) ?? new Batch();
        batches.set(read.record.type, batch);
        batch.line = number;
        const row = kind.write(read.record as never, batch, line, context);
        known.remember(read.record.type, read.record.publicId, row);
      }
    }

    if (line.problems.length > 0) this.badLines.add(number, read.subject, line.problems);
    if (type === undefined) return;
    if (line.isSound) {
      this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
      if ("record" in read) this.surprises.note(read.record);
    }
    // What refers to an id that stands twice is held against the line that was read first.
    else if (publicId !== undefined && !isAgain) known.remember(type, publicId, undefined);
  }

  /** How the transaction is to be run whose work ends with `move`. */
  get writeOptions(): Pick<WriteOptions, "ahead" | "scratch"> {
    return { ahead: (trx) => this.#moveAhead(trx), scratch: this.#gathered.scratch };
  }

  /** Moves into the database what touches nothing that others write. It may be run again. */
  async #moveAhead(trx: Db): Promise<void> {
    this.#found = [...this.#late];
    const context = this.#readContext();
    if (this.#beginning === undefined && !(await this.#makeOrganization(trx, context)))
      throw new ImportOvertaken(context.organizationId);
    await this.#requireInTime(trx, context);
    await this.#find(() => moveAhead(trx, this.#moved(context)));
  }

  /**
   * Moves the rest into the database, in a transaction with `writeOptions`.
   *
   * @throws RolledBack where something is wrong with the file, or this is but a dry run; `settle` takes it.
   * @throws ImportOvertaken where another import into the organization was committed meanwhile.
   */
  async move(trx: Db, isDryRun: boolean): Promise<void> {
    const context = this.#readContext();
    await this.#requireInTime(trx, context);
    await this.#find(() => moveRest(trx, this.#moved(context)));
    if (this.#found.length === 0)
      this.surprises.authorizationsWithoutEncounter = await this.#withoutEncounter(trx, context);
    if (isDryRun || this.#found.length > 0 || this.badLines.count > 0)
      throw new RolledBack(this.#found);
  }

  /** What came of a transaction with a `move`; undefined of one that was rolled back. */
  async settle<Result>(transaction: Promise<Result>): Promise<Result | undefined> {
    try {
      return await transaction;
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
      for (const { line, subject, problem } of error.problems)
        this.badLines.add(line, subject, [problem]);
      return undefined;
    }
  }

  #readContext(): ImportContext {
    if (this.#context === undefined) throw new TypeError("There is nothing to move");
    return this.#context;
  }

  #moved(context: ImportContext): Moved {
    return {
      gathered: this.#gathered,
      counts: this.counts,
      context,
      isNew: this.#beginning === undefined,
      problems: this.#found,
    };
  }

  #makeOrganization(trx: Db, { organizationId }: ImportContext): Promise<boolean> {
    return makeOrganization(trx, organizationId, this.now);
  }

  /** Sees to it that what the lines were checked against is as it was. */
  async #requireInTime(trx: Db, { organizationId }: ImportContext): Promise<void> {
    const beginning = this.#beginning;
    if (beginning !== undefined && (await wasImportedSince(trx, organizationId, beginning)))
      throw new ImportOvertaken(organizationId);
  }

  /** Runs work that notes what it finds. */
  async #find(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // What is known to be wrong may be at odds with the rules of the tables, too.
      if (this.badLines.count === 0 && this.#found.length === 0) throw error;
      throw new RolledBack(this.#found);
    }
  }

  async #withoutEncounter(trx: Db, { organizationId }: ImportContext): Promise<number> {
    let count = 0;
    for (const ids of this.#gathered.authorizationIds())
      count += await countWithoutEncounter(trx, organizationId, ids);
    return count;
  }

  close(): void {
    this.#gathered.close();
  }
}

/** Bytes that are read in one turn of the event loop. */
const BYTES_PER_TURN = 128 * 1024;

/** The bytes of a file in small pieces, between which the requests of a server have their turn. */
async function* inTurns(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.length; start += BYTES_PER_TURN) {
      yield chunk.subarray(start, start + BYTES_PER_TURN);
      await endOfTurn();
    }
}

/** Lines that are looked at together, and how much text they are at the most, unless one line is longer. */
const LINES_PER_PIECE = 500;
const CHARACTERS_PER_PIECE = 4 * 1024 * 1024;

async function* piecesOf(lines: AsyncIterable<Line>): AsyncGenerator<LineRead[]> {
  let piece: LineRead[] = [];
  let characters = 0;
  for await (const line of lines) {
    piece.push({ number: line.number, read: readRecord(line) });
    characters += "text" in line ? line.text.length : 0;
    if (piece.length < LINES_PER_PIECE && characters < CHARACTERS_PER_PIECE) continue;
    yield piece;
    piece = [];
    characters = 0;
  }
  if (piece.length > 0) yield piece;
}

function kindOf(type: RecordType): RecordKind<never> {
  return kinds[type];
}

/** Asks for what a line will need to know. */
function rehearse(number: number, read: ReadRecord, context: ImportContext): void {
  const { known } = context;
  const { type, publicId } = read.subject;
  if (type !== undefined && publicId !== undefined) known.standsInFile(type, publicId, number);
  if ("problems" in read) return;
  const line = new RecordLine(number, type, known);
  kindOf(read.record.type).check?.(read.record as never, line, context);
}

/** Whether the id is new in the file; one that is not is refused. */
function isFirst(
  type: RecordType,
  publicId: string,
  line: RecordLine,
  known: KnownRecords,
): boolean {
  if (known.standsInFile(type, publicId, line.number)) return true;
  const first = known.lineOf(type, publicId);
  const again = "Stands in this file twice";
  line.refuse("publicId", `${again}, first on`, again, first);
  return false;
}
