import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { dateWritten, dayOf, startOfDay, type TimeZone } from "../lib/time-zone.ts";
import { criterionOf, metricInForce, type StoredMetric } from "./criterion.ts";
import { type Fields, type GoalDocument, timeOf } from "../goals/document.ts";
import {
  type HeldSession,
  type JudgedPoint,
  pointsOf,
  pointUnitOf,
  type Spans,
  valueUnitOf,
} from "./points.ts";
import { nextOf, verdictOf } from "./verdict.ts";

/** The progress of a goal (docs/decisions.md, "Progress of goals"). */

/** What a goal is judged by besides what was recorded on it. */
export interface Scope {
  spans: Spans;
  /** The held sessions of the goal's patient, in order of their start. */
  sessions: readonly HeldSession[];
  /** The organization's, where a goal does not say how many points in a row meet its criterion. */
  daysInARow: number | null;
  /** The first day of which all entries are given. Default: the first that is looked at. */
  from?: CalendarDate;
}

/** The points of a goal, and whether they meet its criterion. */
export function judged(goal: GoalDocument, entries: readonly Fields[], scope: Scope) {
  const pointUnit = pointUnitOf(goal);
  const criterion = criterionOf(goal, pointUnit, scope.daysInARow);
  const points = pointsOf(goal, { ...scope, entries, criterion });
  const counting = points.filter(({ state }) => state === "COUNTS");
  const verdict = verdictOf(counting, criterion);
  const next = verdict.isMet === true ? nextOf(goal.status) : null;
  return { pointUnit, criterion, points, counting, ...verdict, next };
}

/** A goal's progress, with all of its points. */
export function progressOf(
  goal: GoalDocument,
  { entries, lastBefore }: { entries: readonly Fields[]; lastBefore: Instant | null },
  scope: Scope,
) {
  const { counting: _, ...judgement } = judged(goal, entries, scope);
  const last = entries.at(-1);
  const lastRecordedAt = last === undefined ? lastBefore : timeOf(goal, last);
  const { zone } = scope.spans;
  return {
    ...valueUnitOf(goal),
    baseline: baselineOf(goal),
    baselineDate: dateOf(goal.baselineDate, zone),
    targetDate: targetDateOf(goal, zone),
    ...judgement,
    lastRecordedAt,
    sessionsSince: sessionsSince(goal, lastRecordedAt, scope),
  };
}

/** The number of held sessions that began after the last entry; without one, since the goal's first phase. */
export function sessionsSince(
  { phases }: GoalDocument,
  lastRecordedAt: Instant | null,
  { spans, sessions }: Scope,
): number {
  const from = startOfDay(spans.earliest, spans.zone);
  const begun = phases[0]?.since ?? from;
  return sessions.filter(
    ({ startTime }) =>
      startTime >= from &&
      (lastRecordedAt === null ? startTime >= begun : startTime > lastRecordedAt),
  ).length;
}

/** The baseline's value, unless it is on another scale than the points. */
function baselineOf(goal: GoalDocument): number | null {
  const baseline = goal.baselineMetric as StoredMetric | undefined;
  const metric = metricInForce(goal);
  if (baseline === undefined || metric === undefined || baseline.unit !== metric.unit) return null;
  const isSame = (baseline.frequencyUnit ?? null) === (metric.frequencyUnit ?? null);
  return isSame ? baseline.value : null;
}

export function targetDateOf(goal: GoalDocument, zone: TimeZone): CalendarDate | null {
  return dateOf(goal.targetAchievementDate, zone);
}

function dateOf(time: unknown, zone: TimeZone): CalendarDate | null {
  if (time == null) return null;
  return dateWritten(time as Instant) ?? dayOf(time as Instant, zone);
}

export type Progress = ReturnType<typeof progressOf>;
export type { JudgedPoint };
