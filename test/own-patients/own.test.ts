import "../support/seed.ts";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { issueKey } from "../support/factories.ts";
import { newDatabase, NOW, TestService } from "../support/harness.ts";
import { practices, seenBy, STAFF } from "../support/own-patients/practices.ts";
import { type Fields, mustImport } from "../support/practice-file/practice-file.ts";
import { onPostgresql } from "../support/postgresql/databases.ts";
import { runs } from "../support/runs.ts";

/**
 * Whose patients somebody sees. What is not theirs is as if it did not exist: every read answers like that of an
 * administrator of a practice that has only what an own calculation over the practice file finds.
 */

const days = "startDate=2025-11-01&endDate=2026-04-30";

const reads = [
  "/v1/users",
  "/v1/users?sort=lastName_desc&pageSize=3&page=2",
  "/v1/users?role=PATIENT",
  "/v1/users?search=kid",
  "/v1/sessions",
  "/v1/sessions?sort=startTime_desc&pageSize=2&page=2",
  "/v1/sessions?startDate=2026-03-01&endDate=2026-03-21&goesOn=true",
  "/v1/sessions?status=DECLINED,CONFIRMED&startDate=2025-12-01",
  "/v1/sessions?technicianId=usr_tech_1",
  "/v1/encounters",
  "/v1/encounters?patientId=usr_kid_1",
  "/v1/authorization-utilization",
  "/v1/authorization-utilization?sort=endDate",
  "/v1/authorization-utilization/auth_1",
  "/v1/authorization-utilization/auth_2/summary",
  "/v1/authorization-utilization/auth_3/ledger",
  "/v1/sessions/apt_1/utilization",
  `/v1/checks?${days}&pageSize=100`,
  `/v1/checks?${days}&providerId=usr_tech_2`,
  `/v1/delivery?${days}`,
  `/v1/billing-lines?${days}&pageSize=100`,
  `/v1/billing-lines?${days}&providerId=usr_bcba_1&problem=NO_COVERAGE`,
  "/v1/treatment-plans",
  "/v1/goals",
  "/v1/goals?patientId=usr_kid_2",
  "/v1/names?ids=usr_kid_1,usr_kid_2,usr_kid_3,usr_kid_4,usr_kid_5,usr_parent_1,usr_tech_1",
];

async function practiceOf(records: readonly Fields[]): Promise<TestService> {
  const service = new TestService(await newDatabase());
  await mustImport(service.database, records);
  return service;
}

async function answers(service: TestService, key: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of reads) {
    const { status, body } = await service.call(`GET /api${path}`, { key });
    answers[path] = { status, body };
  }
  return answers;
}

test("somebody sees the patients with whom they, or the technicians whom they lead, are booked, and who are theirs by name", async () => {
  await fc.assert(
    fc.asyncProperty(practices, fc.constantFrom(...STAFF), async (records, userId) => {
      const practice = await practiceOf(records);
      const { key } = await issueKey(practice.database, "org_maple", { holder: { userId } });
      const seen = await practiceOf(seenBy(records, userId, Date.parse(NOW)));
      const admin = await issueKey(seen.database, "org_maple");
      expect(await answers(practice, key)).toEqual(await answers(seen, admin.key));
    }),
    { numRuns: runs(onPostgresql ? 9 : 24) },
  );
});
