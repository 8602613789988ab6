import { ownZone, startOfWeek, type CalendarDate, type TimeZone, zoneNamed } from "./dates.ts";
import { signedIn } from "./signed-in.ts";
import type { Me } from "./wire.ts";

/** The practice, and whose key it is. */

/** @throws Error where nobody is signed in. */
export function me(): Me {
  const caller = signedIn.value;
  if (caller === undefined) throw new Error("Nobody is signed in.");
  return caller.me;
}

/** The zone of the practice; that of the browser for one that has none. */
export function practiceZone(): TimeZone {
  return zoneNamed(me().organization.timezone ?? "") ?? ownZone();
}

/** The first day of the practice's week that a date is in. */
export function weekOf(date: CalendarDate): CalendarDate {
  return startOfWeek(date, me().organization.weekStartsOn);
}
