import {
  addDays,
  addYears,
  earlier,
  type CalendarDate,
  type DateRange,
} from "../lib/calendar-date.ts";

/** Six weeks. */
const DEFAULT_DAYS_AHEAD = 42;

export interface WindowRequest {
  /** The dates that the client gave, if any. */
  startDate: CalendarDate | undefined;
  endDate: CalendarDate | undefined;
  /** First days of what was asked for: the one authorization's, or those of all members of a pool. */
  authorizationDates: readonly CalendarDate[];
  /** Today in the time zone of the request. */
  today: CalendarDate;
}

/**
 * The window of a utilization request, both dates included.
 *
 * It starts where the authorizations do, or today if there are none, and ends six weeks from today, unless
 * the client says otherwise. It ends on the same calendar date a year after its start at the latest,
 * whoever chose its end. A default can leave it empty, with the end before the start.
 *
 *     startDate 2024-02-29, endDate 2030-01-01              → 2024-02-29 … 2025-02-28
 *     authorized from 2026-01-07, today 2026-02-10          → 2026-01-07 … 2026-03-24
 *     authorized from 2026-01-07, endDate 2025-12-31        → 2026-01-07 … 2025-12-31, empty
 */
export function utilizationWindow(request: WindowRequest): DateRange {
  const { authorizationDates, today } = request;
  const startDate =
    request.startDate ??
    (authorizationDates.length > 0 ? authorizationDates.reduce(earlier) : today);
  const endDate = request.endDate ?? addDays(today, DEFAULT_DAYS_AHEAD);
  return { startDate, endDate: earlier(endDate, addYears(startDate, 1)) };
}
