import type { CalendarDate, DateRange } from "../lib/calendar-date.ts";
import { DayFinder } from "../lib/day-finder.ts";
import type { Instant } from "../lib/instant.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import type { RecordCounter } from "./counting.ts";
import type { CountedAuthorization, EncounterRecord, SessionRecord } from "./unit-counter.ts";
import {
  countsAsScheduled,
  fromMillionths,
  scheduledUnits,
  toMillionths,
  unitsOver,
} from "./units.ts";

/**
 * Counts the committed units of the periods after a day. Only periods with records are kept, since an authorization may
 * have no end.
 */
export class LaterPeriods implements RecordCounter {
  readonly #days = new DayFinder();
  readonly #billingUnits: ReadonlyMap<string, number | null>;
  /** In millionths, by the first day of the period. */
  readonly #units = new Map<CalendarDate, number>();

  constructor(
    private readonly of: {
      members: readonly CountedAuthorization[];
      after: CalendarDate;
      timezone: TimeZone;
      periodOn(date: CalendarDate): DateRange;
    },
  ) {
    this.#billingUnits = new Map(
      of.members.map(({ publicId, billingUnitMinutes }) => [publicId, billingUnitMinutes]),
    );
  }

  addEncounter({ startTime, units }: EncounterRecord): void {
    this.#add(startTime, units);
  }

  addSession({ authorizationId, startTime, endTime, status, isOpen }: SessionRecord): void {
    if (isOpen === 0 || !countsAsScheduled(status)) return;
    const billingUnitMinutes = this.#billingUnits.get(authorizationId) ?? null;
    this.#add(startTime, scheduledUnits(startTime, endTime, billingUnitMinutes));
  }

  /** The first day of the first period with more units than the limit; null if there is none. */
  firstOver(limit: number | null): CalendarDate | null {
    const over = [...this.#units]
      .filter(([, millionths]) => unitsOver(fromMillionths(millionths), limit) > 0)
      .map(([startDate]) => startDate);
    return over.toSorted()[0] ?? null;
  }

  #add(startTime: Instant, units: number): void {
    const day = this.#days.dayOf(startTime, this.of.timezone);
    if (day <= this.of.after) return;
    const { startDate } = this.of.periodOn(day);
    this.#units.set(startDate, (this.#units.get(startDate) ?? 0) + toMillionths(units));
  }
}
