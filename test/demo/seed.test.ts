import { expect, test } from "bun:test";
import { DEMO_ORGANIZATION, seedDemo } from "../../src/demo/practice.ts";
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
  expect(organizationId).toBe(DEMO_ORGANIZATION);
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

test("several clinics can be stored as one practice", async () => {
  const sessions = ofType(records, "session").length;
  const other = await newService();
  const outcome = await importAll(other.database, demoText({ sessions: sessions + 1 }));
  expect(outcome).toMatchObject({ organizationId: DEMO_ORGANIZATION });
  const otherKey = await newApiKey(other.database, DEMO_ORGANIZATION);
  const { body } = await other.call("GET /api/v1/sessions", { key: otherKey });
  expect(body).toMatchObject({ pagination: { totalCount: 2 * sessions } });
});
