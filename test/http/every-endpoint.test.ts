import { describe, expect, test } from "bun:test";
import { roles } from "../../src/callers/roles.ts";
import { allowedRoles, refusalSentences } from "../support/callers/expected-permissions.ts";
import { issueKey, newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { filled, operations } from "../support/operations.ts";

/** Rules that hold for every endpoint of the API. */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);

const keys = new Map<string, string>();
for (const role of roles) keys.set(role, await newApiKey(database, organization, role));
const key = keys.get("ADMIN") ?? "";
const { key: readOnlyKey } = await issueKey(database, organization, { isReadOnly: true });

/** Requests about records that there are not. Of a practice file, those of a type, as others may read the whole one. */
const routes = operations.map(({ example, method, permission, errorStyle, operationId }) => {
  const { line } = filled(example, (kind) => `goal_no_${kind}`);
  const { pathname: path, search } = new URL(line.slice(method.length + 1), "http://localhost");
  const query = operationId === "exportPracticeFile" ? "types=user" : search.slice(1);
  return { method, path, query, permission, errorStyle };
});
const pathsOf = Map.groupBy(routes, (route) => route.path);

/** Goal endpoints leave out `statusCode`, except in 401, 403 and 429. */
function plain(errorStyle: string | undefined, statusCode: number, error: string): object {
  return errorStyle === "goal" ? { error } : { error, statusCode };
}

describe.each(routes)("$method $path", ({ method, path, query, permission }) => {
  test("without a key: 401", async () => {
    const { status, headers, body } = await service.call(`${method} ${path}`);
    expect([status, headers.get("www-authenticate"), body]).toEqual([
      401,
      "Bearer",
      { error: "API key required", statusCode: 401 },
    ]);
  });

  test.each(roles)("role %s: 403 unless the permissions matrix allows it", async (role) => {
    const { status, body } = await service.call(`${method} ${path}?${query}`, {
      key: keys.get(role) ?? "",
    });
    // Allowed requests respond 200, 404 or 415, because ids are unknown and bodies are missing.
    if (allowedRoles[permission].includes(role)) expect([200, 404, 415]).toContain(status);
    else
      expect([status, body]).toEqual([
        403,
        { error: refusalSentences[permission], statusCode: 403 },
      ]);
  });

  test("a read-only key: 403 for writes, before the input is checked", async () => {
    const call = () => service.call(`${method} ${path}?unknown=1`, { key: readOnlyKey });
    if (method === "GET" || path.endsWith("/what-if")) expect((await call()).status).not.toBe(403);
    else
      expect(await call()).toMatchObject({
        status: 403,
        body: { error: "Insufficient permissions for this action", statusCode: 403 },
      });
  });

  test("the path with a trailing slash is unknown: 404, or 401 without a key", async () => {
    const answers = [
      await service.call(`${method} ${path}/`, { key }),
      await service.call(`${method} ${path}/`),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [404, { error: "Not found", statusCode: 404 }],
      [401, { error: "API key required", statusCode: 401 }],
    ]);
  });
});

describe.each([...pathsOf])("methods of %s", (path, sharing) => {
  const taken = sharing.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"].filter(
    (method) => !taken.includes(method),
  );

  test.each(others)("%s: 405 with the allowed methods in Allow, for every role", async (method) => {
    for (const role of ["ADMIN", "PATIENT"]) {
      const { status, headers, body } = await service.call(`${method} ${path}`, {
        key: keys.get(role) ?? "",
      });
      expect([status, headers.get("allow")]).toEqual([405, taken.join(", ")]);
      // A response to HEAD has no body on the wire.
      if (method !== "HEAD")
        expect(body).toEqual(plain(sharing[0]?.errorStyle, 405, "Method not allowed"));
    }
  });

  test.each(others)("%s without a key: 401", async (method) => {
    const { status, headers } = await service.call(`${method} ${path}`);
    expect([status, headers.get("allow")]).toEqual([401, null]);
  });
});

describe.each(routes.filter(({ method }) => method === "GET"))("HEAD $path", ({ path }) => {
  test.each(["", "?page=0", "?%00"])(
    "has the status and headers of GET without a body: query %p",
    async (query) => {
      for (const options of [{ key }, {}]) {
        const get = await service.call(`GET ${path}${query}`, options);
        const head = await service.call(`HEAD ${path}${query}`, options);
        const comparable = ({ status, headers }: typeof get) => {
          const {
            "x-request-id": _,
            "content-length": length,
            "transfer-encoding": streamed,
            ...rest
          } = headers.toJSON();
          return { status, ...rest };
        };
        expect(comparable(head)).toEqual(comparable(get));
        // The length of a stream is not known in advance.
        const isStream = get.headers.get("content-type") === "application/x-ndjson";
        const length = isStream ? "0" : String(Buffer.byteLength(get.text));
        expect(head.headers.get("content-length")).toBe(length);
        expect(head.text).toBe("");
      }
    },
  );
});

describe("unknown paths", () => {
  test.each([
    "/api/v1",
    "/api/v1/",
    "/api/v1/none",
    "/api/v1/users/usr_1/sessions",
    "/api/v1/Users",
    "/api/v1/%75sers",
    "/api/v1/users%2F",
    "/api/v1//users",
    "/api/v1/users;a=b",
    "/api/v1/%FF",
    "/api/v1/%00",
    "/api/v1/sessions/a/b",
    "/api/v1/none?page=1",
  ])("%s responds 401 without a key and 404 with one, for every method", async (path) => {
    const withoutKey = await service.call(`GET ${path}`);
    expect([withoutKey.status, withoutKey.body]).toEqual([
      401,
      { error: "API key required", statusCode: 401 },
    ]);
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      const { status, headers, body } = await service.call(`${method} ${path}`, {
        key: keys.get("CAREGIVER") ?? "",
      });
      expect([status, headers.get("allow"), body]).toEqual([
        404,
        null,
        { error: "Not found", statusCode: 404 },
      ]);
    }
  });

  test.each([
    "/api",
    "/api/",
    "/api/v2/users",
    "/api/v1x",
    "/api/V1/users",
    "/API/v1/users",
    "//api/v1/users",
    "/v1/users",
    "/api/v1%2Fusers",
    "/none",
  ])("%s responds 404 without a key", async (path) => {
    const { status, body } = await service.call(`GET ${path}`);
    expect([status, body]).toEqual([404, { error: "Not found", statusCode: 404 }]);
  });
});
