import type { Db } from "../../db/database.ts";
import type { Instant } from "../lib/instant.ts";
import { CommandError } from "../lib/command-error.ts";
import type { OwnedType } from "../schema/record-types.ts";
import { kindOf } from "./kinds.ts";
import type { Problem } from "./mistakes.ts";
import type { PracticeFile } from "./read-file.ts";
import type { Fields } from "./read-record.ts";
import { referencesTo } from "./references.ts";
import {
  deleteListed,
  findNaming,
  findRecords,
  findWorkingKeys,
  listRecordIds,
  type Naming,
  releaseKeys,
} from "./repository.ts";

/** Existing records of a type that were deleted. */
export interface DeletedRecords {
  type: OwnedType;
  ids: string[];
}

export interface Deleting {
  organizationId: string;
  now: Instant;
  /** The ids of a type to be deleted, whether they exist or not. */
  idsOf(type: OwnedType): string[];
  refuse(type: OwnedType, publicId: string, problem: Problem): void;
  /** Called with the existing records. */
  notePatients(type: OwnedType, records: readonly Fields[]): Promise<void>;
}

/** The import would delete more than allowed. */
export class DeletionRefused extends CommandError {
  constructor(
    readonly organizationId: string,
    message: string,
  ) {
    super(message);
  }
}

/** Records deleted at once. */
const RECORDS_PER_PIECE = 500;

/**
 * Deletes records of a type with their dependent rows, unless remaining records refer to them. Records that refer to
 * this type must have been processed before.
 */
export async function deleteRecords(
  trx: Db,
  type: OwnedType,
  { organizationId, now, idsOf, refuse, notePatients }: Deleting,
): Promise<DeletedRecords> {
  const kind = kindOf(type);
  const all = idsOf(type);
  const deleted: string[] = [];
  for (let start = 0; start < all.length; start += RECORDS_PER_PIECE) {
    const piece = all.slice(start, start + RECORDS_PER_PIECE);
    const found = await findRecords(trx, organizationId, kind, piece);
    const ids = found.map(({ row }) => String(row.public_id));
    if (ids.length === 0) continue;
    await notePatients(
      type,
      found.map((rows) => kind.present(rows) as Fields),
    );
    const naming = await namingOf(trx, type, { organizationId, now, ids, all });
    for (const [id, namings] of naming)
      refuse(type, id, { path: ["deleted"], message: "is named by", detail: ` ${told(namings)}` });
    const free = ids.filter((id) => !naming.has(id));
    // Users can refer to each other, so the rows of all lists are deleted before the users.
    for (const list of kind.lists) await deleteListed(trx, organizationId, list, free);
    if (type === "user") await releaseKeys(trx, organizationId, free);
    deleted.push(...free);
  }
  for (let start = 0; start < deleted.length; start += RECORDS_PER_PIECE) {
    const own = { table: kind.table, owner: "public_id" };
    await deleteListed(trx, organizationId, own, deleted.slice(start, start + RECORDS_PER_PIECE));
  }
  return { type, ids: deleted };
}

interface NamingByType extends Naming {
  by: string;
}

/** Finds the remaining records that refer to given records. */
async function namingOf(
  trx: Db,
  type: OwnedType,
  {
    organizationId,
    now,
    ids,
    all,
  }: { organizationId: string; now: Instant; ids: string[]; all: string[] },
): Promise<Map<string, NamingByType[]>> {
  const found: NamingByType[] = [];
  for (const [by, fields] of Map.groupBy(referencesTo(type), ({ type: owner }) => owner)) {
    const without = by === type ? all : [];
    const rows = await findNaming(trx, organizationId, fields, { ids, without });
    found.push(...rows.map((row) => ({ ...row, by })));
  }
  if (type === "user") {
    const keys = await findWorkingKeys(trx, organizationId, ids, now);
    found.push(...keys.map((row) => ({ ...row, by: "API key" })));
  }
  return Map.groupBy(found, ({ named }) => named);
}

/** Describes one of the referring records, and the number of the others. */
function told(namings: readonly NamingByType[]): string {
  const [first] = namings as [NamingByType];
  const others = namings.reduce((sum, { owners }) => sum + owners, 0) - 1;
  const rest = others === 0 ? "" : ` and ${others} ${others === 1 ? "other" : "others"}`;
  return `${first.by} ${first.owner}${rest}`;
}

/**
 * The records of some types that exist in the database but not in the file. Call it after the whole file has been
 * written.
 *
 * @param created the number of records of a type that the file has created.
 * @throws DeletionRefused if the file has no record of a type, or more than half of the existing records would be
 * deleted.
 */
export async function missingRecords(
  trx: Db,
  { organizationId, records, deletions }: PracticeFile,
  {
    types,
    deleteMany,
    created,
  }: { types: readonly OwnedType[]; deleteMany: boolean; created: (type: OwnedType) => number },
): Promise<Map<OwnedType, string[]>> {
  const missing = new Map<OwnedType, string[]>();
  for (const type of types) {
    const given = records.get(type) ?? new Map();
    if (given.size === 0)
      throw new DeletionRefused(
        organizationId,
        `The file has no ${type}, so that --delete-missing ${type} would delete all of them. Nothing was written.`,
      );
    const ids = await listRecordIds(trx, organizationId, kindOf(type).table);
    const gone = ids.filter((id) => !given.has(id) && !deletions.get(type)?.has(id));
    const before = ids.length - created(type);
    if (2 * gone.length > before && !deleteMany)
      throw new DeletionRefused(
        organizationId,
        `--delete-missing ${type} would delete ${gone.length} of ${before}, more than half; give --delete-many where that is meant. Nothing was written.`,
      );
    missing.set(type, gone);
  }
  return missing;
}
