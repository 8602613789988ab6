import { afterAll, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { AuditEntry } from "../../src/audit/chain.ts";
import { AuditRecorder } from "../../src/audit/recorder.ts";
import { recordEntry } from "../../src/audit/trail.ts";
import { readEnds } from "../../src/audit/repository.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newOrganization } from "../support/factories.ts";
import { NOW } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/**
 * A row that is updated with each request would become slow in PostgreSQL. Heads are therefore
 * updated once a minute and at shutdown.
 */

const server = await newTestServer();
const database = await connect(
  await newDatabaseUrl(server.url, "audit_heads", "template0"),
  "existing",
);
await migrate(database, NOW as Instant);
afterAll(async () => {
  await database.close();
  await server.remove();
});
await newOrganization(database, { public_id: "org_a" });

const entry = (time: string): AuditEntry => ({
  organizationId: "org_a",
  time: `2026-03-11T${time}Z` as Instant,
  requestId: "r-1",
  keyId: null,
  userId: null,
  role: null,
  method: "GET",
  route: "/v1/users",
  status: 200,
  patientIds: [],
  target: "/api/v1/users",
  address: null,
  operator: null,
  requests: null,
});

const headAfter = async (...times: string[]) => {
  for (const time of times)
    await database.write((trx) => recordEntry(trx, entry(time)), { organizationId: "org_a" });
  const { head } = (await database.read(readEnds)).get("org_a") ?? {};
  return head?.sequence;
};

test("the head of a chain is updated once a minute and at shutdown, and the chain is always valid", async () => {
  const chain = async () => (await database.read((db) => verifyChains(db)))[1];
  expect(await headAfter("15:00:00.000")).toBe(1);
  expect(await headAfter("15:00:01.000", "15:00:59.999")).toBe(1);
  expect(await chain()).toMatchObject({ head: { sequence: 3 } });
  expect(await headAfter("15:01:00.000")).toBe(4);
  expect(await headAfter("15:01:01.000", "15:01:02.000")).toBe(4);
  await new AuditRecorder(database).finish();
  expect(await headAfter()).toBe(6);
  expect((await chain())?.fault).toBeUndefined();

  await database.write(
    (trx) => trx.deleteFrom("audit_entries").where("sequence", ">=", 5).execute(),
    { organizationId: "org_a" },
  );
  await headAfter("15:02:00.000");
  expect((await chain())?.fault).toEqual({ sequence: 5, message: "row 5 is missing" });
});
