import { remembered } from "../lib/remembered.ts";
import type { OwnedType } from "../schema/record-types.ts";
import { checkLimits, isShared, noteShares } from "./limits.ts";
import type { Problem } from "./kinds/problem.ts";
import { kindOf } from "./model.ts";
import {
  checkAgreements,
  checkReferences,
  lookUp,
  notePatients,
  notePatientsOf,
} from "./named-records.ts";
import { pieces } from "../lib/pieces.ts";
import { inTurns, piecesOfLines } from "./pieces.ts";
import type { Fields, RecordLine } from "./read-record.ts";
import type { RecordRows } from "./kinds/record-kind.ts";
import { keepRecorded } from "./recorded-data.ts";
import { factsOf, namedBy, type Use } from "./kinds/references.ts";
import { deleteListed, findColumns, findRecords, forgetDeletions } from "./repository.ts";
import {
  noteWritten,
  isRefused,
  noteChange,
  ownSequence,
  refuse,
  resultingRecord,
  tallyOf,
  type ImportState,
} from "./import-state.ts";

/** Elements of lists that are written by one statement. */
const ELEMENTS_PER_PIECE = 5_000;

/** Ids that are looked up by one statement. */
const IDS_PER_PIECE = 5_000;

/** A line with the record that results from it. */
interface Candidate {
  entry: RecordLine;
  record: Fields;
  uses: readonly Use[];
  /** The rows of the stored record, and the record; undefined if it is new. */
  stored: RecordRows | undefined;
  before: Fields | undefined;
}

interface Change extends Candidate {
  rows: RecordRows;
}

/**
 * Writes records of a type. The records of other types that they refer to must have been written before.
 *
 * @param changedIds records that other lines have changed, so that they are written even if their own changes nothing.
 */
export async function writeRecords(
  state: ImportState,
  type: OwnedType,
  entries: readonly RecordLine[],
  changedIds: ReadonlySet<string> = new Set(),
): Promise<void> {
  const storedIds = await findStoredIds(state, type, entries);
  for await (const piece of inTurns(piecesOfLines(entries))) {
    await writePiece(state, { type, entries: piece, storedIds, changedIds });
    noteWritten(state, piece.length);
  }
}

/** Lines that are written together. */
interface Piece {
  type: OwnedType;
  entries: readonly RecordLine[];
  /** Of all records of the type that are in the file and the database. */
  storedIds: ReadonlySet<string>;
  changedIds: ReadonlySet<string>;
}

/** The ids of the lines whose records are stored: others need not be read while PostgreSQL inserts the rows before. */
async function findStoredIds(
  { trx, organizationId, organization }: ImportState,
  type: OwnedType,
  entries: readonly RecordLine[],
): Promise<ReadonlySet<string>> {
  const storedIds = new Set<string>();
  if (organization === undefined) return storedIds;
  const { table } = kindOf(type);
  for (const piece of pieces(entries, IDS_PER_PIECE)) {
    const ids = piece.map(({ publicId }) => publicId);
    const rows = await findColumns(trx, organizationId, { table, columns: [], ids });
    for (const id of rows.keys()) storedIds.add(id);
  }
  return storedIds;
}

async function writePiece(state: ImportState, piece: Piece): Promise<void> {
  const { type, changedIds } = piece;
  const kind = kindOf(type);
  const candidates = await candidatesOf(state, piece);
  const rowOf = await lookUp(
    state,
    candidates.flatMap(({ uses }) => uses),
  );
  const changes: Change[] = [];
  for (const candidate of candidates) {
    const { entry, record, uses, stored, before } = candidate;
    checkReferences(state, entry, uses, rowOf);
    // A record and those that it refers to are compared only if the references are valid.
    if (!isRefused(state, entry)) checkAgreements(state, candidate, rowOf);
    if (isRefused(state, entry)) continue;
    notePatients(state, record, uses, rowOf);
    if (type === "user" && record.isActive === false && before?.isActive !== false)
      state.deactivated.add(entry.publicId);
    const { organizationId, options } = state;
    const rows = kind.rows(record as never, { organizationId, now: options.now, stored });
    const isSame = before !== undefined && Bun.deepEquals(kind.present(rows), before);
    if (isSame && !changedIds.has(entry.publicId)) tallyOf(state, type).unchanged += 1;
    else changes.push({ ...candidate, rows });
  }
  if (changes.length > 0) await writeChanges(state, type, changes);
}

