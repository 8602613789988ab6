import { describe, expect, test } from "bun:test";
import { newKey } from "../../src/callers/key-format.ts";
import { listKeys } from "../../src/callers/repository.ts";
import { revokeKey } from "../../src/callers/api-keys.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { issueKey, newOrganization } from "../support/factories.ts";
import { NOW, newService, TestService } from "../support/harness.ts";
import { technician } from "../support/practice-file/lines.ts";
import { statementsOf } from "../support/statements.ts";
import { transcripts, whole } from "../support/transcript.ts";

/**
 * Authentication (specification, section 5): the Authorization header and the states of an API key.
 */

const practice = await transcripts();
const service = await newService();
const { database } = service;
const organizationId = await newOrganization(database);
const { key } = await issueKey(database, organizationId);
const path = "/api/v1/specializations";
const changed = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");

const required = { error: "API key required", statusCode: 401 };
const invalid = { error: "Invalid API key", statusCode: 401 };

function answerTo(authorization: string | undefined) {
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  return service.call(`GET ${path}`, { headers });
}

test.each<[name: string, authorization: string | undefined, refusal: object | null]>([
  ["no header", undefined, required],
  ["an empty header", "", required],
  ["white space", "   ", required],
  ["the scheme alone", "Bearer", required],
  ["an empty token", "Bearer ", required],
  ["a token of white space", "Bearer    ", required],
  ["another scheme", "Basic dXNlcjpwYXNz", required],
  ["another scheme with a key", `Basic ${key}`, required],
  ["no space after the scheme", `Bearer${key}`, required],
  ["a scheme that begins alike", `Bearers ${key}`, required],
  ["a scheme before it", `Token Bearer ${key}`, required],
  ["a key alone", key, { ...required, error: 'Send the key as "Authorization: Bearer …"' }],
  ["a malformed key", "Bearer x", invalid],
  ["a key with a space in it", `Bearer ${key.slice(0, 20)} ${key.slice(20)}`, invalid],
  ["two keys", `Bearer ${key}, Bearer ${key}`, invalid],
  ["a wrong checksum", `Bearer ${changed}`, invalid],
  ["capitals", `Bearer ${key.toUpperCase()}`, invalid],
  ["an unknown key", `Bearer ${newKey()}`, invalid],
  ["a key as it should be written", `Bearer ${key}`, null],
  ["the scheme in any letter case", `bEARER ${key}`, null],
  ["more spaces", `Bearer    ${key}   `, null],
])("%s: 401 with WWW-Authenticate, or 200", async (_, authorization, refusal) => {
  const { status, headers, body } = await answerTo(authorization);
  expect([status, headers.get("www-authenticate"), body]).toEqual(
    refusal ? [401, "Bearer", refusal] : [200, null, expect.objectContaining({ data: [] })],
  );
});

const refused = [401, whole(invalid)] as const;
const change = (more: object) => [{ type: "user", publicId: "usr_ana", ...more }];

practice([technician("usr_ana")])("a user's key has the user's current role, and their state", [
  ["usr_ana: GET users", 200],
  ["POST practice-file", change({ role: "CAREGIVER" }), 200],
  ["usr_ana: GET users", 403],
  ["POST practice-file", change({ role: "TECHNICIAN", isActive: false }), 200],
  ["usr_ana: GET users", ...refused],
]);

const expiresAt = "2026-03-11T16:00:00.000Z" as Instant;
practice([], { keys: { expiresAt } })("a key expires at the millisecond of its expiry", [
  ...([["2026-03-11T15:59:59.999Z"], ["GET users", 200]] as const),
  ...([[expiresAt], ["GET users", ...refused]] as const),
]);

test("a failed attempt does not update the last use of any key", async () => {
  const before = await database.read((db) => listKeys(db));
  await answerTo(`Bearer ${newKey()}`);
  await database.write(async () => {}, { organizationId });
  expect(await database.read((db) => listKeys(db))).toEqual(before);
});

test("a key with a wrong checksum is not looked up in the database", async () => {
  const { statements } = await statementsOf(() => answerTo(`Bearer ${changed}`));
  expect(statements.filter((text) => text.includes("api_keys"))).toEqual([]);
});

describe("concurrent requests", () => {
  const answers = async (...keys: string[]) =>
    (await Promise.all(keys.map((key) => answerTo(`Bearer ${key}`)))).map(({ status }) => status);

  test("are each authenticated by their own key", async () => {
    const { key: other } = await issueKey(database, organizationId);
    expect(await answers(key, newKey(), other, key)).toEqual([200, 401, 200, 200]);
  });

  test("are all refused after their key's revocation", async () => {
    const { id, key } = await issueKey(database, organizationId);
    expect(await answers(key, key)).toEqual([200, 200]);
    await database.write((trx) => revokeKey(trx, id, NOW as Instant), { organizationId });
    expect(await answers(key, key)).toEqual([401, 401]);
    expect((await answerTo(`Bearer ${key}`)).body).toEqual(invalid);
  });

  test("respond 503 while the database cannot be read, and 200 as soon as it can", async () => {
    const locked = Object.assign(new Error("locked"), { code: "SQLITE_BUSY" });
    let isAway = true;
    const away = new TestService({
      ...database,
      read: (work) => (isAway ? Promise.reject(locked) : database.read(work)),
    });
    const ask = async () => (await away.call(`GET ${path}`, { key })).status;
    const statuses = () => Promise.all([ask(), ask()]);
    expect((await statuses()).every((status) => status >= 500)).toBe(true);
    isAway = false;
    expect(await statuses()).toEqual([200, 200]);
  });
});
