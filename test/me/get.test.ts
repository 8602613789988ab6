import { describe, expect, test } from "bun:test";
import { type Role, roles } from "../../src/callers/roles.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import { issueKey, newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** GET /v1/me: the organization and the key of the request. */

const path = "/api/v1/me";
const service = await newService();
const { database } = service;
const organization = await newOrganization(database, {
  public_id: "org_maple",
  name: "Maple Clinic",
  time_zone: "America/New_York",
  week_starts_on: "MONDAY",
});

const maple = {
  publicId: "org_maple",
  name: "Maple Clinic",
  timezone: "America/New_York",
  weekStartsOn: "MONDAY",
};

describe("the response for", () => {
  test("a key of a role, without expiry", async () => {
    const { id, key } = await issueKey(database, organization, {
      holder: { role: "BILLING_MANAGER" },
      name: "Invoices",
    });
    const { status, body } = await service.call(`GET ${path}`, { key });
    expect([status, body]).toEqual([
      200,
      {
        organization: maple,
        key: {
          id,
          name: "Invoices",
          role: "BILLING_MANAGER",
          userId: null,
          isReadOnly: false,
          expiresAt: null,
          kind: "KEY",
          ownPatientsOnly: false,
        },
        writes: [
          "payor",
          "serviceLine",
          "user",
          "authorizationPool",
          "authorization",
          "session",
          "encounter",
        ],
      },
    ]);
  });

  test("a read-only key of a user, with the user's role and an expiry", async () => {
    const userId = await newUser(database, organization, { role: "CLINICIAN" });
    const { id, key } = await issueKey(database, organization, {
      holder: { userId },
      name: "Tablet",
      expiresAt: "2027-01-01T00:00:00.000Z" as Instant,
      isReadOnly: true,
    });
    const { body } = await service.call(`GET ${path}`, { key });
    expect(body).toEqual({
      organization: maple,
      key: {
        id,
        name: "Tablet",
        role: "CLINICIAN",
        userId,
        isReadOnly: true,
        expiresAt: "2027-01-01T00:00:00.000Z",
        kind: "KEY",
        ownPatientsOnly: false,
      },
      writes: [],
    });
  });

  test("an organization without a time zone", async () => {
    const bare = await newOrganization(database, {
      ...{ public_id: "org_oak", name: "Oak", time_zone: null },
    });
    const { body } = await service.call(`GET ${path}`, { key: await newApiKey(database, bare) });
    expect(body).toMatchObject({
      organization: { publicId: "org_oak", name: "Oak", timezone: null, weekStartsOn: "SUNDAY" },
    });
  });

  const clinical = ["user", "session", "encounter", "treatmentPlan", "goal"];
  const written: Partial<Record<Role, string[]>> = {
    ADMIN: [...recordTypes],
    CLINICAL_SUPERADMIN: clinical,
    CLINICAL_ADMIN: clinical,
    SCHEDULING_MANAGER: ["user", "session"],
    BILLING_MANAGER: [
      "payor",
      "serviceLine",
      "user",
      "authorizationPool",
      "authorization",
      "session",
      "encounter",
    ],
  };

  test.each(roles)("writes of the role %s; none with a read-only key", async (role) => {
    for (const isReadOnly of [false, true]) {
      const { key } = await issueKey(database, organization, { holder: { role }, isReadOnly });
      const { body } = await service.call(`GET ${path}`, { key });
      expect((body as { writes: string[] }).writes).toEqual(
        isReadOnly ? [] : (written[role] ?? []),
      );
    }
  });

  test.each(["CLINICIAN", "TECHNICIAN"] as const)("writes of a key of a %s", async (role) => {
    const userId = await newUser(database, organization, { role });
    const { key } = await issueKey(database, organization, { holder: { userId } });
    const { body } = await service.call(`GET ${path}`, { key });
    expect(body).toMatchObject({ writes: ["session", "encounter"] });
  });

  test.each(roles)("the role %s may read it", async (role) => {
    const key = await newApiKey(database, organization, role);
    const { status, body } = await service.call(`GET ${path}`, { key });
    expect([status, body]).toMatchObject([200, { key: { role } }]);
  });
});

test("the audit entry has no patient, even if the key belongs to a patient", async () => {
  const userId = await newUser(database, organization, { role: "PATIENT" });
  const { id, key } = await issueKey(database, organization, { holder: { userId } });
  await service.call(`GET ${path}`, { key });
  const entry = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["key_id", "route", "status", "patient_ids"])
      .where("organization_id", "=", organization)
      .orderBy("sequence", "desc")
      .executeTakeFirst(),
  );
  expect(entry).toEqual({ key_id: id, route: "/v1/me", status: 200, patient_ids: "[]" });
});
