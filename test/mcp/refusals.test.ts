import { describe, expect, test } from "bun:test";
import { respond } from "../../src/mcp/server.ts";
import { newRateLimits } from "../../src/http/limits/rate-limits.ts";
import { RequestLogLimit } from "../../src/http/limits/request-log-limit.ts";
import { endpoints } from "../support/endpoints.ts";
import { issueKey, newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { newService, TestService } from "../support/harness.ts";

/** Who may call the tools for agents at `/mcp`, in what order requests are refused, and what is recorded. */

const service = await newService({ agents: { isLocal: true } });
const { database } = service;
const organization = await newOrganization(database);
const userId = await newUser(database, organization);
const { key: agent, id: agentId } = await issueKey(database, organization, { kind: "AGENT" });
const { key: calendar } = await issueKey(database, organization, {
  ...{ kind: "CALENDAR", holder: { userId } },
});
const admin = await newApiKey(database, organization);

const message = (method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params,
});
const LIST = message("tools/list");
const JSON_TYPE = { "Content-Type": "application/json" };
const ACCEPT = { Accept: "application/json, text/event-stream" };
const HOST = { Host: "localhost" };

interface Ask {
  method?: string;
  key?: string | undefined;
  headers?: Record<string, string>;
  body?: string;
}

/** A request with a good key, message and headers, as far as it says nothing else. */
async function ask(
  { method = "POST", key = agent, headers = {}, body = JSON.stringify(LIST) }: Ask,
  to: TestService = service,
) {
  const hasBody = method !== "GET" && method !== "HEAD";
  return to.call(`${method} /mcp`, {
    ...(key !== "" && { key }),
    headers: { ...HOST, ...ACCEPT, ...JSON_TYPE, ...headers },
    ...(hasBody && { raw: body }),
  });
}

const rows = () =>
  database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["method", "route", "status", "key_id", "target"])
      .orderBy("organization_id", "desc")
      .orderBy("sequence")
      .execute(),
  );

const LARGE = "x".repeat(256 * 1024 + 1);

test.each<[string, Ask, number, string]>([
  [
    "another site's page",
    { headers: { Origin: "http://evil.example" }, key: "" },
    403,
    "Access denied",
  ],
  ["no key", { key: "", method: "GET" }, 401, "API key required"],
  ["an unknown key", { key: "caseload_x" }, 401, "Invalid API key"],
  ["a key of the API", { key: admin, method: "GET" }, 403, "Access denied"],
  ["a key of a calendar", { key: calendar }, 403, "Access denied"],
  ["another method", { method: "GET" }, 405, "Method not allowed"],
  ["DELETE", { method: "DELETE" }, 405, "Method not allowed"],
  [
    "a large body",
    { body: LARGE, headers: { "Content-Type": "text/plain" } },
    413,
    "Request body must not be larger than 256 KiB",
  ],
  [
    "another media type",
    { body: "{", headers: { "Content-Type": "text/plain" } },
    415,
    "Content-Type must be application/json",
  ],
])("%s is refused, in this order, with a row", async (_, request, status, error) => {
  const before = (await rows()).length;
  const response = await ask(request);
  expect([response.status, response.body]).toEqual([status, { error, statusCode: status }]);
  if (status === 405) expect(response.headers.get("allow")).toBe("POST");
  await service.audit.finish();
  const after = await rows();
  expect(after).toHaveLength(before + 1);
});

test("what is no JSON is refused in the shape of the API", async () => {
  for (const body of ["{", ""]) {
    const { status, body: refusal } = await ask({ body });
    expect([status, refusal]).toEqual([
      400,
      {
        ...{ message: "Validation Error", statusCode: 400 },
        validationErrors: [
          { code: "custom", message: "Request body must be valid JSON in UTF-8", path: [] },
        ],
      },
    ]);
  }
});

test("what is no message of the protocol is refused by the protocol", async () => {
  for (const body of ['"text"', '{"jsonrpc":"1.0"}']) {
    const { status, text } = await ask({ body });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain('"jsonrpc":"2.0"');
    expect(text).not.toContain("stack");
  }
});

test("a list of messages is refused as a whole, and none of them is answered", async () => {
  const call = message("tools/call", { name: "supervision", arguments: {} });
  for (const messages of [[], [LIST], [call, call]]) {
    const before = service.log.length;
    const { status, body } = await ask({ body: JSON.stringify(messages) });
    const error = "Send one request at a time";
    expect([status, body]).toEqual([400, { error, statusCode: 400 }]);
    expect(service.log.slice(before).map(({ route }) => route)).toEqual(["/mcp"]);
  }
});

