import { type CalendarDate, parseCalendarDate } from "../calendar-date.ts";
import { type Instant, parseInstant } from "../instant.ts";
import { remembered } from "../remembered.ts";
import { FIRST_YEAR } from "../zone-rules.ts";
import { dayOf, endOfDay, instantsAt, localDateTime, type TimeZone } from "../time-zone.ts";

/** Parses and formats dates and times as spreadsheets write them, in the practice's local time. */

/** The value of a cell, or an error message. */
export type Read<Value = string> = { value: Value } | { message: string };

/** What the dates and times of cells depend on. */
export interface Calendar {
  /** The practice's time zone, of times without an offset. */
  zone: TimeZone | undefined;
  today: CalendarDate;
  /** Whether days in numbers have the day before the month: `31/12/2026`. */
  isDayFirst?: boolean;
  /** Called with each year that was written with two digits. */
  onShortYear(year: number): void;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
/** `2026/10/1`. */
const YEAR_FIRST = /^(?<year>\d{4})([/.-])(?<month>\d{1,2})\2(?<day>\d{1,2})$/;
/** `20261001`. */
const EIGHT_DIGITS = /^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})$/;
const NUMBERS = /^(?<first>\d{1,2})([/.-])(?<second>\d{1,2})\2(?<year>\d{4}|\d{2})$/;
/** `11-Dec-26`, `11 December 2026`. */
const DAY_FIRST =
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[-\s](?<month>[a-z]{3,9})\.?[-,\s]\s*(?<year>\d{4}|\d{2})$/i;
/** `Dec 11, 2026`. */
const MONTH_FIRST =
  /^(?<month>[a-z]{3,9})\.?\s(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4}|\d{2})$/i;
const MONTHS = [
  ...["january", "february", "march", "april", "may", "june", "july"],
  ...["august", "september", "october", "november", "december"],
];
const WEEK_DAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+/i;
/** What spreadsheets and programs write behind a day that has no time. */
const MIDNIGHT =
  /(?:T|,?\s+)(?:0{1,2}:00(?::00(?:\.0{1,6})?)?(?:Z|[+-]00:00|\s(?:UTC|[+-]0000))?|12:00(?::00)?\s*AM)$/i;
const TIME_OF_DAY = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?(?:\s*([AP])\.?M?\.?)?$/i;
const HOUR_OF_DAY = /^(\d{1,2})\s*([AP])\.?M\.?$/i;
const DATE_AND_TIME = /^(.+?)(?:T|,?\s+)(\d{1,2}(?::|\s*[AP]\.?M).*)$/i;
/** `Z`, `-04:00`; databases write ` UTC` and ` -0400`. */
const HAS_OFFSET = /(?:Z|[+-]\d{2}:\d{2}|\s(?:UTC|[+-]\d{4}))$/i;
const TIME_AND_OFFSET = /^(.*?)(?:\s*(Z|[+-]\d{2}:\d{2})|\s(UTC|[+-]\d{4}))?$/i;

/** Whether the numbers of a day can only be day and month, in this order; false, only the other way round; else undefined. */
export function isDayFirst(cell: string): boolean | undefined {
  const { first = "", second = "" } = NUMBERS.exec(bareDay(cell))?.groups ?? {};
  if (first === "" || Number(first) > 12 === Number(second) > 12) return undefined;
  return Number(first) > 12;
}

/** A day without its name and without midnight. */
export function bareDay(cell: string): string {
  return cell.length > MAX_LENGTH ? cell : withoutWeekDay(cell.replace(MIDNIGHT, ""));
}

/** `11/13/2026` of `Fri, 11/13/2026`. */
export function withoutWeekDay(cell: string): string {
  return cell.replace(WEEK_DAY, "");
}

const DAY_BEFORE_MONTH = {
  message: "has the day before the month: write the dates of the file as 2026-01-31 or 1/31/2026",
};

/**
 * Parses `2026-10-01`, `10/1/2026` (month first), `11-Dec-26` or `Dec 11, 2026`; midnight behind it is nothing.
 *
 * @param isBirth whether it is a date of birth: a year of two digits is then the last such year that is not after today,
 * and of this century otherwise.
 */
