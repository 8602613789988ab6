import { expect, test } from "bun:test";
import { newRateLimits } from "../../src/http/limits/rate-limits.ts";
import { Sandbox } from "../../src/http/sandbox/sandbox.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** What a server for tests has besides others; a whole one is in test/long/sqlite/sandbox.test.ts. */

const kept: Request[] = [];
const sandbox = new Sandbox({
  ...{ clock: undefined, operations: new Map(), resume() {} },
  ...{ async putBack() {}, async pause() {} },
  keepConnection: (request) => void kept.push(request),
});

test("a request may wait for a fault longer than an idle connection is kept", async () => {
  const request = new Request("http://localhost/api/v1/me");
  const response = await sandbox.answer(request, async () => new Response("answered"));
  expect([kept, await response.text()]).toEqual([[request], "answered"]);
});

test("a key beyond its limit may still reset: with a clock that stands still, no limit ever passes", async () => {
  const service = await newService({ sandbox, limits: newRateLimits(1) });
  const key = await newApiKey(service.database, await newOrganization(service.database));
  const statusOf = async (method: string, path: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    const request = new Request(`http://localhost${path}`, { method, headers });
    return (await sandbox.answer(request, () => service.app.handle(request))).status;
  };
  expect(await statusOf("GET", "/test/faults")).toBe(200);
  expect(await statusOf("GET", "/api/v1/me")).toBe(200);
  expect(await statusOf("GET", "/api/v1/me")).toBe(429);
  expect(await statusOf("GET", "/api/v1/nowhere")).toBe(429);
  expect(await statusOf("POST", "/test/reset")).toBe(204);
});