describe("a browser's preflight", () => {
  const origin = "https://inspector.example";
  const asking = {
    ...{ Origin: origin, "Access-Control-Request-Method": "POST" },
    "Access-Control-Request-Headers": "authorization,content-type,mcp-protocol-version",
  };
  const preflight = (corsOrigins: string[]) =>
    ask(
      { method: "OPTIONS", key: "", headers: asking },
      new TestService(database, { agents: { isLocal: true }, corsOrigins }),
    );

  test("is answered as below /api, with the headers of the protocol", async () => {
    const { status, text, headers } = await preflight([origin]);
    expect([status, text]).toEqual([204, ""]);
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect(headers.get("access-control-allow-headers")).toBe(
      "Authorization, Content-Type, Idempotency-Key, X-Request-Id, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id",
    );
  });

  test("of another origin is allowed nothing", async () => {
    const { status, headers } = await preflight(["https://app.example"]);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([204, null]);
    const without = await preflight([]);
    expect([without.status, without.headers.get("access-control-allow-origin")]).toEqual([
      ...[403, null],
    ]);
  });
});

test("calls have log lines beyond the limit of requests without a key, and do not use it up", async () => {
  const reports: number[] = [];
  const requestLogLimit = new RequestLogLimit((requests) => reports.push(requests));
  const busy = new TestService(database, {
    ...{ agents: { isLocal: true }, limits: newRateLimits(10_000), requestLogLimit },
  });
  for (let times = 0; times < 250; times += 1) expect((await ask({}, busy)).status).toBe(200);
  expect(busy.log.filter(({ route }) => route === "/mcp")).toHaveLength(250);
  for (let times = 0; times < 201; times += 1) await busy.call("GET /livez");
  expect(busy.log.filter(({ route }) => route === "/livez")).toHaveLength(200);
  requestLogLimit.finish();
  expect(reports).toEqual([1]);
});

describe("the address of the server", () => {
  const at = (host: string, to: TestService, headers = {}) =>
    to.app.handle(
      new Request(`http://${host}/mcp`, {
        method: "POST",
        headers: {
          ...{ Host: host, Authorization: `Bearer ${agent}` },
          ...{ ...ACCEPT, ...JSON_TYPE, ...headers },
        },
        body: JSON.stringify(LIST),
      }),
    );

  test("is this machine's where only this machine reaches the server", async () => {
    for (const host of ["localhost", "localhost:3000", "127.0.0.1:3000", "[::1]:3000"])
      expect((await at(host, service)).status).toBe(200);
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.2", "192.0.2.1:3000"])
      expect((await at(host, service)).status).toBe(403);
    // Of these the URL of the request is the server's own.
    for (const Host of ["", "evil@localhost", "localhost:3000@evil.example"])
      expect((await at("localhost", service, { Host })).status).toBe(403);
    expect((await at("localhost", service, { Host: "LocalHost:3000" })).status).toBe(200);
  });

  test("may be any where others reach it; a page's origin is the host's own or configured", async () => {
    const open = new TestService(database, {
      ...{ agents: { isLocal: false }, corsOrigins: ["https://app.example"] },
    });
    const host = "caseload.example";
    expect((await at(host, open)).status).toBe(200);
    for (const Origin of ["https://app.example", "https://caseload.example"])
      expect((await at(host, open, { Origin })).status).toBe(200);
    for (const Origin of ["https://evil.example", "null", "https://caseload.example:8443"])
      expect((await at(host, open, { Origin })).status).toBe(403);
  });
});

test("the path is unknown on a server without tools", async () => {
  const without = new TestService(database);
  for (const key of [agent, ""])
    expect(await ask({ key }, without)).toMatchObject({
      status: 404,
      body: { error: "Not found", statusCode: 404 },
    });
});

test("a key of an agent opens no operation of the API, no unknown path, and no calendar", async () => {
  const paths = endpoints.map(
    ({ method, path }) => `${method} /api${path.replaceAll(/[{}]/g, "")}`,
  );
  const unknown = ["GET /api/v1", "GET /api/v1/nothing", "PUT /api/v1/users"];
  for (const line of [...paths, ...unknown]) {
    const [method, path] = line.split(" ");
    const headers = { Authorization: `Bearer ${agent}` };
    const request = new Request(`http://localhost${path}`, { method: method as string, headers });
    const response = await service.app.handle(request);
    const body = await response.json();
    expect([line, response.status, body]).toEqual([
      ...[line, 403, { error: "Access denied", statusCode: 403 }],
    ]);
  }
  expect((await service.call(`GET /calendar/${agent}.ics`)).status).toBe(404);
});

test("no header makes a request of a client one of the tools", async () => {
  for (const headers of [
    { "X-Request-Id": "inner", Host: "localhost" },
    { "X-Forwarded-For": "127.0.0.1", Via: "mcp" },
  ])
    expect((await service.call("GET /api/v1/me", { key: agent, headers })).status).toBe(403);
});

