import { type DateRange, dateOf, offsetAt, type Slot, type TimeZone, UTC } from "./dates.ts";
import type { SupervisionEntry } from "./wire.ts";

/** Formatting of numbers, dates and times. */

const units = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });
const percent = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

export function unitsText(value: number): string {
  return units.format(value);
}

/** `1 unit`, `8 units` */
export function countText(count: number, noun: string): string {
  return `${unitsText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `12 minutes`, from two hours on `3 hours`, from two days on `3 days` */
export function durationText(minutes: number): string {
  const [count, noun] =
    minutes < 120
      ? ([minutes, "minute"] as const)
      : minutes < 2_880
        ? ([minutes / 60, "hour"] as const)
        : ([minutes / 1_440, "day"] as const);
  return countText(Math.round(count), noun);
}

/** `1.25 hours and 1 contact to book by Nov 30, 2026` */
export function neededText(
  entry: Pick<SupervisionEntry, "hoursNeeded" | "contactsNeeded" | "observationNeeded">,
  endDate: string,
): string {
  const { hoursNeeded, contactsNeeded, observationNeeded } = entry;
  const parts = [
    ...(hoursNeeded > 0 ? [countText(hoursNeeded, "hour")] : []),
    ...(contactsNeeded > 0 ? [countText(contactsNeeded, "contact")] : []),
    ...(observationNeeded ? ["an observation with a client"] : []),
  ];
  return `${parts.join(" and ")} to book by ${dateText(endDate)}`;
}

export function shareText(share: number | null): string {
  return share === null ? "–" : percent.format(share);
}

/** A format of calendar dates, and of local times as if they were UTC. */
export function inUtc(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
}

const dateFormat = inUtc({ dateStyle: "medium" });
const shortFormat = inUtc({ month: "short", day: "numeric" });
const dayFormat = inUtc({ weekday: "short", month: "short", day: "numeric" });
const weekdayFormat = inUtc({ weekday: "long" });
const timeFormat = inUtc({ timeStyle: "short" });

/** `Nov 21, 2026` */
export function dateText(date: string): string {
  return dateFormat.format(Date.parse(date));
}

/** `Nov 21` */
export function shortDateText(date: string): string {
  return shortFormat.format(Date.parse(date));
}

/** `Sat, Nov 21` */
export function dayText(date: string): string {
  return dayFormat.format(Date.parse(date));
}

/** `Nov 15 – 21`, with the years if they differ. */
export function rangeText(from: string, to: string): string {
  if (from === to) return dateText(from);
  const format = from.slice(0, 4) === to.slice(0, 4) ? shortFormat : dateFormat;
  return format.formatRange(Date.parse(from), Date.parse(to));
}

/** `Nov 15 – 21, 2026`, with the year in any case; of one day `Nov 15, 2026`. */
export function daysText({ startDate, endDate }: DateRange): string {
  return dateFormat.formatRange(Date.parse(startDate), Date.parse(endDate));
}

/** `9 AM` for the ninth hour of a day. */
export function hourText(hour: number): string {
  return `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? "AM" : "PM"}`;
}

/** `9:30 AM` for minutes from midnight. */
export function clockOf(minutes: number): string {
  return timeText(new Date(minutes * 60_000).toISOString(), UTC);
}

/** The local time of an instant, in epoch milliseconds as if it were UTC: browsers have rules of zones of their own. */
function shownAt(instant: string, zone: TimeZone): number {
  const moment = Date.parse(instant);
  return moment + offsetAt(moment, zone);
}

/** `9:30 AM` */
export function timeText(instant: string, zone: TimeZone): string {
  return timeFormat.format(shownAt(instant, zone));
}

/** `9:30 – 11:00 AM` */
export function timesText({ startTime, endTime }: Slot, zone: TimeZone): string {
  return timeFormat.formatRange(shownAt(startTime, zone), shownAt(endTime, zone));
}

/** `Eastern Time`; the name of a zone that has no other, or that is new to the browser. */
export function zoneText(zone: TimeZone): string {
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      timeZoneName: "longGeneric",
    });
    const part = format.formatToParts(0).find(({ type }) => type === "timeZoneName");
    return part === undefined || part.value.startsWith("GMT") ? zone : part.value;
  } catch {
    return zone;
  }
}

/** `Sat, Nov 21, 9:30 – 11:00 AM` */
export function whenText(slot: Slot, zone: TimeZone): string {
  return `${dayText(dateOf(slot.startTime, zone))}, ${timesText(slot, zone)}`;
}

/** How many of a list are named. */
const NAMED = 5;

/** The first five of a list, and how many more there are. */
export function firstOf(texts: readonly string[]): string[] {
  const more = texts.length - NAMED;
  return more > 0 ? [...texts.slice(0, NAMED), `and ${more} more`] : [...texts];
}

/** `Tuesday` */
export function weekdayText(date: string): string {
  return weekdayFormat.format(Date.parse(date));
}

/** When the sessions of a slot are: `Tuesdays 3:30 – 5:30 PM`; of a single one its day. */
export function slotText(sessions: readonly [Slot, ...Slot[]], zone: TimeZone): string {
  const [first] = sessions;
  if (sessions.length === 1) return whenText(first, zone);
  return `${weekdayText(dateOf(first.startTime, zone))}s ${timesText(first, zone)}`;
}

/** `(212) 555-0123` for a North American number; others unchanged. */
export function phoneText(number: string): string {
  return number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "($1) $2-$3");
}

/** A number of North America: an area code and an exchange, neither of which begins with 0 or 1. */
const NORTH_AMERICAN = /^1?([2-9]\d\d[2-9]\d{6})$/;

/**
 * A typed number as it is stored: `+12125550123` for a complete one of North America. Others stay as they are: unfinished
 * ones, and what begins with the code of another country.
 */
export function phoneValue(text: string): string {
  const typed = text.trim();
  const isForeign = typed.startsWith("+") && !/^\+[\s(]*1/.test(typed);
  if (isForeign || !/^[\d\s()+./-]*$/.test(typed)) return text;
  const [, number] = NORTH_AMERICAN.exec(typed.replaceAll(/\D/g, "")) ?? [];
  return number === undefined ? text : `+1${number}`;
}

/** The age on a day: `7 years`, below two years `14 months`. */
export function ageText(birthDate: string, day: string): string {
  const monthsTo = (date: string): number =>
    Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
  const isBeforeDay = day.slice(8) < birthDate.slice(8);
  const months = monthsTo(day) - monthsTo(birthDate) - (isBeforeDay ? 1 : 0);
  if (months < 24) return months === 1 ? "1 month" : `${months} months`;
  return `${Math.floor(months / 12)} years`;
}

/** `PATIENT_NO_SHOW` as `Patient no show`; other texts, such as a payor's own status, stay unchanged. */
export function words(constant: string): string {
  if (!/^[A-Z0-9_]+$/.test(constant)) return constant;
  const text = constant.replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The statuses of a session in the words of an office. */
export const SESSION_STATUSES = {
  CONFIRMED: "Confirmed",
  UNCONFIRMED: "Unconfirmed",
  REQUESTED_TO_CANCEL: "Cancel requested",
  DECLINED: "Cancelled",
  PATIENT_NO_SHOW: "No-show",
} as const;

/** Each status with its name, in that order. */
export const STATUS_NAMES = Object.entries(SESSION_STATUSES) as [
  keyof typeof SESSION_STATUSES,
  string,
][];