/** The records that result from some lines, each checked by itself. */
async function candidatesOf(
  state: ImportState,
  { type, entries, storedIds }: Piece,
): Promise<Candidate[]> {
  const { trx, organizationId } = state;
  const kind = kindOf(type);
  const ids = entries.flatMap(({ publicId }) => (storedIds.has(publicId) ? [publicId] : []));
  const rows = ids.length === 0 ? [] : await findRecords(trx, organizationId, kind, ids);
  const storedById = new Map(rows.map((each) => [each.row.public_id, each]));
  const candidates: Candidate[] = [];
  for (const entry of entries) {
    const stored = storedById.get(entry.publicId);
    const before = stored && (kind.present(stored) as Fields);
    const result = resultingRecord(state, entry, before);
    const record = type === "goal" && before ? keepRecorded(state, result, before) : result;
    if (record !== undefined) {
      const refuseIt = (problem: Problem) => refuse(state, entry, problem);
      kind.check?.(record as never, refuseIt, before as never);
      checkLimits(type, record, before, refuseIt);
    }
    if (record === undefined || isRefused(state, entry)) continue;
    candidates.push({ entry, record, uses: namedBy(type, record), stored, before });
  }
  return candidates;
}

async function writeChanges(
  state: ImportState,
  type: OwnedType,
  changes: readonly Change[],
): Promise<void> {
  const { trx, organizationId, organization, rows: writer, options } = state;
  const { table, lists, present, sequences } = kindOf(type);
  const facts = factsOf(type);
  const sequence = await ownSequence(state);
  const created = changes.filter(({ stored }) => stored === undefined);
  const changed = changes.filter(({ stored }) => stored !== undefined);
  const tally = tallyOf(state, type);
  tally.created += created.length;
  tally.changed += changed.length;
  remembered(state.created, type, () => []).push(...idsOf(created));
  const reliedOn = remembered(state.reliedOn, type, () => new Map());
  for (const column of facts) {
    const differs = ({ stored, rows }: Change) => stored?.row[column] !== rows.row[column];
    remembered(reliedOn, column, () => []).push(...idsOf(changed.filter(differs)));
  }
  for (const { entry, before, rows } of changes) {
    noteChange(state, entry, before, () => present(rows));
    if (isShared(type)) noteShares(state, type, entry, { before, after: present(rows) as Fields });
  }
  for (const { entry, rows } of changed)
    // Unless the line gives another time, a user was updated by this import.
    if ("updated_at" in rows.row && (entry.fields.updatedAt ?? null) === null)
      rows.row.updated_at = options.now;
  // The changes may take records away from patients.
  await notePatientsOf(
    state,
    type,
    changed.map(({ before }) => before as Fields),
  );
  if (changed.length > 0)
    for (const list of lists) {
      await deleteListed(trx, organizationId, list, idsOf(changed));
    }
  const rowsOf = (some: Change[], numbers: object) =>
    some.map(({ rows, stored }) =>
      Object.assign(rows.row, numbers, sequences?.(rows, { stored, sequence })),
    );
  await writer.insert(table, rowsOf(created, { sequence, first_sequence: sequence }));
  await writer.upsert(table, rowsOf(changed, { sequence }));
  for (const { table: listTable } of lists)
    for (const piece of pieces(
      changes.flatMap(({ rows }) => rows.lists[listTable] ?? []),
      ELEMENTS_PER_PIECE,
    )) {
      await writer.insert(listTable, piece);
    }
  if (created.length > 0 && organization !== undefined)
    forgetDeletions(trx, organizationId, { type, ids: idsOf(created) });
}

function idsOf(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ entry }) => entry.publicId);
}
