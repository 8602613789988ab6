import { goalsIn } from "../goals/document.ts";
import { findPlaces } from "../goals/repository.ts";
import { hasChanged, requireKnownChanges } from "../organizations/changes.ts";
import type { OwnedType } from "../schema/record-types.ts";
import { inOrderOfLines } from "./mistakes.ts";
import { kindOf, ownedTypes } from "./model.ts";
import { pieces } from "../lib/pieces.ts";
import type { Deletion, RecordLine } from "./read-record.ts";
import { findColumns, findDeleted, findIds } from "./repository.ts";
import type { ImportState } from "./import-state.ts";

/** A record of a file that has changed since the sender read it. */
export interface ChangedRecord {
  /** Undefined for a record that is deleted because it is missing from the file. */
  line: number | undefined;
  type: OwnedType;
  publicId: string;
  message: string;
}

/** Records of the file have changed since the sender read them; the transaction must be rolled back. */
export class FileChanged extends Error {
  constructor(
    readonly records: readonly ChangedRecord[],
    readonly since: number,
  ) {
    super("Records of the practice file have changed");
  }
}

type Line = RecordLine | Deletion;

/**
 * Checks that no record of a file has been created, changed or deleted after a sequence. Every line counts, also one
 * that would change nothing, except the organization's. Call it before anything is written.
 *
 * @throws FileChanged with the changed records in the order of the file.
 * @throws the errors of `requireKnownChanges`.
 */
export async function requireUnchanged(state: ImportState, since: number): Promise<void> {
  const { file, organization } = state;
  const none = { sequence: 0, changes_known_from: 0 };
  requireKnownChanges(organization ?? none, since, "unchangedSince");
  const changed: ChangedRecord[] = [];
  for (const type of ownedTypes) {
    const { records, deletions } = file;
    const lines = [records, deletions].flatMap((of) => [...(of.get(type)?.values() ?? [])]);
    for (const piece of pieces<Line>(lines)) {
      changed.push(...(await changedOf(state, type, { lines: piece, since })));
    }
    changed.push(...(await changedMissing(state, type, since)));
  }
  if (changed.length > 0) throw new FileChanged(inOrderOfLines(changed), since);
}

async function changedOf(
  { trx, organizationId }: ImportState,
  type: OwnedType,
  { lines, since }: { lines: readonly Line[]; since: number },
): Promise<ChangedRecord[]> {
  const namedIds = (line: Line) => (type === "goal" ? goalIdsIn(line) : [line.publicId]);
  const ids = lines.flatMap(namedIds);
  // A child goal is part of the goal above it.
  const places = type === "goal" ? await findPlaces(trx, organizationId, ids) : [];
  const tops = new Map(places.map(({ id, top }) => [id, top]));
  const topOf = (id: string) => tops.get(id) ?? id;
  const stored = await findColumns<{ sequence: number }>(trx, organizationId, {
    ...{ table: kindOf(type).table, columns: ["sequence"] },
    ids: ids.map(topOf),
  });
  const gone = ids.filter((id) => !stored.has(topOf(id)));
  const deleted = await findDeleted(trx, organizationId, { type, ids: gone, after: since });
  return lines.flatMap((entry) => {
    const { line, publicId } = entry;
    const isChanged = (id: string) => (stored.get(topOf(id))?.sequence ?? 0) > since;
    if (namedIds(entry).some(isChanged))
      return { line, type, publicId, message: hasChanged(since) };
    const message = `Has been deleted since ${since}`;
    return deleted.has(publicId) ? { line, type, publicId, message } : [];
  });
}

/** The ids of the goal of a line, and of the child goals that it has or takes from other goals. */
function goalIdsIn(entry: Line): string[] {
  if ("isDeletion" in entry) return [entry.publicId];
  const goal = { ...entry.fields, publicId: entry.publicId };
  return [...goalsIn(goal)].map(({ goal: { publicId } }) => publicId);
}

/** The changed records that would be deleted because they are missing from the file. */
async function changedMissing(
  { trx, organizationId, file, options }: ImportState,
  type: OwnedType,
  since: number,
): Promise<ChangedRecord[]> {
  if (options.deleteMissing?.includes(type) !== true) return [];
  const ids = await findIds(trx, organizationId, kindOf(type).table, since);
  const message = hasChanged(since);
  return ids
    .filter((id) => !file.records.get(type)?.has(id) && !file.deletions.get(type)?.has(id))
    .map((publicId) => ({ line: undefined, type, publicId, message }));
}
