import type { TObject } from "@sinclair/typebox";
import type { ChildGoalRow, GoalRow, RecordedDataRow } from "../../db/schema.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { compare } from "../lib/compare.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { inForm } from "../schema/record-map.ts";
import type { GoalStatus, GoalType } from "./models/common.ts";
import { metricPurposes } from "./models/metric.ts";
import {
  BehaviorInstanceEntry,
  ChildGoalEntry,
  FrequencyDurationGoalRecord,
  IntervalGoalRecord,
  IntervalSetEntry,
  MAX_PHASES,
  MetricEntry,
  OpportunityGoalRecord,
  OpportunityMetricEntry,
  PhaseEntry,
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
  status: GoalStatus;
  phases: Phase[];
  /** Of a goal without a parent. */
  treatmentPlanId?: string;
  /** Of a child goal. */
  orderAmongSiblings?: number;
  /** Of an opportunity goal. */
  childGoals?: GoalDocument[];
}

/** What the status of a goal became, and when; the last phase of a goal is its status. */
export interface Phase {
  status: GoalStatus;
  /** Null where nobody knows, in the first phase alone. */
  since: Instant | null;
  /** Whether the goal went on by itself, by what was recorded. */
  isAutomatic: boolean;
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
export const recordedData = {
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

/** When an entry of a goal happened. */
export function timeOf({ goalType }: { goalType: GoalType }, entry: Fields): Instant {
  return entry[recordedData[goalType].time] as Instant;
}

interface Times {
  now: Instant;
  /** Since when goals without phases are in their status. */
  begun: Instant | null;
}

/**
 * The document of a goal with all below it. Goals and metrics without an id get one.
 *
 * @param begun since when goals without phases are in their status; null if nobody knows. Default: now.
 */
export function newDocument(
  goal: NewGoalFields,
  now: Instant,
  begun: Instant | null = now,
): GoalDocument {
  return completed(goalRecords[goal.goalType], goal, { now, begun });
}

/** @param form the schema of the goal's type, or that of a child goal. */
function completed(form: TObject, goal: NewGoalFields, times: Times): GoalDocument {
  const { now } = times;
  const document = inForm(form, goal) as GoalDocument;
  document.status ??= "BASELINE";
  document.phases = phasesOf(document, times);
  document.publicId ??= newPublicId("goal_", epochMilliseconds(now));
  const { goalType } = document;
  const { field, entry } = recordedData[goalType];
  for (const [name, metric] of metricsOf(document))
    document[name] = metricOf(goalType, metric, now);
  document[field] = inOrderOfTime(
    document,
    recordedOn(document).entries.map((each) => inForm(entry, each)),
  );
  if (document.childGoals !== undefined)
    document.childGoals = inOrder(
      document.childGoals.map((child, index) => newChild(child, index, times)),
    );
  return document;
}

/** The phases of a goal, behind a change of its status too. */
function phasesOf({ status, phases }: GoalDocument, { now, begun }: Times): Phase[] {
  // Null is possible in an element of a list.
  if ((phases ?? []).length === 0) return [{ status, since: begun, isAutomatic: false }];
  const known = phases.map((each) => inForm(PhaseEntry, each) as unknown as Phase);
  return known.at(-1)?.status === status ? known : withPhase(known, { status, now });
}

/** Phases with a further one, which is not before those that are there. The oldest beyond 50 go. */
export function withPhase(
  phases: readonly Phase[],
  { status, now, isAutomatic = false }: { status: GoalStatus; now: Instant; isAutomatic?: boolean },
): Phase[] {
  const last = phases.at(-1)?.since ?? now;
  const since = last > now ? last : now;
  return [...phases, { status, since, isAutomatic }].slice(-MAX_PHASES);
}

/** Entries of a goal in chronological order. */
export function inOrderOfTime(goal: { goalType: GoalType }, entries: readonly Fields[]): Fields[] {
  const { time } = recordedData[goal.goalType];
  return entries.toSorted(
    (a, b) =>
      compare(String(a[time]), String(b[time])) || compare(String(a.publicId), String(b.publicId)),
  );
}

/** A child goal of a list; its index is its order unless it has another one. */
function newChild(child: Fields, index: number, times: Times): GoalDocument {
  const document = completed(ChildGoalEntry, { ...child, goalType: "opportunity" }, times);
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

/** The row of a goal without a parent, without the numbers of writes. */
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
  return below.map(({ goal: { publicId: public_id, status } }) => ({
    ...{ organization_id, public_id, goal_id: goal.publicId, status },
    position: own.get(public_id) ?? null,
  }));
}

/** What is recorded on a goal and those below it: rows by day. */
export function recordedRows(organization_id: string, goal: GoalDocument): RecordedDataRow[] {
  return [...goalsIn(goal)].flatMap(({ goal: each }) => {
    const owner = { organization_id, goal_id: goal.publicId, recorded_on: each.publicId };
    return daysOfEntries(each, recordedOn(each).entries).map((day) => ({ ...owner, ...day }));
  });
}

/** Entries of a goal, in order of time, as the columns of rows. */
export function daysOfEntries(
  goal: { goalType: GoalType },
  entries: readonly Fields[],
): Omit<RecordedDataRow, "organization_id" | "goal_id" | "recorded_on">[] {
  const days = Map.groupBy(entries, (entry) => utcDay(timeOf(goal, entry)));
  return [...days].map(([day, of]) => ({
    day,
    amount: of.length,
    first_at: timeOf(goal, of[0] as Fields),
    last_at: timeOf(goal, of.at(-1) as Fields),
    entries: JSON.stringify(of),
  }));
}

export function utcDay(instant: Instant): CalendarDate {
  return instant.slice(0, 10) as CalendarDate;
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

/**
 * A goal with what is recorded on it and those below it.
 *
 * @param rows in the order of their days.
 */
export function withRecorded(
  goal: GoalDocument,
  rows: readonly Pick<RecordedDataRow, "recorded_on" | "entries">[],
): GoalDocument {
  const days = Map.groupBy(rows, (row) => row.recorded_on);
  return withEntries(goal, ({ publicId }) => entriesOf(days.get(publicId) ?? []));
}

/** The entries of rows of one goal. */
export function entriesOf(rows: readonly Pick<RecordedDataRow, "entries">[]): Fields[] {
  return rows.flatMap(({ entries }) => JSON.parse(entries) as Fields[]);
}
