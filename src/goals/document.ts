import type { TObject } from "@sinclair/typebox";
import type { ChildGoalRow, GoalRow, RecordedDataRow } from "../../db/schema.ts";
import { compare } from "../lib/compare.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { inForm } from "../schema/record-map.ts";
import type { GoalType } from "./models/common.ts";
import { metricPurposes } from "./models/metric.ts";
import {
  BehaviorInstanceEntry,
  ChildGoalEntry,
  FrequencyDurationGoalRecord,
  IntervalGoalRecord,
  IntervalSetEntry,
  MetricEntry,
  OpportunityGoalRecord,
  OpportunityMetricEntry,
  RatingEntry,
  RatingGoalRecord,
  SkillTrialEntry,
} from "./models/records.ts";

/**
 * A goal is stored with all goals below it as one document, in the form in which an export writes it. Child goals have
 * `orderAmongSiblings` besides, by which they are sorted.
 */

export type Fields = Record<string, unknown>;

/** A goal or child goal, with all goals below it. */
export interface GoalDocument extends Fields {
  publicId: string;
  goalType: GoalType;
  status: string;
  /** Of a goal without a parent. */
  treatmentPlanId?: string;
  /** Of a child goal. */
  orderAmongSiblings?: number;
  /** Of an opportunity goal. */
  childGoals?: GoalDocument[];
}

/** The fields of a goal to be stored. Absent ones, and null, get their defaults. */
export type NewGoalFields = object & { goalType: GoalType };

/** The fields of goals without a parent, in the order of exports. */
export const goalRecords = {
  frequency_duration: FrequencyDurationGoalRecord,
  opportunity: OpportunityGoalRecord,
  rating: RatingGoalRecord,
  interval: IntervalGoalRecord,
} as const satisfies Record<GoalType, TObject>;

/** The field that lists the data recorded on goals of a type, the form of its entries, and when an entry happened. */
const recordedData = {
  frequency_duration: {
    field: "behaviorInstances",
    entry: BehaviorInstanceEntry,
    time: "happenedAt",
  },
  opportunity: { field: "skillTrials", entry: SkillTrialEntry, time: "happenedAt" },
  rating: { field: "ratingInstances", entry: RatingEntry, time: "happenedAt" },
  interval: { field: "intervalSets", entry: IntervalSetEntry, time: "startedAt" },
} as const satisfies Record<GoalType, { field: string; entry: TObject; time: string }>;

/** The data recorded on a goal, without those of the goals below it, and the field that lists them. */
export function recordedOn(goal: { goalType: GoalType }): { field: string; entries: Fields[] } {
  const { field } = recordedData[goal.goalType];
  return { field, entries: ((goal as Fields)[field] as Fields[] | undefined) ?? [] };
}

/** The document of a goal with all below it. Goals and metrics without an id get one. */
export function newDocument(goal: NewGoalFields, now: Instant): GoalDocument {
  return completed(goalRecords[goal.goalType], goal, now);
}

/** @param form the schema of the goal's type, or that of a child goal. */
function completed(form: TObject, goal: NewGoalFields, now: Instant): GoalDocument {
  const document = inForm(form, goal) as GoalDocument;
  document.status ??= "BASELINE";
  document.publicId ??= newPublicId("goal_", epochMilliseconds(now));
  const { field, entry, time } = recordedData[document.goalType];
  for (const [name, metric] of metricsOf(document))
    document[name] = metricOf(document.goalType, metric, now);
  document[field] = recordedOn(document)
    .entries.map((each) => inForm(entry, each))
    .sort(
      (a, b) =>
        compare(String(a[time]), String(b[time])) ||
        compare(String(a.publicId), String(b.publicId)),
    );
  if (document.childGoals !== undefined)
    document.childGoals = inOrder(
      document.childGoals.map((child, index) => newChild(child, index, now)),
    );
  return document;
}

/** A child goal of a list; its index is its order unless it has another one. */
function newChild(child: Fields, index: number, now: Instant): GoalDocument {
  const document = completed(ChildGoalEntry, { ...child, goalType: "opportunity" }, now);
  document.orderAmongSiblings = Number(child.orderAmongSiblings ?? index);
  return document;
}

/** Sorts child goals. Equal orders are those of creation, since ids are. */
function inOrder(children: readonly GoalDocument[]): GoalDocument[] {
  return children.toSorted(
    (a, b) =>
      compare(a.orderAmongSiblings ?? 0, b.orderAmongSiblings ?? 0) ||
      compare(a.publicId, b.publicId),
  );
}

/** The metrics of a goal that has some, by the names of their fields. */
export function metricsOf(goal: Fields): [name: string, metric: Fields][] {
  return metricPurposes.flatMap((purpose) => {
    const name = `${purpose}Metric`;
    return name in goal ? [[name, goal[name] as Fields]] : [];
  });
}

