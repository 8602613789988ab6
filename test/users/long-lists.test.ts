import { expect, test } from "bun:test";
import { newApiKey } from "../support/factories.ts";
import { inThisThread, newService, TestClock, TestService } from "../support/harness.ts";
import { loadPractice } from "../support/utilization/load-practice.ts";

/** Pages of users with more than 2,000 entries in their lists are expensive reads, which a worker answers. */

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

/** The operations that a worker has answered. */
const handedOver: string[] = [];
const inWorker = inThisThread(database, new TestClock());
const service = new TestService(database, {
  longWork: {
    run(task, ...more) {
      handedOver.push(task.operation.id);
      return inWorker.run(task, ...more);
    },
  },
});

test.each([
  ["users?pageSize=50", true, 2_500],
  ["users?pageSize=40", false, 2_000],
  ["users?page=2&pageSize=50", false, 0],
])("%s is an expensive read: %p", async (path, isLong, locations) => {
  handedOver.length = 0;
  const { status, body } = await service.call(`GET /api/v1/${path}`, { key });
  const { data } = body as { data: { locationIds: string[] }[] };
  expect(status).toBe(200);
  expect(data.flatMap((user) => user.locationIds)).toHaveLength(locations);
  expect(handedOver).toEqual(isLong ? ["listUsers"] : []);
});
