import { addDays, type CalendarDate, type DateRange } from "./calendar-date.ts";
import type { Instant } from "./instant.ts";
import { dayOf, type InstantRange, instantsOf, type TimeZone } from "./time-zone.ts";

const UTC = "UTC" as TimeZone;

/** The instants that may lie on days of a window in some zone: no zone is a day away from UTC. */
export function possibleInstants({ startDate, endDate }: DateRange): InstantRange {
  return instantsOf({ startDate: addDays(startDate, -1), endDate: addDays(endDate, 1) }, UTC);
}

/**
 * Finds the day on which something starts. It remembers the last day of each zone, so that for records that come in
 * the order of their starts a day is looked up once; to ask `dayOf` of each takes longer than all the rest of a report.
 */
export class DayFinder {
  readonly #days = new Map<TimeZone, { date: CalendarDate } & InstantRange>();

  dayOf(instant: Instant, zone: TimeZone): CalendarDate {
    const last = this.#days.get(zone);
    if (last !== undefined && last.from <= instant && instant <= last.to) return last.date;
    const date = dayOf(instant, zone);
    this.#days.set(zone, { date, ...instantsOf({ startDate: date, endDate: date }, zone) });
    return date;
  }
}
