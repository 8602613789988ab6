import { expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { sessionStatuses } from "../../src/sessions/model.ts";
import { newApiKey, newOrganization, newSession } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { addPeopleAndPlaces } from "../support/sessions/practice.ts";

/**
 * Deep pages are located by counts per day. They must equal the pages of the sorted list.
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
await addPeopleAndPlaces(database, organization);

/**
 * Six days in three months, each with 300 sessions and few distinct starts, so that ids decide the
 * order; then more days with one session each than are read at a time.
 */
const days = ["2025-12-30", "2025-12-31", "2026-01-01", "2026-01-31", "2026-03-01", "2026-03-02"];
const starts = [
  ...days.flatMap((day, index) =>
    Array.from(
      { length: 300 + index },
      (_, hour) => `${day}T${String(hour % 24).padStart(2, "0")}:00:00.000Z`,
    ),
  ),
  ...Array.from({ length: 300 }, (_, day) =>
    new Date(Date.UTC(2026, 3, 1 + day, 12)).toISOString(),
  ),
];
const statusOf = (index: number) => sessionStatuses[index % 7] ?? "CONFIRMED";
const ids = await Promise.all(
  starts.map((start, index) =>
    newSession(database, organization, {
      status: statusOf(index),
      start_time: start as Instant,
      end_time: start as Instant,
      location_id: "loc_main",
      service_line_id: "svc_97153",
    }),
  ),
);

const listed = ids
  .map((publicId, index) => ({
    publicId,
    startTime: starts[index] as string,
    status: statusOf(index),
  }))
  .sort((a, b) => compare(a.startTime, b.startTime) || compare(a.publicId, b.publicId));

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function read(query: string): Promise<{ ids: string[]; total: number }> {
  const { body } = await service.call(`GET /api/v1/sessions?${query}`, { key });
  const { data, pagination } = body as {
    data: { publicId: string }[];
    pagination: { totalCount: number };
  };
  return { ids: data.map(({ publicId }) => publicId), total: pagination.totalCount };
}

type Listed = (typeof listed)[number];

/**
 * Instants of midnight in New York's winter and in India, where the first page begins within a UTC
 * day.
 */
const inNewYork = (time: string) => `${time}T05:00:00.000Z`;
const inIndia = (time: string) => `${time}T18:30:00.000Z`;

const filters: [string, (day: string, session: Listed) => boolean][] = [
  ["", () => true],
  ["&startDate=2025-12-31", (day) => day >= "2025-12-31"],
  ["&endDate=2026-03-01", (day) => day <= "2026-03-01"],
  ["&startDate=2025-12-31&endDate=2026-03-01", (day) => day >= "2025-12-31" && day <= "2026-03-01"],
  ["&startDate=2026-02-01", (day) => day >= "2026-02-01"],
  [
    "&startDate=2025-12-30&endDate=2026-03-01&timezone=America/New_York",
    (_, { startTime }) =>
      startTime >= inNewYork("2025-12-30") && startTime < inNewYork("2026-03-02"),
  ],
  [
    "&startDate=2025-12-31&timezone=Asia/Kolkata",
    (_, { startTime }) => startTime >= inIndia("2025-12-30"),
  ],
  [
    "&endDate=2026-03-01&timezone=Asia/Kolkata",
    (_, { startTime }) => startTime < inIndia("2026-03-01"),
  ],
  ["&status=CONFIRMED", (_, { status }) => status === "CONFIRMED"],
  [
    "&status=REQUESTED_TO_CANCEL,CONFIRMED,DECLINED",
    (_, { status }) => ["REQUESTED_TO_CANCEL", "CONFIRMED", "DECLINED"].includes(status),
  ],
  [
    "&status=CONFIRMED,DECLINED&startDate=2025-12-31&timezone=America/New_York",
    (_, { status, startTime }) =>
      ["CONFIRMED", "DECLINED"].includes(status) && startTime >= inNewYork("2025-12-31"),
  ],
];

const latestFirst = listed.toSorted(
  (a, b) => compare(b.startTime, a.startTime) || compare(a.publicId, b.publicId),
);
const orders: [string, Listed[]][] = [
  ["", listed],
  ["&sort=startTime_desc", latestFirst],
];
const lists = orders.flatMap(([sort, sessions]) =>
  filters.map(([filter, isListed]) => [`${filter}${sort}`, isListed, sessions] as const),
);

test.each(lists)(
  "every page of GET /v1/sessions%s equals the sorted list",
  async (filter, isListed, sessions) => {
    const expected = sessions.filter((session) =>
      isListed(session.startTime.slice(0, 10), session),
    );
    const pages = Math.ceil(expected.length / 100);
    for (let page = 1; page <= pages + 1; page++)
      expect(await read(`pageSize=100&page=${page}${filter}`)).toEqual({
        ids: expected.slice((page - 1) * 100, page * 100).map(({ publicId }) => publicId),
        total: expected.length,
      });
  },
);

test("the last possible page number gives an empty page", async () => {
  expect(await read("page=1000000")).toEqual({ ids: [], total: listed.length });
});
