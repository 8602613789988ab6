import { describe, expect, test } from "bun:test";
import { type Role, roles } from "../../src/access/roles.ts";
import { newApiKey, newGoal } from "../support/factories.ts";
import { newPractice } from "../support/goals/practice.ts";

/** Goal endpoints: roles, media type and size of requests. */

const { service, database, organization, key, bodyOf } = await newPractice();

const writes = [
  { line: "POST /api/v1/goals", takesBody: true },
  { line: "PATCH /api/v1/goals/goal_unknown", takesBody: true },
  { line: "DELETE /api/v1/goals/goal_unknown", takesBody: false },
];
const writers: Role[] = ["ADMIN", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN", "CLINICIAN"];
const withBody = writes.filter(({ takesBody }) => takesBody);

describe.each(writes)("$line", ({ line }) => {
  test.each([
    [{}, "API key required"],
    [{ Authorization: "Basic YTpi" }, "API key required"],
    [{ Authorization: "Bearer " }, "API key required"],
    [{ Authorization: "Bearer nope" }, "Invalid API key"],
  ])("responds 401 to the headers %j before anything else is checked", async (headers, error) => {
    const { status, body } = await service.call(line.replace("goal_unknown", "%00"), {
      headers: { ...headers, "Content-Type": "text/plain" },
      raw: "{",
    });
    expect([status, body]).toEqual([401, { error, statusCode: 401 }]);
  });

  test.each(roles.filter((role) => !writers.includes(role)))(
    "responds 403 to %s before the id and the body are checked",
    async (role) => {
      const { status, body } = await service.call(line.replace("goal_unknown", "%00"), {
        key: await newApiKey(database, organization, role),
        headers: { "Content-Type": "text/plain" },
        raw: "{",
      });
      expect([status, body]).toEqual([
        403,
        { error: "Insufficient permissions for this action", statusCode: 403 },
      ]);
    },
  );
});

test.each(writers)("%s creates, updates and deletes goals", async (role) => {
  const roleKey = await newApiKey(database, organization, role);
  const call = (line: string, json?: unknown) => service.call(line, { key: roleKey, json });
  const created = await call("POST /api/v1/goals", bodyOf("rating"));
  const { publicId } = created.body as { publicId: string };
  const updated = await call(`PATCH /api/v1/goals/${publicId}`, { title: "New" });
  const deleted = await call(`DELETE /api/v1/goals/${publicId}`);
  expect([created.status, updated.status, deleted.status]).toEqual([201, 200, 200]);
});

describe("an unsupported method", () => {
  const ofPath = (path: string, allow: string, methods: string[]) =>
    methods.map((method): [string, string, string] => [method, path, allow]);

  test.each([
    ...ofPath("/api/v1/goals", "GET, HEAD, POST", ["PUT", "PATCH", "DELETE"]),
    ...ofPath("/api/v1/goals/goal_1", "GET, HEAD, PATCH, DELETE", ["PUT", "POST"]),
  ])("%s %s responds 405", async (method, path, allow) => {
    const { status, headers, body } = await service.call(`${method} ${path}`, { key });
    expect([status, headers.get("Allow")]).toEqual([405, allow]);
    // A response to HEAD has no body.
    if (method !== "HEAD") expect(body).toEqual({ error: "Method not allowed" });
  });
});

describe.each(withBody)("the body of $line", ({ line }) => {
  const send = (raw: string, contentType?: string) =>
    service.call(line, {
      key,
      raw,
      headers: contentType === undefined ? {} : { "Content-Type": contentType },
    });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])(
    "as %p responds 415",
    async (contentType) => {
      const { status, body } = await send('{"type":"rating"}', contentType);
      expect([status, body]).toEqual([415, { error: "Content-Type must be application/json" }]);
    },
  );

  test.each(["application/json; charset=utf-8", "APPLICATION/JSON"])(
    "as %p is parsed",
    async (contentType) => {
      expect((await send("{", contentType)).status).toBe(400);
    },
  );

  const LIMIT = 1024 * 1024;

  test("of more than 1 MiB responds 413, before its media type is checked", async () => {
    const { status, body } = await send(" ".repeat(LIMIT + 1), "text/plain");
    expect([status, body]).toEqual([413, { error: "Request body must not be larger than 1 MiB" }]);
  });

  test("of exactly 1 MiB is parsed", async () => {
    const { status } = await send("{}".padEnd(LIMIT), "application/json");
    expect(status).toBe(line.startsWith("POST") ? 400 : 404);
  });
});
