import { addDays, type CalendarDate, type DateRange } from "./calendar-date.ts";
import type { Instant } from "./instant.ts";
import { dayOf, type InstantRange, instantsOf, type TimeZone, UTC } from "./time-zone.ts";

/** The instants that can fall within a window in any zone: no offset from UTC reaches 24 hours. */
export function possibleInstants({ startDate, endDate }: DateRange): InstantRange {
  return instantsOf({ startDate: addDays(startDate, -1), endDate: addDays(endDate, 1) }, UTC);
}

/**
 * `dayOf` with a cache of the last day of each zone. In a report, whose records come in the order of their starts, each
 * day is then computed once instead of for every record.
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
