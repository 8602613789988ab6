import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  daysOf,
  type Instant,
  moved,
  type TimeZone,
} from "../../../src/page/app/lib/base/dates.ts";
import { runs } from "../../support/runs.ts";
import { localAt, momentOf } from "../../support/lib/zoned.ts";

/** Days of sessions, and sessions that are moved along them. */

const slot = (startTime: string, endTime: string) => ({
  startTime: startTime as Instant,
  endTime: endTime as Instant,
});
const zone = "America/New_York" as TimeZone;

test("the days of sessions are those of the zone, to the last end, over midnight too", () => {
  const evening = slot("2026-11-25T03:00:00.000Z", "2026-11-25T05:30:00.000Z");
  expect(daysOf([evening], zone) as unknown).toEqual({
    ...{ startDate: "2026-11-24", endDate: "2026-11-25" },
  });
  const later = slot("2026-11-27T15:00:00.000Z", "2026-11-27T16:00:00.000Z");
  expect(daysOf([later, evening], zone) as unknown).toEqual({
    ...{ startDate: "2026-11-24", endDate: "2026-11-27" },
  });
  expect(daysOf([later], zone) as unknown).toEqual({
    ...{ startDate: "2026-11-27", endDate: "2026-11-27" },
  });
});

test("a moved session begins at the local time that Temporal says, and is as long as it was", () => {
  const zones = ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "UTC"];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 3 * 365 * 24 * 4 }),
      fc.integer({ min: 0, max: 96 }),
      fc.integer({ min: -48, max: 48 }),
      fc.integer({ min: -7, max: 7 }),
      (name, quarter, length, steps, days) => {
        const start = Date.UTC(2026, 0, 1) + quarter * 15 * 60_000;
        const end = start + length * 15 * 60_000;
        const before = slot(new Date(start).toISOString(), new Date(end).toISOString());
        const after = moved(before, { minutes: steps * 15, days }, name as TimeZone);
        const local = localAt(start, name);
        const wanted = local
          .toPlainDate()
          .add({ days })
          .toPlainDateTime()
          .add({ minutes: local.hour * 60 + local.minute + steps * 15 });
        // Of a time that there is twice the first is taken, and one that is left out moves forward.
        const moment = momentOf(wanted, name);
        expect([Date.parse(after.startTime), Date.parse(after.endTime)]).toEqual([
          moment,
          moment + end - start,
        ]);
      },
    ),
    { numRuns: runs(500) },
  );
});
