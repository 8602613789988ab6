import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import {
  newApiKey,
  newAuthorization,
  newOrganization,
  newPatient,
  newSession,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/**
 * Other tests call the app in the process. This one shows that a real connection gives the same
 * responses.
 */

const service = await newService();
const organization = await newOrganization(service.database);
const key = await newApiKey(service.database, organization);
await newSession(service.database, organization, { public_id: "apt_1" });

const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: service.app.fetch });
afterAll(() => server.stop(true));
const port = server.port ?? 0;

interface WireAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Sends a request line unchanged. HTTP clients would normalize it first. */
function send(line: string, headers: Record<string, string> = {}): Promise<WireAnswer> {
  const all = {
    Host: "localhost",
    Authorization: `Bearer ${key}`,
    Connection: "close",
    ...headers,
  };
  const head = [
    `${line} HTTP/1.1`,
    ...Object.entries(all).map(([name, text]) => `${name}: ${text}`),
  ];
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(`${head.join("\r\n")}\r\n\r\n`));
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => (received += chunk));
    socket.on("end", () => resolve(parsed(received)));
    socket.on("error", reject);
  });
}

function parsed(received: string): WireAnswer {
  const end = received.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = received.slice(0, end).split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, text: received.slice(end + 4) };
}

/** Headers that belong to the connection, and the request id, which always differs. */
const CONNECTION = ["connection", "date", "content-length", "x-request-id"];

function comparable({ status, headers, text }: WireAnswer) {
  const rest = Object.entries(headers.toJSON()).filter(([name]) => !CONNECTION.includes(name));
  return { status, headers: Object.fromEntries(rest), text };
}

describe("a real connection and the app in the process give the same response:", () => {
  test.each([
    "GET /api/v1/sessions",
    "GET /api/v1/sessions/apt_1",
    "GET /api/v1/sessions/apt_none",
    "GET /api/v1/sessions/%2F",
    "GET /api/v1/sessions/a%2Fb",
    "GET /api/v1/sessions/%00",
    "GET /api/v1/sessions/%FF",
    "GET /api/v1/sessions/%ED%A0%80",
    "GET /api/v1/sessions/%zz",
    "GET /api/v1/sessions/%",
    "GET /api/v1/sessions//apt_1",
    "GET /api/v1/sessions/",
    "GET //api/v1/sessions",
    "GET /api//v1/sessions",
    "GET /api/v1/%75sers",
    "GET /api/v1/users?search=%00",
    "GET /api/v1/users?search=%ED%A0%80",
    "GET /api/v1/users?page=1?page=2",
    "GET /api/v1/users?page=1&page=2",
    "GET /api/v1/users?",
    "GET /api/v1/none",
    "POST /",
    "PUT /api/v1/sessions",
    "PURGE /api/v1/sessions",
    "OPTIONS /api/v1/sessions",
    "DELETE /api/v1/none",
  ])("%s", async (line) => {
    expect(comparable(await send(line))).toEqual(comparable(await service.call(line, { key })));
  });
});

describe("HEAD has no body and the Content-Length of GET", () => {
  test.each([
    "/api/v1/sessions",
    "/api/v1/sessions/apt_none",
    "/api/v1/none",
    "/api/v1/goals",
    "/livez",
  ])("%s", async (path) => {
    const [head, get] = [await send(`HEAD ${path}`), await send(`GET ${path}`)];
    expect(head.text).toBe("");
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
    const { text: _, ...sameOfGet } = comparable(get);
    expect(comparable(head)).toMatchObject(sameOfGet);
  });
});

test("HEAD of what GET streams says no length", async () => {
  const { database } = service;
  const { authorization } = await newLedger();
  for (const path of [
    "/api/v1/practice-file",
    "/api/v1/practice-file?types=session",
    `/api/v1/authorization-utilization/${authorization}/ledger?timezone=UTC`,
  ]) {
    const [head, get] = [await send(`HEAD ${path}`), await send(`GET ${path}`)];
    expect(head.text).toBe("");
    for (const { status, headers } of [head, get])
      expect([status, headers.get("content-length"), headers.get("transfer-encoding")]).toEqual([
        ...[200, null, "chunked"],
      ]);
    expect(comparable(head).headers).toEqual(comparable(get).headers);
  }
  /** An authorization with more sessions than a short body has. */
  async function newLedger() {
    const client = await newPatient(database, organization);
    const authorization = await newAuthorization(database, organization, { patient_id: client });
    for (let day = 0; day < 500; day += 1)
      await newSession(database, organization, {
        client_id: client,
        authorization_id: authorization,
      });
    return { authorization };
  }
});

describe("the Host header", () => {
  test.each(["localhost", "127.0.0.1:3000", "caseload", "[::1]", "api.maple.example"])(
    "%s makes no difference",
    async (Host) => {
      expect((await send("GET /api/v1/sessions/apt_1", { Host })).status).toBe(200);
    },
  );
});

test("dot segments of a path are resolved before the key and the route are checked", async () => {
  const lines = [
    "GET /api/v1/./users",
    "GET /api/v1/users/../sessions",
    "GET /api/v1/sessions/%2E%2E/users",
  ];
  expect((await Promise.all(lines.map((line) => send(line)))).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ]);
  const withoutKey = await Promise.all(lines.map((line) => send(line, { Authorization: "" })));
  expect(withoutKey.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test("the fragment of a URL is ignored", async () => {
  const { status, text } = await send("GET /api/v1/users?role=CAREGIVER#&page=0");
  expect([status, JSON.parse(text).data]).toEqual([200, []]);
});

test("the connection is closed after an export", async () => {
  const { status, headers } = await send("GET /api/v1/practice-file", { Connection: "keep-alive" });
  expect([status, headers.get("connection")]).toEqual([200, "close"]);
});

test.each([
  ["a malformed request line", "GARBAGE", "400 Bad Request"],
  ["no Host", "GET / HTTP/1.1", "400 Bad Request"],
  ["another version of HTTP", "GET / HTTP/3.0\r\nHost: x", "505 HTTP Version Not Supported"],
  [
    "a long header",
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${"b".repeat(17_000)}`,
    "431 Request Header Fields Too Large",
  ],
])("%s: Bun itself responds, without a body (docs/decisions.md)", async (_, text, status) => {
  const received = await new Promise((resolve) => {
    let all = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(`${text}\r\n\r\n`));
    socket.on("data", (data) => (all += data.toString()));
    socket.on("close", () => resolve(all));
  });
  expect(received).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
});
