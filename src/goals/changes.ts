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

/** The union of the fields of all types' updates. */
export type AnyGoalUpdate = FrequencyDurationGoalUpdate &
  OpportunityGoalUpdate &
  RatingGoalUpdate &
  IntervalGoalUpdate;

/** The row changes that an update makes to a goal and its descendants. */
export interface GoalChanges {
  goals: GoalRow[];
  metrics: GoalMetricRow[];
  added: GoalRows;
  /** Their descendants are deleted with them. */
  deletedIds: string[];
}

/**
 * The row changes of an update. An element of `childGoals` with the id of a child updates the given fields of that
 * child; one without an id creates a child; children that are missing from the list are deleted. The same applies to
 * their own `childGoals`. Unchanged rows are not part of the result.
 *
 * @throws InvalidInput for ids in `childGoals` that belong to no child of the goal, or occur twice.
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

  function change(row: GoalRow, update: AnyGoalUpdate, path: Issue["path"]): void {
    const columns = changedGoalColumns(update);
    if (differs(row, columns)) changes.goals.push({ ...row, ...columns });
    for (const metric of metricsOf.get(row.public_id) ?? []) {
      const merged = mergedMetric(metric, metricIn(update, metric.purpose) ?? {});
      if (differs(metric, merged)) changes.metrics.push(merged);
    }
    if (update.childGoals !== undefined)
      setChildren(row, update.childGoals ?? [], [...path, "childGoals"]);
  }

  function setChildren(
    parent: GoalRow,
    children: readonly ChildGoalUpdate[],
    path: Issue["path"],
  ): void {
    const left = new Map(
      childrenOf.get(parent.public_id)?.map((child) => [child.public_id, child]),
    );
    for (const [index, { orderAmongSiblings, ...update }] of children.entries()) {
      const child = { ...update, orderAmongSiblings: orderAmongSiblings ?? index };
      if (!("publicId" in child)) {
        addChild(parent, child, [...path, index]);
        continue;
      }
      const row = left.get(child.publicId);
      left.delete(child.publicId);
      if (row !== undefined) change(row, child, [...path, index]);
      else issues.push({ ...invalidChildId(child.publicId), path: [...path, index, "publicId"] });
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

/**
 * The issue of an id that belongs to no child. The id may be of any type: a complete child has passed validation as a
 * new goal, whose schema does not have the field.
 */
function invalidChildId(publicId: unknown): Pick<Issue, "code" | "message"> {
  const [malformed] = explain(ChildId, publicId);
  return (
    malformed ?? {
      code: "custom",
      message: "Must be the id of a child of this goal, and must occur only once in the list",
    }
  );
}

type NewChild = Exclude<ChildGoalUpdate, { publicId: string }> & { orderAmongSiblings: number };

function metricIn(update: AnyGoalUpdate, purpose: string) {
  const name = metricPurposes.find((candidate) => candidate === purpose);
  return name && update[`${name}Metric`];
}

function differs<Row extends object>(row: Row, columns: Partial<Row>): boolean {
  return Object.entries(columns).some(([column, value]) => row[column as keyof Row] !== value);
}
