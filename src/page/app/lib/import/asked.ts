import { addDays, type CalendarDate } from "../base/dates.ts";
import { idMadeOf, NewIds, Practice, type Stored } from "./practice.ts";
import { type Context, SheetReader } from "./reader.ts";
import { rowsOf } from "./row.ts";
import type { Sheet } from "./sheet.ts";

/** How many days may be between two appointments that are asked for together. */
const NEARBY = 31;

const NOTHING: Stored = { lines: [], sessions: [], encounters: [] };

/** What the appointments of sheets may be of what is stored. */
export interface Asked {
  /** The days on which they are, as few spans of them. */
  spans: [first: CalendarDate, last: CalendarDate][];
  /** The ids that they have of their own, of which the stored ones may be on other days. */
  ids: string[];
}

const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** What is to be read of the practice for the appointments of sheets. */
export function askedBy(
  sheets: readonly Sheet[],
  when: Pick<Context, "zone" | "today" | "now">,
): Asked {
  const context = { ...when, practice: new Practice(NOTHING, new NewIds()), guardians: new Map() };
  const rows = sheets
    .filter(({ type }) => type === "appointments")
    .flatMap((sheet) => rowsOf(new SheetReader(sheet, context)));
  const days = new Set<CalendarDate>();
  for (const row of rows) {
    const cell = ["start", "date"]
      .map((field) => row.get(field))
      .find((text) => row.isMoment(text));
    const moment = cell && row.time("start", cell);
    const day = moment ? moment.slice(0, 10) : row.day("date");
    if (day !== undefined) days.add(day as CalendarDate);
  }
  const given = rows.map((row) => row.get("publicId")).filter((id) => id !== "");
  const ids = given.flatMap((id) => [...(ID.test(id) ? [id] : []), idMadeOf("session", id)]);
  const spans: Asked["spans"] = [];
  for (const day of [...days].sort()) {
    const last = spans.at(-1);
    if (last !== undefined && day <= addDays(last[1], NEARBY)) last[1] = day;
    else spans.push([day, day]);
  }
  // An instant may be on another day in UTC.
  return {
    spans: spans.map(([first, last]) => [addDays(first, -1), addDays(last, 1)]),
    ids: [...new Set(ids)],
  };
}
