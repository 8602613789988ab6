import { describe, expect, test } from "bun:test";
import { type Role, roles } from "../../src/access/roles.ts";
import { newApiKey, newGoal } from "../support/factories.ts";
import { newPractice } from "../support/goals/practice.ts";

/** Who may write goals, and how the requests themselves must be made. */

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
  ])("with %j is a 401 before anything else is looked at", async (headers, error) => {
    const { status, body } = await service.call(line.replace("goal_unknown", "%00"), {
      headers: { ...headers, "Content-Type": "text/plain" },
      raw: "{",
    });
    expect([status, body]).toEqual([401, { error, statusCode: 401 }]);
  });

  test.each(roles.filter((role) => !writers.includes(role)))(
    "is refused to a %s, before its id and body are looked at",
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

test.each(writers)("a %s creates, updates and deletes goals", async (role) => {
  const roleKey = await newApiKey(database, organization, role);
  const call = (line: string, json?: unknown) => service.call(line, { key: roleKey, json });
  const created = await call("POST /api/v1/goals", bodyOf("rating"));
  const { publicId } = created.body as { publicId: string };
  const updated = await call(`PATCH /api/v1/goals/${publicId}`, { title: "New" });
  const deleted = await call(`DELETE /api/v1/goals/${publicId}`);
  expect([created.status, updated.status, deleted.status]).toEqual([201, 200, 200]);
});

describe("another method", () => {
  const ofPath = (path: string, allow: string, methods: string[]) =>
    methods.map((method): [string, string, string] => [method, path, allow]);

  test.each([
    ...ofPath("/api/v1/goals", "GET, HEAD, POST", ["PUT", "PATCH", "DELETE"]),
    ...ofPath("/api/v1/goals/goal_1", "GET, HEAD, PATCH, DELETE", ["PUT", "POST"]),
  ])("%s %s is a 405", async (method, path, allow) => {
    const { status, headers, body } = await service.call(`${method} ${path}`, { key });
    expect([status, headers.get("Allow")]).toEqual([405, allow]);
    // What is answered to HEAD has no body on the wire.
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
    "as %p is a 415",
    async (contentType) => {
      const { status, body } = await send('{"type":"rating"}', contentType);
      expect([status, body]).toEqual([415, { error: "Content-Type must be application/json" }]);
    },
  );

  test.each(["application/json; charset=utf-8", "APPLICATION/JSON"])(
    "as %p is read",
    async (contentType) => {
      expect((await send("{", contentType)).status).toBe(400);
    },
  );

  const LIMIT = 1024 * 1024;

  test("of more than 1 MiB is a 413, even before its media type", async () => {
    const { status, body } = await send(" ".repeat(LIMIT + 1), "text/plain");
    expect([status, body]).toEqual([413, { error: "Request body must not be larger than 1 MiB" }]);
  });

  test("of exactly 1 MiB is read", async () => {
    const { status } = await send("{}".padEnd(LIMIT), "application/json");
    expect(status).toBe(line.startsWith("POST") ? 400 : 404);
  });
});
