import type { Db } from "../../db/database.ts";
import { RowWriter } from "../../db/rows.ts";
import type { Instant } from "../lib/instant.ts";
import { findOrganization, nextSequence } from "../organizations/repository.ts";
import { type OwnedType, type RecordType, recordTypes } from "../schema/record-types.ts";
import type { Path, Problem } from "./kinds/problem.ts";
import type { Mistakes } from "./mistakes.ts";
import type { PracticeFile } from "./read-file.ts";
import { checkRecord, type Fields, type RecordLine, isNew, mergedRecord } from "./read-record.ts";
import type { Row } from "./kinds/record-kind.ts";
import { noteDeletions } from "./repository.ts";
import type { Sender } from "./rights.ts";

export interface Tally {
  created: number;
  changed: number;
  unchanged: number;
  deleted: number;
  /** The number of records in the database that are not in the file. */
  missing: number;
}

export interface WriteFileOptions {
  /** For records without time of creation or change. */
  now: Instant;
  /** Types whose records are deleted if they are not in the file. */
  deleteMissing?: readonly OwnedType[];
  /** Whether more than half of the records of a type may be deleted. */
  deleteMany?: boolean;
  /** Whose rights limit the file. Default: nobody's. */
  sender?: Sender;
  /** Refuse the file if one of its records has changed after this sequence. */
  unchangedSince?: number | undefined;
  /** Where the lines come from, with notes on how they were read. */
  source?: { readonly notes: readonly string[] } | undefined;
  /** Whether to list what was done with each record. */
  listsChanges?: boolean | undefined;
  /** Whether to say what the file changes in the findings. */
  comparesFindings?: boolean | undefined;
  /** Whether to do everything, then roll back. */
  dryRun?: boolean;
  /** Called now and then, with the number of lines written since. */
  progress?: (lines: number) => void;
}

/** What an import did with a record. */
export interface RecordChange {
  /** Undefined for a record that is deleted because it is missing from the file. */
  line: number | undefined;
  type: RecordType;
  publicId: string;
  change: "CREATED" | "CHANGED" | "DELETED";
  /** The names of the fields that have changed, in the order of exports; none of a new or deleted record. */
  fields: string[];
}

/** What a record adds to a shared limit; less than nothing if it goes. */
export interface Addition {
  /** Undefined for a record without a line. */
  entry: RecordLine | undefined;
  amount: number;
  path: Path;
}

/** The file has mistakes; the transaction must be rolled back. */
export class InvalidFile extends Error {
  constructor(readonly mistakes: Mistakes) {
    super("The practice file has mistakes");
  }
}

/** An import that its flags do not allow. */
export class ImportRefused extends Error {}

/** The state of an import while its file is written. It belongs to one run of the transaction. */
export interface ImportState {
  readonly trx: Db;
  readonly file: PracticeFile;
  readonly organizationId: string;
  /** The organization as it was before; undefined if the file creates it. */
  readonly organization: Awaited<ReturnType<typeof findOrganization>>;
  readonly options: WriteFileOptions;
  /** Those found when the file was read, and then those of this run. */
  readonly mistakes: Mistakes;
  readonly rows: RowWriter;
  /** For each type in the file, in the order of types. */
  readonly tallies: ReadonlyMap<RecordType, Tally>;
  /** Lines in which writing has found mistakes. */
  readonly refusedLines: Set<RecordLine>;
  readonly created: Map<OwnedType, string[]>;
  /** The ids of stored records with a changed column that other records depend on, by type and column. */
  readonly reliedOn: Map<OwnedType, Map<string, string[]>>;
  /** By shared limit, what the file adds to each owner. */
  readonly shares: Map<object, Map<string, Addition[]>>;
  /** What was looked up of records to which records of the current type refer. */
  readonly facts: Map<OwnedType, Map<string, Row>>;
  /** The users whom the file makes inactive. */
  readonly deactivated: Set<string>;
  /** How much that was recorded on goals the file takes away, by goal. */
  readonly lost: Map<string, number>;
  /** What was done with each record, if that is listed. */
  readonly changes: RecordChange[];
  /** The patients of the records in the file. */
  readonly patientIds: Set<string>;
  /** The sequence of this import, once something has changed. */
  sequence: number | undefined;
}

