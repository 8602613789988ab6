import { expect, test } from "bun:test";
import { sql } from "kysely";
import { newApiKey, newOrganization, newTreatmentPlan } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

test("with a full disk, writes respond 503 with Retry-After and reads work; writes work again when there is space", async () => {
  const full = await newService();
  const { database } = full;
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization);
  const treatmentPlanId = await newTreatmentPlan(database, organization);
  const limitPages = (count: number) =>
    database.write((trx) => sql`pragma max_page_count = ${sql.raw(`${count}`)}`.execute(trx), {
      organizationId: organization,
    });
  const goal = { type: "rating", title: "Calm", description: "x".repeat(10_000), treatmentPlanId };
  const create = () => full.call("POST /api/v1/goals", { key, json: goal });

  await limitPages(1);
  const refused = await create();
  expect([refused.status, refused.headers.get("retry-after"), refused.body]).toEqual([
    503,
    "1",
    { error: "Service temporarily unavailable" },
  ]);
  expect((await full.call("GET /api/v1/users", { key })).status).toBe(200);
  expect((await full.call("GET /livez")).status).toBe(200);
  await limitPages(1_000_000);
  expect((await create()).status).toBe(201);
});
