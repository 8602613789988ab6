import type { Db } from "../../db/database.ts";
import type { GoalRow } from "../../db/schema.ts";
import { DomainError, invalid, InvalidInput } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { hasChanged, requireKnownChanges } from "../organizations/changes.ts";
import { getOrganization, nextSequence, noteDeletion } from "../organizations/repository.ts";
import { type AnyGoalUpdate, changesOf } from "./changes.ts";
import type { Goal, GoalUpdate, NewGoal } from "./model.ts";
import { metricPurposes } from "./models/metric.ts";
import { type ChildGoalUpdate, MAX_GOALS_OF_TREE, TREE_TOO_BIG } from "./models/opportunity.ts";
import type { GoalSummary } from "./models/summary.ts";
import { presentGoals, presentSummary } from "./present.ts";
import {
  childrenOf,
  deleteGoalRows,
  findGoal,
  findGoalSequence,
  findPatientOfPlan,
  goalTreesOf,
  insertGoalRows,
  metricsOf,
  readGoalRows,
  replaceGoals,
  replaceMetrics,
  setGoalSequences,
} from "./repository.ts";
import { addGoal, type GoalRows, noGoalRows } from "./rows.ts";

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
  const rows = noGoalRows();
  const { treatmentPlanId } = body;
  const place = { organizationId, treatmentPlanId, parentGoalId: null, orderAmongSiblings: 0 };
  const addedToTreatmentPlanAt = body.type === "frequency_duration" ? now : null;
  const goal = addGoal(rows, { ...body, goalType: body.type, addedToTreatmentPlanAt }, place, now);
  if (rows.goals.length > MAX_GOALS_OF_TREE) throw tooBig(TREE_TOO_BIG);
  await insertGoalRows(trx, rows);
  const sequence = await nextSequence(trx, organizationId);
  await setGoalSequences(trx, goal, { sequence, first_sequence: sequence });
  // In the order in which they would be read: siblings may state their own order.
  const [created] = presentGoals({ ...rows, goals: rows.goals.toSorted(amongSiblings) }, [
    goal.public_id,
  ]);
  return created ?? throwNotFound();
}

function amongSiblings(a: GoalRow, b: GoalRow): number {
  return a.order_among_siblings - b.order_among_siblings || (a.public_id < b.public_id ? -1 : 1);
}

/**
 * The row of a goal.
 *
 * @throws DomainError `notFound` if the organization has no such goal.
 */
export async function requireGoal(
  db: Db,
  organizationId: string,
  publicId: string,
): Promise<GoalRow> {
  return (await findGoal(db, organizationId, publicId)) ?? throwNotFound();
}

/**
 * Checks that a goal has not changed after a sequence. Child goals and recorded data are part of their goal.
 *
 * @param since undefined if the caller does not ask for it.
 * @throws DomainError `changed`
 * @throws the errors of `requireKnownChanges`.
 */
export async function requireUnchanged(
  trx: Db,
  goal: GoalRow,
  since: number | undefined,
): Promise<void> {
  if (since === undefined) return;
  requireKnownChanges(await getOrganization(trx, goal.organization_id), since, "unchangedSince");
  const { root } = await placeOf(trx, goal);
  if ((await findGoalSequence(trx, root)) > since)
    throw new DomainError("changed", hasChanged(since));
}

/**
 * Updates the given fields of a goal.
 *
 * @throws InvalidInput for ids that belong to no child of the goal, and if the tree would become too deep or too large.
 */
export async function updateGoal(
  trx: Db,
  goal: GoalRow,
  update: GoalUpdate,
  now: Instant,
): Promise<Goal> {
  const fields: AnyGoalUpdate = update;
  const { root, level } = await placeOf(trx, goal);
  if (level + levelsIn(fields.childGoals ?? []) > MAX_LEVELS) throw tooBig("Nested too deeply");
  const { goals, metrics, added, deletedIds } = changesOf(
    goal,
    fields,
    await rowsConcerned(trx, goal, fields),
    now,
  );
  await deleteGoalRows(trx, goal.organization_id, deletedIds);
  await replaceGoals(trx, goals);
  await replaceMetrics(trx, metrics);
  await insertGoalRows(trx, added);
  if (added.goals.length > 0) await expectFewGoals(trx, root);
  if ([goals, metrics, added.goals, deletedIds].some(({ length }) => length > 0))
    await setGoalSequences(trx, root, { sequence: await nextSequence(trx, goal.organization_id) });
  return readGoal(trx, goal.organization_id, goal.public_id);
}