export async function beginImport(
  trx: Db,
  file: PracticeFile,
  options: WriteFileOptions,
): Promise<ImportState> {
  const { organizationId, counts } = file;
  return {
    trx,
    file,
    organizationId,
    organization: await findOrganization(trx, { organizationId }),
    options,
    mistakes: file.mistakes.copy(),
    rows: new RowWriter(trx),
    tallies: new Map(
      recordTypes
        .filter((type) => counts.has(type))
        .map((type) => [type, { created: 0, changed: 0, unchanged: 0, deleted: 0, missing: 0 }]),
    ),
    refusedLines: new Set(),
    created: new Map(),
    reliedOn: new Map(),
    shares: new Map(),
    facts: new Map(),
    deactivated: new Set(),
    lost: new Map(),
    changes: [],
    patientIds: new Set(),
    sequence: undefined,
  };
}

export function tallyOf({ tallies }: ImportState, type: RecordType): Tally {
  return tallies.get(type) as Tally;
}

/** Reports a mistake in a line. The line is not written, and references to its record are not mistakes. */
export function refuse(
  { refusedLines, mistakes }: ImportState,
  entry: RecordLine,
  problem: Problem,
): void {
  refusedLines.add(entry);
  mistakes.add(entry.line, entry, problem);
}

/** Whether a line has a mistake, found by reading or by writing. */
export function isRefused({ refusedLines }: ImportState, entry: RecordLine): boolean {
  return entry.problems.length > 0 || refusedLines.has(entry);
}

/** Whether a record is in the file, on a line with a mistake. */
export function isBad(state: ImportState, type: OwnedType, id: string): boolean {
  // The usual case, asked for each reference of each record.
  if (state.mistakes.count === 0) return false;
  const entry = state.file.records.get(type)?.get(id);
  return entry !== undefined && isRefused(state, entry);
}

/**
 * The complete record that results from a line, checked by itself; undefined if it is invalid.
 *
 * @param before the stored record, if it exists.
 */
export function resultingRecord(
  state: ImportState,
  entry: RecordLine,
  before: Fields | undefined,
): Fields | undefined {
  if (before === undefined && entry.isWhole) return entry.fields;
  const { record, problems } = checkRecord(entry.type, mergedRecord(entry, before ?? {}));
  for (const problem of problems) if (isNew(problem, entry.problems)) refuse(state, entry, problem);
  return record;
}

/**
 * Lists that a record was created or changed.
 *
 * @param before the stored record; undefined for a new one.
 */
export function noteChange(
  { changes, options }: ImportState,
  entry: RecordLine,
  before: Fields | undefined,
  after: () => object,
): void {
  if (options.listsChanges !== true) return;
  const { line, type, publicId } = entry;
  const change = before === undefined ? "CREATED" : "CHANGED";
  const fields = before === undefined ? [] : changedFields(before, after() as Fields, entry);
  changes.push({ line, type, publicId, change, fields });
}

/**
 * The names of the fields that a line has changed. Times are only among them if the line gives them. A goal that changes
 * in no field has lost child goals to others.
 */
function changedFields(before: Fields, after: Fields, { fields }: RecordLine): string[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  const changed = names.filter(
    (name) =>
      !Bun.deepEquals(before[name], after[name]) &&
      (name !== "updatedAt" || (fields.updatedAt ?? null) !== null),
  );
  return changed.length > 0 ? changed : ["childGoals"];
}

/** The sequence of this import, which the first change takes. */
export async function ownSequence(state: ImportState): Promise<number> {
  state.sequence ??= await nextSequence(state.trx, state.organizationId);
  return state.sequence;
}

/** Counts and lists deleted records, and remembers them for exports of changes. */
export async function noteDeleted(
  state: ImportState,
  type: OwnedType,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { trx, organizationId, options, file } = state;
  tallyOf(state, type).deleted += ids.length;
  const lines = file.deletions.get(type);
  if (options.listsChanges === true)
    for (const publicId of ids) {
      const line = lines?.get(publicId)?.line;
      state.changes.push({ line, type, publicId, change: "DELETED", fields: [] });
    }
  const sequence = await ownSequence(state);
  await noteDeletions(trx, organizationId, { type, ids, sequence, deleted_at: options.now });
}

/**
 * Reports lines as written.
 *
 * @throws InvalidFile if as many mistakes were found as are reported.
 */
export function noteWritten({ mistakes, options }: ImportState, lines: number): void {
  if (mistakes.isFull) throw new InvalidFile(mistakes);
  options.progress?.(lines);
}
