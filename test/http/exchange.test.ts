import { describe, expect, spyOn, test } from "bun:test";
import { Database as SqliteFile } from "bun:sqlite";
import { join } from "node:path";
import { sql } from "kysely";
import { PlainError } from "../../src/http/errors.ts";
import { fileOf } from "../support/practice-file/practice-file.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { NOW, newService, temporaryFolder } from "../support/harness.ts";
import { onPostgresql } from "../support/postgresql/databases.ts";

/** Headers of every response, and the line that is logged for every request. */

const service = await newService();
const organization = await newOrganization(service.database);
const key = await newApiKey(service.database, organization);

describe("response headers", () => {
  test.each([
    ["GET /api/v1/users", { key }],
    ["HEAD /api/v1/users", { key }],
    ["GET /api/v1/users", {}],
    ["GET /api/v1/users?page=0", { key }],
    ["PUT /api/v1/users", { key }],
    ["GET /api/v1/none", { key }],
    ["POST /api/v1/goals", { key }],
    ["GET /none", {}],
    ["GET /livez", {}],
    ["GET /readyz", {}],
  ])("%s has the common headers", async (line, options) => {
    const { headers } = await service.call(line, options);
    expect(headers.toJSON()).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
      ),
    });
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test.each(["a", "A-z_0.9", "-", "..", "x".repeat(128)])(
    "X-Request-Id of the request is returned: %s",
    async (id) => {
      const { headers } = await service.call("GET /livez", { headers: { "X-Request-Id": id } });
      expect(headers.get("x-request-id")).toBe(id);
    },
  );

  test.each(["", "x".repeat(129), "a b", "a,b", "a/b", "ñ", '"a"', "a;b"])(
    "an invalid X-Request-Id is replaced by a new id: %p",
    async (id) => {
      const { headers } = await service.call("GET /livez", { headers: { "X-Request-Id": id } });
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe("the request log", () => {
  test("has one line per request, with exactly these fields", async () => {
    service.log.length = 0;
    const headers = { "X-Request-Id": "request-1" };
    await service.call("GET /api/v1/sessions/apt_secret", { key, headers });
    expect(service.log).toEqual([
      {
        time: NOW,
        level: "info",
        message: "request",
        requestId: "request-1",
        method: "GET",
        route: "/v1/sessions/{sessionId}",
        status: 404,
        milliseconds: expect.any(Number),
      },
    ]);
  });

  test("has code and path of the first five issues of a 400, without names that clients make up", async () => {
    service.log.length = 0;
    await service.call("GET /api/v1/users?page=0&role=secret&isActive=secret", { key });
    await service.call("GET /api/v1/users?secret=1&page=x", { key });
    await service.call("GET /api/v1/users?secret=1", { key });
    await service.call("POST /api/v1/goals", { key, json: { type: "secret" } });
    await service.call("POST /api/v1/practice-file", {
      key,
      headers: { "Content-Type": "application/x-ndjson" },
      raw: fileOf([
        { type: "organization", publicId: organization },
        ...Array.from({ length: 4 }, () => ({ type: "location", publicId: "l", secret: 1 })),
      ]),
    });
    expect(service.log.map(({ status, issues }) => [status, issues])).toEqual([
      [400, ["too_small page", "invalid_enum_value role", "invalid_enum_value isActive"]],
      [400, ["invalid_type page", "unrecognized_keys …"]],
      [400, ["unrecognized_keys …"]],
      [400, ["invalid_union_discriminator type"]],
      [400, expect.any(Array)],
    ]);
    expect(service.log[4]?.issues).toHaveLength(5);
    expect(JSON.stringify(service.log)).not.toContain("secret");
  });

  test("never contains queries, path parameters, bodies, headers or keys", async () => {
    service.log.length = 0;
    const headers = { "User-Agent": "secret", Referer: "https://secret.example" };
    await service.call("GET /api/v1/users?search=secret&email=secret", { key, headers });
    await service.call("GET /api/v1/users?search=%00secret", { key, headers });
    await service.call("GET /api/v1/sessions/secret", { key, headers });
    await service.call("GET /api/v1/secret/secret", { key, headers });
    await service.call("GET /secret", { headers });
    await service.call("GET /api/v1/users", { key: "secret", headers });
    await service.call("POST /api/v1/users", { key, headers, json: { firstName: "secret" } });
    await service.call("POST /api/v1/goals", { key, headers, json: { goalStatement: "secret" } });
    const text = JSON.stringify(service.log);
    expect(service.log.length).toBe(8);
    expect(text).not.toContain("secret");
    expect(text).not.toContain(key);
  });

  test('logs unknown paths with the route "unknown"', async () => {
    service.log.length = 0;
    await service.call("GET /api/v1/none/secret", { key });
    expect(service.log).toMatchObject([{ route: "unknown", status: 404 }]);
  });
});

describe("an unexpected error", () => {
  test("responds 500 without details; the log has only the error's type and location", async () => {
    const broken = await newService();
    const key = await newApiKey(broken.database, await newOrganization(broken.database));
    await broken.database.write((trx) => sql`alter table users rename to gone`.execute(trx), {
      organizationId: organization,
    });
    const { status, headers, body } = await broken.call("GET /api/v1/users", { key });
    expect([status, body]).toEqual([500, { error: "Internal server error", statusCode: 500 }]);
    const requestId = headers.get("x-request-id");
    expect(broken.log).toEqual([
      {
        time: NOW,
        level: "error",
        message: "failure",
        ...(onPostgresql
          ? { error: "PostgreSQLError", code: "42P01" }
          : { error: "SQLiteError", code: "SQLITE_ERROR" }),
        requestId,
        route: "/v1/users",
        frames: expect.arrayContaining([
          expect.stringMatching(/^at .*db.(sqlite|postgresql).dialect\.ts/),
        ]),
      },
      {
        time: NOW,
        level: "error",
        message: "request",
        requestId,
        method: "GET",
        route: "/v1/users",
        status: 500,
        milliseconds: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(broken.log)).not.toContain("session_counts");
  });

  /** The response and the log of a request whose database read throws `error`. */
  async function failing(error: unknown) {
    service.log.length = 0;
    const read = spyOn(service.database, "read").mockRejectedValueOnce(error);
    const { status, body } = await service.call("GET /api/v1/users", { key });
    read.mockRestore();
    return { status, body, log: JSON.stringify(service.log) };
  }

  const internal = { error: "Internal server error", statusCode: 500 };
  test.each([
    ["a message", new Error("Leo Park")],
    [
      "a message of several lines, one of which looks like a stack frame",
      new TypeError("a\n    at Leo Park\nb"),
    ],
    ["a thrown string", "Leo Park"],
    ["a thrown object", { name: "Leo Park", message: "Leo Park", stack: "at Leo Park" }],
    ["a thrown undefined", undefined],
    ["a cause", new Error("a", { cause: new Error("Leo Park") })],
  ])("%s is neither in the response nor in the log", async (_, error) => {
    const { status, body, log } = await failing(error);
    expect([status, body]).toEqual([500, internal]);
    expect(log).toContain('"message":"failure"');
    expect(log).not.toContain("Leo Park");
  });

  test("the message of a PlainError is sent to the client; its cause is not", async () => {
    const error = Object.assign(new PlainError(500, "Utilization could not be computed"), {
      cause: new RangeError("Leo Park"),
    });
    const { status, body, log } = await failing(error);
    expect([status, body]).toEqual([
      500,
      { error: "Utilization could not be computed", statusCode: 500 },
    ]);
    expect(log).toContain('"error":"RangeError"');
    expect(log).not.toContain("Leo Park");
  });
});

describe("a database that is temporarily unavailable responds 503 with Retry-After", () => {
  const unavailable = { error: "Service temporarily unavailable" };

  test("while another process holds SQLite's write lock", async () => {
    const path = join(temporaryFolder(), "locked.db");
    const holder = new SqliteFile(path);
    holder.run("begin immediate");
    const waiting = new SqliteFile(path);
    let locked: unknown;
    try {
      waiting.run("begin immediate");
    } catch (error) {
      locked = error;
    }
    const read = spyOn(service.database, "read").mockRejectedValueOnce(locked);
    const { status, headers, body } = await service.call("GET /api/v1/users", { key });
    read.mockRestore();
    expect([status, headers.get("retry-after"), body]).toEqual([
      503,
      "1",
      { ...unavailable, statusCode: 503 },
    ]);
    holder.close();
    waiting.close();
  });
});
