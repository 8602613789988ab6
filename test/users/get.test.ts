import { describe, expect, test } from "bun:test";
import { roles } from "../../src/access/roles.ts";
import { denialMessage } from "../../src/access/permissions.ts";
import { plainBody } from "../support/body-rules.ts";
import { newApiKey, newOrganization, newPatient, newUser } from "../support/factories.ts";
import { base, newPractice } from "../support/users/practice.ts";

/** GET /v1/users/{userId}. The tests of each role's fields also compare it with the list. */

const path = "/api/v1/users";
const { service, key, database, organization_id } = await newPractice();

describe("an existing user", () => {
  test("is returned whether active or not", async () => {
    for (const [public_id, is_active] of [
      ["usr_active", 1],
      ["usr_gone", 0],
    ] as const) {
      await newUser(database, organization_id, { public_id, role: "CAREGIVER", is_active });
      const { status, body } = await service.call(`GET ${path}/${public_id}`, { key });
      expect([status, body]).toEqual([
        200,
        { ...base(public_id, "CAREGIVER"), isActive: is_active === 1 },
      ]);
    }
  });

  test.each(roles)("is returned to the role %s if it may read users, else 403", async (role) => {
    const keyOfRole = await newApiKey(database, organization_id, role);
    await newUser(database, organization_id, { public_id: `usr_to_${role}` });
    const { status, body } = await service.call(`GET ${path}/usr_to_${role}`, { key: keyOfRole });
    if (denialMessage("readUsers", { role }) === undefined) expect(status).toBe(200);
    else expect([status, body]).toEqual([403, plainBody(403, "Access denied")]);
  });
});

describe("an unknown user", () => {
  test.each(["usr_none", "USR_ACTIVE", "loc_a"])("responds 404: %s", async (id) => {
    const { status, body } = await service.call(`GET ${path}/${id}`, { key });
    expect([status, body]).toEqual([404, plainBody(404, "User not found")]);
  });

  test("responds 404 if it belongs to another organization", async () => {
    await newUser(database, await newOrganization(database), { public_id: "usr_theirs" });
    const { status, body } = await service.call(`GET ${path}/usr_theirs`, { key });
    expect([status, body]).toEqual([404, plainBody(404, "User not found")]);
  });
});

test("the audit entry names the user if it is a patient, and nobody otherwise", async () => {
  await newPatient(database, organization_id, { public_id: "usr_kid" });
  await newUser(database, organization_id, { public_id: "usr_tech", role: "TECHNICIAN" });
  // A new key, because repeated refusals of one key are summed up.
  const fresh = await newApiKey(database, organization_id);
  for (const id of ["usr_kid", "usr_tech", "usr_nobody"])
    await service.call(`GET ${path}/${id}`, { key: fresh });
  const entries = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["status", "patient_ids"])
      .where("organization_id", "=", organization_id)
      .orderBy("sequence", "desc")
      .limit(3)
      .execute(),
  );
  expect(entries.map(({ status, patient_ids }) => [status, patient_ids])).toEqual([
    [404, "[]"],
    [200, "[]"],
    [200, '["usr_kid"]'],
  ]);
});
