import {
  clockText,
  instantAt,
  localInstant,
  MINUTES_OF_DAY,
  minutesOf,
  parseCalendarDate,
  type Slot,
  type TimeZone,
  toInstant,
} from "../base/dates.ts";
import { clockOf, countText, dayText, timesText } from "../base/format.ts";

/** The time of a session, as it is typed. */

export interface Times {
  day: string;
  from: string;
  to: string;
}

/** When the beginning moves, the end moves along. */
export function withBeginning({ day, from, to }: Times, moved: string): Times {
  const isMoved = from !== "" && to !== "" && moved !== "";
  const end =
    (minutesOf(to) + minutesOf(moved) - minutesOf(from) + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  return { day, from: moved, to: isMoved ? clockText(end) : to };
}

/**
 * The instants of complete fields; undefined until then. A session that ends before it begins goes on after midnight,
 * and one that begins at a time that clocks leave out is as long as typed.
 */
export function instantsOf({ day, from, to }: Times, zone: TimeZone): Slot | undefined {
  const date = parseCalendarDate(day);
  if (date === undefined || from === "" || to === "") return undefined;
  const [start, end] = [minutesOf(from), endOf(from, to)];
  const startTime = instantAt(date, start, zone);
  const isThere = localInstant(date, start, zone) !== undefined;
  return {
    startTime,
    endTime: isThere
      ? instantAt(date, end, zone)
      : toInstant(Date.parse(startTime) + (end - start) * 60_000),
  };
}

/** In minutes from midnight before the beginning. */
function endOf(from: string, to: string): number {
  return minutesOf(to) + (minutesOf(to) < minutesOf(from) ? MINUTES_OF_DAY : 0);
}

/** What is asked before a session of such a time is stored; undefined where there is nothing to ask. */
export function timesQuestion(times: Times, zone: TimeZone): string | undefined {
  const { day, from, to } = times;
  const date = parseCalendarDate(day);
  const instants = instantsOf(times, zone);
  if (date === undefined || instants === undefined) return undefined;
  const [start, end] = [minutesOf(from), endOf(from, to)];
  const skipped = [start, end].find((each) => localInstant(date, each, zone) === undefined);
  if (skipped !== undefined)
    return `On ${dayText(day)}, clocks go forward, and there is no ${clockOf(skipped % MINUTES_OF_DAY)}. Is ${timesText(instants, zone)} meant?`;
  if (start === end)
    return `It begins and ends at ${clockOf(start)}. Is a session of no length meant?`;
  if (end <= MINUTES_OF_DAY) return undefined;
  const hours = Math.round((end - start) / 6) / 10;
  return `It ends at ${clockOf(end % MINUTES_OF_DAY)} on the next day, after ${countText(hours, "hour")}. Is that meant?`;
}
