import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../src/lib/instant.ts";
import { startOfDay, endOfDay, type TimeZone } from "../../src/lib/time-zone.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import { newApiKey, newOrganization, newSession } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { addPeopleAndPlaces } from "../support/sessions/practice.ts";

/** `GET /v1/sessions?goesOn=true`: also what began before the first day and goes on as it begins. */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const other = await newOrganization(database);
const key = await newApiKey(database, organization);
await addPeopleAndPlaces(database, organization);
await addPeopleAndPlaces(database, other);

const HOUR = 3_600_000;
const first = Date.parse("2026-02-20T00:00:00.000Z");

interface Stored {
  publicId: string;
  startTime: string;
  endTime: string;
  status: "CONFIRMED" | "DECLINED";
  technicianId: string | null;
}

/** Sessions of no length to some of years, many of which begin and end at a midnight of UTC or of New York. */
const drawn = fc.sample(
  fc.record({
    hour: fc.integer({ min: 0, max: 24 * 30 }),
    hours: fc.oneof(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 4, max: 200 }),
      fc.constantFrom(24, 48, 24 * 365 * 3),
    ),
    status: fc.constantFrom("CONFIRMED", "DECLINED"),
    technicianId: fc.constantFrom("usr_tech", null),
  }),
  { numRuns: 600, seed: 39 },
);
const stored: Stored[] = [];
for (const { hour, hours, status, technicianId } of drawn) {
  const startTime = new Date(first + hour * HOUR).toISOString();
  const endTime = new Date(first + (hour + hours) * HOUR).toISOString();
  const row = {
    ...{ start_time: startTime as Instant, end_time: endTime as Instant },
    ...{ status, technician_id: technicianId, location_id: "loc_main" },
    ...{ is_billable: 0 as const, non_billable_code_id: "nbc_meeting" },
  };
  const publicId = await newSession(database, organization, row);
  await newSession(database, other, row);
  stored.push({ publicId, startTime, endTime, status, technicianId } as Stored);
}

interface Query {
  startDate: string;
  endDate?: string;
  timezone?: string;
  status?: string;
  technicianId?: string;
  sort?: string;
}

/** The ids that a query finds, by the definition. */
function expected(query: Query): string[] {
  const zone = (query.timezone ?? "UTC") as TimeZone;
  const from = startOfDay(query.startDate as CalendarDate, zone);
  const to = query.endDate && endOfDay(query.endDate as CalendarDate, zone);
  const way = query.sort === "startTime_desc" ? -1 : 1;
  return stored
    .filter(
      ({ startTime, endTime }) =>
        (startTime < from && endTime > from) ||
        (startTime >= from && (to === undefined || startTime <= to)),
    )
    .filter(({ status }) => query.status === undefined || query.status.split(",").includes(status))
    .filter(({ technicianId }) => query.technicianId === undefined || technicianId === "usr_tech")
    .toSorted((a, b) => way * compare(a.startTime, b.startTime) || compare(a.publicId, b.publicId))
    .map(({ publicId }) => publicId);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function read(query: Query, page: number, pageSize: number) {
  const text = new URLSearchParams({
    ...query,
    goesOn: "true",
    page: `${page}`,
    pageSize: `${pageSize}`,
  });
  const { status, body } = await service.call(`GET /api/v1/sessions?${text}`, { key });
  expect(status).toBe(200);
  const { data, pagination } = body as {
    data: { publicId: string }[];
    pagination: { totalCount: number };
  };
  return { ids: data.map(({ publicId }) => publicId), total: pagination.totalCount };
}

const queries: Query[] = [
  "2026-02-20",
  "2026-02-27",
  "2026-03-09",
  "2026-03-23",
  "2027-07-01",
].flatMap((startDate) => [
  { startDate },
  { startDate, endDate: startDate },
  { startDate, endDate: startDate, sort: "startTime_desc" },
  { startDate, timezone: "America/New_York" },
  { startDate, timezone: "Asia/Kolkata", sort: "startTime_desc" },
  { startDate, endDate: startDate, technicianId: "usr_tech", timezone: "America/New_York" },
  { startDate, status: "DECLINED" },
  { startDate, status: "CONFIRMED,DECLINED", technicianId: "usr_tech" },
]);

test.each(queries)("%j finds what goes on and what starts, on every page", async (query) => {
  const all = expected(query);
  for (const pageSize of [7, 100]) {
    const pages = Math.ceil(all.length / pageSize);
    for (const page of new Set([1, 2, Math.ceil(pages / 2), pages, pages + 1].filter((n) => n > 0)))
      expect(await read(query, page, pageSize)).toEqual({
        ids: all.slice((page - 1) * pageSize, page * pageSize),
        total: all.length,
      });
  }
});

test("some of these go on, and none do without goesOn", async () => {
  const query = { startDate: "2026-03-09", endDate: "2026-03-09" };
  const starting = stored.filter(({ startTime }) => startTime.startsWith("2026-03-09"));
  expect(expected(query).length).toBeGreaterThan(starting.length + 20);
  for (const more of ["", "&goesOn=false"]) {
    const path = `/api/v1/sessions?startDate=2026-03-09&endDate=2026-03-09${more}`;
    const { body } = await service.call(`GET ${path}`, { key });
    expect((body as { pagination: object }).pagination).toMatchObject({
      totalCount: starting.length,
    });
  }
});

describe("needs startDate:", () => {
  test.each(["goesOn=true", "goesOn=true&endDate=2026-03-09"])("%s", async (query) => {
    const { status, body } = await service.call(`GET /api/v1/sessions?${query}`, { key });
    const issue = { code: "custom" as const, message: "Needs startDate", path: ["goesOn"] };
    expect([status, body]).toEqual([400, validationBody(issue)]);
  });

  test("but goesOn=false, the default, does not", async () => {
    const { status } = await service.call("GET /api/v1/sessions?goesOn=false", { key });
    expect(status).toBe(200);
  });
});

test("the audit row names the patients of sessions that go on", async () => {
  await newSession(database, organization, {
    ...{ public_id: "apt_camp", client_id: "usr_leo", location_id: "loc_main" },
    ...{
      start_time: "2031-07-01T08:00:00.000Z" as Instant,
      end_time: "2031-07-12T08:00:00.000Z" as Instant,
    },
  });
  const path = "/api/v1/sessions?startDate=2031-07-09&endDate=2031-07-09&goesOn=true&pageSize=1";
  const { body } = await service.call(`GET ${path}`, { key });
  expect(body).toMatchObject({ data: [{ publicId: "apt_camp" }] });
  const entry = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select("patient_ids")
      .where("organization_id", "=", organization)
      .orderBy("sequence", "desc")
      .executeTakeFirst(),
  );
  expect(entry?.patient_ids).toBe(JSON.stringify(["usr_leo"]));
});
