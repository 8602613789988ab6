import type { DateRange } from "../lib/calendar-date.ts";
import { remembered } from "../lib/remembered.ts";
import type { PracticeCalendar } from "./calendar.ts";
import { knownFrequency } from "./periods.ts";
import type { Subject } from "./subject.ts";
import { type PeriodGrid, periodGrid } from "./unit-counter.ts";

/** Makes a function that gives the periods of a subject that overlap a window; undefined without a term. */
export function gridsOf(
  calendar: PracticeCalendar,
  window: DateRange,
): (subject: Subject) => PeriodGrid | undefined {
  // Often many authorizations have the same term.
  const grids = new Map<string, PeriodGrid>();
  return ({ term, unitFrequency, patientTimeZone }) => {
    if (term === undefined) return undefined;
    const timezone = calendar.timeZoneOf(patientTimeZone);
    const frequency = knownFrequency(unitFrequency);
    const key = [timezone, frequency, term.startDate, term.endDate].join(" ");
    return remembered(grids, key, () =>
      periodGrid(calendar.periodsIn(frequency, term, window), window, timezone),
    );
  };
}
