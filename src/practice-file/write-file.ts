import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Db } from "../../db/database.ts";
import { RowWriter } from "../../db/rows.ts";
import { isClinician, type Role } from "../access/roles.ts";
import { emailKey } from "../lib/email.ts";
import { DomainError } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { nextSequence } from "../organizations/repository.ts";
import { type OwnedType, type RecordType, recordTypes } from "../schema/record-types.ts";
import { deleteRecords, type DeletedRecords, missingRecords } from "./deletions.ts";
import type { ChildGoalEntry, GoalRecord } from "./goal-records.ts";
import { goalsOf } from "./goal-rules.ts";
import { kindOf, ownedTypes } from "./kinds.ts";
import type { Mistakes, Problem } from "./mistakes.ts";
import { notesOn } from "./notes.ts";
import type { Named, RecordKind, RecordRows, Row } from "./record-kind.ts";
import { checkRecord, type Fields, type GivenRecord, isNew, mergedRecord } from "./read-record.ts";
import type { PracticeFile } from "./read-file.ts";
import { organization } from "./reference-data.ts";
import { namedBy, referencesOf, type Reference } from "./references.ts";
import {
  countRecords,
  deleteListed,
  findColumns,
  findEmailHolders,
  findOrganization,
  findRecords,
  findTopGoals,
  forgetDeletions,
  noteDeletions,
  releaseEmails,
  setSequence,
  writeOrganization,
} from "./repository.ts";
import { atOdds } from "./whole-checks.ts";

/** The changes to records of a type. */
export interface Tally {
  created: number;
  changed: number;
  unchanged: number;
  deleted: number;
  /** The number of records in the database that are not in the file. */
  missing: number;
}

/** The result of writing a file. */
export interface Written {
  tallies: ReadonlyMap<RecordType, Tally>;
  notes: string[];
  /** The organization's sequence afterwards. */
  sequence: number;
  /** The patients of the records in the file. */
  patientIds: ReadonlySet<string>;
}

export interface WriteFileOptions {
  now: Instant;
  mistakes: Mistakes;
  /** Types whose records are deleted if they are not in the file. */
  deleteMissing?: readonly OwnedType[];
  /** Whether more than half of the records of a type may be deleted. */
  deleteMany?: boolean;
  /** Whether the organization itself may change. Default: true. */
  mayChangeOrganization?: boolean;
  /** Called between parts. If it throws, writing stops. */
  pause?: () => void;
  /** Called with the number of lines written. */
  progress?: (lines: number) => void;
}

/** The file has mistakes; the transaction must be rolled back. */
export class FileRefused extends Error {
  constructor(readonly mistakes: Mistakes) {
    super("The practice file has mistakes");
  }
}

/** Records processed at once. */
const RECORDS_PER_PIECE = 500;

/**
 * Writes a practice file in a long transaction. Other writers of the organization wait for it.
 *
 * Types are written in the order of their references, so that records come after those they refer to. Users are written
 * in three groups by role, since users refer to each other. Deletions come last, in reverse order.
 *
 * @throws FileRefused with all mistakes, including those found when the file was read.
 * @throws DomainError if the organization would change and must not.
 */
export async function writePracticeFile(
  trx: Db,
  file: PracticeFile,
  options: WriteFileOptions,
): Promise<Written> {
  return new FileWriter(trx, file, options).write();
}

/** A record of the file that is about to be written. */
interface Candidate {
  entry: GivenRecord;
  record: Fields;
  stored: RecordRows | undefined;
  /** The stored record. */
  before: object | undefined;
}

class FileWriter {
  readonly #organizationId: string;
  readonly #rows: RowWriter;
  readonly #mistakes: Mistakes;
  readonly #tallies = new Map<RecordType, Tally>();
  /** Records with invalid lines. References to them are not reported as mistakes. */
  readonly #bad = new Map<OwnedType, Set<string>>();
  /** New records, and those with changes that other records depend on. */
  readonly #written = new Map<OwnedType, string[]>();
  /** The resulting role of each user in the file. */
  readonly #roles = new Map<string, Role | undefined>();
  /** The line of each goal. */
  readonly #goalLines = new Map<string, number>();
  readonly #patientIds = new Set<string>();
  #isNewOrganization = false;
  #sequence: number | undefined;
  #lines = 0;

