import { expect, test } from "bun:test";
import { checkNames } from "../../src/checks/checks.ts";
import { seedDemo } from "../../src/demo/practice.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import { children, slips } from "../../src/demo/clinic.ts";
import { demoText, ofType, recordsOf, TODAY } from "../support/demo/demo-file.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** The demo practice shows what the checks are for: each has something to find, and none too much to read. */

interface BillingTotals {
  totals: { states: Record<string, number>; problems: Record<string, number> };
  batches: unknown[];
}

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
    const lines = (await service.call("GET /api/v1/billing-lines", { key })).body as BillingTotals;
    // Some weeks are handed over, two encounters of them were changed since, and each problem has a line.
    const { states, problems } = lines.totals;
    expect(states).toMatchObject({ CHANGED: 2 });
    expect(Object.entries(states).filter(([, number]) => number === 0)).toEqual([]);
    expect(Object.entries(problems).filter(([, number]) => number === 0)).toEqual([]);
    expect(problems["NOTHING_RECORDED"]).toBeWithin(2, 11);
    expect(lines.batches.length).toBeGreaterThan(2);
  },
);

test("one technician has no supervision in the current month; clinicians supervise beside another", () => {
  const month = TODAY.slice(0, 7);
  const records = recordsOf(demoText());
  const sessions = ofType(records, "session").filter(({ startTime }) =>
    startTime.startsWith(month),
  );
  const joint = sessions.filter((each) => each.isSupervision && each.technicianId === undefined);
  const clients = new Set(joint.map(({ clientId }) => clientId));
  const supervised = new Set(
    sessions
      .filter(({ isSupervision, clientId }) => isSupervision || clients.has(clientId))
      .map(({ technicianId }) => technicianId),
  );
  const active = ofType(records, "user").filter(
    ({ role, isActive }) => role === "TECHNICIAN" && isActive !== false,
  );
  expect(joint.length).toBeGreaterThan(0);
  const ids = active.map(({ publicId }) => publicId);
  expect(ids.filter((id) => !supervised.has(id))).toEqual(["usr_technician_000003"]);
});

test("sessions to come are booked with a technician who has left", () => {
  const records = recordsOf(demoText());
  const former = ofType(records, "user").filter(({ isActive }) => isActive === false);
  const ids = new Set(former.map(({ publicId }) => publicId));
  const booked = ofType(records, "session").filter(
    ({ technicianId = "", startTime }) => ids.has(technicianId) && startTime.slice(0, 10) > TODAY,
  );
  expect(booked.length).toBeGreaterThan(1);
});

test("every slip names a week, a day or a session that somebody has", () => {
  const known = new Set(
    Object.entries(children).flatMap(([name, { week = [] }]) => [
      name,
      ...week.flatMap(({ on, at }) =>
        on.split(" ").flatMap((day) => [`${name}, ${day}`, `${name}, ${day} ${at.slice(0, 5)}`]),
      ),
    ]),
  );
  const named = Object.values(slips)
    .flatMap(Object.keys)
    .map((words) => words.match(/^(.+), week (-?[1-5]|0)$/)?.[1] ?? words);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
