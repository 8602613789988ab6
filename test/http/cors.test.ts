import { describe, expect, test } from "bun:test";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newDatabase, TestService } from "../support/harness.ts";

/** CORS is off unless origins are configured. */

const origin = "https://app.maple.example";
const database = await newDatabase();
const key = await newApiKey(database, await newOrganization(database));
const preflight = { Origin: origin, "Access-Control-Request-Method": "POST" };

/** The status and the CORS headers of a response. */
async function corsOf(
  service: TestService,
  line: string,
  headers: Record<string, string>,
): Promise<[number, Record<string, string>]> {
  const answer = await service.call(line, { key, headers });
  const said = [...answer.headers].filter(([name]) => /^access-control|^vary/.test(name));
  return [answer.status, Object.fromEntries(said)];
}

const exposed = "Allow, Caseload-Sequence, Idempotency-Replayed, Retry-After, X-Request-Id";

describe("without configured origins", () => {
  test.each([
    ["GET /api/v1/users", { Origin: origin }, 200],
    ["OPTIONS /api/v1/users", preflight, 405],
  ])("%s has no CORS headers", async (line, headers, status) => {
    expect(await corsOf(new TestService(database), line, headers)).toEqual([status, {}]);
  });
});

describe("with one configured origin", () => {
  const service = new TestService(database, { corsOrigins: [origin] });
  const allowed = {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposed,
    vary: "Origin",
  };

  test.each([
    ["GET /api/v1/users", 200],
    ["GET /api/v1/users?page=0", 400],
    ["GET /api/v1/none", 404],
    ["PUT /api/v1/users", 405],
  ])("%s allows that origin to read the response", async (line, status) => {
    expect(await corsOf(service, line, { Origin: origin })).toEqual([status, allowed]);
  });

  test("a 401 response allows that origin, too", async () => {
    const { status, headers } = await service.call("GET /api/v1/users", {
      headers: { Origin: origin },
    });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([401, origin]);
  });

  test.each([
    "https://other.example",
    "null",
    `${origin}.evil.example`,
    "http://app.maple.example",
  ])("the origin %s is not allowed", async (other) => {
    const said = { vary: "Origin" };
    expect(await corsOf(service, "GET /api/v1/users", { Origin: other })).toEqual([200, said]);
  });

  test("a request without an Origin header has no CORS headers", async () => {
    expect(await corsOf(service, "GET /api/v1/users", {})).toEqual([200, {}]);
  });

  test("a preflight request needs no API key", async () => {
    const { status, headers, text } = await service.call("OPTIONS /api/v1/users", {
      headers: preflight,
    });
    expect([status, text]).toEqual([204, ""]);
    expect(headers.toJSON()).toMatchObject({
      ...allowed,
      "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
      "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, X-Request-Id",
      "access-control-max-age": "600",
    });
  });

  test("an OPTIONS request that is no preflight responds 405", async () => {
    expect((await corsOf(service, "OPTIONS /api/v1/users", { Origin: origin }))[0]).toBe(405);
  });
});

test("the configured origin * allows every origin", async () => {
  const service = new TestService(database, { corsOrigins: ["*"] });
  const [status, said] = await corsOf(service, "GET /api/v1/users", {
    Origin: "https://a.example",
  });
  expect([status, said["access-control-allow-origin"]]).toEqual([200, "*"]);
});
