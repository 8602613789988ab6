import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { startServer } from "../support/commands/program.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService, NOW, temporaryFolder } from "../support/harness.ts";

/** Request lines that are too long, or have a `\` in the path. */

const service = await newService();
const organization = await newOrganization(service.database);
const key = await newApiKey(service.database, organization);

const tooLong = { error: "Request line must not be longer than 8 KiB", statusCode: 414 };
const required = { error: "API key required", statusCode: 401 };

/** A request line of `bytes` bytes, in the form that `call` takes. */
function lineOf(bytes: number, path = "/api/v1/users"): string {
  const line = `GET ${path}?search=`;
  return line + "a".repeat(bytes - line.length - " HTTP/1.1".length);
}

describe("a request line longer than 8 KiB", () => {
  test.each(["/api/v1/users", "/api/v1/goals", "/api/v1/none"])(
    "responds 414 at %s, and 401 without a key",
    async (path) => {
      const line = lineOf(8 * 1024 + 1, path);
      const [known, unknown] = [await service.call(line, { key }), await service.call(line)];
      expect([known.status, known.body]).toEqual([414, tooLong]);
      expect([unknown.status, unknown.body]).toEqual([401, required]);
    },
  );

  test("responds 414 outside the API without a key", async () => {
    const { status, body } = await service.call(lineOf(8 * 1024 + 1, "/livez"));
    expect([status, body]).toEqual([414, tooLong]);
  });

  test("a request line of exactly 8 KiB is accepted", async () => {
    const ofEight = lineOf(8 * 1024, "/livez");
    expect((await service.call(ofEight)).status).toBe(200);
  });

  test("responds 414 before the role is checked", async () => {
    const patient = await newApiKey(service.database, organization, "PATIENT");
    expect((await service.call(lineOf(9_000), { key: patient })).status).toBe(414);
  });
});

describe("over a real connection", async () => {
  const cwd = temporaryFolder();
  const prepared = connectFile(join(cwd, "caseload.db"), "create");
  await migrate(prepared, NOW as Instant);
  const maple = await newOrganization(prepared);
  const wireKey = await newApiKey(prepared, maple);
  await prepared.close();
  const { program, url } = await startServer([], { cwd });
  const port = Number(new URL(url).port);
  afterAll(async () => {
    program.kill();
    await program.exited;
  });

  /** Sends a request line unchanged and returns status and body. */
  function send(line: string, key = wireKey): Promise<[number, string]> {
    const head = `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    return new Promise((resolve, reject) => {
      let received = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(head));
      socket.on("data", (chunk) => (received += chunk));
      socket.on("error", reject);
      socket.on("end", () => {
        const [start = "", body = ""] = received.split("\r\n\r\n");
        resolve([Number(start.split(" ")[1]), body]);
      });
    });
  }

  test.each([
    "GET /api/v1\\users",
    "GET /api\\v1\\users",
    "GET /api/v1/sessions\\apt_1",
    "GET /api/v1/none\\..\\users",
    "GET /api/v1/users\\",
    "GET /1/2/3/4/5/6/7/8/9/../../../../../../../../../api\\v1\\users",
  ])("a `\` in a path is not treated as `/`: %s", async (line) => {
    const notFound = JSON.stringify({ error: "Not found", statusCode: 404 });
    expect(await send(line)).toEqual([404, notFound]);
    expect((await send(line, "wrong"))[0]).toBe(401);
  });

  test.each([
    ["GET /api/v1/users?search=\\", 200],
    ["GET /api/v1/sessions/%5C", 400],
    ["GET /api/v1/./users", 200],
    ["GET /", 200],
  ])("%s responds as usual", async (line, status) => {
    expect((await send(line))[0]).toBe(status);
  });

  test("a request line of 9 KiB responds 414", async () => {
    expect((await send(`GET /api/v1/users?search=${"a".repeat(9_000)}`))[0]).toBe(414);
  });
});
