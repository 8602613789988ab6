import type { Db } from "../../db/database.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { parseTimeZone, startOfDay, UTC } from "../lib/time-zone.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { forgotten, requireKnownChanges, RETENTION } from "../organizations/changes.ts";
import { getOrganization } from "../organizations/repository.ts";
import { findFirstSequence, findWrites } from "../organizations/write-repository.ts";
import type { OwnedType, RecordType } from "../schema/record-types.ts";
import { kindOf, ownedTypes } from "./model.ts";
import { pieces } from "../lib/pieces.ts";
import { organization } from "./kinds/reference-data.ts";
import type { RecordRows } from "./kinds/record-kind.ts";
import { findDeletions, findIds, findRecords, findRecordsAfter } from "./repository.ts";

/** Records of a type, or deletions of records, ordered by id. */
export interface RecordPage {
  type: RecordType;
  records: object[];
}

/** Records in memory at once. A goal includes all data recorded on it. */
const RECORDS_PER_PAGE = 1_000;
/** Of types whose records have lists that may be long. */
const FEWER_PER_PAGE: Partial<Record<OwnedType, number>> = { user: 100, intakeLead: 100, goal: 50 };

/** The sequence of an empty copy. */
const NOTHING = 0;

/** What is exported. */
export interface ExportOptions {
  /** Only what changed after this sequence. Default: everything. */
  after?: number | undefined;
  /** Only records of these types, besides the organization. Default: all. */
  types?: readonly RecordType[] | undefined;
  ids?: readonly string[] | undefined;
  /** Whether each record says what was done with it, when and by whom. Then the file cannot be imported. */
  listsChanges?: boolean | undefined;
}

/** What was done with a record after a sequence. Time and author are those of the last write, null if not known. */
type Change = { change: "CREATED" | "CHANGED" | "DELETED" } & {
  [Field in "changedAt" | "changedBy"]: string | null;
};

/**
 * The sequence of the organization's last write in this snapshot, up to which an export goes.
 *
 * @param after the sequence of the copy that the export brings up to date.
 * @throws the errors of `requireKnownChanges`.
 */
export async function sequenceOf(db: Db, organizationId: string, after = NOTHING): Promise<number> {
  const organization = await getOrganization(db, organizationId);
  if (after > NOTHING) requireKnownChanges(organization, after, "after");
  return organization.sequence;
}

/**
 * The sequence of an organization's last write before a day began, in its time zone, else in UTC.
 *
 * @throws DomainError `gone` if the changes since that day are no longer known.
 */
export async function sequenceBeforeDay(
  db: Db,
  organizationId: string,
  { day, now }: { day: CalendarDate; now: Instant },
): Promise<number> {
  const organization = await getOrganization(db, organizationId);
  const zone = parseTimeZone(organization.time_zone ?? "") ?? UTC;
  const start = startOfDay(day, zone);
  const first = await findFirstSequence(db, organizationId, start);
  const sequence = first === undefined ? organization.sequence : first - 1;
  const isRemembered = epochMilliseconds(start) >= epochMilliseconds(now) - RETENTION;
  // Of a practice whose first write is known, nothing is forgotten.
  const isKnown = isRemembered || sequence === NOTHING;
  if (!isKnown || sequence < organization.changes_known_from) throw forgotten(day);
  return sequence;
}

/**
 * Reads the organization and its records; or those created or changed after a sequence, followed by the deletions
 * since. Ordered by type, then id. `db` must be one snapshot.
 */
export async function* exportedRecords(
  db: Db,
  organizationId: string,
  { after = NOTHING, types = ownedTypes, ids, listsChanges = false }: ExportOptions = {},
): AsyncGenerator<RecordPage> {
  const pageOf = (
    page: RecordPage,
    numbers: readonly Numbers[],
  ): Promise<RecordPage> | RecordPage =>
    listsChanges ? withChanges(db, organizationId, { page, numbers, after }) : page;
  const included = ownedTypes.filter((type) => types.includes(type));
  const own = await getOrganization(db, organizationId);
  yield { type: "organization", records: [organization.present(own)] };
  if (after > NOTHING && after === own.sequence) return;
  for (const type of included)
    for await (const batch of pagesOf(db, organizationId, { type, after, ids }))
      yield pageOf(await presented(type, batch), batch.map(numbersOf));
  if (after === NOTHING) return;
  const deletions = await findDeletions(db, organizationId, after);
  for (const type of included) {
    const deleted = deletions.filter((deletion) => deletion.type === type);
    const records = deleted.map(({ public_id: publicId }) => ({ type, publicId, deleted: true }));
    if (records.length > 0) yield pageOf({ type, records }, deleted);
  }
}

/** The numbers of the writes that made a record, undefined of a deleted one, and that wrote it last. */
interface Numbers {
  first_sequence?: number;
  sequence: number;
}

function numbersOf({ row }: RecordRows): Numbers {
  return { first_sequence: Number(row.first_sequence), sequence: Number(row.sequence) };
}

/** The records of a page, each with what was done with it. */
async function withChanges(
  db: Db,
  organizationId: string,
  { page, numbers, after }: { page: RecordPage; numbers: readonly Numbers[]; after: number },
): Promise<RecordPage> {
  const sequences = [...new Set(numbers.map(({ sequence }) => sequence))];
  const writes = await findWrites(db, organizationId, sequences);
  const changes = numbers.map(({ first_sequence: first, sequence }): Change => {
    const { time = null, by = null } = writes.get(sequence) ?? {};
    const change = first === undefined ? "DELETED" : first > after ? "CREATED" : "CHANGED";
    return { change, changedAt: time, changedBy: by };
  });
  return {
    ...page,
    records: page.records.map((record, index) => ({ ...record, ...changes[index] })),
  };
}

/** The records of a type in pages: those with some ids, those created or changed after a sequence, or all. */
async function* pagesOf(
  db: Db,
  organizationId: string,
  { type, after, ids }: { type: OwnedType; after: number; ids: readonly string[] | undefined },
): AsyncGenerator<RecordRows[]> {
  const kind = kindOf(type);
  const limit = FEWER_PER_PAGE[type] ?? RECORDS_PER_PAGE;
  if (ids === undefined && after === NOTHING)
    for (let last = ""; ;) {
      const page = await findRecordsAfter(db, organizationId, kind, { after: last, limit });
      if (page.length > 0) yield page;
      if (page.length < limit) return;
      last = String(page.at(-1)?.row.public_id);
    }
  const listed = ids ?? (await findIds(db, organizationId, kind.table, after));
  for (const page of pieces([...new Set(listed)].sort(), limit)) {
    const records = await findRecords(db, organizationId, kind, page);
    const byId = new Map(records.map((rows) => [rows.row.public_id, rows]));
    if (byId.size > 0) yield page.flatMap((id) => byId.get(id) ?? []);
  }
}

async function presented(type: OwnedType, page: RecordRows[]): Promise<RecordPage> {
  const { present } = kindOf(type);
  const records: object[] = [];
  for (const rows of page) {
    records.push(present(rows));
  }
  return { type, records };
}

/**
 * Writes an organization as a practice file, in pieces of complete lines.
 * Records have all fields of their variant, in the order of the schema, so that equal data give equal bytes.
 */
export async function* exportPractice(
  db: Db,
  organizationId: string,
  options?: ExportOptions,
): AsyncGenerator<string> {
  for await (const page of exportedRecords(db, organizationId, options)) yield linesOfPage(page);
}

export function linesOfPage({ records }: RecordPage): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