/** Deletes a goal with all below it. A child goal is part of the record of the goal above it, which changes then. */
export async function deleteGoal(trx: Db, goal: GoalRow, now: Instant): Promise<void> {
  const { organization_id, public_id } = goal;
  const { root } = await placeOf(trx, goal);
  await deleteGoalRows(trx, organization_id, [public_id]);
  const sequence = await nextSequence(trx, organization_id);
  if (root.public_id !== public_id) return setGoalSequences(trx, root, { sequence });
  await noteDeletion(trx, { organization_id, type: "goal", public_id, sequence, deleted_at: now });
}

async function expectFewGoals(db: Db, root: GoalRow): Promise<void> {
  const goals = await goalTreesOf(db, root.organization_id, [root.public_id]);
  if (goals.length > MAX_GOALS_OF_TREE) throw tooBig(TREE_TOO_BIG);
}

/** The rows that an update can change: the goal's, and those of its descendants if `childGoals` is given. */
async function rowsConcerned(
  db: Db,
  goal: GoalRow,
  update: AnyGoalUpdate,
): Promise<Pick<GoalRows, "goals" | "metrics">> {
  const { organization_id, public_id } = goal;
  const givesChildren = update.childGoals !== undefined;
  const givesMetrics = metricPurposes.some((purpose) => update[`${purpose}Metric`] !== undefined);
  const goals = givesChildren ? await goalTreesOf(db, organization_id, [public_id]) : [goal];
  const ids = goals.map((row) => row.public_id);
  return {
    goals,
    metrics: givesChildren || givesMetrics ? await metricsOf(db, organization_id, ids) : [],
  };
}

/**
 * Levels of descendants below a goal without a parent: as many as one body, or one record of a practice file, can
 * express. Without the limit, repeated updates of children could nest them deeper, and the goal could not be exported.
 */
const MAX_LEVELS = 31;

/** The root of a goal's tree (possibly the goal itself), and the goal's level below it. */
async function placeOf(db: Db, goal: GoalRow): Promise<{ root: GoalRow; level: number }> {
  let root = goal;
  let level = 0;
  for (; root.parent_goal_id !== null; level++)
    root = await requireGoal(db, goal.organization_id, root.parent_goal_id);
  return { root, level };
}

function tooBig(message: string): InvalidInput {
  return new InvalidInput([{ code: "too_big", message, path: ["childGoals"] }]);
}

function levelsIn(children: readonly ChildGoalUpdate[]): number {
  return Math.max(0, ...children.map((child) => 1 + levelsIn(child.childGoals ?? [])));
}

/** Builds the goals of a list. */
export async function summarize(
  db: Db,
  organizationId: string,
  goals: readonly GoalRow[],
): Promise<GoalSummary[]> {
  const ids = goals.map((goal) => goal.public_id);
  const metrics = Map.groupBy(await metricsOf(db, organizationId, ids), (row) => row.goal_id);
  const children = Map.groupBy(
    await childrenOf(db, organizationId, ids),
    (row) => row.parent_goal_id,
  );
  return goals.map((goal) =>
    presentSummary(
      goal,
      metrics.get(goal.public_id),
      children.get(goal.public_id)?.map((child) => child.public_id),
    ),
  );
}

/**
 * Reads a goal or child goal.
 *
 * @throws DomainError `notFound` if the organization has no such goal.
 */
export async function readGoal(db: Db, organizationId: string, publicId: string): Promise<Goal> {
  const rows = await readGoalRows(db, organizationId, [publicId]);
  const [goal] = presentGoals(rows, [publicId]);
  return goal ?? throwNotFound();
}

function throwNotFound(): never {
  throw new DomainError("notFound", "Goal not found");
}
