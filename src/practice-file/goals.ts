import { type GoalShape, shapeGoals } from "../goals/present.ts";
import { readGoalRows } from "../goals/repository.ts";
import { addGoal, type GoalRows, noGoalRows, recordedLists } from "../goals/rows.ts";
import { compare } from "../lib/compare.ts";
import { goalMap, metricMap, recordedMaps, treatmentPlanMap } from "../schema/goals.ts";
import { exporter } from "../schema/record-map.ts";
import {
  BehaviorInstanceEntry,
  ChildGoalEntry,
  FrequencyDurationGoalRecord,
  type GoalRecord,
  IntervalGoalRecord,
  IntervalSetEntry,
  MetricEntry,
  OpportunityGoalRecord,
  OpportunityMetricEntry,
  RatingEntry,
  RatingGoalRecord,
  SkillTrialEntry,
  TreatmentPlanRecord,
} from "./goal-records.ts";
import { checkGoalTree } from "./goal-rules.ts";
import { plainKind, type RecordKind, type RecordRows, type Row } from "./record-kind.ts";

/** Converts treatment plans and goals between records and rows. */

const written: GoalShape<object> = {
  goals: {
    frequency_duration: exporter(goalMap, FrequencyDurationGoalRecord),
    opportunity: exporter(goalMap, OpportunityGoalRecord),
    rating: exporter(goalMap, RatingGoalRecord),
    interval: exporter(goalMap, IntervalGoalRecord),
  },
  childGoal: exporter(goalMap, ChildGoalEntry),
  metric: (metric, { type }) =>
    type === "opportunity" ? presentOpportunityMetric(metric) : presentMetric(metric),
  recorded: {
    behaviorInstances: exporter(recordedMaps.behaviorInstances, BehaviorInstanceEntry),
    skillTrials: exporter(recordedMaps.skillTrials, SkillTrialEntry),
    ratingInstances: exporter(recordedMaps.ratingInstances, RatingEntry),
    intervalSets: exporter(recordedMaps.intervalSets, IntervalSetEntry),
  },
  noElements: () => [],
};

const presentMetric = exporter(metricMap, MetricEntry);
const presentOpportunityMetric = exporter(metricMap, OpportunityMetricEntry);

/** A goal with its descendants and all data recorded on them. */
export const goal: RecordKind<GoalRecord> = {
  variants: [
    FrequencyDurationGoalRecord,
    OpportunityGoalRecord,
    RatingGoalRecord,
    IntervalGoalRecord,
  ],
  discriminator: "goalType",
  table: "goals",
  // Foreign keys cascade: deleting a child deletes its data.
  lists: [
    { table: "goals", owner: "parent_goal_id", order: ["order_among_siblings", "public_id"] },
    { table: "goal_metrics", owner: "goal_id", order: ["purpose"] },
    ...recordedLists.map((name) => ({
      table: recordedMaps[name].table,
      owner: "goal_id",
      order: ["public_id"],
    })),
  ],

  check: checkGoalTree,

  rows(record, { organizationId, now, stored }) {
    // A goal without a parent has a sibling order only if the API has moved it there.
    const orderAmongSiblings = Number(stored?.row.order_among_siblings ?? 0);
    const { treatmentPlanId } = record;
    const place = { organizationId, treatmentPlanId, parentGoalId: null, orderAmongSiblings };
    const rows = noGoalRows();
    const row = addGoal(rows, record, place, now);
    for (const name of recordedLists) rows.recorded[name].sort(byTime);
    return recordRows({ ...row }, rows);
  },

  present({ row, lists }) {
    const recorded = recordedLists.map((name) => [name, lists[recordedMaps[name].table] ?? []]);
    const rows = {
      goals: [row, ...(lists.goals ?? [])],
      metrics: lists.goal_metrics ?? [],
      recorded: Object.fromEntries(recorded),
    } as unknown as GoalRows;
    const [shaped] = shapeGoals(rows, [String(row.public_id)], written);
    return shaped as object;
  },

  async readLists(db, organizationId, roots) {
    const ids = roots.map((root) => String(root.public_id));
    const all = await readGoalRows(db, organizationId, ids);
    const parents = new Map(all.goals.map((each) => [each.public_id, each.parent_goal_id]));
    const rootOf = (id: string): string => {
      const parent = parents.get(id) ?? null;
      return parent === null ? id : rootOf(parent);
    };
    const trees = new Map(ids.map((id) => [id, noGoalRows()]));
    for (const each of all.goals) trees.get(rootOf(each.public_id))?.goals.push(each);
    for (const metric of all.metrics) trees.get(rootOf(metric.goal_id))?.metrics.push(metric);
    for (const name of recordedLists)
      for (const entry of all.recorded[name])
        trees.get(rootOf(entry.goal_id))?.recorded[name].push(entry as never);
    return roots.map((root) => recordRows(root, trees.get(String(root.public_id)) as GoalRows));
  },
};

function recordRows(root: Row, { goals, metrics, recorded }: GoalRows): RecordRows {
  const children = goals.filter((each) => each.public_id !== root.public_id);
  const entries = recordedLists.map((name) => [recordedMaps[name].table, recorded[name]]);
  return {
    row: root,
    lists: {
      goals: children as unknown as Row[],
      goal_metrics: metrics as unknown as Row[],
      ...Object.fromEntries(entries),
    },
  };
}

type RecordedRow = { public_id: string; happened_at?: string; started_at?: string };

/** Chronological order, then by id. */
function byTime(one: RecordedRow, other: RecordedRow): number {
  const [time = "", otherTime = ""] = [one, other].map((row) => row.happened_at ?? row.started_at);
  return compare(time, otherTime) || compare(one.public_id, other.public_id);
}

export const treatmentPlan = plainKind(treatmentPlanMap, [TreatmentPlanRecord]);
