import {
  addDays,
  type CalendarDate,
  coversDay,
  type DateRange,
  type TimeZone,
} from "../base/dates.ts";
import type { Values } from "../base/form-values.ts";
import { countText, dayText } from "../base/format.ts";
import { type Change, deletionOf, type Line } from "../base/lines.ts";
import { type Ending, rebindingLines, serviceTermsIn, sessionsIn, takenOver } from "./rebinding.ts";

/** An authorization that is another from a day on: the old one ends the day before, and the next one begins. */

/** Whether that is a day within its term, but its first. */
export function splitsTerm(term: DateRange, day: CalendarDate): boolean {
  return coversDay(term, day) && day !== term.startDate;
}

/** The authorization from a day on, with the changed fields. */
export function nextFrom(
  { stored, changed, publicId }: { stored: Line; changed: Values; publicId: string },
  day: CalendarDate,
): Line {
  // In a pool, the payor is the pool's.
  const payor = changed.authorizationPoolId ? { payorId: null } : {};
  return { ...stored, ...changed, ...payor, publicId, authorizationDate: day };
}

/**
 * The change from a day on, which takes along what starts behind it.
 *
 * @param next the authorization from that day on.
 * @param ending what is bound to the old one and starts from that day on.
 */
export function changeFrom(
  { stored, next, ending }: { stored: Line; next: Line; ending: Ending },
  day: CalendarDate,
  zone: TimeZone,
): Change {
  const { type, publicId, authorizationExpirationDate } = stored;
  const options = { zone, withDocumented: true };
  const { moving } = takenOver([ending], serviceTermsIn([next]), options);
  const { lines, undo } = rebindingLines(moving);
  const sessions = sessionsIn(moving);
  const also = sessions.length === 0 ? "" : ` ${countText(sessions.length, "session")} went along.`;
  return {
    done: `The authorization was changed from ${dayText(day)} on.${also}`,
    sessions,
    lines: [{ type, publicId, authorizationExpirationDate: addDays(day, -1) }, next, ...lines],
    undo: [...undo, { type, publicId, authorizationExpirationDate }, ...deletionOf([next])],
  };
}
