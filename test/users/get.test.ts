import { describe, expect, test } from "bun:test";
import { plainBody } from "../support/body-rules.ts";
import { newUser } from "../support/factories.ts";
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
});

describe("an unknown user", () => {
  test.each(["usr_none", "USR_ACTIVE", "loc_a"])("responds 404: %s", async (id) => {
    const { status, body } = await service.call(`GET ${path}/${id}`, { key });
    expect([status, body]).toEqual([404, plainBody(404, "User not found")]);
  });
});
