import type { OrganizationRow } from "../../db/schema.ts";
import { addDays, type CalendarDate } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { remembered } from "../lib/remembered.ts";
import { startOfDay, type TimeZone } from "../lib/time-zone.ts";
import { PracticeCalendar } from "../utilization/calendar.ts";
import { knownWeekDay } from "../utilization/periods.ts";
import { LOOKED_AT, Spans } from "./points.ts";

/** Sessions that go on from before the first day that is looked at began at most so many days before it. */
const DAYS_OF_LONG_SESSIONS = 30;

/** The zones, days and spans of a practice, by patient. */
export class GoalCalendar {
  readonly #calendar: PracticeCalendar;
  readonly #spans = new Map<TimeZone, Spans>();
  readonly daysInARow: number | null;

  constructor(
    readonly now: Instant,
    private readonly organization: Pick<
      OrganizationRow,
      "time_zone" | "week_starts_on" | "goal_days_in_a_row"
    >,
  ) {
    this.#calendar = new PracticeCalendar({ now }, organization);
    this.daysInARow = organization.goal_days_in_a_row;
  }

  spansOf(patientTimeZone: string | null): Spans {
    const zone = this.#calendar.timeZoneOf(patientTimeZone);
    return remembered(this.#spans, zone, () => {
      const weekStartsOn = knownWeekDay(this.organization.week_starts_on);
      return new Spans(zone, this.#calendar.dateIn(zone), weekStartsOn);
    });
  }
}

/** The first instant of which sessions are looked at, wherever the patient is. */
export function sessionsFrom(today: CalendarDate): Instant {
  return startOfDay(addDays(today, -LOOKED_AT - DAYS_OF_LONG_SESSIONS), "UTC" as TimeZone);
}
