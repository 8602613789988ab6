import type { CalendarDate } from "../lib/calendar-date.ts";
import { type Criterion, TAUGHT } from "./criterion.ts";
import type { GoalStatus } from "../goals/models/common.ts";
import type { JudgedPoint } from "./points.ts";

/** Whether a goal's criterion is met, and what follows from it (docs/decisions.md, "Progress of goals"). */

/** Whether the last points meet a criterion. */
export interface Verdict {
  isMet: boolean | null;
  inARow: number | null;
  /** The last day of the point with which it was met. */
  metSince: CalendarDate | null;
  /** Who recorded the points in a row. */
  metWith: string[];
}

const MOST_PROVIDERS = 20;

export function listOfProviders(ids: Iterable<string>): string[] {
  return [...new Set(ids)].sort().slice(0, MOST_PROVIDERS);
}

/** @param points those that count, in order. */
export function verdictOf(points: readonly JudgedPoint[], criterion: Criterion | null): Verdict {
  const none = { isMet: null, inARow: null, metSince: null, metWith: [] };
  if (criterion === null) return none;
  const run = points.slice(points.findLastIndex(({ meets }) => meets !== true) + 1);
  const inARow = Math.min(run.length, criterion.points);
  if (inARow < criterion.points)
    return { ...none, isMet: points.length >= criterion.points ? false : null, inARow };
  return {
    ...{ isMet: true, inARow },
    metSince: run[criterion.points - 1]?.endDate ?? null,
    metWith: listOfProviders(run.flatMap(({ providers }) => [...providers])),
  };
}

/** The status in which a goal may go on whose criterion is met. */
export function nextOf(status: GoalStatus): GoalStatus | null {
  if (TAUGHT.has(status)) return "IN_MAINTENANCE";
  return status === "IN_MAINTENANCE" ? "MASTERED" : null;
}

/** Whether the last two points that count do not meet the criterion: one bad day is none. */
export function isNoLongerMet(points: readonly JudgedPoint[]): boolean {
  return points.length >= 2 && points.slice(-2).every((point) => point.meets === false);
}
