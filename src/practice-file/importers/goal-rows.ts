import type { GoalMetricRow, GoalRow } from "../../../db/schema.ts";
import { type MetricPurpose, metricPurposes } from "../../goals/models/metric.ts";
import type { GoalRows } from "../../goals/repository.ts";
import { newGoalRow, noGoalRows } from "../../goals/rows.ts";
import type { Instant } from "../../lib/instant.ts";
import type { ChildGoalEntry, GoalRecord, MetricEntry } from "../model.ts";

/** From the record of a goal to the rows of the goal, of those below it, and of what was recorded on them. */

type AnyGoal = GoalRecord | ChildGoalEntry;

/** Where a goal goes. */
type Place = Pick<
  GoalRow,
  "organization_id" | "treatment_plan_id" | "parent_goal_id" | "order_among_siblings"
>;

export function goalRows(record: GoalRecord, place: Place, now: Instant): GoalRows {
  const rows = noGoalRows();
  addGoal(rows, record, place, now);
  return rows;
}

function addGoal(rows: GoalRows, goal: AnyGoal, place: Place, now: Instant): void {
  const identity = { ...place, public_id: goal.publicId, type: goal.goalType };
  const added = goal.goalType === "frequency_duration" ? goal.addedToTreatmentPlanAt : undefined;
  const row = { ...newGoalRow(identity, goal, now), added_to_treatment_plan_at: added ?? null };
  rows.goals.push(row);
  if ("baselineMetric" in goal)
    for (const purpose of metricPurposes)
      rows.metrics.push(metricRow(row, purpose, goal[`${purpose}Metric`]));
  addRecordedData(rows, row, goal);
  if (goal.goalType === "opportunity")
    goal.childGoals?.forEach((child, order_among_siblings) => {
      const childPlace = { ...place, parent_goal_id: goal.publicId, order_among_siblings };
      addGoal(rows, child, childPlace, now);
    });
}

function metricRow(goal: GoalRow, purpose: MetricPurpose, metric: MetricEntry): GoalMetricRow {
  return {
    ...ownerColumns(goal),
    purpose,
    public_id: metric.publicId,
    value: metric.value,
    unit: metric.unit,
    frequency_unit: metric.frequencyUnit ?? null,
    observation_period: metric.observationPeriod ?? null,
    observation_period_unit: metric.observationPeriodUnit ?? null,
    success_criteria: metric.successCriteria ?? null,
  };
}

function addRecordedData(rows: GoalRows, row: GoalRow, goal: AnyGoal): void {
  const owner = ownerColumns(row);
  switch (goal.goalType) {
    case "frequency_duration":
      for (const instance of goal.behaviorInstances ?? [])
        rows.behaviorInstances.push({
          ...owner,
          public_id: instance.publicId,
          happened_at: instance.happenedAt,
          quantity: instance.quantity,
          antecedent: instance.antecedent ?? null,
          consequence: instance.consequence ?? null,
          duration_seconds: instance.durationSeconds ?? null,
        });
      return;
    case "opportunity":
      for (const { publicId, happenedAt, outcome } of goal.skillTrials ?? [])
        rows.skillTrials.push({
          ...owner,
          public_id: publicId,
          happened_at: happenedAt,
          outcome,
        });
      return;
    case "rating":
      for (const { publicId, happenedAt, value } of goal.ratingInstances ?? [])
        rows.ratingInstances.push({
          ...owner,
          public_id: publicId,
          happened_at: happenedAt,
          value,
        });
      return;
    case "interval":
      for (const { publicId, startedAt, intervals } of goal.intervalSets ?? [])
        rows.intervalSets.push({
          ...owner,
          public_id: publicId,
          started_at: startedAt,
          intervals: JSON.stringify(intervals),
        });
  }
}

function ownerColumns(goal: GoalRow) {
  return { organization_id: goal.organization_id, goal_id: goal.public_id };
}
