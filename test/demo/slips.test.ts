import { expect, test } from "bun:test";
import { checkNames } from "../../src/checks/checks.ts";
import { seedDemo } from "../../src/demo/practice.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** The demo practice shows what the checks are for: each has something to find, and none too much to read. */

test.each(["2026-03-02", "2026-07-08", "2026-11-22"])(
  "each check finds a handful in the demo practice of %s",
  async (today) => {
    const service = await newService();
    const now = Date.parse(`${today}T15:00:00.000Z`);
    service.clock.set(new Date(now).toISOString());
    const organizationId = await seedDemo(service.database, now, "ana", {
      today: today as CalendarDate,
    });
    const key = await newApiKey(service.database, organizationId);
    const { body } = await service.call("GET /api/v1/checks", { key });
    const { totals } = body as { totals: Record<string, number> };
    expect(Object.keys(totals)).toEqual(checkNames);
    for (const total of Object.values(totals)) {
      expect(total).toBeGreaterThan(1);
      expect(total).toBeLessThan(25);
    }
  },
);
