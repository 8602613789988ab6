import type { Db } from "../../db/database.ts";
import type { GoalRow } from "../../db/schema.ts";
import { DomainError, invalid, InvalidInput } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import type { Goal, GoalUpdate, NewGoal } from "./model.ts";
import type { FrequencyDurationGoalUpdate } from "./models/frequency-duration.ts";
import type { IntervalGoalUpdate } from "./models/interval.ts";
import { type MetricPurpose, metricPurposes } from "./models/metric.ts";
import { type NewChildGoal, type OpportunityGoalUpdate } from "./models/opportunity.ts";
import type { RatingGoalUpdate } from "./models/rating.ts";
import { presentGoals } from "./present.ts";
import {
  deleteChildGoals,
  findGoal,
  findPatientOfPlan,
  insertGoalRows,
  metricsOf,
  readGoalRows,
  updateGoalColumns,
  updateMetric,
} from "./repository.ts";
import { addGoal, changedGoalColumns, type GoalRows, mergedMetric, noGoalRows } from "./rows.ts";

/**
 * Whose a treatment plan is.
 *
 * @throws InvalidInput where the organization has no such plan.
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

/** Creates a goal, and the goals below it, on a treatment plan that exists (specification 4.8). */
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
  await insertGoalRows(trx, rows);
  return readGoal(trx, organizationId, goal.public_id);
}

/**
 * The row of a goal of the organization.
 *
 * @throws DomainError where there is none.
 */
export async function requireGoal(
  db: Db,
  organizationId: string,
  publicId: string,
): Promise<GoalRow> {
  return (await findGoal(db, organizationId, publicId)) ?? refuseUnknown();
}

/** What an update of a goal of any kind may hold. */
type AnyGoalUpdate = FrequencyDurationGoalUpdate &
  OpportunityGoalUpdate &
  RatingGoalUpdate &
  IntervalGoalUpdate;

/**
 * Changes what an update of the goal's kind gives, and nothing else (specification 4.9, decisions 7).
 *
 * @throws InvalidInput for child goals that would nest too deeply below the goals above this one.
 */
export async function updateGoal(
  trx: Db,
  goal: GoalRow,
  update: GoalUpdate,
  now: Instant,
): Promise<Goal> {
  const given: AnyGoalUpdate = update;
  await updateGoalColumns(trx, goal, changedGoalColumns(given));
  await updateMetrics(trx, goal, given);
  if (given.childGoals !== undefined)
    await replaceChildGoals(trx, goal, given.childGoals ?? [], now);
  return readGoal(trx, goal.organization_id, goal.public_id);
}

async function updateMetrics(trx: Db, goal: GoalRow, given: AnyGoalUpdate): Promise<void> {
  if (metricPurposes.every((purpose) => given[`${purpose}Metric`] === undefined)) return;
  for (const metric of await metricsOf(trx, goal.organization_id, [goal.public_id])) {
    const update = given[`${metric.purpose as MetricPurpose}Metric`];
    if (update !== undefined) await updateMetric(trx, mergedMetric(metric, update));
  }
}

/**
 * How many levels of goals there may be below a goal without a parent: what one body, or one record of a
 * practice file, can hold. Step by step, updates of children could otherwise nest them deeper than that.
 */
const MAX_LEVELS = 31;

async function replaceChildGoals(
  trx: Db,
  goal: GoalRow,
  children: readonly NewChildGoal[],
  now: Instant,
): Promise<void> {
  if ((await levelOf(trx, goal)) + levelsIn(children) > MAX_LEVELS)
    throw new InvalidInput([
      { code: "too_big", message: "Nested too deeply", path: ["childGoals"] },
    ]);
  await deleteChildGoals(trx, goal);
  await insertGoalRows(trx, newChildGoalRows(goal, children, now));
}

function newChildGoalRows(
  parent: GoalRow,
  children: readonly NewChildGoal[],
  now: Instant,
): GoalRows {
  const rows = noGoalRows();
  for (const [orderAmongSiblings, child] of children.entries()) {
    const place = {
      organizationId: parent.organization_id,
      treatmentPlanId: parent.treatment_plan_id,
      parentGoalId: parent.public_id,
      orderAmongSiblings,
    };
    addGoal(rows, { ...child, goalType: "opportunity" }, place, now);
  }
  return rows;
}

/** How many goals there are above a goal. */
async function levelOf(db: Db, goal: GoalRow): Promise<number> {
  let level = 0;
  for (let above = goal.parent_goal_id; above !== null; level++)
    above = (await requireGoal(db, goal.organization_id, above)).parent_goal_id;
  return level;
}

function levelsIn(children: readonly NewChildGoal[]): number {
  return Math.max(0, ...children.map((child) => 1 + levelsIn(child.childGoals ?? [])));
}

/** A goal as it is stored, and as it is answered. */
async function readGoal(db: Db, organizationId: string, publicId: string): Promise<Goal> {
  const rows = await readGoalRows(db, organizationId, [publicId]);
  const [goal] = presentGoals(rows, [publicId]);
  return goal ?? refuseUnknown();
}

function refuseUnknown(): never {
  throw new DomainError("notFound", "Goal not found");
}
