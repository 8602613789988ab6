import { type TimeZone, today } from "../base/dates.ts";
import { countText, dateText, shortDateText, unitsText, words } from "../base/format.ts";
import type { GoalPoint, GoalProgress } from "../base/wire.ts";

/** What is said of the progress of a goal. */

/** The statuses in which a goal is worked on. */
export const WORKED_ON = "BASELINE,IN_PROGRESS,IN_MAINTENANCE";

/** What a goal is brought to, from each status. */
export const STEPS: Record<string, readonly (keyof typeof STEP_NAMES)[]> = {
  BASELINE: ["IN_MAINTENANCE"],
  IN_PROGRESS: ["IN_MAINTENANCE"],
  IN_MAINTENANCE: ["MASTERED", "IN_PROGRESS"],
  MASTERED: ["IN_PROGRESS"],
};

export const STEP_NAMES = {
  IN_MAINTENANCE: "To maintenance",
  MASTERED: "Mastered",
  IN_PROGRESS: "Back to in progress",
};

const SIGNS = {
  EQUAL_TO: "exactly",
  LESS_THAN: "less than",
  LESS_THAN_OR_EQUAL_TO: "at most",
  GREATER_THAN: "more than",
  GREATER_THAN_OR_EQUAL_TO: "at least",
} as const;

const UNIT_NOUNS = { DAY: "day", WEEK: "week", MONTH: "month" } as const;

type Measured = Pick<GoalProgress, "type" | "valueUnit" | "valuePer" | "pointUnit">;

/** `67 %`, `3 times`, `4.5 minutes`, `0.28 times` */
export function valueText(
  value: number | null,
  { valueUnit }: Pick<Measured, "valueUnit">,
): string {
  if (value === null) return "not known";
  // A rate of less than one is not to be the one beside it.
  const number = unitsText(
    Math.abs(value) < 10 ? Number(value.toPrecision(3)) : Math.round(value * 10) / 10,
  );
  if (valueUnit === "PERCENT") return `${number} %`;
  if (valueUnit === "RATING") return number;
  const noun = valueUnit.toLowerCase();
  return `${number} ${value === 1 ? noun.slice(0, -1) : noun}`;
}

/** What the axis of a goal's graph is: `% correct`, `times a week`, `minutes for each hour` */
export function axisText({ type, valueUnit, valuePer, pointUnit }: Measured): string {
  if (valueUnit === "RATING") return "rating";
  if (valueUnit === "PERCENT")
    return (
      { opportunity: "% correct", interval: "% of intervals" }[type as string] ?? "% of the time"
    );
  const what = valueUnit.toLowerCase();
  if (valuePer === null) return `${what} a ${UNIT_NOUNS[pointUnit]}`;
  const unit = valuePer.unit.toLowerCase().slice(0, -1);
  return valuePer.amount === 1
    ? `${what} ${unit === "hour" ? "an" : "a"} ${unit}`
    : `${what} for ${unitsText(valuePer.amount)} ${unit}s`;
}

/** `at least 80 % on 3 days in a row` */
export function criterionText(goal: GoalProgress): string {
  const { criterion, pointUnit } = goal;
  if (criterion === null) return "No criterion";
  const { criteria, value, points } = criterion;
  const noun = UNIT_NOUNS[pointUnit];
  const when =
    points === 1 ? `in a ${noun}` : `${noun === "day" ? "on" : "in"} ${points} ${noun}s in a row`;
  return `${SIGNS[criteria]} ${valueText(value, goal)} ${when}`;
}

/** The last point with a value that is not running. */
export function lastPoint({ points }: GoalProgress): GoalPoint | undefined {
  return points.findLast(({ value, state }) => value !== null && state !== "RUNNING");
}

/** `67 % of 80 %, 2 of 3 days` */
export function standingText(goal: GoalProgress): string {
  const { criterion, inARow, pointUnit } = goal;
  const last = lastPoint(goal);
  const value = last === undefined ? "–" : valueText(last.value, goal);
  if (criterion === null) return value;
  const noun = UNIT_NOUNS[pointUnit];
  return `${value} of ${valueText(criterion.value, goal)}, ${inARow} of ${criterion.points} ${noun}${criterion.points === 1 ? "" : "s"}`;
}

/** `no data in 9 sessions`; nothing while it is recorded. */
export function silenceText(goal: GoalProgress): string | undefined {
  const { sessionsSince, steps, lastRecordedAt } = goal;
  // What is recorded of a chain may be recorded on its steps.
  if (steps !== null && lastRecordedAt === null) return undefined;
  return isTaught(goal) && sessionsSince >= 6 ? `no data in ${sessionsSince} sessions` : undefined;
}

const isTaught = ({ status }: GoalProgress): boolean =>
  status === "BASELINE" || status === "IN_PROGRESS";

/** Whether the target date of a goal that is taught is past. */
export function isPast(goal: GoalProgress): boolean {
  const { targetDate, timezone } = goal;
  return isTaught(goal) && targetDate !== null && targetDate < today(timezone as TimeZone);
}

/** `Met since Nov 16, 2026`, with how many people. */
export function metText({ isMet, metSince, metWith }: GoalProgress): string | undefined {
  if (isMet !== true || metSince === null) return undefined;
  const people = metWith.length > 1 ? `, with ${metWith.length} people` : "";
  return `Met since ${dateText(metSince)}${people}`;
}

/** What is said of a point beside its value. */
export const STATES: Record<GoalPoint["state"], string> = {
  RUNNING: "not over yet",
  SILENT: "nothing recorded",
  UNKNOWN: "not measured",
  FEW: "too few to count",
  EARLIER: "of an earlier status",
  COUNTS: "",
};

/** What a point says: `Nov 16: 78 %, 7 of 9; Ana Ruiz` */
export function pointText(
  point: GoalPoint,
  goal: GoalProgress,
  name: (id: string) => string,
): string {
  const { startDate, endDate, state, value, count, total, sessions, providerIds } = point;
  const when =
    startDate === endDate
      ? shortDateText(startDate)
      : `${shortDateText(startDate)} – ${shortDateText(endDate)}`;
  if (state === "SILENT") return `${when}: nothing recorded in ${countText(sessions, "session")}`;
  const of = total === null ? "" : `, ${count} of ${total}`;
  const note = STATES[state] && `, ${STATES[state]}`;
  const who = providerIds.length === 0 ? "" : `; ${providerIds.map(name).join(", ")}`;
  return `${when}: ${valueText(value, goal)}${of}${note}${who}`;
}

/** A status in the words of a graph. */
export function phaseText(status: string, isAutomatic: boolean): string {
  const names: Record<string, string> = { IN_PROGRESS: "Teaching", IN_MAINTENANCE: "Maintenance" };
  return `${names[status] ?? words(status)}${isAutomatic ? " (by itself)" : ""}`;
}