export function readDate(cell: string, calendar: Calendar, isBirth: boolean): Read<CalendarDate> {
  const date = dateOf(cell, calendar, isBirth) ?? dateOf(bareDay(cell), calendar, isBirth);
  if (date !== undefined) return { value: date };
  if (calendar.isDayFirst !== true && isDayFirst(cell) === true) return DAY_BEFORE_MONTH;
  return { message: "must be a date that exists, such as 2026-10-01 or 10/1/2026" };
}

/** Longer cells are no dates and times. The expressions take too long for them. */
const MAX_LENGTH = 60;

function dateOf(text: string, calendar: Calendar, isBirth = false): CalendarDate | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (ISO_DATE.test(text)) return parseCalendarDate(text);
  const numbers = NUMBERS.exec(text)?.groups;
  const forms = [YEAR_FIRST, EIGHT_DIGITS, DAY_FIRST, MONTH_FIRST];
  const named = forms.find((form) => form.test(text))?.exec(text)?.groups;
  const {
    month = "",
    day = "",
    year = "",
  } = numbers === undefined ? (named ?? {}) : inOrder(numbers, calendar.isDayFirst);
  const dateIn = (fullYear: string) =>
    parseCalendarDate(`${fullYear}-${monthOf(month)}-${day.padStart(2, "0")}`);
  const key = calendar.isDayFirst ? `${text} day first` : text;
  if (year.length !== 2) return remembered(parsedDates, key, () => dateIn(year), MOST_PARSED);
  const century = Number(calendar.today.slice(0, 2));
  const date = dateIn(`${century}${year}`);
  const isFuture = isBirth && (date ?? `${century}${year}`) > calendar.today;
  const meant = isFuture ? dateIn(`${century - 1}${year}`) : date;
  if (meant !== undefined) calendar.onShortYear(Number(meant.slice(0, 4)));
  return meant;
}

function inOrder({ first, second, year }: Record<string, string>, isDayFirst = false) {
  return isDayFirst ? { day: first, month: second, year } : { day: second, month: first, year };
}

/** Two digits for a month's number or name, which may be shortened; not a month for other text. */
function monthOf(text: string): string {
  if (/^\d/.test(text)) return text.padStart(2, "0");
  const index = MONTHS.findIndex((name) => name.startsWith(text.toLowerCase()));
  return String(index + 1).padStart(2, "0");
}

const NO_TIME: Read = {
  message: "must be a time, such as 2026-10-01 15:30 or 10/1/2026 3:30 PM",
};

/**
 * Parses the start or end of a session that an office writes as a date and two times of day. A time of day may have an
 * offset: where a clock change repeats it, it needs one.
 */
export function readTimeOn(date: CalendarDate, timeOfDay: string, calendar: Calendar): Read {
  const read = timeOn(date, timeOfDay, calendar);
  return read === NO_TIME ? { message: "must be a time of day, such as 9:30 AM or 15:30" } : read;
}

/** Parses a date with time of day; local time of the practice, unless it has an offset. */
export function readTime(cell: string, calendar: Calendar): Read {
  if (cell.length > MAX_LENGTH) return NO_TIME;
  const [, datePart, timePart = ""] = DATE_AND_TIME.exec(cell) ?? [];
  if (datePart === undefined)
    return dateOf(cell, calendar) === undefined
      ? NO_TIME
      : { message: "is a date without a time of day, such as 2026-10-01 15:30" };
  const date = dateOf(withoutWeekDay(datePart), calendar);
  return date === undefined ? NO_TIME : timeOn(date, timePart, calendar);
}

const NO_ZONE: Read = {
  message:
    "is a local time, but the practice has no timezone: add one to organization.csv, or add Z or an offset to the time",
};

/**
 * Parses the time until when something is valid, or its last day: it is valid until the end of that day. Midnight without
 * an offset is nothing behind the day.
 */
export function readEnd(cell: string, calendar: Calendar): Read {
  const lastDay = dateOf(HAS_OFFSET.test(cell) ? cell : bareDay(cell), calendar);
  if (lastDay === undefined) return readTime(cell, calendar);
  const { zone } = calendar;
  return zone === undefined ? NO_ZONE : { value: endOfDay(lastDay, zone) };
}

