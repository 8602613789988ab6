import { expect, test } from "bun:test";
import fc from "fast-check";
import { handedOverNames } from "../../../src/billing/line.ts";
import { BillingLine } from "../../../src/billing/model.ts";
import { problemNames } from "../../../src/billing/problems.ts";
import { columnsOf, spreadsheetOf } from "../../../src/billing/spreadsheet.ts";
import {
  handedOver,
  inFiles,
  inParts,
  isoWeekOf,
  wayTo,
} from "../../../src/page/app/lib/billing/billing.ts";
import type { CalendarDate, DateRange } from "../../../src/page/app/lib/base/dates.ts";

/** How the page hands over lines: what is handed over, in which files, and what the batch is called. */

test("what is handed over are the fields of a line from its date on, in their order", () => {
  const line = Object.fromEntries(
    Object.keys(BillingLine.properties).map((name) => [name, name]),
  ) as never;
  expect(Object.keys(handedOver(line))).toEqual(handedOverNames);
  expect(columnsOf(line)).toEqual(["encounterId", ...handedOverNames, "problems", "state"]);
});

test("a spreadsheet has a row for each line, with lists in a cell, and nothing for null", () => {
  const line = { encounterId: "enc_1", modifiers: ["HO", "95"], units: 0, memberId: null };
  expect(spreadsheetOf(Object.keys(line), [line])).toEqual([
    ["encounterId", "modifiers", "units", "memberId"],
    ["enc_1", "HO;95", 0, null],
  ]);
});

test("files keep all lines in their order, and are as large as they may be, one line at least", () => {
  const lineOf = (publicId: string) => ({ type: "encounter", publicId });
  const sizeOf = (lines: object[]) =>
    lines.reduce((sum, line) => sum + Buffer.byteLength(JSON.stringify(line)) + 1, 0);
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 300 }),
      (ids, most) => {
        const lines = ids.map(lineOf);
        const files = inFiles(lines, most);
        expect(files.flat()).toEqual(lines);
        for (const [index, file] of files.entries()) {
          expect(file.length === 1 || sizeOf(file) <= most).toBe(true);
          const next = files[index + 1]?.[0];
          if (next !== undefined) expect(sizeOf([...file, next])).toBeGreaterThan(most);
        }
      },
    ),
  );
  const month = Array.from({ length: 15_000 }, (_, index) => ({
    ...lineOf(`enc_${index}`),
    billed: { batch: "W1", line: { text: "x".repeat(1_100) } },
  }));
  const sizes = inFiles(month).map(sizeOf);
  expect(sizes.length).toBe(5);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * 1024 * 1024);
});

test("a week has the year of its Thursday, as Temporal has it", () => {
  expect(isoWeekOf("2026-11-22" as CalendarDate)).toBe("2026-W47");
  for (let day = Temporal.PlainDate.from("2019-12-20"); day.year < 2034; day = day.add({ days: 1 }))
    expect(isoWeekOf(day.toString() as CalendarDate)).toBe(
      `${day.yearOfWeek}-W${String(day.weekOfYear).padStart(2, "0")}`,
    );
});

test("each problem is mended where it is; without a session, that is the authorization", () => {
  const line = {
    ...{ authorizationId: "auth_1", patientId: "usr_1", renderedById: "usr_2" },
    startTime: "2026-11-02T09:00:00.000Z",
  } as BillingLine;
  const ways = (of: BillingLine) =>
    Object.fromEntries(problemNames.map((name) => [name, wayTo(name, of)?.join("/")]));
  const [ofAuthorization, ofProvider] = ["utilization/auth_1", "people/usr_2"];
  const expected = {
    ...{ NO_SESSION: ofAuthorization, DELIVERED_UNHELD: undefined, DELIVERED_TWICE: undefined },
    ...{ OUTSIDE_AUTHORIZATION: undefined, CREDENTIALS_ENDED: ofProvider },
    ...{ OVER_AUTHORIZED: ofAuthorization, NO_PAYOR: ofAuthorization },
    ...{ NO_COVERAGE: "people/usr_1", NO_CODE: "practice", NO_PROVIDER: undefined },
    ...{ NO_NPI: ofProvider, UNITS_DIFFER: undefined, NO_UNITS: undefined },
    NOTHING_RECORDED: undefined,
  };
  expect(ways(line)).toEqual(expected);
  expect(ways({ ...line, startTime: null })).toEqual({
    ...expected,
    ...{ DELIVERED_UNHELD: ofAuthorization, DELIVERED_TWICE: ofAuthorization },
    ...{ OUTSIDE_AUTHORIZATION: ofAuthorization, NO_PROVIDER: ofAuthorization },
    UNITS_DIFFER: ofAuthorization,
    ...{ NO_UNITS: ofAuthorization, NOTHING_RECORDED: ofAuthorization },
  });
});

test("many lines are read in parts of their window, which are all of its days, each once", () => {
  const november = { startDate: "2026-11-01", endDate: "2026-11-30" } as DateRange;
  const daysOf = (parts: DateRange[]) =>
    parts.map(({ startDate, endDate }) => `${startDate.slice(8)}-${endDate.slice(8)}`);
  expect(daysOf(inParts(november, 0, 1000))).toEqual(["01-30"]);
  expect(daysOf(inParts(november, 1000, 1000))).toEqual(["01-30"]);
  expect(daysOf(inParts(november, 1001, 1000))).toEqual(["01-29", "30-30"]);
  expect(daysOf(inParts(november, 3000, 1000))).toEqual(["01-10", "11-20", "21-30"]);
  expect(inParts(november, 15_000, 1000)).toHaveLength(15);
  expect(daysOf(inParts(november, 1_000_000, 1000))).toHaveLength(30);
});
