import { describe, expect, test } from "bun:test";
import { serverConfiguration } from "../../src/config.ts";
import { clientAddress, isLoopback, networkOf } from "../../src/http/client-address.ts";
import { newRateLimits, RateLimit } from "../../src/http/limits/rate-limits.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { startServer } from "../support/commands/program.ts";
import { newService, temporaryFolder } from "../support/harness.ts";

const OUTSIDE = "203.0.113.7";

describe("failed authentication", () => {
  test("responds 429 after 20 failures of an address within a minute, then 401 again", async () => {
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

  test("does not block a valid key of the same address", async () => {
    const service = await newService({ addressOf: () => OUTSIDE });
    const organization = await newOrganization(service.database);
    const key = await newApiKey(service.database, organization);
    for (let time = 0; time < 30; time++) await service.call("GET /api/v1/users");
    expect((await service.call("GET /api/v1/users", { key })).status).toBe(200);
  });

  test("is counted per address, but never for loopback addresses", async () => {
    let address: string | undefined;
    const service = await newService({ addressOf: () => address });
    for (address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
      for (let time = 0; time < 25; time++)
        expect((await service.call("GET /api/v1/users")).status).toBe(401);
    for (let time = 0; time < 50; time++) {
      address = `203.0.113.${time}`;
      expect((await service.call("GET /api/v1/users")).status).toBe(401);
    }
  });
});

describe("failed authentication from unknown addresses", () => {
  test("shares one counter, separate from those of known addresses", async () => {
    let address: string | undefined;
    const service = await newService({ addressOf: () => address });
    const ask = async () => (await service.call("GET /api/v1/users")).status;
    const seen: number[] = [];
    for (let time = 0; time < 21; time++) seen.push(await ask());
    expect(seen).toEqual([...Array(20).fill(401), 429]);
    address = OUTSIDE;
    expect(await ask()).toBe(401);
  });
});

describe("the rate limit of a key", () => {
  test("is off by default; if configured, it counts per key and minute", async () => {
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

  test("records the first refused request and the number of the others, and logs only the first", async () => {
    const service = await newService({ limits: newRateLimits(1) });
    const organization = await newOrganization(service.database);
    const key = await newApiKey(service.database, organization);
    for (let time = 0; time < 30; time++)
      await service.call(`GET /api/v1/users?page=${time}`, { key });
    await service.audit.finish();
    const rows = await service.database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["status", "target", "requests"])
        .where("organization_id", "=", organization)
        .where("key_id", "is not", null)
        .orderBy("sequence")
        .execute(),
    );
    expect(rows).toEqual([
      { status: 400, target: "/api/v1/users?page=0", requests: null },
      { status: 429, target: "/api/v1/users?page=1", requests: null },
      { status: 429, target: null, requests: 28 },
    ]);
    expect(service.log.filter(({ message }) => message === "request")).toHaveLength(2);
  });
});

describe("RateLimit", () => {
  test("starts a new minute when the clock is set back", () => {
    const limit = new RateLimit(1);
    limit.count("a", 1_000_000);
    expect(() => limit.count("a", 1_000_001)).toThrow("Too many requests");
    limit.count("a", 500_000);
  });

  test("responds with a Retry-After of at least one second", () => {
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

describe("the client's address", () => {
  const PEER = "192.0.2.1";
  const request = (header: string | undefined) =>
    new Request("http://localhost/", {
      headers: header === undefined ? {} : { "X-Forwarded-For": header },
    });
  const proxiesFor = (trustedProxy?: string[]) =>
    serverConfiguration({ behindProxy: true, ...(trustedProxy && { trustedProxy }) }, {}).proxies;

  test("is the address of the connection if no proxy is configured", () => {
    expect(clientAddress(request("198.51.100.1"), PEER, undefined)).toBe(PEER);
    expect(clientAddress(request(undefined), undefined, undefined)).toBeUndefined();
  });

  test.each([
    ["198.51.100.1", "198.51.100.1"],
    ["203.0.113.9, 198.51.100.1", "198.51.100.1"],
    ["203.0.113.9,198.51.100.1", "198.51.100.1"],
    ["198.51.100.1:4711", "198.51.100.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["127.0.0.1, 2001:db8::1", "2001:db8::1"],
  ])("behind a local proxy, X-Forwarded-For: %p gives %s", (header, expected) => {
    for (const peer of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
      expect(clientAddress(request(header), peer, proxiesFor())).toBe(expected);
  });

  test.each([
    undefined,
    "",
    "not an address",
    "unknown",
    "198.51.100.1, ",
    "198.51.100.1, _hidden",
    "198.51.100.1:port",
    "[198.51.100.1",
    "2001:db8::1]:443",
    "198.51.100.1.example",
    // The request comes from this machine, or from a second local proxy that does not forward the
    // address.
    "127.0.0.1",
    "::1",
    "[::ffff:127.0.0.1]:80",
  ])("behind a local proxy, X-Forwarded-For: %p gives no address", (header) => {
    expect(clientAddress(request(header), "127.0.0.1", proxiesFor())).toBeUndefined();
  });

  test("is the address of the connection if that is not a trusted proxy, whatever the header says", () => {
    for (const header of [undefined, "127.0.0.1", "198.51.100.1"])
      expect(clientAddress(request(header), PEER, proxiesFor(["192.0.2.2"]))).toBe(PEER);
  });

  test("is the last address of X-Forwarded-For that is not a trusted proxy", () => {
    const proxies = proxiesFor(["192.0.2.0/24", "2001:db8::/32"]);
    const header = "127.0.0.1, 203.0.113.9, 198.51.100.1, [2001:db8::7]:80, 192.0.2.8:1234";
    for (const peer of [PEER, "::ffff:192.0.2.1", "2001:db8::1", "127.0.0.1"])
      expect(clientAddress(request(header), peer, proxies)).toBe("198.51.100.1");
    expect(clientAddress(request("192.0.2.8"), PEER, proxies)).toBeUndefined();
  });

  test("counts as loopback only for 127.0.0.0/8 and ::1", () => {
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

describe("GET /metrics", () => {
  test("counts responses by route, method and status, and answers only the local machine", async () => {
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

  test.each(["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP"])(
    "responds 404 to requests with %s and to unknown addresses",
    async (name) => {
      let address: string | undefined = "127.0.0.1";
      const service = await newService({ addressOf: () => address });
      const read = async (headers: Record<string, string> = {}) =>
        (await service.app.handle(new Request("http://localhost/metrics", { headers }))).status;
      expect([await read(), await read({ [name]: "127.0.0.1" })]).toEqual([200, 404]);
      address = undefined;
      expect(await read()).toBe(404);
    },
  );

  test("responds 404 behind a proxy that does not forward the client's address", async () => {
    const cwd = temporaryFolder();
    const { program, url } = await startServer(["--behind-proxy"], { cwd });
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${url}/metrics`, { headers })).status;
    expect([await ask({}), await ask({ "X-Forwarded-For": "nonsense" })]).toEqual([404, 404]);
    program.kill();
    await program.exited;
  });
});

describe("failed authentications are counted by what one client has", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:201", "192.0.2.1"],
    ["2001:db8:0:7::1", "2001:db8:0:7::/64"],
    ["2001:0DB8:0000:0007:ffff:0:0:1", "2001:db8:0:7::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4::/64"],
    ["1::8", "1:0:0:0::/64"],
  ])("%s is of %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test("the addresses of a home share one limit", async () => {
    let address = "";
    const service = await newService({ addressOf: () => address });
    const fail = async () =>
      (await service.call("GET /api/v1/users", { key: "caseload_wrong" })).status;
    const statuses: number[] = [];
    for (let times = 0; times < 21; times += 1) {
      address = `2001:db8:0:7::${times}`;
      statuses.push(await fail());
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
    address = "2001:db8:0:8::1";
    expect(await fail()).toBe(401);
  });
});
