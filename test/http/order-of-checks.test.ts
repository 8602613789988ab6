import { describe, expect, test } from "bun:test";
import { newKey } from "../../src/callers/key-format.ts";
import { type Role, roles } from "../../src/callers/roles.ts";
import type { CallOptions } from "../support/harness.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";

/**
 * The order of checks: key 401, path 404, method 405, role 403, size 413 and media type 415, shape
 * 400, meaning.
 */

const service = await newService();
const organization = await newOrganization(service.database);
const keys = new Map<Role, string>();
for (const role of roles) keys.set(role, await newApiKey(service.database, organization, role));

const json = { "Content-Type": "application/json" };
const broken: CallOptions = { raw: "{", headers: json };
const misshapen: CallOptions = { raw: '{"firstName":5}', headers: json };
const untyped: CallOptions = { raw: new TextEncoder().encode("{") };
const oversized: CallOptions = { raw: "x".repeat(1024 * 1024 + 1), headers: json };
const oversizedUntyped: CallOptions = { raw: new Uint8Array(1024 * 1024 + 1) };

const plain = (statusCode: number, error: string) => ({ error, statusCode });
const required = plain(401, "API key required");
const invalid = plain(401, "Invalid API key");
const notFound = plain(404, "Not found");
const notAllowed = plain(405, "Method not allowed");
const accessDenied = plain(403, "Access denied");
const hierarchy = plain(403, "Insufficient role hierarchy permissions to create this user role");
const insufficient = plain(403, "Insufficient permissions for this action");
const tooLarge = plain(413, "Request body must not be larger than 1 MiB");
const wrongType = plain(415, "Content-Type must be application/json");
const noJson = { code: "custom", message: "Request body must be valid JSON in UTF-8", path: [] };

async function answer(line: string, role: Role | undefined, options: CallOptions = {}) {
  const key = role === undefined ? undefined : keys.get(role);
  const { status, body } = await service.call(line, {
    ...options,
    ...(key !== undefined && { key }),
  });
  return [status, body];
}

describe("only the first of two errors is reported:", () => {
  test.each([
    ["no key, before an unknown path", "GET /api/v1/none", undefined, {}, 401, required],
    ["no key, before a wrong method", "DELETE /api/v1/users", undefined, {}, 401, required],
    ["no key, before a malformed query", "GET /api/v1/users?page=0", undefined, {}, 401, required],
    ["no key, before a malformed id", "GET /api/v1/sessions/%00", undefined, {}, 401, required],
    ["no key, before an oversized body", "POST /api/v1/users", undefined, oversized, 401, required],
    ["no key, before a media type", "POST /api/v1/users", undefined, untyped, 401, required],
    ["no key, before a broken body", "POST /api/v1/users", undefined, broken, 401, required],
    ["no key, on goals too", "POST /api/v1/goals", undefined, broken, 401, required],
    ["an unknown path, before a body", "POST /api/v1/none", "PATIENT", oversized, 404, notFound],
    ["an unknown path, before a role", "GET /api/v1/users/", "PATIENT", {}, 404, notFound],
    ["a wrong method, before a role", "DELETE /api/v1/users", "PATIENT", {}, 405, notAllowed],
    ["a wrong method, before a query", "PUT /api/v1/users?page=0", "ADMIN", {}, 405, notAllowed],
    ["a wrong method, before a body", "PUT /api/v1/users", "ADMIN", oversized, 405, notAllowed],
    ["a wrong method, before an id", "PUT /api/v1/sessions/%00", "ADMIN", {}, 405, notAllowed],
    ["a role, before a query", "GET /api/v1/users?page=0", "PATIENT", {}, 403, accessDenied],
    ["a role, before an id", "GET /api/v1/sessions/%00", "CAREGIVER", {}, 403, accessDenied],
    ["a role, before an unknown id", "GET /api/v1/sessions/a", "PATIENT", {}, 403, accessDenied],
    ["a role, before a body's size", "POST /api/v1/users", "PATIENT", oversized, 403, hierarchy],
    ["a role, before a media type", "POST /api/v1/users", "CLINICIAN", untyped, 403, hierarchy],
    ["a role, before a broken body", "POST /api/v1/users", "CLINICIAN", broken, 403, hierarchy],
    ["a role, before a shape", "POST /api/v1/goals", "TECHNICIAN", misshapen, 403, insufficient],
    [
      "a role, before an id of goals",
      "DELETE /api/v1/goals/x",
      "TECHNICIAN",
      {},
      403,
      insufficient,
    ],
    [
      "the size, before the media type",
      "POST /api/v1/users",
      "ADMIN",
      oversizedUntyped,
      413,
      tooLarge,
    ],
    ["the size, before the JSON", "POST /api/v1/users", "ADMIN", oversized, 413, tooLarge],
    ["the media type, before the JSON", "POST /api/v1/users", "ADMIN", untyped, 415, wrongType],
    ["the JSON", "POST /api/v1/users", "ADMIN", broken, 400, validationBody(noJson as never)],
  ] as const)("%s", async (_, line, role, options, status, body) => {
    expect(await answer(line, role, options)).toEqual([status, body]);
  });

  test("an invalid key, before everything else", async () => {
    for (const line of ["GET /api/v1/none", "DELETE /api/v1/users", "GET /api/v1/users?page=0"]) {
      const { status, body } = await service.call(line, { key: newKey() });
      expect([status, body]).toEqual([401, invalid]);
    }
  });

  test("the shape of a body, before the role of the new user", async () => {
    const admin = { firstName: "Ana", lastName: "Ruiz", role: "ADMIN" };
    const asked = (body: object) => answer("POST /api/v1/users", "BILLING_MANAGER", { json: body });
    expect((await asked({ ...admin, firstName: 5 }))[0]).toBe(400);
    expect(await asked(admin)).toEqual([403, hierarchy]);
  });

  test("the shape of a query, before its meaning", async () => {
    const query = "startDate=2026-03-12&endDate=2026-03-11";
    const [, both] = await answer(`GET /api/v1/sessions?${query}&page=0`, "ADMIN");
    expect(both).toEqual(
      validationBody({
        code: "too_small",
        message: "Number must be greater than or equal to 1",
        path: ["page"],
      }),
    );
  });

  test("the shape of a body, before ids in it are looked up", async () => {
    const goal = { type: "rating", title: "Calm", treatmentPlanId: "tp_none" };
    const [, misshapenGoal] = await answer("POST /api/v1/goals", "ADMIN", {
      json: { ...goal, title: 5 },
    });
    expect(misshapenGoal).toMatchObject({ details: [{ path: ["title"] }] });
    const [, unknownPlan] = await answer("POST /api/v1/goals", "ADMIN", { json: goal });
    expect(unknownPlan).toMatchObject({ details: [{ path: ["treatmentPlanId"] }] });
  });
});

describe("goal endpoints have their own error shape except for 401 and 403", () => {
  test.each([
    ["POST /api/v1/goals", "CAREGIVER", {}, 403, insufficient],
    ["PUT /api/v1/goals", "ADMIN", {}, 405, { error: "Method not allowed" }],
    ["POST /api/v1/goals", "ADMIN", oversized, 413, { error: tooLarge.error }],
    ["POST /api/v1/goals", "ADMIN", untyped, 415, { error: wrongType.error }],
    ["POST /api/v1/goals", "ADMIN", broken, 400, { error: "Validation error", details: [noJson] }],
  ] as const)("%s by %s", async (line, role, options, status, body) => {
    expect(await answer(line, role, options)).toEqual([status, body]);
  });
});
