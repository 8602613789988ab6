import { type GoalDocument, goalsIn, withoutGoals } from "../goals/document.ts";
import { deleteGoals, findPlaces, readDocuments, replaceGoals } from "../goals/repository.ts";
import type { Path } from "./kinds/problem.ts";
import { findFacts, notePatientsOf } from "./named-records.ts";
import { pieces } from "../lib/pieces.ts";
import { noteLostBy } from "./recorded-data.ts";
import type { RecordLine } from "./read-record.ts";
import { writeRecords } from "./write-records.ts";
import {
  noteWritten,
  isRefused,
  noteDeleted,
  ownSequence,
  refuse,
  type ImportState,
} from "./import-state.ts";

/**
 * Writes the goals of a file. Goals may move between the trees of records, so all of them leave their former trees
 * before the first record is written.
 */
export async function writeGoals(
  state: ImportState,
  entries: readonly RecordLine[],
): Promise<void> {
  refuseRepeated(state, entries);
  for (const piece of pieces(entries)) {
    await refuseStrangers(state, piece);
    noteWritten(state, 0);
  }
  const losingChildren = new Set<string>();
  for (const piece of pieces(entries)) {
    for (const id of await takeFromOtherTrees(state, piece)) losingChildren.add(id);
    noteWritten(state, 0);
  }
  await writeRecords(state, "goal", entries, losingChildren);
}

/**
 * Checks that each child goal is in the file only once, as a child goal or as a record of its own. It may also have a
 * line that deletes it as a record: exports of changes have one for a goal that has become a child.
 */
function refuseRepeated(state: ImportState, entries: readonly RecordLine[]): void {
  const own = state.file.records.get("goal");
  const lines = new Map<string, number>();
  for (const entry of entries)
    for (const { goal, path } of childGoalsOf(entry)) {
      const { publicId } = goal;
      const otherLine = own?.get(publicId)?.line ?? lines.get(publicId);
      if (otherLine !== undefined)
        refuse(state, entry, {
          path: [...path, "publicId"],
          message: "is in this file twice, also on",
          reason: "duplicate",
          otherLine,
          value: publicId,
        });
      lines.set(publicId, entry.line);
    }
}

/**
 * Checks that stored child goals stay with their patient, as children of another goal or as goals of their own, and that
 * goals of their own do not become children. A goal that the file takes away from where it was may be anything: changes
 * of another database can have it deleted there and made anew here.
 */
async function refuseStrangers(state: ImportState, entries: readonly RecordLine[]): Promise<void> {
  const { trx, organizationId, organization } = state;
  if (organization === undefined) return;
  const goals = entries.flatMap((entry) => [
    { entry, id: entry.publicId, path: [] as Path },
    ...childGoalsOf(entry).map(({ goal, path }) => ({ entry, id: goal.publicId, path })),
  ]);
  const ids = goals.map(({ id }) => id);
  const places = new Map(
    (await findPlaces(trx, organizationId, ids)).map((place) => [place.id, place]),
  );
  const planOf = ({ publicId, fields }: RecordLine) =>
    String(fields.treatmentPlanId ?? places.get(publicId)?.treatmentPlanId);
  const plans = [...places.values()].map(({ treatmentPlanId }) => treatmentPlanId);
  plans.push(...entries.map(planOf));
  const facts = await findFacts(state, "treatmentPlan", [...new Set(plans)]);
  for (const { entry, id, path } of goals) {
    const place = places.get(id);
    if (place === undefined || place.top === entry.publicId || isTakenAway(state, place)) continue;
    const patient = facts.get(planOf(entry))?.patient_id;
    const otherPatient = facts.get(place.treatmentPlanId)?.patient_id;
    const isStranger = patient !== undefined && patient !== otherPatient;
    if (place.top === id || isStranger)
      refuse(state, entry, {
        path: [...path, "publicId"],
        message:
          place.top === id
            ? "is a goal of its own, not a child goal"
            : "is a child goal of another patient's goal",
        value: id,
        reason: "does_not_fit",
      });
  }
}

/** Whether the file deletes the record that a goal is or belongs to, or gives its child goals. */
function isTakenAway({ file, options }: ImportState, { id, top }: { id: string; top: string }) {
  const line = file.records.get("goal")?.get(top);
  if (line === undefined && options.deleteMissing?.includes("goal") === true) return true;
  if (file.deletions.get("goal")?.has(top) === true) return true;
  if (top === id || line === undefined) return false;
  const { fields, nulls } = line;
  const { goalType = "opportunity" } = fields;
  return "childGoals" in fields || nulls.includes("childGoals") || goalType !== "opportunity";
}

/**
 * Deletes goals from the trees that they leave.
 *
 * @returns the ids of the records of these trees, which change, too.
 */
async function takeFromOtherTrees(
  state: ImportState,
  entries: readonly RecordLine[],
): Promise<string[]> {
  const { trx, organizationId, organization } = state;
  if (organization === undefined) return [];
  const topInFile = new Map<string, string>();
  for (const entry of entries) {
    if (isRefused(state, entry)) continue;
    topInFile.set(entry.publicId, entry.publicId);
    for (const { goal } of childGoalsOf(entry)) topInFile.set(goal.publicId, entry.publicId);
  }
  const stored = await findPlaces(trx, organizationId, [...topInFile.keys()]);
  const moved = stored.filter(({ id, top }) => top !== topInFile.get(id));
  if (moved.length === 0) return [];
  const ids = new Set(moved.map(({ id }) => id));
  await noteLostBy(state, moved, givenGoals(entries, ids));
  await notePatientsOf(state, "goal", moved as never);
  const [tops, below] = [true, false].map((isTop) =>
    moved.flatMap(({ id, top }) => ((id === top) === isTop ? [top] : [])),
  ) as [string[], string[]];
  await deleteGoals(trx, organizationId, tops);
  const left = [...new Set(below).difference(ids)];
  const changes = (await readDocuments(trx, organizationId, left)).map((before) => ({
    before,
    after: withoutGoals(before, ids),
  }));
  await replaceGoals(trx, organizationId, changes, await ownSequence(state));
  await noteDeleted(state, "goal", tops);
  return left;
}

/** Some of the goals that lines give. */
function givenGoals(
  entries: readonly RecordLine[],
  ids: ReadonlySet<string>,
): Map<string, GoalDocument> {
  const goals = entries.flatMap((entry) => [
    { ...entry.fields, publicId: entry.publicId } as GoalDocument,
    ...childGoalsOf(entry).map(({ goal }) => goal),
  ]);
  return new Map(goals.flatMap((goal) => (ids.has(goal.publicId) ? [[goal.publicId, goal]] : [])));
}

/** The child goals that a line gives, at any depth, each with its path. */
function childGoalsOf({ fields, problems }: RecordLine) {
  if (problems.length > 0) return [];
  const [, ...children] = goalsIn(fields as GoalDocument);
  return children;
}
