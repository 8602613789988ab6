import type { Db } from "../../db/database.ts";
import { DomainError, invalid, InvalidInput } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { hasChanged, requireKnownChanges } from "../organizations/changes.ts";
import { getOrganization, nextSequence, noteDeletion } from "../organizations/repository.ts";
import { type AnyGoalUpdate, updated } from "./changes.ts";
import {
  type GoalDocument,
  goalsIn,
  idsIn,
  newDocument,
  withoutGoals,
  withRecorded,
} from "./document.ts";
import type { Goal, GoalUpdate, NewGoal } from "./model.ts";
import {
  type ChildGoalUpdate,
  MAX_BYTES_OF_TREE,
  MAX_GOALS_OF_TREE,
  TREE_TOO_BIG,
} from "./models/opportunity.ts";
import type { GoalSummary } from "./models/summary.ts";
import { presentGoal, presentSummary } from "./present.ts";
import {
  childrenOf,
  deleteGoals,
  findPatientOfPlan,
  findPlaces,
  type GoalPlace,
  insertGoal,
  readDocument,
  readRecorded,
  replaceGoals,
} from "./repository.ts";

/**
 * The patient of a treatment plan.
 *
 * @throws InvalidInput if the organization has no such plan.
 */
export async function requirePatientOfPlan(
  db: Db,
  organizationId: string,
  treatmentPlanId: string,
): Promise<string> {
  const patientId = await findPatientOfPlan(db, organizationId, treatmentPlanId);
  if (patientId !== undefined) return patientId;
  throw invalid(["treatmentPlanId"], "The organization has no treatment plan with this id");
}

/**
 * Creates a goal and its descendants on an existing treatment plan.
 *
 * @throws InvalidInput for too many descendants.
 */
export async function createGoal(
  trx: Db,
  organizationId: string,
  body: NewGoal,
  now: Instant,
): Promise<Goal> {
  const given = { ...body, goalType: body.type, addedToTreatmentPlanAt: now };
  const goal = newDocument(given, now);
  if (idsIn(goal).size > MAX_GOALS_OF_TREE) throw tooBig(TREE_TOO_BIG);
  await insertGoal(trx, organizationId, goal, await nextSequence(trx, organizationId));
  return presentGoal(goal);
}

/**
 * Where a goal or child goal is.
 *
 * @throws DomainError `notFound` if the organization has no such goal.
 */
export async function requireGoal(
  db: Db,
  organizationId: string,
  publicId: string,
): Promise<GoalPlace> {
  const [place] = await findPlaces(db, organizationId, [publicId]);
  if (place === undefined) throw new DomainError("notFound", "Goal not found");
  return place;
}

/**
 * Checks that a goal has not changed after a sequence. Child goals are part of their goal.
 *
 * @param sequence of the last write that counts.
 * @param since undefined if the caller does not ask for it.
 * @throws DomainError `changed`
 * @throws the errors of `requireKnownChanges`.
 */
export async function requireUnchanged(
  trx: Db,
  organizationId: string,
  sequence: number,
  since: number | undefined,
): Promise<void> {
  if (since === undefined) return;
  requireKnownChanges(await getOrganization(trx, organizationId), since, "unchangedSince");
  if (sequence > since) throw new DomainError("changed", hasChanged(since));
}

/** An update of the given fields of a goal. */
interface Update {
  update: GoalUpdate;
  now: Instant;
}

/**
 * Updates a goal.
 *
 * @throws InvalidInput for ids that belong to no child of the goal, and if the tree would become too deep, or exceed a
 * limit further than before.
 */
export async function updateGoal(
  trx: Db,
  organizationId: string,
  { id, top }: GoalPlace,
  { update, now }: Update,
): Promise<Goal> {
  const fields: AnyGoalUpdate = update;
  const before = await readDocument(trx, organizationId, top);
  const { path } = goalIn(before, id);
  if (path.length / 2 + levelsIn(fields.childGoals ?? []) > MAX_LEVELS)
    throw tooBig("Nested too deeply");
  const after = updated(before, { publicId: id, update: fields }, now);
  const { size } = idsIn(after);
  if (size > MAX_GOALS_OF_TREE && size > idsIn(before).size) throw tooBig(TREE_TOO_BIG);
  const bytes = bytesOf(after);
  if (bytes > MAX_BYTES_OF_TREE && bytes > bytesOf(before))
    throw tooBig("A goal and its descendants may be at most 12 MiB");
  if (!Bun.deepEquals(after, before)) {
    const sequence = await nextSequence(trx, organizationId);
    await replaceGoals(trx, organizationId, [{ before, after }], sequence);
  }
  return present(trx, organizationId, after, id);
}

/** Deletes a goal with all below it. A child goal is part of the record of the goal above it, which changes then. */
export async function deleteGoal(
  trx: Db,
  organization_id: string,
  { id, top }: GoalPlace,
  deleted_at: Instant,
): Promise<void> {
  const sequence = await nextSequence(trx, organization_id);
  if (id !== top) {
    const before = await readDocument(trx, organization_id, top);
    const after = withoutGoals(before, new Set([id]));
    return replaceGoals(trx, organization_id, [{ before, after }], sequence);
  }
  await deleteGoals(trx, organization_id, [id]);
  await noteDeletion(trx, { organization_id, type: "goal", public_id: id, sequence, deleted_at });
}

/**
 * Levels of descendants below a goal without a parent: as many as one body, or one record of a practice file, can
 * express. Without the limit, repeated updates of children could nest them deeper, and the goal could not be exported.
 */
const MAX_LEVELS = 31;

/** A goal of a tree, with its path. */
function goalIn(tree: GoalDocument, publicId: string) {
  const found = goalsIn(tree).find(({ goal }) => goal.publicId === publicId);
  if (found === undefined) throw new Error("The index of child goals has one that its goal lacks");
  return found;
}

function tooBig(message: string): InvalidInput {
  return new InvalidInput([{ code: "too_big", message, path: ["childGoals"] }]);
}

function bytesOf(goal: GoalDocument): number {
  return Buffer.byteLength(JSON.stringify(goal));
}

function levelsIn(children: readonly ChildGoalUpdate[]): number {
  return Math.max(0, ...children.map((child) => 1 + levelsIn(child.childGoals ?? [])));
}

/** Builds the goals of a list. */
export async function summarize(
  db: Db,
  organizationId: string,
  goals: readonly { public_id: string; document: string }[],
): Promise<GoalSummary[]> {
  const ids = goals.map(({ public_id }) => public_id);
  const children = Map.groupBy(await childrenOf(db, organizationId, ids), ({ goal_id }) => goal_id);
  return goals.map(({ public_id, document }) =>
    presentSummary(
      JSON.parse(document) as GoalDocument,
      (children.get(public_id) ?? []).map((child) => child.public_id),
    ),
  );
}

/** Reads a goal or child goal. */
export async function readGoal(
  db: Db,
  organizationId: string,
  { id, top }: GoalPlace,
): Promise<Goal> {
  return present(db, organizationId, await readDocument(db, organizationId, top), id);
}

/** A goal of a tree, with what is recorded on it and those below it. */
async function present(
  db: Db,
  organizationId: string,
  tree: GoalDocument,
  id: string,
): Promise<Goal> {
  const { goal } = goalIn(tree, id);
  const ids = [...idsIn(goal)];
  const recorded = await readRecorded(db, organizationId, { tops: [tree.publicId], ids });
  return presentGoal(withRecorded(goal, recorded));
}
