import { expect, test } from "bun:test";
import { newApiKey } from "../support/factories.ts";
import { newService, TestService } from "../support/harness.ts";
import { loadPractice } from "../support/utilization/load-practice.ts";

/**
 * Pages of users with more than 2,000 entries in their lists are expensive reads: a key runs a few of them at a time,
 * and others are answered meanwhile.
 */

const { database } = await newService();
const locationIds = Array.from({ length: 50 }, (_, index) => `loc_${index + 100}`);
const person = { type: "user", role: "CLINICIAN", firstName: "Noor", lastName: "Haddad" };
await loadPractice(database, "org_long", [
  { type: "organization", publicId: "org_long", name: "Maple" },
  ...locationIds.map((publicId) => ({ type: "location", publicId, name: "Clinic" })),
  ...Array.from({ length: 50 }, (_, index) => ({
    ...{ ...person, publicId: `usr_${index + 10}`, locationIds },
  })),
  { ...person, publicId: "usr_last" },
] as never);
const key = await newApiKey(database, "org_long");

/** Whether each read of a request was long. */
const reads: boolean[] = [];
const service = new TestService({
  ...database,
  read: (work, options) => {
    reads.push(options?.isLong === true);
    return database.read(work, options);
  },
});

test.each([
  ["users?pageSize=50", true, 2_500],
  ["users?pageSize=40", false, 2_000],
  ["users?page=2&pageSize=50", false, 0],
])("%s is an expensive read: %p", async (path, isLong, locations) => {
  reads.length = 0;
  const { status, body } = await service.call(`GET /api/v1/${path}`, { key });
  const { data } = body as { data: { locationIds: string[] }[] };
  expect(status).toBe(200);
  expect(data.flatMap((user) => user.locationIds)).toHaveLength(locations);
  expect(reads.includes(true)).toBe(isLong);
});
