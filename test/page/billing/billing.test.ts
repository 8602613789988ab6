import { expect, test } from "bun:test";
import fc from "fast-check";
import { handedOverNames } from "../../../src/billing/line.ts";
import { BillingLine } from "../../../src/billing/model.ts";
import { batchSheet, columnsOf, spreadsheetOf } from "../../../src/billing/spreadsheet.ts";
import {
  handedOver,
  inFiles,
  inParts,
  isoWeekOf,
  leftAsBilled,
  linesOfBatch,
  offeredBatch,
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

test("a void hands over the claim that stands, with no units; what is left as billed is no claim", () => {
  const claim = {
    batch: "W1",
    at: "2026-01-01",
    takenBackAt: null,
    line: { units: 4, payorId: "a" },
  };
  const line = {
    ...{ encounterId: "enc_1", units: 4, payorId: "b", claimFrequencyCode: "8" },
    ...{ replacesBatch: "W1", replacesUnits: 4, problems: [], state: "CHANGED" },
    ...{ changedFields: [], billed: [claim, { ...claim, batch: null, line: { units: 1 } }] },
  } as never;
  const code = { claimFrequencyCode: "8", replacesBatch: "W1", replacesUnits: 4 };
  expect(handedOver(line)).toEqual({ units: 0, payorId: "a", ...code });
  const none = { claimFrequencyCode: null, replacesBatch: null, replacesUnits: null };
  expect(leftAsBilled(line).at(-1)).toEqual({
    batch: null,
    line: { units: 4, payorId: "b", ...none },
  } as never);
});

test("a batch is taken back but for lines that were handed over again, or left as billed, since", () => {
  const one = (batch: string | null, takenBackAt: string | null = null) => ({ batch, takenBackAt });
  const lines = [
    { billed: [one("W1")] },
    { billed: [one("W1"), one("W2", "2026-01-03T00:00:00.000Z")] },
    { billed: [one("W1"), one("W2")] },
    { billed: [one("W1"), one(null)] },
    { billed: [one("W1", "2026-01-03T00:00:00.000Z")] },
    { billed: [one("W1", "2026-01-03T00:00:00.000Z"), one("W2")] },
  ] as never[];
  expect(linesOfBatch("W1", lines)).toEqual({ own: lines.slice(0, 2), later: 2 });
});

test("a batch is offered under a name that is none yet", () => {
  const names = ["2026-W47 Sunrise", "2026-W47 Sunrise 2"];
  expect(offeredBatch(["2026-W47", undefined], names)).toBe("2026-W47");
  expect(offeredBatch(["2026-W47", "Sunrise"], names.slice(0, 1))).toBe(names[1] as string);
  expect(offeredBatch(["2026-W47", "Sunrise"], names)).toBe("2026-W47 Sunrise 3");
});

test("the file of a batch has a row for each of its hand-overs, in the order of what was handed over", () => {
  const of = (date: string, patientLastName: string, patientFirstName = "Z") => ({
    ...{ date, patientLastName, patientFirstName },
  });
  const rows = batchSheet(["encounterId", "date", "patientLastName"], "W1", [
    { encounterId: "enc_3", billed: [{ batch: "W1", line: of("2026-01-02", "A") }] },
    {
      encounterId: "enc_2",
      billed: [{ batch: "W2" }, { batch: "W1", line: of("2026-01-01", "B") }],
    },
    { encounterId: "enc_1", billed: [{ batch: "W1", line: of("2026-01-01", "a") }] },
    { encounterId: "enc_4", billed: [{ batch: "W1", line: null }, { batch: "W1" }] },
    { encounterId: "enc_5", billed: [{ batch: null, line: of("2026-01-01", "A") }] },
    { encounterId: "enc_6", billed: [{ batch: "W1", line: of("2026-01-01", "a", "Y") }] },
  ] as never);
  expect(rows).toEqual([
    ["encounterId", "date", "patientLastName"],
    ...[
      ["enc_4", null, null],
      ["enc_4", null, null],
    ],
    ...[
      ["enc_2", "2026-01-01", "B"],
      ["enc_6", "2026-01-01", "a"],
      ["enc_1", "2026-01-01", "a"],
      ["enc_3", "2026-01-02", "A"],
    ],
  ]);
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
