import { describe, expect, test } from "bun:test";
import { ConfigurationError, pageOrigin, serverConfiguration } from "../../src/config.ts";
import { startServer } from "../../src/server.ts";
import { newDatabase, TestClock } from "../support/harness.ts";

/** Where people sign in: the configured origin, or `localhost` where the server speaks plain HTTP there. */

describe("the origin", () => {
  test.each([
    ...["https://caseload.example", "https://caseload.example:8443", "https://caseload"],
    ...["http://localhost", "http://localhost:3000", "https://localhost"],
  ])("%s is one", (origin) => {
    expect(pageOrigin(origin, {})).toBe(origin);
    expect(pageOrigin(undefined, { ORIGIN: origin })).toBe(origin);
  });

  test.each([
    ...["http://caseload.example", "http://localhost.evil.example", "http://127.0.0.1:3000"],
    ...["https://127.0.0.1", "https://[::1]", "https://2130706433", "https://0x7f.1"],
    ...["https://caseload.example/", "https://caseload.example/page", "https://caseload.example#a"],
    ...["https://ana@caseload.example", "https://Caseload.example", "https://caseload.example:443"],
    ...["caseload.example", "ftp://caseload.example", "*", "null", ""],
  ])("%s is none", (origin) => {
    expect(() => pageOrigin(origin, {})).toThrow(ConfigurationError);
  });

  test("is the flag's before the variable's, and none without either", () => {
    const ORIGIN = "https://other.example";
    expect(pageOrigin("https://caseload.example", { ORIGIN })).toBe("https://caseload.example");
    expect(pageOrigin(undefined, {})).toBeUndefined();
    expect(pageOrigin(undefined, { ORIGIN: "" })).toBeUndefined();
  });
});

describe("a server", () => {
  const originOf = async (flags: { origin?: string; behindProxy?: boolean }) => {
    const dependencies = { database: await newDatabase(), clock: new TestClock(), log() {} };
    const configuration = serverConfiguration({ port: "0", ...flags }, {});
    const server = startServer(configuration, dependencies);
    await server.stop();
    return [server.origin, `http://localhost:${server.port}`];
  };

  test("without an origin has that of localhost, unless it is behind a proxy", async () => {
    const [origin, local] = await originOf({});
    expect(origin).toBe(local);
    expect((await originOf({ behindProxy: true }))[0]).toBeUndefined();
    const origins = await originOf({ behindProxy: true, origin: "https://caseload.example" });
    expect(origins[0]).toBe("https://caseload.example");
  });
});
