import type { OwnedType } from "../schema/record-types.ts";
import { deletePasskeys } from "../sign-in/repository.ts";
import { isShared, noteShares } from "./limits.ts";
import { kindOf, ownedTypes } from "./model.ts";
import { notePatientsOf } from "./named-records.ts";
import { batchOf } from "../billing/hand-overs.ts";
import { pieces } from "../lib/pieces.ts";
import type { Problem } from "./kinds/problem.ts";
import { MAX_TOLD } from "./mistakes.ts";
import type { Fields } from "./read-record.ts";
import type { RecordRows } from "./kinds/record-kind.ts";
import { referencesTo } from "./kinds/references.ts";
import {
  deleteListed,
  findIds,
  findNamed,
  findNaming,
  findRecords,
  findWorkingKeys,
  MOST_COUNTED,
  type Naming,
  releaseKeys,
} from "./repository.ts";
import { storedBilled } from "./kinds/sessions.ts";
import {
  noteWritten,
  ImportRefused,
  noteDeleted,
  tallyOf,
  type ImportState,
} from "./import-state.ts";

/**
 * Deletes the records that the file deletes, and the missing ones of `deleteMissing`. Call it after all other lines were
 * written. Types are processed in reverse order, so that records are deleted before those that they refer to.
 *
 * @throws ImportRefused if `deleteMissing` would delete more than allowed.
 */
export async function deleteRecords(state: ImportState): Promise<void> {
  const missing = await missingRecords(state);
  for (const type of ownedTypes.toReversed()) {
    const lines = [...(state.file.deletions.get(type)?.values() ?? [])];
    const ids = lines.flatMap(({ problems, publicId }) => (problems.length === 0 ? publicId : []));
    ids.push(...(missing.get(type) ?? []));
    if (ids.length === 0) continue;
    const deleted = await deleteOfType(state, type, ids);
    await noteDeleted(state, type, deleted);
    noteWritten(state, lines.length);
  }
}

/**
 * Deletes records of a type with their dependent rows, unless remaining records refer to them.
 *
 * @returns the ids of those that existed.
 */
async function deleteOfType(
  state: ImportState,
  type: OwnedType,
  all: readonly string[],
): Promise<string[]> {
  const { trx, organizationId, options } = state;
  const kind = kindOf(type);
  const deleted: string[] = [];
  for (const piece of pieces(all)) {
    const batch = await findRecords(trx, organizationId, kind, piece);
    const ids = batch.map(({ row }) => String(row.public_id));
    if (ids.length === 0) continue;
    const records = batch.map((rows) => kind.present(rows) as Fields);
    await notePatientsOf(state, type, records);
    const naming = await namingOf(state, type, ids, all);
    const batches = type === "encounter" ? batchesOf(batch) : new Map<string, string>();
    for (const id of piece) {
      const [namings, inBatch] = [naming.get(id), batches.get(id)];
      if (namings !== undefined)
        refuseDeletion(state, type, id, {
          message: "is named by",
          detail: namingText(namings),
        });
      if (inBatch !== undefined)
        refuseDeletion(state, type, id, {
          message: "is billed",
          valueDetail: ` in batch ${inBatch.replaceAll(/\s+/gu, " ")}`,
        });
    }
    const free = ids.filter((id) => !naming.has(id) && !batches.has(id));
    // Users can refer to each other, so the rows of all lists are deleted before the users.
    for (const list of kind.lists) await deleteListed(trx, organizationId, list, free);
    if (type === "user") {
      await releaseKeys(trx, organizationId, free, options.now);
      await deletePasskeys(trx, organizationId, { userIds: free });
    }
    if (isShared(type))
      for (const before of records)
        noteShares(state, type, undefined, { before, after: undefined });
    deleted.push(...free);
  }
  const own = { table: kind.table, owner: "public_id" };
  for (const piece of pieces(deleted)) {
    await deleteListed(trx, organizationId, own, piece);
  }
  return deleted;
}