test("requests are counted against the limit of the key", async () => {
  const limited = new TestService(database, {
    ...{ agents: { isLocal: true }, limits: newRateLimits(2) },
  });
  const statuses = [];
  for (let times = 0; times < 3; times += 1) statuses.push((await ask({}, limited)).status);
  expect(statuses).toEqual([200, 200, 429]);
  const { text } = await ask(
    { body: JSON.stringify(message("tools/call", { name: "supervision", arguments: {} })) },
    new TestService(database, { ...{ agents: { isLocal: true }, limits: newRateLimits(1) } }),
  );
  expect(text).toContain("429: Too many requests");
});

test("a call leaves the rows of its requests, with the id of the log line; lists leave none", async () => {
  await ask({ body: JSON.stringify(message("initialize")) });
  const before = (await rows()).length;
  await ask({});
  expect(await rows()).toHaveLength(before);
  const call = message("tools/call", {
    name: "sessions_of",
    arguments: { startDate: "2026-01-05" },
  });
  const headers = { "X-Request-Id": "call-1" };
  expect((await ask({ body: JSON.stringify(call), headers })).status).toBe(200);
  const made = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["route", "key_id"])
      .where("request_id", "=", "call-1")
      .orderBy("sequence")
      .execute(),
  );
  expect(made).toEqual([
    { route: "/v1/me", key_id: agentId },
    { route: "/v1/sessions", key_id: agentId },
  ]);
  const logged = service.log.filter(({ requestId }) => requestId === "call-1");
  expect(logged.map(({ route }) => route).sort()).toEqual(["/mcp", "/v1/me", "/v1/sessions"]);
});

test("subscriptions, resources and prompts are refused", async () => {
  for (const method of ["subscriptions/listen", "resources/list", "prompts/list"]) {
    const { text } = await ask({ body: JSON.stringify(message(method)) });
    expect(text).toContain('"error"');
  }
});

test("the text of a failure reaches nobody", async () => {
  const failures: unknown[] = [];
  const call = message("tools/call", { name: "supervision", arguments: {} });
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: { ...ACCEPT, ...JSON_TYPE },
    body: JSON.stringify(call),
  });
  const response = await respond(request, call, {
    ask: () => Promise.reject(new Error("secret path")),
    now: () => 0,
    failed: (error) => failures.push(error),
  });
  const text = await response.text();
  expect(text).toContain("500: Internal server error");
  expect(text).not.toContain("secret");
  expect(failures).toHaveLength(1);
});

describe("whoever reads JSON is answered in it:", () => {
  const EVENTS = "text/event-stream";

  test.each([
    ["application/json", "application/json"],
    ["*/*", "application/json"],
    ["application/*;q=0.9", "application/json"],
    ["text/html, application/json", "application/json"],
    ["application/json, text/event-stream", EVENTS],
    ["text/event-stream, */*", EVENTS],
  ])("Accept: %s", async (Accept, expected) => {
    const { status, headers, text } = await ask({ headers: { Accept } });
    expect([status, headers.get("content-type")?.split(";")[0]]).toEqual([200, expected]);
    const json = expected === EVENTS ? /^data: (\{.*)$/m.exec(text)?.[1] : text;
    expect(JSON.parse(json ?? "")).toMatchObject({ id: 1, result: { tools: expect.anything() } });
  });

  test("without Accept", async () => {
    const { status, body } = await service.call("POST /mcp", {
      key: agent,
      headers: { ...HOST, ...JSON_TYPE },
      raw: JSON.stringify(LIST),
    });
    expect([status, body]).toEqual([200, expect.objectContaining({ id: 1 })]);
  });

  test.each(["text/html", "text/event-stream"])("Accept: %s is a 406", async (Accept) => {
    expect((await ask({ headers: { Accept } })).status).toBe(406);
  });
});

describe("null for an argument", () => {
  const call = async (name: string, args: object) => {
    const sent = message("tools/call", { name, arguments: args });
    const { body } = await ask({
      headers: { Accept: "application/json" },
      body: JSON.stringify(sent),
    });
    const { result } = body as { result: { isError?: true; content: { text: string }[] } };
    return [result.isError === true, result.content[0]?.text ?? ""] as const;
  };

  test("that may be left out is as if it were", async () => {
    const nulls = { patientId: null, payorId: null, date: null, sort: null, timezone: null };
    const [isError, text] = await call("authorizations_at_a_glance", nulls);
    expect(isError).toBe(false);
    expect(await call("authorizations_at_a_glance", {})).toEqual([false, text]);
  });

  test("that is required, or unknown, is an error of the tool", async () => {
    const [isError] = await call("find_person", { search: null });
    const [isUnknown] = await call("find_person", { search: "ana", nope: null });
    expect([isError, isUnknown]).toEqual([true, true]);
  });
});
