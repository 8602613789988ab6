import type { Db } from "../../db/database.ts";
import { requireKnownChanges } from "../organizations/changes.ts";
import { getOrganization } from "../organizations/repository.ts";
import type { OwnedType, RecordType } from "../schema/record-types.ts";
import { kindOf, ownedTypes } from "./model.ts";
import { pieces } from "./pieces.ts";
import { organization } from "./reference-data.ts";
import type { RecordKind, RecordRows } from "./record-kind.ts";
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
}

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
 * Reads the organization and its records; or those created or changed after a sequence, followed by the deletions
 * since. Ordered by type, then id. `db` must be one snapshot.
 */
export async function* exportedRecords(
  db: Db,
  organizationId: string,
  { after = NOTHING, types = ownedTypes }: ExportOptions = {},
): AsyncGenerator<RecordPage> {
  const included = ownedTypes.filter((type) => types.includes(type));
  const own = await getOrganization(db, organizationId);
  yield { type: "organization", records: [organization.present(own)] };
  if (after === NOTHING) {
    for (const type of included) yield* allOf(db, organizationId, type);
    return;
  }
  if (after === own.sequence) return;
  for (const type of included) yield* changedOf(db, organizationId, { type, after });
  const deletions = await findDeletions(db, organizationId, after);
  for (const type of included) {
    const records = deletions
      .filter((deletion) => deletion.type === type)
      .map(({ public_id: publicId }) => ({ type, publicId, deleted: true }));
    if (records.length > 0) yield { type, records };
  }
}

async function* allOf(db: Db, organizationId: string, type: OwnedType): AsyncGenerator<RecordPage> {
  const kind = kindOf(type);
  const limit = pageSizeOf(type);
  for (let after = ""; ;) {
    const found = await findRecordsAfter(db, organizationId, kind, { after, limit });
    if (found.length > 0) yield presented(type, kind, found);
    if (found.length < limit) return;
    after = String(found.at(-1)?.row.public_id);
  }
}

async function* changedOf(
  db: Db,
  organizationId: string,
  { type, after }: { type: OwnedType; after: number },
): AsyncGenerator<RecordPage> {
  const kind = kindOf(type);
  const ids = await findIds(db, organizationId, kind.table, after);
  for (const page of pieces(ids, pageSizeOf(type))) {
    const found = new Map(
      (await findRecords(db, organizationId, kind, page)).map((rows) => [rows.row.public_id, rows]),
    );
    yield presented(
      type,
      kind,
      page.flatMap((id) => found.get(id) ?? []),
    );
  }
}

function pageSizeOf(type: OwnedType): number {
  return FEWER_PER_PAGE[type] ?? RECORDS_PER_PAGE;
}

function presented(type: OwnedType, kind: RecordKind, found: RecordRows[]): RecordPage {
  return { type, records: found.map((rows) => kind.present(rows)) };
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
