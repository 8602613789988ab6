import { expect, test } from "bun:test";
import { datesIn, dayOf, demoDay, instantAt, isOpen, minutesOf } from "../../src/demo/calendar.ts";
import { addDays, type CalendarDate } from "../../src/lib/calendar-date.ts";

const date = (text: string) => text as CalendarDate;

test("the demo's day is today's date in the practice's time zone", () => {
  expect<string>(demoDay(Date.parse("2026-03-12T03:59:59.999Z"))).toBe("2026-03-11");
  expect<string>(demoDay(Date.parse("2026-03-12T04:00:00.000Z"))).toBe("2026-03-12");
});

test("weeks begin on Monday and are counted from that of today", () => {
  // A Monday, a Wednesday and a Sunday of the same week.
  for (const today of ["2026-03-09", "2026-03-11", "2026-03-15"]) {
    expect<string>(dayOf(date(today), 0)).toBe("2026-03-09");
    expect<string>(dayOf(date(today), -4)).toBe("2026-02-09");
    expect<string>(dayOf(date(today), 3, 4)).toBe("2026-04-03");
  }
});

test("the practice is closed on holidays", () => {
  const closed: string[] = [];
  for (let day = date("2026-11-01"); day < "2027-02-01"; day = addDays(day, 1))
    if (!isOpen(day)) closed.push(day);
  expect(closed).toEqual([
    ...["2026-11-26", "2026-12-24", "2026-12-25", "2026-12-31"],
    "2027-01-01",
  ]);
});

test("a time of day is minutes after midnight", () => {
  expect(["00:00", "08:45", "18:30"].map(minutesOf)).toEqual([0, 525, 1110]);
});

test("times are those of the practice, in winter and in summer", () => {
  expect<string>(instantAt(date("2026-03-06"), "09:00")).toBe("2026-03-06T14:00:00.000Z");
  expect<string>(instantAt(date("2026-03-09"), "09:00")).toBe("2026-03-09T13:00:00.000Z");
  expect<string>(instantAt(date("2026-11-02"), "18:00", 30)).toBe("2026-11-02T23:30:00.000Z");
});

test("written days and times are counted from the week of today; other texts stay", () => {
  const text = '["Tue, week -1","Sat 23:59:59.999, week 2","Tue, week","on Tue, week -1"]';
  expect(datesIn(text, date("2026-03-11"))).toBe(
    '["2026-03-03","2026-03-29T03:59:59.999Z","Tue, week","on Tue, week -1"]',
  );
});
