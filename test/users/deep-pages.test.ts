import { expect, test } from "bun:test";
import { sql } from "kysely";
import type { Role } from "../../src/callers/roles.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { onPostgresql } from "../support/postgresql/databases.ts";

/** Deep pages are located by counts per month. They must equal the pages of the sorted list. */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);

const moments = [
  "2025-11-30T23:59:59.999Z",
  "2025-12-01T00:00:00.000Z",
  "2026-02-28T12:00:00.000Z",
];
const roles = ["TECHNICIAN", "CAREGIVER", "CAREGIVER", "CAREGIVER"] as const;

const users = await Promise.all(
  Array.from({ length: 1_800 }, async (_, index) => {
    const user = {
      role: roles[index % roles.length] as Role,
      is_active: index % 10 === 0 ? (0 as const) : (1 as const),
      created_at: moments[index % moments.length] as Instant,
    };
    return { ...user, id: await newUser(database, organization, user) };
  }),
);
// As the server does within a minute: until then, a plan may read all users for each one of a page.
if (onPostgresql)
  await database.write((trx) => sql`analyze users`.execute(trx), { organizationId: organization });
users.sort((a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id));

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

type User = (typeof users)[number];

const filters: [string, (user: User) => boolean][] = [
  ["", () => true],
  ["&role=CAREGIVER", ({ role }) => role === "CAREGIVER"],
  ["&isActive=true", ({ is_active }) => is_active === 1],
  [
    "&role=CAREGIVER&isActive=true",
    ({ role, is_active }) => role === "CAREGIVER" && is_active === 1,
  ],
];

type Compare = (a: User, b: User) => number;

const orders: [string, Compare][] = [
  ["", () => 0],
  ["&sort=createdAt_desc", (a, b) => compare(b.created_at, a.created_at) || compare(a.id, b.id)],
  // All have the same name.
  ["&sort=lastName_desc", (a, b) => compare(a.id, b.id)],
  ["&sort=updatedAt_desc", (a, b) => compare(a.id, b.id)],
];

const lists = orders.flatMap(([sort, compareUsers]) =>
  filters.map(([filter, isListed]) => [`${filter}${sort}`, isListed, compareUsers] as const),
);

test.each(lists)(
  "every page of GET /v1/users%s equals the sorted list",
  async (query, isListed, compareUsers) => {
    const expected = users.filter(isListed).toSorted(compareUsers);
    expect(expected.length).toBeGreaterThan(1_100);
    for (let page = 1; page <= Math.ceil(expected.length / 100) + 1; page++) {
      const { body } = await service.call(`GET /api/v1/users?pageSize=100&page=${page}${query}`, {
        key,
      });
      const { data, pagination } = body as {
        data: { publicId: string }[];
        pagination: { totalCount: number };
      };
      expect(data.map(({ publicId }) => publicId)).toEqual(
        expected.slice((page - 1) * 100, page * 100).map(({ id }) => id),
      );
      expect(pagination.totalCount).toBe(expected.length);
    }
  },
);
