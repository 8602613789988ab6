import { keepInBrowser, keptInBrowser } from "../base/browser-storage.ts";
import { addDays, type CalendarDate, today } from "../base/dates.ts";
import { me, practiceZone } from "../base/me.ts";
import { signedIn } from "../sign-in/signed-in.ts";

/**
 * The days of the last two visits of this browser, so that one can see what has changed since the last. They stay when
 * somebody signs out, and say nothing of the practice.
 */

interface Visits {
  last: CalendarDate;
  /** The one before, on another day. */
  before?: CalendarDate;
}

function key(): string {
  return `caseload-visits-${me().organization.publicId}`;
}

/** The day of the last visit before today; yesterday if none is known. */
export function lastVisit(): CalendarDate {
  return keptInBrowser<Visits>(key())?.before ?? addDays(today(practiceZone()), -1);
}

/** Notes the days on which somebody signs in, from now on. */
export function watchVisits(): void {
  signedIn.subscribe((caller) => {
    if (caller === undefined) return;
    const day = today(practiceZone());
    const { last = day, before } = keptInBrowser<Visits>(key()) ?? {};
    const all: Visits =
      last === day ? { last, ...(before && { before }) } : { last: day, before: last };
    keepInBrowser(key(), all);
  });
}
