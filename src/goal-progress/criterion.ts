import type { CalendarDate } from "../lib/calendar-date.ts";
import { fractionOf, inMillionths } from "../lib/rounding.ts";
import { dayOf, type TimeZone } from "../lib/time-zone.ts";
import type { GoalDocument, Phase } from "../goals/document.ts";
import type { GoalStatus } from "../goals/models/common.ts";
import type { SuccessCriteria } from "../goals/models/metric.ts";
import { DAYS_OF, type PointUnit } from "./units.ts";

/** When a goal's criterion is met, and what follows from it (docs/decisions.md, "Progress of goals"). */

/** A stored metric. Those of opportunity goals have no frequency and no observation period. */
export interface StoredMetric {
  value: number;
  unit: "FREQUENCY" | "DURATION" | "COUNT" | "PERCENTAGE";
  frequencyUnit?: string | null;
  observationPeriod?: number | null;
  observationPeriodUnit?: string | null;
  successCriteria?: SuccessCriteria | null;
}

export type Purpose = "success" | "maintenance";

export interface Criterion {
  purpose: Purpose;
  value: number;
  criteria: SuccessCriteria;
  /** How many points in a row meet it before it is met. */
  points: number;
}

/** The statuses in which something is still to be acquired. */
export const TAUGHT: ReadonlySet<GoalStatus> = new Set(["BASELINE", "IN_PROGRESS"]);
/** The statuses in which a goal is worked on. */
export const WORKED_ON: ReadonlySet<GoalStatus> = new Set([...TAUGHT, "IN_MAINTENANCE"]);
const KEPT_UP: ReadonlySet<GoalStatus> = new Set(["IN_MAINTENANCE", "MASTERED", "ARCHIVED"]);

export function purposeOf(status: GoalStatus): Purpose {
  return KEPT_UP.has(status) ? "maintenance" : "success";
}

/** The metric that a goal in its status is held to; undefined of kinds without metrics. */
export function metricInForce(goal: GoalDocument): StoredMetric | undefined {
  return goal[`${purposeOf(goal.status)}Metric`] as StoredMetric | undefined;
}

const calendarUnits = { DAYS: "DAY", WEEKS: "WEEK", MONTHS: "MONTH" } as const;

export function calendarUnitOf(unit: string | null | undefined): PointUnit | undefined {
  return calendarUnits[unit as keyof typeof calendarUnits];
}

/** The points in a row that are asked for where neither goal nor organization says how many. */
export const DAYS_IN_A_ROW = 3;
const MOST_POINTS = 60;

/** A goal's criterion; null where its metric has none, or one that cannot be judged. It is never guessed. */
export function criterionOf(
  goal: GoalDocument,
  pointUnit: PointUnit,
  daysInARow: number | null,
): Criterion | null {
  const metric = metricInForce(goal);
  if (metric?.successCriteria == null) return null;
  // A trial has no duration.
  if (goal.goalType === "opportunity" && metric.unit === "DURATION") return null;
  const { value, successCriteria: criteria } = metric;
  const observed = pointsObserved(metric, pointUnit);
  // "Per 1 day" says nothing of how often.
  const points = observed >= 2 ? Math.min(observed, MOST_POINTS) : (daysInARow ?? DAYS_IN_A_ROW);
  return { purpose: purposeOf(goal.status), value, criteria, points };
}

/** A metric's observation period in units of points; 0 without one. */
function pointsObserved(
  { observationPeriod, observationPeriodUnit }: StoredMetric,
  pointUnit: PointUnit,
): number {
  const unit = calendarUnitOf(observationPeriodUnit);
  if (unit === undefined || observationPeriod == null) return 0;
  const { numerator, denominator } = fractionOf(String(observationPeriod));
  const days = numerator * BigInt(DAYS_OF[unit]);
  return Math.floor(
    inMillionths({ numerator: days, denominator: denominator * BigInt(DAYS_OF[pointUnit]) }) + 0.5,
  );
}

export function meets(value: number, { criteria, value: target }: Criterion): boolean {
  switch (criteria) {
    case "EQUAL_TO":
      return value === target;
    case "LESS_THAN":
      return value < target;
    case "LESS_THAN_OR_EQUAL_TO":
      return value <= target;
    case "GREATER_THAN":
      return value > target;
    case "GREATER_THAN_OR_EQUAL_TO":
      return value >= target;
  }
}

/**
 * The first phase of the stretch: of the last phases in a row that have the purpose of the goal's status. Undefined where
 * these are all of its phases.
 */
export function firstOfStretch({ status, phases }: Pick<GoalDocument, "status" | "phases">) {
  const purpose = purposeOf(status);
  const before = phases.findLastIndex((phase) => purposeOf(phase.status) !== purpose);
  return before === -1 ? undefined : phases[before + 1];
}

/** The day with which the stretch begins, and whose point does not belong to it; undefined where every point does. */
export function dayOfStretch(
  goal: { status: GoalStatus; phases: readonly Phase[] },
  zone: TimeZone,
): CalendarDate | undefined {
  const since = firstOfStretch({ ...goal, phases: [...goal.phases] })?.since;
  return since == null ? undefined : dayOf(since, zone);
}
