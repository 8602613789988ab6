import type { Db } from "../../db/database.ts";
import type { Instant } from "../lib/instant.ts";
import { Refused } from "../lib/refused.ts";
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

/** Records of a type that were there and have been deleted. */
export interface DeletedRecords {
  type: OwnedType;
  ids: string[];
}

export interface Deleting {
  organizationId: string;
  now: Instant;
  /** The records of a type that are to be deleted, whether they are there or not. */
  idsOf(type: OwnedType): string[];
  refuse(type: OwnedType, publicId: string, problem: Problem): void;
  /** Is told which records there were. */
  notePatients(type: OwnedType, records: readonly Fields[]): Promise<void>;
}

/** More would be deleted than was allowed. */
export class DeletionRefused extends Refused {
  constructor(
    readonly organizationId: string,
    message: string,
  ) {
    super(message);
  }
}

/** Records that are deleted together. */
const RECORDS_PER_PIECE = 500;

/**
 * Deletes records of a type with what is part of them, unless something names them that stays. What names records of
 * the type has been deleted before, as far as it is to be.
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
    // Users may name each other, so the rows of all lists go before those of the records.
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

/** By what some records are named that stays. */
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

/** One of those that name a record, and how many others do. */
function told(namings: readonly NamingByType[]): string {
  const [first] = namings as [NamingByType];
  const others = namings.reduce((sum, { owners }) => sum + owners, 0) - 1;
  const rest = others === 0 ? "" : ` and ${others} ${others === 1 ? "other" : "others"}`;
  return `${first.by} ${first.owner}${rest}`;
}

/**
 * The records of some types that the database has and the file does not, once all of the file has been written.
 *
 * @param created how many records of a type the file has made.
 * @throws DeletionRefused where the file has none of a type, or where they are more than half of those that there were.
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
