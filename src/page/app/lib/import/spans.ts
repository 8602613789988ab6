import { addDays, type CalendarDate } from "../base/dates.ts";
import { NewIds, Practice, type Stored } from "./practice.ts";
import { type Context, SheetReader } from "./reader.ts";
import { rowsOf } from "./row.ts";
import type { Sheet } from "./sheet.ts";

/** How many days may be between two appointments that are asked for together. */
const NEARBY = 31;

const NOTHING: Stored = { lines: [], sessions: [], encounters: [] };

/** The days from which sheets have appointments, as few spans of them. */
export function spansOf(
  sheets: readonly Sheet[],
  when: Pick<Context, "zone" | "today" | "now">,
): [first: CalendarDate, last: CalendarDate][] {
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
  const spans: [CalendarDate, CalendarDate][] = [];
  for (const day of [...days].sort()) {
    const last = spans.at(-1);
    if (last !== undefined && day <= addDays(last[1], NEARBY)) last[1] = day;
    else spans.push([day, day]);
  }
  // An instant may be on another day in UTC.
  return spans.map(([first, last]) => [addDays(first, -1), addDays(last, 1)]);
}
