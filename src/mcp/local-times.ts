import { parseCalendarDate } from "../lib/calendar-date.ts";
import { instantsAt, type TimeZone } from "../lib/time-zone.ts";
import { Refused } from "./api.ts";

/** Times as answers show them: `2026-11-24 09:00`, without an offset. */

const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d))?$/;

export function isLocalTime(text: string): boolean {
  const [, date] = LOCAL_TIME.exec(text) ?? [];
  return date !== undefined && parseCalendarDate(date) !== undefined;
}

/**
 * The instant of a local time in a zone. Any other text stays as it is; the API takes or refuses it.
 *
 * @param place names the argument.
 * @throws Refused for a time that a clock change leaves out or has twice.
 */
export function instantOf(text: string, zone: TimeZone, place: string): string {
  if (!isLocalTime(text)) return text;
  const [, date, minute, second = "00"] = LOCAL_TIME.exec(text) ?? [];
  const [first, other] = instantsAt(`${date}T${minute}:${second}.000`, zone);
  const refuse = (what: string) =>
    new Refused(400, `400: ${place}: ${what} in ${zone}, because of a clock change: add an offset`);
  if (first === undefined) throw refuse("Does not exist");
  if (other !== undefined) throw refuse("Occurs twice");
  return first;
}
