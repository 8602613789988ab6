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
  /** The dates given by the client, if any. */
  startDate: CalendarDate | undefined;
  endDate: CalendarDate | undefined;
  /** The start dates of the authorization, or of all members of the pool. */
  authorizationDates: readonly CalendarDate[];
  /** Today in the time zone of the request. */
  today: CalendarDate;
}

/**
 * The window of a utilization request, both dates included.
 *
 * By default it starts with the earliest authorization (today if there are none) and ends six weeks from today. It ends
 * one calendar year after its start at the latest, even if the client gave a later end. With defaults it can be empty,
 * with the end before the start.
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
