import { expect, test } from "bun:test";
import { DEFAULT_SEED } from "../../src/demo/clinic.ts";
import { organizationId as demoOrganizationId } from "../../src/demo/organization.ts";
import { seedDemo } from "../../src/demo/practice.ts";
import { newApiKey } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";
import { exportRecords, importAll } from "../support/practice-file/practice-file.ts";
import { demoText, ofType, recordsOf } from "../support/demo/demo-file.ts";

/** The demo practice in a database, as `serve --demo` stores it. */

const service = await newService();
const { database } = service;
const organizationId = await seedDemo(database, Date.parse(NOW), "ana");
const key = await newApiKey(database, organizationId);
const records = recordsOf(demoText());

async function totalOf(path: string): Promise<unknown> {
  const { body } = await service.call(`GET /api/v1/${path}`, { key });
  return (body as { pagination: { totalCount: number } }).pagination.totalCount;
}

test("the API returns every record of the demo practice", async () => {
  expect(organizationId).toBe(demoOrganizationId(DEFAULT_SEED));
  expect(await totalOf("users")).toBe(ofType(records, "user").length);
  expect(await totalOf("sessions")).toBe(ofType(records, "session").length);
  expect(await totalOf("specializations")).toBe(ofType(records, "specialization").length);
});

test("an export equals the demo practice, with null for absent fields", async () => {
  const exported = await exportRecords(database, organizationId);
  expect(exported.length).toBe(records.length);
  for (const [index, record] of records.entries())
    expect(exported[index]).toMatchObject(record as never);
});

test("a practice with another seed can be stored beside it", async () => {
  const text = demoText({ seed: 2, sessions: 1 });
  const outcome = await importAll(database, text);
  expect(outcome).toMatchObject({ organizationId: "org_maple_2" });
  const other = await newApiKey(database, "org_maple_2");
  const { body } = await service.call("GET /api/v1/sessions", { key: other });
  expect(body).toMatchObject({
    pagination: { totalCount: ofType(recordsOf(text), "session").length },
  });
  expect(await totalOf("sessions")).toBe(ofType(records, "session").length);
});
