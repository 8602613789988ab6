import {
  addDays,
  type CalendarDate,
  type DateRange,
  dateOf,
  daysBetween,
  instantAt,
  minutesOfDay,
  rangeOf,
  type Slot,
  type TimeZone,
  toInstant,
} from "./dates.ts";

/** Days in a time zone, and slots that move along them. */
export interface Span {
  first: CalendarDate;
  count: number;
  zone: TimeZone;
}

/** The days from the first on which one of some slots begins to the last on which one ends; there is at least one. */
export function daysOf(slots: readonly Slot[], zone: TimeZone): Span {
  const days = slots.flatMap((slot) => [slot.startTime, slot.endTime]);
  const { startDate, endDate } = rangeOf(days.map((each) => dateOf(each, zone))) as DateRange;
  return { first: startDate, count: daysBetween(startDate, endDate) + 1, zone };
}

/** A slot that begins so much later or earlier, in minutes and days of the zone; as long as it was. */
export function moved(
  { startTime, endTime }: Slot,
  { minutes, days }: { minutes: number; days: number },
  zone: TimeZone,
): Slot {
  const day = addDays(dateOf(startTime, zone), days);
  const start = instantAt(day, minutesOfDay(startTime, zone) + minutes, zone);
  const length = Date.parse(endTime) - Date.parse(startTime);
  return { startTime: start, endTime: toInstant(Date.parse(start) + length) };
}
