import { describe, expect, test } from "bun:test";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newDatabase, TestService } from "../support/harness.ts";

/** Cross-origin requests: off unless origins are configured. */

const origin = "https://app.maple.example";
const database = await newDatabase();
const key = await newApiKey(database, await newOrganization(database));
const preflight = { Origin: origin, "Access-Control-Request-Method": "POST" };

/** What an answer says to browsers. */
async function corsOf(
  service: TestService,
  line: string,
  headers: Record<string, string>,
): Promise<[number, Record<string, string>]> {
  const answer = await service.call(line, { key, headers });
  const said = [...answer.headers].filter(([name]) => /^access-control|^vary/.test(name));
  return [answer.status, Object.fromEntries(said)];
}

const exposed = "Allow, Idempotency-Replayed, Retry-After, X-Request-Id";

describe("without origins", () => {
  test.each([
    ["GET /api/v1/users", { Origin: origin }, 200],
    ["OPTIONS /api/v1/users", preflight, 405],
  ])("%s says nothing of it", async (line, headers, status) => {
    expect(await corsOf(new TestService(database), line, headers)).toEqual([status, {}]);
  });
});

describe("with one origin", () => {
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
  ])("%s may be read by its pages", async (line, status) => {
    expect(await corsOf(service, line, { Origin: origin })).toEqual([status, allowed]);
  });

  test("a 401, too", async () => {
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
  ])("not by those of %s", async (other) => {
    const said = { vary: "Origin" };
    expect(await corsOf(service, "GET /api/v1/users", { Origin: other })).toEqual([200, said]);
  });

  test("a request without Origin is answered as usual", async () => {
    expect(await corsOf(service, "GET /api/v1/users", {})).toEqual([200, {}]);
  });

  test("a preflight needs no key", async () => {
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

  test("OPTIONS requests other than preflights are a 405", async () => {
    expect((await corsOf(service, "OPTIONS /api/v1/users", { Origin: origin }))[0]).toBe(405);
  });
});

test("with any origin, every page may read", async () => {
  const service = new TestService(database, { corsOrigins: ["*"] });
  const [status, said] = await corsOf(service, "GET /api/v1/users", {
    Origin: "https://a.example",
  });
  expect([status, said["access-control-allow-origin"]]).toEqual([200, "*"]);
});
