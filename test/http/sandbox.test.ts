import { expect, test } from "bun:test";
import { newRateLimits } from "../../src/http/limits/rate-limits.ts";
import { Sandbox } from "../../src/http/sandbox/sandbox.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** What a server for tests has besides others; a whole one is in test/long/sqlite/sandbox.test.ts. */

const kept: boolean[] = [];
const sandbox = new Sandbox({
  ...{ clock: undefined, operations: new Map(), resume() {} },
  ...{ async putBack() {}, async pause() {} },
  keepOpen: (_, isWaiting) => void kept.push(isWaiting),
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

test("the connection of a request is kept open while it waits: behind a reset, in one, and for a fault", async () => {
  const service = await newService({ sandbox });
  const key = await newApiKey(service.database, await newOrganization(service.database));
  const waitsOf = async (method: string, path: string) => {
    kept.length = 0;
    const headers = { Authorization: `Bearer ${key}` };
    const request = new Request(`http://localhost${path}`, { method, headers });
    await sandbox.answer(request, () => service.app.handle(request));
    return kept;
  };
  expect(await waitsOf("GET", "/test/faults")).toEqual([true, false]);
  expect(await waitsOf("POST", "/test/reset")).toEqual([true, false, true, false]);
  expect(await waitsOf("GET", "/api/v1/me")).toEqual([true, false, true, false]);
});

test("a page of an allowed origin may order faults: its browser asks before whether it may PUT", async () => {
  const service = await newService({ sandbox, corsOrigins: ["https://app.example"] });
  const headers = { Origin: "https://app.example", "Access-Control-Request-Method": "PUT" };
  const request = new Request("http://localhost/test/faults", { method: "OPTIONS", headers });
  const { status, headers: said } = await service.app.handle(request);
  expect([status, said.get("access-control-allow-methods")]).toEqual([
    204,
    "GET, HEAD, POST, PATCH, DELETE, PUT",
  ]);
});
