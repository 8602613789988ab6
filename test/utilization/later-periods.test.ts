import { expect, test } from "bun:test";
import { addDays, type CalendarDate, startOfWeek } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { UTC } from "../../src/lib/time-zone.ts";
import { LaterPeriods } from "../../src/utilization/later-periods.ts";

/** The first week over its limit behind a day: records of that day and before count nowhere. */

test.each([
  ["2026-03-07", null],
  ["2026-03-08", "2026-03-08"],
  ["2026-03-14", "2026-03-08"],
  ["2026-03-15", "2026-03-15"],
] as [CalendarDate, CalendarDate | null][])(
  "of 5 units on %s, behind Saturday, March 7: %s",
  (date, expected) => {
    const later = new LaterPeriods({
      members: [],
      after: "2026-03-07" as CalendarDate,
      timezone: UTC,
      periodOn(day) {
        const startDate = startOfWeek(day, "SUNDAY");
        return { startDate, endDate: addDays(startDate, 6) };
      },
    });
    later.addEncounter({
      authorizationId: "auth_1",
      startTime: `${date}T23:59:59.999Z` as Instant,
      units: 5,
    });
    expect([later.firstOver(4), later.firstOver(5)]).toEqual([expected, null]);
  },
);