/** The batches of those encounters that are billed. */
function batchesOf(encounters: readonly RecordRows[]): Map<string, string> {
  return new Map(
    encounters.flatMap((rows) => {
      const batch = batchOf(storedBilled(rows));
      return batch === undefined ? [] : [[String(rows.row.public_id), batch] as const];
    }),
  );
}

/** Reports that a record cannot be deleted, at its line if it has one. */
function refuseDeletion(
  { file, mistakes }: ImportState,
  type: OwnedType,
  publicId: string,
  problem: Omit<Problem, "path" | "reason">,
): void {
  const line = file.deletions.get(type)?.get(publicId)?.line;
  mistakes.add(line, { type, publicId }, { path: ["deleted"], ...problem, reason: "in_use" });
}

interface NamingByType extends Naming {
  by: string;
}

/**
 * Finds the records that refer to given records, apart from those of the same type that are deleted, too. Only for as many
 * as are told, they are counted; others have an empty list.
 */
async function namingOf(
  { trx, organizationId, options }: ImportState,
  type: OwnedType,
  ids: readonly string[],
  deleted: readonly string[],
): Promise<Map<string, NamingByType[]>> {
  const byType = [...Map.groupBy(referencesTo(type), ({ type: owner }) => owner)];
  const without = (by: OwnedType) => (by === type ? deleted : []);
  const named = new Set<string>();
  for (const [by, fields] of byType) {
    const asked = { ids, without: without(by) };
    for (const id of await findNamed(trx, organizationId, fields, asked)) named.add(id);
  }
  const keys = type === "user" ? await findWorkingKeys(trx, organizationId, ids, options.now) : [];
  for (const { target } of keys) named.add(target);

  const told = ids.filter((id) => named.has(id)).slice(0, MAX_TOLD);
  const namings: NamingByType[] = [];
  for (const [by, fields] of told.length === 0 ? [] : byType) {
    const rows = await findNaming(trx, organizationId, fields, { ids: told, without: without(by) });
    namings.push(...rows.map((row) => ({ ...row, by })));
  }
  namings.push(...keys.map((row) => ({ ...row, by: "API key" })));
  const byTarget = Map.groupBy(namings, ({ target }) => target);
  return new Map([...named].map((id) => [id, byTarget.get(id) ?? []]));
}

/** Describes one of the referring records, and the number of the others. */
function namingText([first, ...more]: readonly NamingByType[]): string {
  if (first === undefined) return "";
  const others = more.reduce((sum, { owners }) => sum + owners, first.owners) - 1;
  const count =
    others > MOST_COUNTED
      ? `more than ${MOST_COUNTED.toLocaleString("en-US")}`
      : others.toLocaleString("en-US");
  const rest = others === 0 ? "" : ` and ${count} ${others === 1 ? "other" : "others"}`;
  return ` ${first.by} ${first.owner}${rest}`;
}

/**
 * The records of the types in `deleteMissing` that exist in the database but not in the file.
 *
 * @throws ImportRefused if the file has no record of a type, or more than half of the records that existed before
 * would be deleted.
 */
async function missingRecords(state: ImportState): Promise<ReadonlyMap<OwnedType, string[]>> {
  const { trx, organizationId, file, options } = state;
  const { deleteMissing = [], deleteMany = false } = options;
  const missing = new Map<OwnedType, string[]>();
  for (const type of deleteMissing) {
    const lines = file.records.get(type);
    if (lines === undefined)
      throw new ImportRefused(
        `The file has no ${type}, so --delete-missing ${type} would delete all of them. To delete all, give each a line with "deleted": true instead. Nothing was written.`,
      );
    const ids = await findIds(trx, organizationId, kindOf(type).table);
    const gone = ids.filter((id) => !lines.has(id) && !file.deletions.get(type)?.has(id));
    const { created, deleted } = tallyOf(state, type);
    // Goals that have become child goals are deleted by now.
    const before = ids.length - created + deleted;
    if (2 * gone.length > before && !deleteMany)
      throw new ImportRefused(
        `--delete-missing ${type} would delete ${gone.length} of ${before}, more than half; give --delete-many if that is intended. Nothing was written.`,
      );
    missing.set(type, gone);
  }
  return missing;
}
