import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { AuditRecorder } from "../../src/audit/recorder.ts";
import type { Dependencies } from "../../src/http/context.ts";
import { exchange } from "../../src/http/exchange.ts";
import { RequestLogLimit } from "../../src/http/limits/request-log-limit.ts";
import { newMetrics } from "../../src/http/metrics.ts";
import { authorized } from "../../src/http/authorized.ts";
import { newRateLimits } from "../../src/http/limits/rate-limits.ts";
import { RequestSlots } from "../../src/http/limits/request-slots.ts";
import { SlowUploads } from "../../src/http/limits/slow-uploads.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { inThisThread, newDatabase, TestClock } from "../support/harness.ts";

/**
 * A body that is not JSON: its schema states the media type and the maximum size; handlers get its
 * bytes.
 */

const database = await newDatabase();
const key = await newApiKey(database, await newOrganization(database));
const service: Dependencies = {
  database,
  clock: new TestClock(),
  log: () => {},
  audit: new AuditRecorder(database, () => {}),
  corsOrigins: [],
  limits: newRateLimits(undefined),
  requestLogLimit: new RequestLogLimit(() => {}),
  metrics: newMetrics(),
  slots: new RequestSlots(),
  threads: inThisThread(database, new TestClock()),
  slowUploads: new SlowUploads(),
  addressOf: () => undefined,
  origin: () => undefined,
  outage: () => undefined,
  hasBackslash: () => false,
  setIdleTimeout: () => {},
};

const lines = new Elysia({ prefix: "/api/v1" })
  .use(authorized)
  .post("/lines", ({ body, write }) => write(200, async () => ({ bytes: body.length })), {
    permission: "readSpecializations",
    query: Type.Object({ twice: Type.Optional(Type.String()) }),
    body: Type.Unsafe<Uint8Array>(
      Type.Uint8Array({
        ...{ mediaType: "application/x-ndjson", maxBytes: 2 * 1024 * 1024 },
        // Workers have the routes of the app alone.
        shortBytes: Infinity,
      }),
    ),
    detail: { operationId: "countLines" },
  });
const app = new Elysia({ strictPath: true })
  .decorate("dependencies", service)
  .use(exchange)
  .use(lines);

async function send(body: string, more: { query?: string; headers?: Record<string, string> } = {}) {
  const { query = "", headers } = more;
  const response = await app.handle(
    new Request(`http://localhost/api/v1/lines${query}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "Application/X-NDJSON; charset=utf-8",
        ...headers,
      },
      body,
    }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test("a binary body reaches the handler unchanged", async () => {
  const { status, body } = await send('{"a":"é"}\nno JSON\n');
  expect([status, body]).toEqual([200, { bytes: 19 }]);
  expect((await send("")).body).toEqual({ bytes: 0 });
});

describe("a binary body is refused", () => {
  test("with another Content-Type: 415", async () => {
    const { status, body } = await send("{}", { headers: { "Content-Type": "application/json" } });
    const error = "Content-Type must be application/x-ndjson";
    expect([status, body]).toEqual([415, { error, statusCode: 415 }]);
  });

  test("beyond its own maximum size: 413", async () => {
    expect((await send("x".repeat(2 * 1024 * 1024))).status).toBe(200);
    const { status, body } = await send("x".repeat(2 * 1024 * 1024 + 1));
    const error = "Request body must not be larger than 2 MiB";
    expect([status, body]).toEqual([413, { error, statusCode: 413 }]);
  });
});

test("an Idempotency-Key covers the bytes and the query of a binary body", async () => {
  const headers = { "Idempotency-Key": "one" };
  const first = await send("abc", { query: "?twice=no", headers });
  const again = await send("abc", { query: "?twice=no", headers });
  const other = await send("abc", { query: "?twice=yes", headers });
  expect([first, again, other].map(({ status }) => status)).toEqual([200, 200, 422]);
  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
});