  constructor(
    private readonly trx: Db,
    private readonly file: PracticeFile,
    private readonly options: WriteFileOptions,
  ) {
    this.#organizationId = file.organizationId;
    this.#rows = new RowWriter(trx);
    this.#mistakes = options.mistakes;
  }

  async write(): Promise<Written> {
    await this.#writeOrganization();
    this.#noteLines(1);
    for (const type of ownedTypes) {
      const entries = [...(this.file.records.get(type)?.values() ?? [])];
      if (this.file.counts.has(type)) this.#tally(type);
      if (type === "user") await this.#writeUsers(entries);
      else await this.#writeType(type, entries);
    }
    await this.#rows.analyzeGrown();
    await this.#deleteRecords();
    for (const { type, publicId, other, problem } of await atOdds(
      this.trx,
      this.#organizationId,
      this.#written,
    ))
      if (!this.#isBad(other.type, other.publicId))
        this.#refuse(this.#lineOf(type, publicId), type, publicId, problem);
    this.#requireSound();
    await this.#countMissing();
    return {
      tallies: this.#inOrder(),
      notes: await notesOn(this.trx, this.file, this.options.now),
      sequence: await this.#lastSequence(),
      patientIds: this.#patientIds,
    };
  }

  // The organization.

  async #writeOrganization(): Promise<void> {
    const entry = this.file.organization;
    const stored = await findOrganization(this.trx, this.#organizationId);
    this.#isNewOrganization = stored === undefined;
    const before = stored && (organization.present(stored) as Fields);
    const record = this.#checked(entry, before);
    if (record === undefined) {
      // Records of a new organization need its row, so that they can be checked for further mistakes.
      if (stored === undefined) await this.#writeOrganizationRow({ name: "?" });
      return;
    }
    const tally = this.#tally("organization");
    const row = organization.columns(record);
    if (before !== undefined && Bun.deepEquals(organization.present(row), before)) {
      tally.unchanged += 1;
      return;
    }
    if (this.options.mayChangeOrganization === false)
      throw new DomainError("notAllowed", "Insufficient permissions for this action");
    tally[before === undefined ? "created" : "changed"] += 1;
    await this.#writeOrganizationRow(record);
    await this.#nextSequence();
  }

  async #writeOrganizationRow(record: Fields): Promise<void> {
    const row = organization.columns({ ...record, publicId: this.#organizationId });
    await writeOrganization(this.trx, row, this.options.now);
  }

  // Records.

  async #writeUsers(entries: GivenRecord[]): Promise<void> {
    await this.#noteRoles(entries);
    await this.#claimEmails(entries);
    const ranks = Map.groupBy(entries, ({ publicId }) => rankOf(this.#roles.get(publicId)));
    for (const rank of [0, 1, 2] as const) await this.#writeType("user", ranks.get(rank) ?? []);
  }

  /** Lines without a role concern existing users, whose role is looked up. */
  async #noteRoles(entries: readonly GivenRecord[]): Promise<void> {
    for (const piece of pieces(entries)) {
      const ids = piece.filter(({ given }) => given.role === undefined);
      const stored = await this.#find("user", idsOf(ids));
      for (const { publicId, given } of piece)
        this.#roles.set(publicId, (given.role ?? stored.get(publicId)?.role) as Role | undefined);
    }
  }

  /**
   * Releases email addresses that users of the file get, from their current holders, unless these keep them. Holders
   * who are deleted, or get another address, have none until then.
   */
  async #claimEmails(entries: readonly GivenRecord[]): Promise<void> {
    const claims = new Map<string, GivenRecord>();
    for (const entry of entries) {
      const { email } = entry.given;
      if (typeof email !== "string" || email === "") continue;
      const key = emailKey(email);
      const other = claims.get(key);
      if (other === undefined) claims.set(key, entry);
      else
        this.#refuseEntry(entry, {
          path: ["email"],
          message: "is also the email of",
          detail: ` ${other.publicId} on`,
          otherLine: other.line,
          value: email,
        });
    }
    const users = this.file.records.get("user");
    const deleted = this.file.deletions.get("user");
    for (const keys of pieces([...claims.keys()])) {
      const released: string[] = [];
      for (const { public_id: holder, email_key } of await this.#emailHolders(keys)) {
        const entry = claims.get(email_key ?? "") as GivenRecord;
        if (entry.publicId === holder) continue;
        const line = users?.get(holder);
        const isFree =
          deleted?.has(holder) === true ||
          (line !== undefined && (line.given.email !== undefined || line.nulls.includes("email")));
        if (isFree) released.push(holder);
        else
          this.#refuseEntry(entry, {
            path: ["email"],
            message: "is the email of somebody who keeps it:",
            detail: ` ${holder}`,
            value: entry.given.email,
          });
      }
      if (released.length > 0) await releaseEmails(this.trx, this.#organizationId, released);
    }
  }

  #emailHolders(keys: string[]) {
    return findEmailHolders(this.trx, this.#organizationId, keys);
  }

  async #writeType(type: OwnedType, entries: readonly GivenRecord[]): Promise<void> {
    for (const piece of pieces(entries)) {
      await this.#writePiece(type, piece);
      if (this.#mistakes.isFull) this.#requireSound();
      this.#noteLines(piece.length);
      await endOfTurn();
      this.options.pause?.();
    }
  }

  async #writePiece(type: OwnedType, entries: readonly GivenRecord[]): Promise<void> {
    const kind = kindOf(type);
    const candidates = await this.#candidates(type, kind, entries);
    if (type === "goal") this.#noteGoals(candidates);
    const named = await this.#lookUp(type, candidates);
    const written: { candidate: Candidate; rows: RecordRows }[] = [];
    const tally = this.#tally(type);
    for (const candidate of candidates) {
      const { entry, record, stored, before } = candidate;
      this.#checkReferences(candidate, named);
      // What a record and those that it names must agree on is only checked where it names them rightly.
      if (!this.#isBad(type, entry.publicId))
        kind.agree?.(record as never, named, (problem) => this.#refuseEntry(entry, problem));
      if (this.#isBad(type, entry.publicId)) continue;
      this.#notePatients(type, record, named);
      const context = { organizationId: this.#organizationId, now: this.options.now, stored };
      const rows = kind.rows(record as never, context);
      if (before !== undefined && Bun.deepEquals(kind.present(rows), before)) {
        tally.unchanged += 1;
        continue;
      }
      tally[stored === undefined ? "created" : "changed"] += 1;
      written.push({ candidate, rows });
    }
    await this.#writeRows(type, kind, written);
  }

  /** The resulting records of some lines, each checked by itself. */
  async #candidates(
    type: OwnedType,
    kind: RecordKind,
    entries: readonly GivenRecord[],
  ): Promise<Candidate[]> {
    const found = this.#isNewOrganization
      ? []
      : await findRecords(this.trx, this.#organizationId, kind, idsOf(entries));
    const stored = new Map(found.map((rows) => [rows.row.public_id, rows]));
    return entries.flatMap((entry) => {
      const rows = stored.get(entry.publicId);
      const before = rows && (kind.present(rows) as Fields);
      const record = this.#checked(entry, before);
      if (record === undefined) return [];
      kind.check?.(record as never, (problem) => this.#refuseEntry(entry, problem));
      return this.#isBad(type, entry.publicId) ? [] : [{ entry, record, stored: rows, before }];
    });
  }

  /** The resulting record of a line; undefined if it is invalid. */
  #checked(entry: GivenRecord, before: Fields | undefined): Fields | undefined {
    if (before === undefined && entry.isWhole) return this.#unlessBad(entry, entry.given);
    const checked = checkRecord(entry.type, mergedRecord(entry, before ?? {}));
    if ("record" in checked) return this.#unlessBad(entry, checked.record as Fields);
    for (const problem of checked.problems)
      if (isNew(problem, entry.problems)) this.#refuseEntry(entry, problem);
    this.#noteBad(entry);
    return undefined;
  }

  #unlessBad(entry: GivenRecord, record: Fields): Fields | undefined {
    if (entry.problems.length > 0) this.#noteBad(entry);
    const isBad = entry.type !== "organization" && this.#isBad(entry.type, entry.publicId);
    return isBad || entry.problems.length > 0 ? undefined : record;
  }

  /**
   * A goal must occur only once in the file, as a record or as a child goal. A child goal may also have a line that
   * deletes it as a record: exports of changes say so of a goal that has become a child.
   */
  #noteGoals(candidates: readonly Candidate[]): void {
    const own = this.file.records.get("goal");
    for (const { entry, record } of candidates)
      for (const { goal, path } of goalsOf(record as unknown as GoalRecord | ChildGoalEntry)) {
        if (path.length === 0) continue;
        const { publicId } = goal;
        const line = own?.get(publicId)?.line ?? this.#goalLines.get(publicId);
        if (line !== undefined)
          this.#refuseEntry(entry, {
            path: [...path, "publicId"],
            message: "is in this file twice, also on",
            otherLine: line,
            value: publicId,
          });
        this.#goalLines.set(publicId, entry.line);
      }
  }

  /** Looks up the records that some records refer to. */
  async #lookUp(type: OwnedType, candidates: readonly Candidate[]): Promise<Named> {
    const asked = new Map<OwnedType, Set<string>>();
    for (const reference of referencesOf(type)) {
      let ids = asked.get(reference.names);
      if (ids === undefined) asked.set(reference.names, (ids = new Set()));
      for (const { record } of candidates)
        for (const { id } of namedBy(record, reference)) ids.add(id);
    }
    const found = new Map<OwnedType, Map<string, Row>>();
    for (const [named, ids] of asked) found.set(named, await this.#find(named, [...ids]));
    return (named, id) => (id == null ? undefined : found.get(named)?.get(id));
  }

  async #find(type: OwnedType, ids: string[]): Promise<Map<string, Row>> {
    if (ids.length === 0) return new Map();
    const { table, facts: columns } = kindOf(type);
    return findColumns(this.trx, this.#organizationId, { table, columns, ids });
  }

  /** Checks that referenced records exist and have a suitable role. */
  #checkReferences({ entry, record }: Candidate, named: Named): void {
    for (const reference of referencesOf(entry.type as OwnedType))
      for (const { id, path } of namedBy(record, reference)) {
        if (this.#isBad(reference.names, id)) {
          this.#noteBad(entry);
          continue;
        }
        const problem = this.#problemOf(reference, id, named);
        if (problem !== undefined) this.#refuseEntry(entry, { path, value: id, ...problem });
      }
  }

  #problemOf({ type, names, roles }: Reference, id: string, named: Named) {
    const row = named(names, id);
    const isUserNamedByUser = type === "user" && names === "user";
    const role = (isUserNamedByUser && this.#roles.get(id)) || row?.role;
    if (roles !== undefined && role !== undefined && !roles.includes(role as Role))
      return { message: `has the role ${String(role)}, and must have ${roles.join(" or ")}` };
    if (row === undefined) return { message: `is no ${names} of the file or the database` };
    return undefined;
  }

  #notePatients(type: OwnedType, record: Fields, named: Named): void {
    if (type === "user" && record.role === "PATIENT") this.#patientIds.add(String(record.publicId));
    for (const reference of referencesOf(type))
      for (const { id } of namedBy(record, reference)) {
        if (reference.roles?.includes("PATIENT")) this.#patientIds.add(id);
        const patient = named(reference.names, id)?.patient_id;
        if (typeof patient === "string") this.#patientIds.add(patient);
      }
  }

  async #writeRows(
    type: OwnedType,
    kind: RecordKind,
    written: readonly { candidate: Candidate; rows: RecordRows }[],
  ): Promise<void> {
    if (written.length === 0) return;
    const { table, lists, facts } = kind;
    const sequence = await this.#nextSequence();
    const changed = written.filter(({ candidate }) => candidate.stored !== undefined);
    const changedIds = idsOf(changed.map(({ candidate }) => candidate.entry));
    this.#noteWritten(
      type,
      written.filter(({ candidate: { stored }, rows }) =>
        facts.some((column) => stored?.row[column] !== rows.row[column]),
      ),
    );
    for (const { candidate, rows } of changed) {
      const { entry } = candidate;
      // Unless the line gives another time, a user was updated by this import.
      if ("updated_at" in rows.row && (entry.given.updatedAt ?? null) === null)
        rows.row.updated_at = this.options.now;
    }
    if (changedIds.length > 0)
      for (const list of lists)
        await deleteListed(this.trx, this.#organizationId, list, changedIds);
    if (type === "goal") await this.#displaceGoals(written, sequence);
    await this.#rows.upsert(
      table,
      written.map(({ rows }) => ({ ...rows.row, sequence })),
    );
    for (const list of lists)
      await this.#rows.insert(
        list.table,
        written.flatMap(({ rows }) => rows.lists[list.table] ?? []),
      );
    const createdIds = idsOf(
      written.flatMap(({ candidate: { entry, stored } }) => (stored === undefined ? [entry] : [])),
    );
    if (createdIds.length > 0 && !this.#isNewOrganization)
      await forgetDeletions(this.trx, this.#organizationId, { type, ids: createdIds });
  }

  /** Removes goals from their current trees if the file moves them. Records that lose a child have changed, too. */
  async #displaceGoals(
    written: readonly { candidate: Candidate; rows: RecordRows }[],
    sequence: number,
  ): Promise<void> {
    if (this.#isNewOrganization) return;
    const ids = written.flatMap(({ candidate: { entry, stored }, rows }) => [
      ...(rows.lists.goals ?? []).map((goal) => String(goal.public_id)),
      ...(stored === undefined ? [entry.publicId] : []),
    ]);
    const tops = await findTopGoals(this.trx, this.#organizationId, ids);
    if (tops.size === 0) return;
    const list = { table: "goals", owner: "public_id" } as const;
    await deleteListed(this.trx, this.#organizationId, list, [...tops.keys()]);
    const losing = [...new Set(tops.values())].filter((id) => !tops.has(id));
    await setSequence(this.trx, this.#organizationId, { table: "goals", ids: losing, sequence });
    const gone = [...tops].flatMap(([id, top]) => (id === top ? [id] : []));
    await this.#noteDeleted({ type: "goal", ids: gone });
  }

  // Deletions.

  async #deleteRecords(): Promise<void> {
    const { deleteMissing = [], deleteMany = false, now } = this.options;
    const missing = await missingRecords(this.trx, this.file, {
      types: deleteMissing,
      deleteMany,
      created: (type) => this.#tally(type).created,
    });
    const deleting = {
      organizationId: this.#organizationId,
      now,
      idsOf: (type: OwnedType) => [
        ...[...(this.file.deletions.get(type)?.values() ?? [])].flatMap(({ problems, publicId }) =>
          problems.length === 0 ? [publicId] : [],
        ),
        ...(missing.get(type) ?? []),
      ],
      refuse: (type: OwnedType, publicId: string, problem: Problem) =>
        this.#refuse(this.file.deletions.get(type)?.get(publicId)?.line, type, publicId, problem),
      notePatients: async (type: OwnedType, records: readonly Fields[]) => {
        const candidates = records.map((record) => ({ record }) as Candidate);
        const named = await this.#lookUp(type, candidates);
        for (const record of records) this.#notePatients(type, record, named);
      },
    };
    for (const type of ownedTypes.toReversed()) {
      const ids = deleting.idsOf(type);
      if (ids.length === 0) continue;
      const deleted = await deleteRecords(this.trx, type, deleting);
      this.#tally(type).deleted += deleted.ids.length;
      await this.#noteDeleted(deleted);
      this.#noteLines(this.file.deletions.get(type)?.size ?? 0);
      await endOfTurn();
      this.options.pause?.();
    }
  }

  async #noteDeleted({ type, ids }: DeletedRecords): Promise<void> {
    if (ids.length === 0) return;
    const sequence = await this.#nextSequence();
    await noteDeletions(this.trx, this.#organizationId, {
      type,
      ids,
      sequence,
      deleted_at: this.options.now,
    });
  }

  // Results.

  async #countMissing(): Promise<void> {
    for (const [type, tally] of this.#tallies) {
      if (type === "organization") continue;
      const inFile = this.file.records.get(type)?.size ?? 0;
      const { table } = kindOf(type);
      tally.missing = (await countRecords(this.trx, this.#organizationId, table)) - inFile;
    }
  }

  #noteLines(lines: number): void {
    this.#lines += lines;
    this.options.progress?.(this.#lines);
  }

  #tally(type: RecordType): Tally {
    let tally = this.#tallies.get(type);
    if (tally === undefined) {
      tally = { created: 0, changed: 0, unchanged: 0, deleted: 0, missing: 0 };
      this.#tallies.set(type, tally);
    }
    return tally;
  }

  #inOrder(): Map<RecordType, Tally> {
    return new Map(
      recordTypes.flatMap((type) => {
        const tally = this.#tallies.get(type);
        return tally === undefined ? [] : [[type, tally] as const];
      }),
    );
  }

  /** Takes the sequence of this import, on the first change. */
  async #nextSequence(): Promise<number> {
    this.#sequence ??= await nextSequence(this.trx, this.#organizationId);
    return this.#sequence;
  }

  async #lastSequence(): Promise<number> {
    if (this.#sequence !== undefined) return this.#sequence;
    return (await findOrganization(this.trx, this.#organizationId))?.sequence ?? 0;
  }

  #noteWritten(type: OwnedType, written: readonly { candidate: Candidate }[]): void {
    const ids = idsOf(written.map(({ candidate }) => candidate.entry));
    const known = this.#written.get(type);
    if (known === undefined) this.#written.set(type, ids);
    else known.push(...ids);
  }

  #lineOf(type: OwnedType, publicId: string): number | undefined {
    return this.file.records.get(type)?.get(publicId)?.line;
  }

  // Mistakes.

  #refuseEntry(entry: GivenRecord, problem: Problem): void {
    this.#noteBad(entry);
    this.#refuse(entry.line, entry.type, entry.publicId, problem);
  }

  #refuse(line: number | undefined, type: RecordType, publicId: string, problem: Problem): void {
    const { path, message, detail, otherLine, value } = problem;
    this.#mistakes.add({
      line,
      type,
      publicId,
      path,
      message,
      value,
      ...(detail !== undefined && { detail }),
      ...(otherLine !== undefined && { otherLine }),
    });
  }

  #noteBad({ type, publicId }: GivenRecord): void {
    if (type === "organization") return;
    let ids = this.#bad.get(type);
    if (ids === undefined) this.#bad.set(type, (ids = new Set()));
    ids.add(publicId);
  }

  #isBad(type: OwnedType, id: string): boolean {
    return this.#bad.get(type)?.has(id) ?? false;
  }

  #requireSound(): void {
    if (this.#mistakes.count > 0) throw new FileRefused(this.#mistakes);
  }
}

/** Groups of users, each after those it refers to: technicians, caregivers and administrators refer to nobody. */
function rankOf(role: Role | undefined): 0 | 1 | 2 {
  if (role === "PATIENT") return 2;
  return role !== undefined && isClinician(role) ? 1 : 0;
}

function idsOf(entries: readonly { publicId: string }[]): string[] {
  return entries.map(({ publicId }) => publicId);
}

function* pieces<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += RECORDS_PER_PIECE)
    yield items.slice(start, start + RECORDS_PER_PIECE);
}
