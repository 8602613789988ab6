import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Database as SqliteFile } from "bun:sqlite";
import { createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "../../support/harness.ts";
import { runProgram, startProgram } from "../../support/commands/program.ts";

/** `/test` and `--webhook` of `serve --ephemeral`: what a sandbox has for tests of clients. */

const NOW = "2026-03-02T15:00:00.000Z";

interface Ring {
  body: { data: { organizationId: string; sequence: number } };
  text: string;
  headers: Headers;
}

const rings: Ring[] = [];
const receiver = Bun.serve({
  port: 0,
  async fetch(request) {
    const text = await request.text();
    rings.push({ body: JSON.parse(text), text, headers: request.headers });
    return new Response();
  },
});
const endpoint = `http://127.0.0.1:${receiver.port}/changed`;

let program: ReturnType<typeof startProgram>;
/** The folder in which the server has its own. */
let temporary: string;
let server: {
  url: string;
  key: string;
  keys: { key: string }[];
  webhooks: { id: string; url: string; secret: string }[];
};

beforeAll(async () => {
  const flags = ["--now", NOW, "--key", "TECHNICIAN", "--webhook", endpoint, "--json"];
  temporary = mkdtempSync(join(tmpdir(), "caseload-sandbox-"));
  const env = { TMPDIR: temporary };
  program = startProgram(["serve", "--ephemeral", ...flags], { cwd: temporary, env });
  const { value } = await program.stdout.getReader().read();
  server = JSON.parse(new TextDecoder().decode(value));
});
afterAll(async () => {
  program.kill();
  await program.exited;
  await receiver.stop(true);
  rmSync(temporary, { recursive: true });
});
beforeEach(async () => {
  expect((await call("POST", "/test/reset")).status).toBe(204);
});

function call(
  method: string,
  path: string,
  { body, key = server.key, ...headers }: { body?: unknown; key?: string } & object = {},
): Promise<Response> {
  const type = typeof body === "string" ? "application/x-ndjson" : "application/json";
  return fetch(`${server.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && { "Content-Type": type }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

const order = (...faults: object[]) => call("PUT", "/test/faults", { body: faults });
const faults = async () =>
  (await call("GET", "/test/faults")).json() as Promise<
    { times: number; [field: string]: unknown }[]
  >;
const statusOf = async (path: string) => (await call("GET", path)).status;
/** The text of an answer, or the code of what broke it. */
const received = (answer: Promise<Response>): Promise<string> =>
  answer.then((whole) => whole.text()).catch(({ code }) => code);

const LOCATION = [
  { type: "organization", publicId: "org_maple", name: "Maple", timezone: "America/New_York" },
  { type: "location", publicId: "loc_new", name: "New" },
]
  .map((record) => JSON.stringify(record))
  .join("\n");
const addLocation = (headers: object = {}) =>
  call("POST", "/api/v1/practice-file", { body: LOCATION, ...headers });
const exported = async () => (await call("GET", "/api/v1/practice-file")).text();

/** The statuses of the trail's rows of requests. */
function trail(): number[] {
  const [folder = ""] = readdirSync(temporary).filter((name) => name.startsWith("caseload-"));
  const file = new SqliteFile(join(temporary, folder, "caseload.db"), { readonly: true });
  const rows = file.query("select status from audit_entries where status > 0").values();
  file.close();
  return rows.map(([status]) => Number(status));
}

describe("faults", () => {
  test("leave no row of the trail but that of the request that they let through, and a reset leaves none", async () => {
    expect(trail()).toEqual([]);
    await order({ operationId: "*", status: 500 }, { operationId: "*", cut: true });
    expect(await statusOf("/api/v1/users")).toBe(500);
    await received(call("GET", "/api/v1/users"));
    expect(trail()).toEqual([200]);
    await call("POST", "/test/reset");
    expect(trail()).toEqual([]);
  });

  test("are met by the next requests of their operation with a valid key, in the error's shape, and count down", async () => {
    const fault = { operationId: "listSessions", status: 503, retryAfter: 2, times: 2 };
    const ordered = await order(fault, { operationId: "*", status: 429 });
    expect([ordered.status, await ordered.json()]).toEqual([
      200,
      [fault, { operationId: "*", status: 429, times: 1 }],
    ]);
    expect((await call("GET", "/api/v1/sessions", { key: "caseload_x" })).status).toBe(401);
    const first = await call("GET", "/api/v1/sessions");
    expect([first.status, first.headers.get("retry-after"), await first.json()]).toEqual([
      ...[503, "2", { error: "Service temporarily unavailable", statusCode: 503 }],
    ]);
    expect(await statusOf("/api/v1/me")).toBe(429);
    expect(await statusOf("/api/v1/me")).toBe(200);
    expect((await call("HEAD", "/api/v1/sessions")).status).toBe(503);
    expect(await statusOf("/api/v1/sessions?pageSize=1")).toBe(200);
    expect((await faults()).map(({ times }) => times)).toEqual([0, 0]);
    await order();
    expect(await faults()).toEqual([]);
  });

  test.each([401, 410, 429, 500, 502, 503, 504])(
    "a %d has the shape of its path",
    async (status) => {
      await order({ operationId: "*", status, times: 2 });
      const plain = await call("GET", "/api/v1/me");
      expect(await plain.json()).toEqual({ error: expect.any(String), statusCode: status });
      expect(plain.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
      const ofGoal = await call("GET", "/api/v1/goals/goal_x");
      expect(ofGoal.status).toBe(status);
      const hasStatus = [401, 429].includes(status);
      expect("statusCode" in ((await ofGoal.json()) as object)).toBe(hasStatus);
    },
  );

  test("a delay waits, and the answer is the usual one", async () => {
    await order({ operationId: "getMe", delayMs: 300 });
    const start = performance.now();
    expect(await statusOf("/api/v1/me")).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(290);
  });

  test("a cut answer is lost in the middle, and its work is done: the same key gives it again", async () => {
    await order(
      { operationId: "importPracticeFile", cut: true },
      { operationId: "listUsers", cut: true },
    );
    const key = { "Idempotency-Key": crypto.randomUUID() };
    expect(await received(addLocation(key))).toBe("ECONNRESET");
    const again = await addLocation(key);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(await exported()).toContain("loc_new");
    expect(await received(call("GET", "/api/v1/users?pageSize=100"))).toBe("ECONNRESET");
  });

  test("what makes no sense is refused at its place, with the list of operations, and changes nothing", async () => {
    await order({ operationId: "getMe", delayMs: 1 });
    const refused = await order(
      { operationId: "getMe" },
      { operationId: "listSession", status: 418, delayMs: 60_001, times: 0 },
      { operationId: "*", status: 503, cut: true, retryAfter: -1 },
      { operationId: "*", retryAfter: 1 },
    );
    const { validationErrors } = (await refused.json()) as { validationErrors: object[] };
    expect(refused.status).toBe(400);
    expect(validationErrors).toEqual([
      {
        code: "custom",
        message: expect.stringMatching(/^Must be \* or one of getMe, .*listSessions/),
        path: [1, "operationId"],
      },
      {
        code: "custom",
        message: "Must be one of 401, 410, 429, 500, 502, 503, 504",
        path: [1, "status"],
      },
      { code: "custom", message: "Must be 0 to 60000", path: [1, "delayMs"] },
      { code: "custom", message: "Must be at least 1", path: [1, "times"] },
      { code: "custom", message: "Must not be negative", path: [2, "retryAfter"] },
      { code: "custom", message: "Must not be true beside a status", path: [2, "cut"] },
      { code: "custom", message: "Needs a status", path: [3, "retryAfter"] },
    ]);
    expect(await faults()).toEqual([{ operationId: "getMe", delayMs: 1, times: 1 }]);
    for (const body of [{}, [{}], [{ operationId: "getMe", times: "2" }]])
      expect((await call("PUT", "/test/faults", { body })).status).toBe(400);
    expect((await call("PUT", "/test/faults", { body: [], key: "caseload_x" })).status).toBe(401);
  });
});

describe("reset", () => {
  test("puts data, sequence, clock, faults and stored answers back, and keeps keys and webhooks", async () => {
    const before = await exported();
    const key = { "Idempotency-Key": crypto.randomUUID() };
    expect((await addLocation(key)).status).toBe(200);
    await call("PUT", "/test/clock", { body: { now: "2026-03-03T15:00:00.000Z" } });
    await order({ operationId: "getMe", status: 500 });
    expect((await call("POST", "/test/reset", { key: server.keys[0]!.key })).status).toBe(204);
    expect([await exported(), await faults()]).toEqual([before, []]);
    // The clock would not go back, and the answer would be replayed.
    expect((await call("PUT", "/test/clock", { body: { now: NOW } })).status).toBe(200);
    expect((await addLocation(key)).headers.get("idempotency-replayed")).toBeNull();
  });

  test("waits for requests that are under way, and what comes meanwhile is answered behind it", async () => {
    await order({ operationId: "importPracticeFile", delayMs: 300 });
    const written = addLocation();
    await Bun.sleep(100);
    const resets = [call("POST", "/test/reset"), call("POST", "/test/reset")];
    const after = Array.from({ length: 20 }, () => statusOf("/api/v1/users?pageSize=1"));
    expect((await written).status).toBe(200);
    expect((await Promise.all(resets)).map(({ status }) => status)).toEqual([204, 204]);
    expect(new Set(await Promise.all(after))).toEqual(new Set([200]));
    expect(await exported()).not.toContain("loc_new");
  });

  test("works again and again, with workers, and takes less than 50 ms", async () => {
    const times: number[] = [];
    for (let round = 0; round < 4; round++) {
      // A report, and a write, each in a worker.
      expect(await statusOf("/api/v1/checks?pageSize=1")).toBe(200);
      expect((await addLocation()).status).toBe(200);
      const start = performance.now();
      expect((await call("POST", "/test/reset")).status).toBe(204);
      times.push(performance.now() - start);
      expect(await exported()).not.toContain("loc_new");
    }
    // On a busy machine some take longer.
    expect(Math.min(...times)).toBeLessThan(50);
  });
});

test("a webhook is registered before the first request, rings for a change, and not for a reset", async () => {
  expect(server.webhooks).toEqual([
    {
      id: expect.stringMatching(/^hook_/),
      url: endpoint,
      secret: expect.stringMatching(/^whsec_/),
    },
  ]);
  rings.length = 0;
  await call("POST", "/test/reset");
  await Bun.sleep(1_500);
  expect(rings).toEqual([]);
  for (let round = 0; round < 2; round++) {
    await addLocation();
    for (let wait = 0; rings.length <= round && wait < 100; wait++) await Bun.sleep(50);
    const { body, text, headers } = rings[round]!;
    expect(body.data).toEqual({ organizationId: "org_maple", sequence: 2 });
    const [id, seconds] = ["webhook-id", "webhook-timestamp"].map((name) => headers.get(name));
    const secret = Buffer.from(server.webhooks[0]!.secret.slice("whsec_".length), "base64");
    const signature = createHmac("sha256", secret)
      .update(`${id}.${seconds}.${text}`)
      .digest("base64");
    expect(headers.get("webhook-signature")).toBe(`v1,${signature}`);
    await call("POST", "/test/reset");
  }
});

test("is refused without --ephemeral, and /test is unknown there", async () => {
  const cwd = temporaryFolder();
  expect(await runProgram(["serve", "--webhook", endpoint], { cwd })).toMatchObject({
    status: 2,
    stderr: "error: --webhook goes with --ephemeral.\n",
  });
  expect((await runProgram(["serve", "--ephemeral", "--webhook", "ftp://x"], { cwd })).status).toBe(
    2,
  );
  expect(await statusOf("/test/other")).toBe(404);
});
