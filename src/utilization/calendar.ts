import type { OrganizationRow } from "../../db/schema.ts";
import {
  addDays,
  type CalendarDate,
  type DateRange,
  FIRST_DATE,
  LAST_DATE,
  type WeekDay,
} from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { remembered } from "../lib/remembered.ts";
import { localDate, parseTimeZone, type TimeZone, UTC } from "../lib/time-zone.ts";
import {
  isEmpty,
  knownWeekDay,
  overlap,
  periodOn,
  periodsIn,
  type UnitFrequency,
} from "./periods.ts";

interface PatientTimeZone {
  /** As stored; it may be unsupported. */
  patientTimeZone: string | null;
}

interface CalendarRequest {
  now: Instant;
  date?: CalendarDate | undefined;
  timezone?: TimeZone | undefined;
}

/**
 * The days, time zones and periods of a practice, for reports about many patients. All are remembered: `Intl` is slow to
 * determine a zone's date, and slowest for unknown zones.
 */
export class PracticeCalendar {
  readonly #weekStartsOn: WeekDay;
  readonly #zoneOfOrganization: TimeZone;
  readonly #zones = new Map<string | null, TimeZone>();
  readonly #today = new Map<TimeZone, CalendarDate>();
  readonly #periods = new Map<string, DateRange>();
  readonly #windows = new Map<string, readonly DateRange[]>();

  constructor(
    private readonly request: CalendarRequest,
    organization: Pick<OrganizationRow, "time_zone" | "week_starts_on">,
  ) {
    this.#weekStartsOn = knownWeekDay(organization.week_starts_on);
    this.#zoneOfOrganization = parseTimeZone(organization.time_zone ?? "") ?? UTC;
  }

  /** The requested zone, else the patient's if supported, else the organization's. */
  timeZoneOf(patientTimeZone: string | null): TimeZone {
    if (this.request.timezone !== undefined) return this.request.timezone;
    return remembered(
      this.#zones,
      patientTimeZone,
      () => parseTimeZone(patientTimeZone ?? "") ?? this.#zoneOfOrganization,
    );
  }

  /** The requested day, else today in the zone. */
  dateIn(timeZone: TimeZone): CalendarDate {
    if (this.request.date !== undefined) return this.request.date;
    return remembered(this.#today, timeZone, () => localDate(this.request.now, timeZone));
  }

  /** The first and last possible date of the day in any zone: no offset from UTC reaches 24 hours. */
  possibleDays(): { from: CalendarDate; to: CalendarDate } {
    const { date } = this.request;
    if (date !== undefined) return { from: date, to: date };
    const today = this.dateIn(UTC);
    return { from: addDays(today, -1), to: addDays(today, 1) };
  }

  /** Whether a subject is current on its patient's day. */
  isCurrent({ patientTimeZone, startDate, endDate }: DateRange & PatientTimeZone): boolean {
    const today = this.dateIn(this.timeZoneOf(patientTimeZone));
    return startDate <= today && today <= endDate;
  }

  /** The period of a term that includes a date. */
  periodOn(frequency: UnitFrequency, term: DateRange, date: CalendarDate): DateRange {
    const complete = remembered(this.#periods, `${frequency} ${date}`, () =>
      periodOn(frequency, this.#weekStartsOn, ALWAYS, date),
    );
    return overlap(complete, term);
  }

  /** The periods of a term that overlap a window, in order, cut to the term. */
  periodsIn(frequency: UnitFrequency, term: DateRange, window: DateRange): DateRange[] {
    const { startDate, endDate } = window;
    const complete = remembered(this.#windows, `${frequency} ${startDate} ${endDate}`, () =>
      periodsIn(frequency, this.#weekStartsOn, ALWAYS, window),
    );
    return complete
      .map((period) => overlap(period, term))
      .filter((period) => !isEmpty(overlap(period, window)));
  }
}

/** Longer than any authorization. */
const ALWAYS = { startDate: FIRST_DATE, endDate: LAST_DATE };
