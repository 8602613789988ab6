import {
  dateOf,
  type Instant,
  ownZone,
  startOfWeek,
  type CalendarDate,
  type TimeZone,
  zoneNamed,
} from "./dates.ts";
import { dateText } from "./format.ts";
import { signedIn } from "../sign-in/signed-in.ts";
import type { Me } from "./wire.ts";

/** The practice, and the key of the signed-in person. */

/** @throws Error if nobody is signed in. */
export function me(): Me {
  const caller = signedIn.value;
  if (caller === undefined) throw new Error("Nobody is signed in.");
  return caller.me;
}

/** The time zone of the practice, or of the browser if the practice has none. */
export function practiceZone(): TimeZone {
  return zoneNamed(me().organization.timezone ?? "") ?? ownZone();
}

/** The first day of the week of a date, by the practice's first day of the week. */
export function weekOf(date: CalendarDate): CalendarDate {
  return startOfWeek(date, me().organization.weekStartsOn);
}

/** The day of an instant in the practice: `Nov 21, 2026`. */
export function instantDayText(instant: Instant): string {
  return dateText(dateOf(instant, practiceZone()));
}
