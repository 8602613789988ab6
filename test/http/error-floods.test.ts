import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { RequestLogLimit } from "../../src/http/limits/request-log-limit.ts";
import { runInProcess, startServer } from "../support/commands/program.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService, temporaryFolder } from "../support/harness.ts";

/** Refused requests, and requests that need no key, cannot fill the disk. */

const REQUESTS = 3_000;
const AT_ONCE = 50;

test("3,000 failed requests from one address write 20 audit entries and one with the number of the others", async () => {
  const cwd = temporaryFolder();
  const { program, url } = await startServer(["--behind-proxy"], { cwd });
  const log = program.stderr.text();
  const headers = { "X-Forwarded-For": "203.0.113.9", Authorization: "Bearer caseload_wrong" };
  const statuses: number[] = [];
  let left = REQUESTS;
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await fetch(`${url}/api/v1/users`, { headers });
      await response.text();
      statuses.push(response.status);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  program.kill();
  expect(await program.exited).toBe(0);

  const countOf = (status: number) => statuses.filter((found) => found === status).length;
  expect([countOf(401), countOf(429)]).toEqual([20, REQUESTS - 20]);
  const lines = (await log).trim().split("\n");
  expect(lines.length).toBeLessThan(25);
  expect(lines.at(-1)).toContain(`"refused requests summarized","requests":${REQUESTS - 20}`);
  const listed = (await runInProcess(["audit", "list", "--json"], { cwd })).stdout
    .trim()
    .split("\n");
  const rows = listed
    .map((line) => JSON.parse(line))
    .filter(({ method }) => method !== "COMMAND")
    .map(({ method, status, address, requests }) => [method, status, address, requests]);
  expect(rows).toEqual([
    ...Array.from({ length: 20 }, () => ["GET", 401, "203.0.113.9", null]),
    ["*", 429, "203.0.113.9", REQUESTS - 20],
  ]);
  expect(statSync(join(cwd, "caseload.db")).size).toBeLessThan(2 ** 20);
  expect((await runInProcess(["audit", "verify"], { cwd })).status).toBe(0);
});

test("failed requests from 1,000 addresses write few audit entries, and requests with keys keep theirs", async () => {
  const service = await newService({
    addressOf: (request) => request.headers.get("X-Forwarded-For") ?? undefined,
  });
  const organization = await newOrganization(service.database);
  const key = await newApiKey(service.database, organization);
  for (let host = 0; host < 1_000; host += 1) {
    const headers = { "X-Forwarded-For": `10.1.${host >> 8}.${host & 255}` };
    expect((await service.call("GET /api/v1/users", { headers })).status).toBe(401);
  }
  expect((await service.call("GET /api/v1/users", { key })).status).toBe(200);
  await service.audit.finish();
  const rows = await service.database.read((db) =>
    db.selectFrom("audit_entries").select(["organization_id", "status", "requests"]).execute(),
  );
  expect(rows.filter(({ organization_id }) => organization_id === organization)).toHaveLength(1);
  const anonymous = rows.filter(({ organization_id }) => organization_id === "");
  expect(anonymous).toHaveLength(200 + 100 + 1);
  expect(anonymous.reduce((sum, { requests }) => sum + (requests ?? 1), 0)).toBe(1_000);
  expect(service.log.filter(({ message }) => message === "request")).toHaveLength(200 + 1);
});

test("many refusals of one key write two audit entries per status, and the database grows little", async () => {
  const service = await newService();
  const organization = await newOrganization(service.database);
  const key = await newApiKey(service.database, organization, "PATIENT");
  const long = "a".repeat(7_000);
  for (let time = 0; time < 500; time += 1) {
    expect((await service.call(`GET /api/v1/users?search=${long}`, { key })).status).toBe(403);
    expect((await service.call(`GET /api/v1/none/${time}`, { key })).status).toBe(404);
  }
  await service.audit.finish();
  const rows = await service.database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["status", "route", "target", "requests"])
      .where("organization_id", "=", organization)
      .where("key_id", "is not", null)
      .orderBy("status")
      .orderBy("sequence")
      .execute(),
  );
  const target = `/api/v1/users?search=${long}`;
  const hash = Bun.CryptoHasher.hash("sha256", target, "hex");
  const sum = { route: "*", target: null, requests: 499 };
  expect(rows).toEqual([
    {
      ...{ status: 403, route: "/v1/users", requests: null },
      target: `${target.slice(0, 1_000)} sha256:${hash}`,
    },
    { status: 403, ...sum },
    { status: 404, route: "unknown", target: "/api/v1/none/0", requests: null },
    { status: 404, ...sum },
  ]);
});

test("requests outside the API write at most 200 log lines a minute, and one with the number of the others", async () => {
  const reported: number[] = [];
  const requestLogLimit = new RequestLogLimit((requests) => reported.push(requests));
  const service = await newService({ requestLogLimit });
  for (let time = 0; time < 500; time += 1) await service.call(`GET /none/${time}`);
  expect(service.log).toHaveLength(200);
  requestLogLimit.finish();
  expect(reported).toEqual([300]);
  await service.call("GET /livez");
  expect(service.log).toHaveLength(201);
  requestLogLimit.finish();
  expect(reported).toEqual([300]);
});
