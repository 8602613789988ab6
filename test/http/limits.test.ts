import { describe, expect, test } from "bun:test";
import { clientAddress, isLoopback } from "../../src/http/client-address.ts";
import { newRateLimits, RateLimit } from "../../src/http/rate-limits.ts";
import { newApiKey, newOrganization } from "../factories.ts";
import { newService } from "../harness.ts";

const OUTSIDE = "203.0.113.7";

describe("failed authentication", () => {
  test("is answered 429 after twenty failures of an address in a minute, and then 401 again", async () => {
    const service = await newService({ addressOf: () => OUTSIDE });
    const statuses = async (times: number) => {
      const seen: number[] = [];
      for (let time = 0; time < times; time++)
        seen.push((await service.call("GET /api/v1/users", { key: "wrong" })).status);
      return seen;
    };
    expect(await statuses(22)).toEqual([...Array(20).fill(401), 429, 429]);
    service.clock.advance(45_000);
    const limited = await service.call("GET /api/v1/nowhere");
    expect(limited.body).toEqual({ error: "Too many requests", statusCode: 429 });
    expect(limited.headers.get("retry-after")).toBe("15");
    service.clock.advance(15_000);
    expect(await statuses(1)).toEqual([401]);
  });

  test("does not stop a good key of the same address", async () => {
    const service = await newService({ addressOf: () => OUTSIDE });
    const organization = await newOrganization(service.database);
    const key = await newApiKey(service.database, organization);
    for (let time = 0; time < 30; time++) await service.call("GET /api/v1/users");
    expect((await service.call("GET /api/v1/users", { key })).status).toBe(200);
  });

  test("is counted for each address by itself, and never for loopback", async () => {
    let address: string | undefined;
    const service = await newService({ addressOf: () => address });
    for (address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", undefined])
      for (let time = 0; time < 25; time++)
        expect((await service.call("GET /api/v1/users")).status).toBe(401);
    for (let time = 0; time < 50; time++) {
      address = `203.0.113.${time}`;
      expect((await service.call("GET /api/v1/users")).status).toBe(401);
    }
  });
});

describe("requests of a key", () => {
  test("are not limited unless asked for, and then by key and minute", async () => {
    const service = await newService({ limits: newRateLimits(3) });
    const organization = await newOrganization(service.database);
    const [first, second] = [
      await newApiKey(service.database, organization),
      await newApiKey(service.database, organization),
    ];
    const ask = async (key: string) => (await service.call("GET /api/v1/users", { key })).status;
    expect([await ask(first), await ask(first), await ask(first)]).toEqual([200, 200, 200]);
    expect([await ask(first), await ask(second)]).toEqual([429, 200]);
    service.clock.advance(60_000);
    expect(await ask(first)).toBe(200);
  });
});

describe("a limit", () => {
  test("begins a new minute when the clock is set back", () => {
    const limit = new RateLimit(1);
    limit.count("a", 1_000_000);
    expect(() => limit.count("a", 1_000_001)).toThrow("Too many requests");
    limit.count("a", 500_000);
  });

  test("says how long to wait, at least a second", () => {
    const limit = new RateLimit(0);
    const wait = (now: number): unknown => {
      try {
        limit.count("a", now);
      } catch (error) {
        return (error as { headers: Record<string, string> }).headers["Retry-After"];
      }
      return undefined;
    };
    expect([wait(0), wait(1), wait(59_500), wait(59_999)]).toEqual(["60", "60", "1", "1"]);
  });
});

describe("the address of a client", () => {
  const cases: [string | undefined, boolean, string][] = [
    ["198.51.100.1", false, "192.0.2.1"],
    [undefined, false, "192.0.2.1"],
    ["198.51.100.1", true, "198.51.100.1"],
    ["203.0.113.9, 198.51.100.1", true, "198.51.100.1"],
    ["2001:db8::1", true, "2001:db8::1"],
    ["not an address", true, "192.0.2.1"],
    ["198.51.100.1, ", true, "192.0.2.1"],
    [undefined, true, "192.0.2.1"],
  ];
  for (const [header, behindProxy, expected] of cases)
    test(`is ${expected} for X-Forwarded-For ${header ?? "absent"} ${behindProxy ? "behind" : "without"} a proxy`, () => {
      const headers = header === undefined ? {} : { "X-Forwarded-For": header };
      const request = new Request("http://localhost/", { headers });
      expect(clientAddress(request, "192.0.2.1", behindProxy)).toBe(expected);
    });

  test("is loopback only where it is this machine's own", () => {
    const loopback = ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"];
    const others = [
      "0.0.0.0",
      "::",
      "128.0.0.1",
      "10.127.0.1",
      "127.evil.example",
      "::ffff:10.0.0.1",
    ];
    expect(loopback.map(isLoopback)).toEqual(loopback.map(() => true));
    expect(others.map(isLoopback)).toEqual(others.map(() => false));
  });
});

describe("/metrics", () => {
  test("counts answers by route, method and status, and is for this machine only", async () => {
    let address = "127.0.0.1";
    const service = await newService({ addressOf: () => address });
    await service.call("GET /api/v1/sessions/apt_secret?x=secret");
    await service.call("PROPFIND /livez");
    const read = () => service.app.handle(new Request("http://localhost/metrics"));
    const text = await (await read()).text();
    expect(text).toContain(
      'caseload_requests_total{method="GET",route="/v1/sessions/{sessionId}",status="401"} 1',
    );
    expect(text).toContain(
      'caseload_requests_total{method="other",route="unknown",status="404"} 1',
    );
    expect(text).toMatch(/caseload_request_duration_seconds_bucket\{le="0\.0005",method="GET"/);
    expect(text).toMatch(/caseload_resident_memory_bytes \d+/);
    expect(text).not.toContain("secret");
    address = OUTSIDE;
    expect((await read()).status).toBe(404);
  });
});