/** A time of day on a date; local time of the practice, unless it has an offset. */
function timeOn(date: CalendarDate, text: string, { zone }: Calendar): Read {
  if (text.length > MAX_LENGTH) return NO_TIME;
  const [, timePart = "", written, ofDatabase] = TIME_AND_OFFSET.exec(text) ?? [];
  const offset = written ?? ofDatabase?.replace(/UTC/i, "Z").replace(/(?=\d\d$)/, ":");
  const time = timeOf(timePart);
  if (time === undefined) return NO_TIME;
  const local = `${date}T${time}`;
  if (offset !== undefined) {
    const instant = parseInstant(local + offset.toUpperCase());
    return instant === undefined ? NO_TIME : { value: instant };
  }
  if (zone === undefined) return NO_ZONE;
  if (Number(date.slice(0, 4)) < FIRST_YEAR)
    return {
      message: `is a time before ${FIRST_YEAR}, of which the page does not know the clocks`,
    };
  const read = () => onlyInstant(instantsAt(local, zone), zone);
  return remembered(readTimes, `${local} ${zone}`, read, MOST_PARSED);
}

function onlyInstant(instants: readonly Instant[], zone: TimeZone): Read {
  const [first, second] = instants;
  if (first === undefined)
    return {
      message: `does not exist in ${zone}, because the clocks go forward: add an offset`,
    };
  if (second === undefined) return { value: first };
  const offsets = [first, second].map((instant) => offsetOf(instant, zone)).join(" or ");
  return { message: `occurs twice in ${zone}, because the clocks go back: add ${offsets}` };
}

/** Texts that were parsed before: a schedule has the same days and times of day again and again. */
const parsedTimes = new Map<string, string | undefined>();
const parsedDates = new Map<string, CalendarDate | undefined>();
const readTimes = new Map<string, Read>();
const MOST_PARSED = 10_000;

/** `15:30:00.000` for `15:30`, `3:30 PM` and `3:30:00 PM`. */
function timeOf(text: string): string | undefined {
  return remembered(parsedTimes, text, () => parsedTime(text), MOST_PARSED);
}

function parsedTime(text: string): string | undefined {
  const [, wholeHour, itsHalf] = HOUR_OF_DAY.exec(text) ?? [];
  const whole = wholeHour && `${wholeHour}:00 ${itsHalf}M`;
  const [match, hourText, minute = "", second = "00", fraction = "", half] =
    TIME_OF_DAY.exec(whole ?? text) ?? [];
  if (match === undefined) return undefined;
  const shown = Number(hourText);
  if (half !== undefined && (shown < 1 || shown > 12)) return undefined;
  const hour = half === undefined ? shown : (shown % 12) + (half.toUpperCase() === "P" ? 12 : 0);
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return `${String(hour).padStart(2, "0")}:${minute}:${second}.${fraction.padEnd(3, "0")}`;
}

/**
 * Formats an instant as local time, with an offset if the local time is ambiguous; in UTC with `Z` without a zone, or if
 * the local date is outside the calendar, of years 1 to 9999.
 */
export function writeTime(instant: Instant, zone: TimeZone | undefined): string {
  if (zone === undefined) return `${shortTime(instant)}Z`;
  const local = localDateTime(instant, zone).slice(0, 23);
  const instants = instantsAt(local, zone);
  if (!instants.includes(instant)) return `${shortTime(instant)}Z`;
  return instants.length === 1 ? shortTime(local) : shortTime(local) + offsetOf(instant, zone);
}

/** Formats the time until when something is valid: the end of a day as that day, and midnight with its offset. */
export function writeEnd(instant: Instant, zone: TimeZone | undefined): string {
  const lastDay = zone && dayOf(instant, zone);
  if (lastDay && endOfDay(lastDay, zone) === instant) return lastDay;
  const time = writeTime(instant, zone);
  return zone && time.endsWith(" 00:00") ? time + offsetOf(instant, zone) : time;
}

/** `2026-10-01 15:30` for `2026-10-01T15:30:00.000`: without zero seconds. */
function shortTime(dateTime: string): string {
  const time = dateTime
    .slice(11, 23)
    .replace(/\.000$/, "")
    .replace(/:00$/, "");
  return `${dateTime.slice(0, 10)} ${time}`;
}

function offsetOf(instant: Instant, zone: TimeZone): string {
  return localDateTime(instant, zone).slice(23);
}
