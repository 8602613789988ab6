import { expect, test } from "bun:test";
import { newApiKey } from "../support/factories.ts";
import { inThisThread, newService, TestClock, TestService } from "../support/harness.ts";
import { loadPractice } from "../support/utilization/load-practice.ts";

/**
 * Pages of users with more than 2,000 authorizations and locations, or more than 1 MB of payors and credentials, are
 * expensive reads, which a worker answers.
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
/** Providers with entries of 10 KB. */
await loadPractice(database, "org_text", [
  { type: "organization", publicId: "org_text", name: "Maple" },
  { type: "payor", publicId: "pay_1", name: "Acme" },
  ...Array.from({ length: 100 }, (_, index) => ({
    ...{ ...person, publicId: `usr_${index + 100}` },
    credentials: [
      {
        ...{ credentialType: "BCBA", practiceArea: "ABA", credentialNumber: "1" },
        ...{ expiresAt: "2027-01-01T00:00:00.000Z", credentialStatus: "active" },
        payorCredentialing: [
          {
            ...{ publicId: "pcpay_1", payorId: "pay_1", status: "APPROVED" },
            ...{ startDate: "2026-01-01", notes: "x".repeat(10_000) },
          },
        ],
      },
    ],
  })),
] as never);
const keyOfText = await newApiKey(database, "org_text");
const key = await newApiKey(database, "org_long");

/** The operations that a worker has answered. */
const handedOver: string[] = [];
const inWorker = inThisThread(database, new TestClock());
const service = new TestService(database, {
  threads: {
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

test.each([
  [100, true],
  [90, false],
])(
  "a page of %d users with 10 KB of entries each is an expensive read: %p",
  async (pageSize, isLong) => {
    handedOver.length = 0;
    const path = `users?pageSize=${pageSize}`;
    const { status, body } = await service.call(`GET /api/v1/${path}`, { key: keyOfText });
    expect(status).toBe(200);
    expect((body as { data: unknown[] }).data).toHaveLength(pageSize);
    expect(handedOver).toEqual(isLong ? ["listUsers"] : []);
  },
);