/** Whether a metric has neither frequency nor observation period. Those of opportunity goals lack even the fields. */
export function isPlain(metric: Fields, goalType: GoalType): boolean {
  return goalType === "opportunity" || metric.unit === "PERCENTAGE";
}

function metricOf(goalType: GoalType, metric: Fields, now: Instant): Fields {
  const fields = isPlain(metric, goalType) ? inForm(OpportunityMetricEntry, metric) : metric;
  const formed = inForm(goalType === "opportunity" ? OpportunityMetricEntry : MetricEntry, fields);
  formed.publicId ??= newPublicId("metric_", epochMilliseconds(now));
  return formed;
}

/** A goal and each goal below it, with its path in the record. */
export function* goalsIn<Goal extends object>(
  goal: Goal,
  path: (string | number)[] = [],
): Generator<{ goal: Goal; path: (string | number)[] }> {
  yield { goal, path };
  // A line of a practice file may lack its type, and have no child goals for that reason.
  const { childGoals } = goal as { childGoals?: readonly Goal[] };
  for (const [index, child] of (childGoals ?? []).entries())
    yield* goalsIn(child, [...path, "childGoals", index]);
}

/** The ids of a goal and the goals below it. */
export function idsIn(goal: GoalDocument): Set<string> {
  return new Set(goalsIn(goal).map(({ goal: { publicId } }) => publicId));
}

/** A goal of which each goal of the tree has another form, those below before those above. */
export function withEach(
  goal: GoalDocument,
  change: (goal: GoalDocument) => GoalDocument,
): GoalDocument {
  const { childGoals } = goal;
  if (childGoals === undefined) return change(goal);
  return change({ ...goal, childGoals: childGoals.map((child) => withEach(child, change)) });
}

/** A goal without some of the goals below it, and all below those. */
export function withoutGoals(goal: GoalDocument, ids: ReadonlySet<string>): GoalDocument {
  return withEach(goal, (each) => {
    const childGoals = each.childGoals?.filter(({ publicId }) => !ids.has(publicId));
    return childGoals === undefined ? each : { ...each, childGoals };
  });
}

function withEntries(
  goal: GoalDocument,
  entriesOf: (goal: GoalDocument) => readonly Fields[],
): GoalDocument {
  return withEach(goal, (each) => ({
    ...each,
    [recordedData[each.goalType].field]: entriesOf(each),
  }));
}

/** The record of an export. A document that was stored before a field was declared has none. */
export function exported(goal: GoalDocument): object {
  return withEach(goal, (each) => {
    const form = each.treatmentPlanId === undefined ? ChildGoalEntry : goalRecords[each.goalType];
    return inForm(form, each) as GoalDocument;
  });
}

/** The row of a goal without a parent. */
export function goalRow(organization_id: string, goal: GoalDocument): GoalRow {
  const own = withEntries(goal, () => []);
  const { childGoals } = own;
  return {
    organization_id,
    public_id: goal.publicId,
    treatment_plan_id: String(goal.treatmentPlanId),
    type: goal.goalType,
    status: goal.status,
    document: JSON.stringify(childGoals === undefined ? own : { ...own, childGoals: [] }),
    child_goals: JSON.stringify(childGoals ?? []),
  };
}

/** The index of the goals below a goal. */
export function childRows(organization_id: string, goal: GoalDocument): ChildGoalRow[] {
  const own = new Map(goal.childGoals?.map(({ publicId }, index) => [publicId, index]));
  const [, ...below] = goalsIn(goal);
  return below.map(({ goal: { publicId: public_id } }) => ({
    organization_id,
    public_id,
    goal_id: goal.publicId,
    position: own.get(public_id) ?? null,
  }));
}

/** What is recorded on a goal and those below it: a row for each that has any. */
export function recordedRows(organization_id: string, goal: GoalDocument): RecordedDataRow[] {
  return [...goalsIn(goal)].flatMap(({ goal: each }) => {
    const { entries } = recordedOn(each);
    const owner = { organization_id, goal_id: goal.publicId, recorded_on: each.publicId };
    const { length: amount } = entries;
    return amount === 0 ? [] : [{ ...owner, amount, entries: JSON.stringify(entries) }];
  });
}

/** The document of a stored goal, without what is recorded. */
export function documentOf({
  document,
  child_goals,
}: Pick<GoalRow, "document" | "child_goals">): GoalDocument {
  const goal = JSON.parse(document) as GoalDocument;
  if (goal.childGoals !== undefined) goal.childGoals = JSON.parse(child_goals) as GoalDocument[];
  return goal;
}

/** A goal with what is recorded on it and those below it. */
export function withRecorded(
  goal: GoalDocument,
  rows: readonly Pick<RecordedDataRow, "recorded_on" | "entries">[],
): GoalDocument {
  const entries = new Map(rows.map((row) => [row.recorded_on, row.entries]));
  return withEntries(goal, ({ publicId }) => JSON.parse(entries.get(publicId) ?? "[]") as Fields[]);
}
