import { NO_ORGANIZATION } from "../../db/database.ts";
import { describe, expect, spyOn, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { newService, NOW } from "../support/harness.ts";

/** `GET /livez` and `GET /readyz` are outside the API and need no key. */

const ok = { status: "ok" };

const ready = { ...ok, temporaryFolder: true };

test.each([
  ["/livez", ok],
  ["/readyz", ready],
])("GET %s responds 200 without a key", async (path, body) => {
  const service = await newService();
  const get = await service.call(`GET ${path}`);
  const head = await service.call(`HEAD ${path}`);
  expect([get.status, get.body, head.status, head.text]).toEqual([200, body, 200, ""]);
});

test("GET /readyz reports a nearly full disk with status 200", async () => {
  const service = await newService();
  // Only SQLite watches the disk; PostgreSQL's disk is watched by its own server.
  const { file } = service.database;
  if (file !== undefined) spyOn(file, "isNearlyFull").mockReturnValue(true);
  const answer = await service.call("GET /readyz");
  expect([answer.status, answer.body]).toEqual([
    200,
    file === undefined ? ready : { ...ready, disk: "nearly full" },
  ]);
});

describe("GET /readyz responds 503", () => {
  const migration = { name: "9999_of_a_later_version", applied_at: NOW as Instant };

  test("while the database has migrations of a newer version; GET /livez still responds 200", async () => {
    const service = await newService();
    await service.database.write(
      (trx) => trx.insertInto("schema_migrations").values(migration).execute(),
      NO_ORGANIZATION,
    );
    const ready = await service.call("GET /readyz");
    const live = await service.call("GET /livez");
    expect([ready.status, ready.body, live.status]).toEqual([
      503,
      { error: "The database is of another version", statusCode: 503 },
      200,
    ]);
  });

  test("while migrations are missing in the database", async () => {
    const service = await newService();
    await service.database.write(
      (trx) => trx.deleteFrom("schema_migrations").execute(),
      NO_ORGANIZATION,
    );
    expect((await service.call("GET /readyz")).status).toBe(503);
  });
});

test("GET /metrics has Prometheus' text format", async () => {
  const service = await newService();
  await service.call("GET /livez");
  const { status, headers, text } = await service.call("GET /metrics");
  expect([status, headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect(text).toContain('caseload_requests_total{method="GET",route="/livez",status="200"} 1\n');
  expect(text).toEndWith("\n");
});

test("requests outside the API write no audit entries", async () => {
  const service = await newService();
  for (const path of ["/livez", "/readyz", "/none"]) await service.call(`GET ${path}`);
  const rows = await service.database.read((db) =>
    db.selectFrom("audit_entries").selectAll().execute(),
  );
  expect(rows).toEqual([]);
});
