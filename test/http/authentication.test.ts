import { describe, expect, test } from "bun:test";
import { newKey } from "../../src/callers/key-format.ts";
import { listKeys } from "../../src/callers/repository.ts";
import { revokeKey } from "../../src/callers/api-keys.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { issueKey, newOrganization, newUser } from "../support/factories.ts";
import { NOW, newService, TestService } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";

/**
 * Authentication (specification, section 5): the Authorization header and the states of an API key.
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const { key } = await issueKey(database, organization);
const path = "/api/v1/specializations";

const required = { error: "API key required", statusCode: 401 };
const invalid = { error: "Invalid API key", statusCode: 401 };

async function answerTo(authorization: string | undefined) {
  const headers: Record<string, string> =
    authorization === undefined ? {} : { Authorization: authorization };
  return service.call(`GET ${path}`, { headers });
}

describe('a request without a bearer token responds 401 "API key required" with WWW-Authenticate: Bearer', () => {
  test.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["white space", "   "],
    ["the scheme alone", "Bearer"],
    ["an empty token", "Bearer "],
    ["a token of white space", "Bearer    "],
    ["another scheme", "Basic dXNlcjpwYXNz"],
    ["another scheme with a key", `Basic ${key}`],
    ["no space after the scheme", `Bearer${key}`],
    ["a scheme that begins alike", `Bearers ${key}`],
    ["a scheme before it", `Token Bearer ${key}`],
  ])("%s", async (_, authorization) => {
    const { status, headers, body } = await answerTo(authorization);
    expect([status, headers.get("www-authenticate"), body]).toEqual([401, "Bearer", required]);
  });
});

test("a key without the scheme responds 401 and how to send it", async () => {
  const { status, headers, body } = await answerTo(key);
  expect([status, headers.get("www-authenticate"), body]).toEqual([
    401,
    "Bearer",
    { error: 'Send the key as "Authorization: Bearer …"', statusCode: 401 },
  ]);
});

describe('an invalid key responds 401 "Invalid API key"', () => {
  const changed = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  test.each([
    ["malformed", "Bearer x"],
    ["malformed, with a space in it", `Bearer ${key.slice(0, 20)} ${key.slice(20)}`],
    ["two keys", `Bearer ${key}, Bearer ${key}`],
    ["a wrong checksum", `Bearer ${changed}`],
    ["capitals", `Bearer ${key.toUpperCase()}`],
    ["unknown", `Bearer ${newKey()}`],
  ])("%s", async (_, authorization) => {
    const { status, headers, body } = await answerTo(authorization);
    expect([status, headers.get("www-authenticate"), body]).toEqual([401, "Bearer", invalid]);
  });

  test("a revoked key is refused from the next request on", async () => {
    const { id, key } = await issueKey(database, organization);
    expect((await service.call(`GET ${path}`, { key })).status).toBe(200);
    await database.write((trx) => revokeKey(trx, id, NOW as Instant), {
      organizationId: organization,
    });
    const { status, body } = await service.call(`GET ${path}`, { key });
    expect([status, body]).toEqual([401, invalid]);
  });

  test("a key expires at the millisecond of its expiry", async () => {
    const expiresAt = "2026-03-11T16:00:00.000Z" as Instant;
    const { key } = await issueKey(database, organization, { expiresAt });
    service.clock.set("2026-03-11T15:59:59.999Z");
    expect((await service.call(`GET ${path}`, { key })).status).toBe(200);
    service.clock.set(expiresAt);
    const { status, body } = await service.call(`GET ${path}`, { key });
    service.clock.set(NOW);
    expect([status, body]).toEqual([401, invalid]);
  });

  test("a key of an inactive user is refused", async () => {
    const userId = await newUser(database, organization, { role: "ADMIN" });
    const { key } = await issueKey(database, organization, { holder: { userId } });
    expect((await service.call(`GET ${path}`, { key })).status).toBe(200);
    await database.write(
      (trx) =>
        trx.updateTable("users").set({ is_active: 0 }).where("public_id", "=", userId).execute(),
      { organizationId: organization },
    );
    const { status, body } = await service.call(`GET ${path}`, { key });
    expect([status, body]).toEqual([401, invalid]);
  });

  test("a failed attempt does not update the last use of any key", async () => {
    const before = await database.read((db) => listKeys(db));
    await answerTo(`Bearer ${newKey()}`);
    await database.write(async () => {}, { organizationId: organization });
    expect(await database.read((db) => listKeys(db))).toEqual(before);
  });

  test("a key with a wrong checksum is not looked up in the database", async () => {
    const { statements } = await statementsOf(() => answerTo(`Bearer ${changed}`));
    expect(statements.filter((text) => text.includes("api_keys"))).toEqual([]);
  });
});

describe("concurrent requests", () => {
  const answers = async (...keys: string[]) =>
    (await Promise.all(keys.map((key) => answerTo(`Bearer ${key}`)))).map(({ status }) => status);

  test("requests with different keys are each authenticated by their own key", async () => {
    const { key: other } = await issueKey(database, organization);
    expect(await answers(key, newKey(), other, key)).toEqual([200, 401, 200, 200]);
  });

  test("every request after a key's revocation is refused", async () => {
    const { id, key } = await issueKey(database, organization);
    expect(await answers(key, key)).toEqual([200, 200]);
    await database.write((trx) => revokeKey(trx, id, NOW as Instant), {
      organizationId: organization,
    });
    expect(await answers(key, key)).toEqual([401, 401]);
  });

  test("requests respond 503 while the database cannot be read, and 200 as soon as it can", async () => {
    const locked = Object.assign(new Error("locked"), { code: "SQLITE_BUSY" });
    let isAway = true;
    const away = new TestService({
      ...database,
      read: (work) => (isAway ? Promise.reject(locked) : database.read(work)),
    });
    const statuses = async () =>
      (await Promise.all([1, 2].map(() => away.call(`GET ${path}`, { key })))).map(
        ({ status }) => status,
      );
    expect((await statuses()).every((status) => status >= 500)).toBe(true);
    isAway = false;
    expect(await statuses()).toEqual([200, 200]);
  });
});

describe("a valid key", () => {
  test.each([
    ["as it should be written", `Bearer ${key}`],
    ["the scheme in any letter case", `bEARER ${key}`],
    ["more spaces", `Bearer    ${key}   `],
  ])("%s", async (_, authorization) => {
    const { status, headers } = await answerTo(authorization);
    expect([status, headers.get("www-authenticate")]).toEqual([200, null]);
  });

  test("a user's key has the permissions of the user's current role", async () => {
    const userId = await newUser(database, organization, { role: "TECHNICIAN" });
    const { key } = await issueKey(database, organization, { holder: { userId } });
    const users = async () => (await service.call("GET /api/v1/users", { key })).status;
    expect(await users()).toBe(200);
    await database.write(
      (trx) =>
        trx
          .updateTable("users")
          .set({ role: "CAREGIVER" })
          .where("public_id", "=", userId)
          .execute(),
      { organizationId: organization },
    );
    expect(await users()).toBe(403);
  });
});
