import type { GoalRecord } from "./goal-records.ts";
import { goalsOf } from "./goal-rules.ts";
import { notePatientsOf } from "./named-records.ts";
import { pieces } from "./pieces.ts";
import type { GivenRecord } from "./read-record.ts";
import { deleteListed, findPlaces, setSequence } from "./repository.ts";
import { writeRecords } from "./write-records.ts";
import { endPart, noteDeleted, ownSequence, refuse, type Writing } from "./writing.ts";

/**
 * Writes the goals of a file. Goals may move between the trees of records, so all of them leave their former trees
 * before the first record is written.
 */
export async function writeGoals(writing: Writing, entries: readonly GivenRecord[]): Promise<void> {
  refuseRepeated(writing, entries);
  for (const piece of pieces(entries)) {
    await takeFromOtherTrees(writing, piece);
    await endPart(writing, 0);
  }
  await writeRecords(writing, "goal", entries);
}

/**
 * Checks that each child goal is in the file only once, as a child goal or as a record of its own. It may also have a
 * line that deletes it as a record: exports of changes have one for a goal that has become a child.
 */
function refuseRepeated(writing: Writing, entries: readonly GivenRecord[]): void {
  const own = writing.file.records.get("goal");
  const lines = new Map<string, number>();
  for (const entry of entries)
    for (const { goal, path } of childGoalsOf(entry)) {
      const { publicId } = goal;
      const otherLine = own?.get(publicId)?.line ?? lines.get(publicId);
      if (otherLine !== undefined)
        refuse(writing, entry, {
          path: [...path, "publicId"],
          message: "is in this file twice, also on",
          otherLine,
          value: publicId,
        });
      lines.set(publicId, entry.line);
    }
}

/** Deletes goals from the trees that they leave. The records of these trees change, too. */
async function takeFromOtherTrees(
  writing: Writing,
  entries: readonly GivenRecord[],
): Promise<void> {
  const { trx, organizationId, organization, goalsLosingChildren } = writing;
  if (organization === undefined) return;
  const topInFile = new Map<string, string>();
  for (const entry of entries) {
    topInFile.set(entry.publicId, entry.publicId);
    for (const { goal } of childGoalsOf(entry)) topInFile.set(goal.publicId, entry.publicId);
  }
  const stored = await findPlaces(trx, organizationId, [...topInFile.keys()]);
  const moved = stored.filter(({ id, top }) => top !== topInFile.get(id));
  if (moved.length === 0) return;
  const ids = moved.map(({ id }) => id);
  await notePatientsOf(writing, "goal", moved);
  await deleteListed(trx, organizationId, { table: "goals", owner: "public_id" }, ids);
  const sequence = await ownSequence(writing);
  const left = [...new Set(moved.map(({ top }) => top)).difference(new Set(ids))];
  await setSequence(trx, organizationId, { table: "goals", ids: left, sequence });
  for (const id of left) goalsLosingChildren.add(id);
  const tops = moved.flatMap(({ id, top }) => (id === top ? [id] : []));
  await noteDeleted(writing, "goal", tops);
}

/** The child goals that a line gives, at any depth, each with its path. */
function childGoalsOf({ given, problems }: GivenRecord) {
  if (problems.length > 0) return [];
  const [, ...children] = goalsOf(given as unknown as GoalRecord);
  return children;
}
