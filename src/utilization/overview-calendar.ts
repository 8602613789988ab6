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
import {
  instantsOf,
  type InstantRange,
  localDate,
  parseTimeZone,
  type TimeZone,
  UTC,
} from "../lib/time-zone.ts";
import {
  knownWeekDay,
  periodOn,
  periodsIn,
  UNIT_FREQUENCIES,
  type UnitFrequency,
} from "./periods.ts";

interface PatientTimeZone {
  /** As stored; it may be unsupported. */
  patientTimeZone: string | null;
}

/** For each frequency, the range of instants that contains the whole period in every possible zone. */
export type RecordRanges = Record<UnitFrequency, InstantRange>;

interface Asked {
  now: Instant;
  date?: CalendarDate | undefined;
  timezone?: TimeZone | undefined;
}

/** The day, time zones and periods of an overview. */
export class OverviewCalendar {
  readonly #weekStartsOn: WeekDay;
  readonly #zoneOfOrganization: TimeZone;
  readonly #zones = new Map<string | null, TimeZone>();
  readonly #today = new Map<TimeZone, CalendarDate>();
  readonly #periods = new Map<string, DateRange>();
  readonly #windows = new Map<string, readonly DateRange[]>();

  constructor(
    private readonly asked: Asked,
    organization: Pick<OrganizationRow, "time_zone" | "week_starts_on">,
  ) {
    this.#weekStartsOn = knownWeekDay(organization.week_starts_on);
    this.#zoneOfOrganization = parseTimeZone(organization.time_zone ?? "") ?? UTC;
  }

  /** The requested zone, else the patient's if supported, else the organization's. */
  timeZoneOf(patientTimeZone: string | null): TimeZone {
    if (this.asked.timezone !== undefined) return this.asked.timezone;
    return remembered(
      this.#zones,
      patientTimeZone,
      () => parseTimeZone(patientTimeZone ?? "") ?? this.#zoneOfOrganization,
    );
  }

  /** The requested day, else today in the zone. */
  dateIn(timeZone: TimeZone): CalendarDate {
    if (this.asked.date !== undefined) return this.asked.date;
    return remembered(this.#today, timeZone, () => localDate(this.asked.now, timeZone));
  }

  /** The first and last possible date of the day in any zone: no offset from UTC reaches 24 hours. */
  possibleDays(): { from: CalendarDate; to: CalendarDate } {
    const { date } = this.asked;
    if (date !== undefined) return { from: date, to: date };
    const today = this.dateIn(UTC);
    return { from: addDays(today, -1), to: addDays(today, 1) };
  }

  /** Whether a subject is current on its patient's day. */
  isCurrent({ patientTimeZone, startDate, endDate }: DateRange & PatientTimeZone): boolean {
    const today = this.dateIn(this.timeZoneOf(patientTimeZone));
    return startDate <= today && today <= endDate;
  }

  /** The complete period of a date, not cut to an authorization's dates. */
  periodOn(frequency: UnitFrequency, date: CalendarDate): DateRange {
    return remembered(this.#periods, `${frequency} ${date}`, () =>
      periodOn(frequency, this.#weekStartsOn, ALWAYS, date),
    );
  }

  /** The complete periods that overlap a window, in order, not cut to an authorization's dates. */
  periodsIn(frequency: UnitFrequency, window: DateRange): readonly DateRange[] {
    return remembered(this.#windows, `${frequency} ${window.startDate} ${window.endDate}`, () =>
      periodsIn(frequency, this.#weekStartsOn, ALWAYS, window),
    );
  }

  /**
   * The ranges of instants in which records can count in the periods of some dates, in the zones of some patients (at
   * least one). By default, the date is the overview's day in each zone.
   */
  recordRanges(
    patients: readonly PatientTimeZone[],
    dates?: readonly CalendarDate[],
  ): RecordRanges {
    const zones = [...new Set(patients.map((one) => this.timeZoneOf(one.patientTimeZone)))];
    const rangeOf = (frequency: UnitFrequency): InstantRange => {
      const ranges = zones.flatMap((zone) =>
        (dates ?? [this.dateIn(zone)]).map((date) =>
          instantsOf(this.periodOn(frequency, date), zone),
        ),
      );
      const from = ranges.map((range) => range.from).toSorted();
      const to = ranges.map((range) => range.to).toSorted();
      return { from: from[0]!, to: to.at(-1)! };
    };
    return Object.fromEntries(
      UNIT_FREQUENCIES.map((frequency) => [frequency, rangeOf(frequency)]),
    ) as RecordRanges;
  }
}

/** Longer than any authorization. */
const ALWAYS = { startDate: FIRST_DATE, endDate: LAST_DATE };

/** `Intl` is slow to determine a zone's date, and slowest for unknown zones. */
function remembered<Key, Value>(values: Map<Key, Value>, key: Key, find: () => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = find();
    values.set(key, value);
  }
  return value;
}
