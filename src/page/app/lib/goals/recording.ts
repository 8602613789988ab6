import { type Slot, toInstant } from "../base/dates.ts";
import { countText } from "../base/format.ts";
import { serverClock } from "../base/server-clock.ts";
import type { GoalProgress } from "../base/wire.ts";

/** When what is noted in a session happened, and what it comes to. */

/** Something is recorded in a session for so long behind its end, in milliseconds; later what is noted is of its end. */
const AFTERWARDS = 30 * 60_000;

/** When what is tapped happened: now, while the session goes on or has just ended. */
export function timeIn(session: Slot, moment = serverClock.now()): string {
  return isLate(session, moment) ? session.endTime : toInstant(moment);
}

/** Whether what is noted is of its end by then. */
export function isLate({ endTime }: Slot, moment = serverClock.now()): boolean {
  return moment > Date.parse(endTime) + AFTERWARDS;
}

/** An entry about all of a session is of its end, or of now while it goes on. */
export function endOf(session: Slot): string {
  const { endTime } = session;
  return Date.parse(endTime) < serverClock.now() ? endTime : timeIn(session);
}

/** The fields of what is recorded. */
type Entry = Readonly<Record<string, unknown>>;

/** `7 of 10`, with the last ten as dots. */
export function tallyOf({ type }: Pick<GoalProgress, "type">, own: readonly Entry[]): string {
  if (own.length === 0) return "Nothing yet.";
  if (type === "opportunity") {
    const isSuccess = ({ outcome }: Entry): boolean => outcome === "SUCCESS";
    const dots = own.slice(-10).map((each) => (isSuccess(each) ? "●" : "○"));
    return `${own.filter(isSuccess).length} of ${own.length} ${dots.join("")}`;
  }
  if (type === "frequency_duration")
    return countText(
      own.reduce((sum, { quantity }) => sum + Number(quantity), 0),
      "time",
    );
  if (type === "rating") return `Last: ${String(own.at(-1)?.value)}`;
  return countText(own.length, "set");
}
