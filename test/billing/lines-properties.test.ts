import { expect, test } from "bun:test";
import fc from "fast-check";
import { problemNames } from "../../src/billing/problems.ts";
import { stateNames } from "../../src/billing/states.ts";
import { expectedChecks, expectedDelivery } from "../support/checks/oracle.ts";
import { loadChecksPractice } from "../support/checks/practices.ts";
import { expectedBilling } from "../support/billing/oracle.ts";
import { type BillingCase, billingCases } from "../support/billing/practices.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";
import { runs } from "../support/runs.ts";

/**
 * GET /v1/billing-lines over the app: random practices in every time zone, compared with an oracle, with the delivery of
 * the same days, and with the checks that are problems, too.
 */

const service = await newService();
let organizations = 0;

async function served({ practice, now }: BillingCase) {
  organizations += 1;
  const organization = `org_${organizations}`;
  await loadChecksPractice(service.database, organization, practice);
  const recorded = Map.groupBy(practice.recorded, ({ patientId }) => patientId);
  await mustImport(service.database, [
    { type: "organization", publicId: organization },
    ...[...recorded].flatMap(([patientId, entries]) => [
      { type: "treatmentPlan", publicId: `tp_${patientId}`, patientId },
      {
        ...{ type: "goal", publicId: `goal_${patientId}`, treatmentPlanId: `tp_${patientId}` },
        ...{ goalType: "rating", title: "Waits" },
        ratingInstances: entries.map(({ happenedAt }, index) => ({
          ...{ publicId: `rating_${index}`, value: 1, happenedAt },
        })),
      },
    ]),
  ]);
  const key = await newApiKey(service.database, organization);
  return async (path: string, query: object) => {
    service.clock.set(now);
    const parameters = new URLSearchParams(query as Record<string, string>);
    const { status, body } = await service.call(`GET /api/v1/${path}?${parameters}`, { key });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body as Record<string, unknown>;
  };
}

/** That states and problems occur in the random practices. */
const seen = new Set<string>();

test("the lines equal those of the oracle", async () => {
  await fc.assert(
    fc.asyncProperty(billingCases(), async (one) => {
      const ask = await served(one);
      const expected = expectedBilling(one.practice, one.query, one.now);
      expect(await ask("billing-lines", one.query)).toEqual(expected as never);
      const { states, problems } = expected.totals;
      for (const [name, lines] of Object.entries({ ...states, ...problems }))
        if (lines > 0) seen.add(name);
    }),
    { numRuns: runs(250) },
  );
  // Without any problem are lines of lines.test.ts.
  const all = [...stateNames, ...problemNames].filter((name) => name !== "READY");
  expect([...seen].filter((name) => name !== "READY").sort()).toEqual(all.sort());
});

test("sums are those of the delivery, and problems those of the checks", async () => {
  const shared = "OUTSIDE_AUTHORIZATION,DELIVERED_UNHELD";
  await fc.assert(
    fc.asyncProperty(billingCases(), async (one) => {
      const ask = await served(one);
      const { startDate, endDate, timezone, payorId, patientId } = one.query;
      const given = { startDate, endDate, timezone, payorId, patientId, pageSize: 100 };
      const query = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      ) as typeof given;
      if (startDate === undefined) return;
      const { practice, now } = one;
      const lines = (await ask("billing-lines", query)) as never as ReturnType<
        typeof expectedBilling
      >;
      const { totals } = expectedDelivery(practice, query as never, now);
      expect(totals.encounters).toBe(lines.totals.lines);
      const units = lines.data.reduce((sum, line) => sum + Math.round(line.units * 1e6), 0);
      expect(units / 1e6).toBe(totals.unitsDelivered);
      const checks = expectedChecks(practice, { ...query, check: shared } as never, now);
      const found = checks.data.filter(({ encounterIds }) => encounterIds.length > 0);
      const active = new Set(
        practice.patients.filter(({ isActive }) => isActive).map(({ publicId }) => publicId),
      );
      const problems = lines.data.flatMap((line) =>
        active.has(line.patientId)
          ? line.problems
              .filter((name) => shared.includes(name))
              .map((name) => `${name} ${line.encounterId}`)
          : [],
      );
      expect(problems.sort()).toEqual(
        found.map(({ check, encounterIds }) => `${check} ${encounterIds.join()}`).sort(),
      );
    }),
    { numRuns: runs(75) },
  );
});
