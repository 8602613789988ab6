import type { GoalMetricRow, GoalRow } from "../../db/schema.ts";
import { InvalidInput, type Issue } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { explain, MAX_ISSUES } from "../schema/explanation.ts";
import type { FrequencyDurationGoalUpdate } from "./models/frequency-duration.ts";
import type { IntervalGoalUpdate } from "./models/interval.ts";
import { metricPurposes } from "./models/metric.ts";
import { ChildId, type ChildGoalUpdate, type OpportunityGoalUpdate } from "./models/opportunity.ts";
import type { RatingGoalUpdate } from "./models/rating.ts";
import { addGoal, changedGoalColumns, type GoalRows, mergedMetric, noGoalRows } from "./rows.ts";

/** What an update of a goal of any kind may hold. */
export type AnyGoalUpdate = FrequencyDurationGoalUpdate &
  OpportunityGoalUpdate &
  RatingGoalUpdate &
  IntervalGoalUpdate;

/** What an update does to the rows of a goal and of those below it. */
export interface GoalChanges {
  goals: GoalRow[];
  metrics: GoalMetricRow[];
  added: GoalRows;
  /** With all that is below them. */
  deletedIds: string[];
}

/**
 * What an update does to a goal, of which the rows that it may concern are given. Of a list of children one with the
 * id of a child is that child, changed in the fields given; one without is new; and a child that is left out is
 * deleted. Children of children likewise. Rows that stay as they are have no part in it.
 *
 * @throws InvalidInput for ids in a list of children that are no child's there, or stand in it twice.
 */
export function changesOf(
  goal: GoalRow,
  update: AnyGoalUpdate,
  stored: Pick<GoalRows, "goals" | "metrics">,
  now: Instant,
): GoalChanges {
  const childrenOf = Map.groupBy(stored.goals, ({ parent_goal_id }) => parent_goal_id);
  const metricsOf = Map.groupBy(stored.metrics, ({ goal_id }) => goal_id);
  const changes: GoalChanges = { goals: [], metrics: [], added: noGoalRows(), deletedIds: [] };
  const issues: Issue[] = [];

  function change(row: GoalRow, given: AnyGoalUpdate, path: Issue["path"]): void {
    const columns = changedGoalColumns(given);
    if (differs(row, columns)) changes.goals.push({ ...row, ...columns });
    for (const metric of metricsOf.get(row.public_id) ?? []) {
      const merged = mergedMetric(metric, metricIn(given, metric.purpose) ?? {});
      if (differs(metric, merged)) changes.metrics.push(merged);
    }
    if (given.childGoals !== undefined)
      setChildren(row, given.childGoals ?? [], [...path, "childGoals"]);
  }

  function setChildren(
    parent: GoalRow,
    children: readonly ChildGoalUpdate[],
    path: Issue["path"],
  ): void {
    const left = new Map(
      childrenOf.get(parent.public_id)?.map((child) => [child.public_id, child]),
    );
    for (const [index, { orderAmongSiblings, ...given }] of children.entries()) {
      const child = { ...given, orderAmongSiblings: orderAmongSiblings ?? index };
      if (!("publicId" in child)) {
        addChild(parent, child, [...path, index]);
        continue;
      }
      const row = left.get(child.publicId);
      left.delete(child.publicId);
      if (row !== undefined) change(row, child, [...path, index]);
      else issues.push({ ...refusalOf(child.publicId), path: [...path, index, "publicId"] });
    }
    changes.deletedIds.push(...left.keys());
  }

  function addChild(
    parent: GoalRow,
    { childGoals, orderAmongSiblings, ...child }: NewChild,
    path: Issue["path"],
  ): void {
    const place = {
      organizationId: parent.organization_id,
      treatmentPlanId: parent.treatment_plan_id,
      parentGoalId: parent.public_id,
      orderAmongSiblings,
    };
    const row = addGoal(changes.added, { ...child, goalType: "opportunity" }, place, now);
    setChildren(row, childGoals ?? [], [...path, "childGoals"]);
  }

  change(goal, update, []);
  if (issues.length > 0) throw new InvalidInput(issues.slice(0, MAX_ISSUES));
  return changes;
}

/** What is wrong with the id of no child. Beside a whole child, which passes as a new one, it may be of any type. */
function refusalOf(publicId: unknown): Pick<Issue, "code" | "message"> {
  const [malformed] = explain(ChildId, publicId);
  return (
    malformed ?? {
      code: "custom",
      message: "Is no child of this goal, or stands in this list twice",
    }
  );
}

type NewChild = Exclude<ChildGoalUpdate, { publicId: string }> & { orderAmongSiblings: number };

function metricIn(given: AnyGoalUpdate, purpose: string) {
  const known = metricPurposes.find((candidate) => candidate === purpose);
  return known && given[`${known}Metric`];
}

function differs<Row extends object>(row: Row, columns: Partial<Row>): boolean {
  return Object.entries(columns).some(([column, value]) => row[column as keyof Row] !== value);
}
