import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { loadPractice, recordsOf } from "../support/utilization/load-practice.ts";
import type { Period } from "../support/utilization/oracle.ts";
import { expectedOverview, type OverviewQuery } from "../support/utilization/overview-oracle.ts";
import { type OverviewCase, overviewCases } from "../support/utilization/overview-practices.ts";
import { runs } from "../support/runs.ts";
import { localAt } from "../support/lib/zoned.ts";

/**
 * GET /v1/authorization-utilization over the app: random practices in every time zone, imported as
 * files.
 */

const service = await newService();
let organizations = 0;

async function served({ practice, now }: OverviewCase) {
  organizations += 1;
  const organization = `org_${organizations}`;
  await loadPractice(service.database, organization, recordsOf(practice));
  const key = await newApiKey(service.database, organization);
  return async (path: string, query: object) => {
    service.clock.set(now);
    const parameters = new URLSearchParams(query as Record<string, string>);
    const { status, body } = await service.call(
      `GET /api/v1/authorization-utilization${path}?${parameters}`,
      { key },
    );
    expect(status).toBe(200);
    return body as never;
  };
}

describe("over the app, in every time zone, from 1990 to 2040", () => {
  test("the overview equals that of the oracle", async () => {
    await fc.assert(
      fc.asyncProperty(overviewCases(), async (one) => {
        const ask = await served(one);
        const expected = expectedOverview(one.practice, one.query, one.now);
        expect(await ask("", one.query)).toEqual(expected as never);
      }),
      { numRuns: runs(60) },
    );
  });

  test("an entry has the period that the subject's own endpoint gives for that day", async () => {
    await fc.assert(
      fc.asyncProperty(overviewCases(), async (one) => {
        const ask = await served(one);
        const query: OverviewQuery = { ...one.query, page: 1, pageSize: 100 };
        const { data }: ReturnType<typeof expectedOverview> = await ask("", query);
        for (const { publicId, timezone, period } of data) {
          const today = localAt(one.now, timezone).toPlainDate();
          const date = one.query.date ?? today.toString();
          const {
            pool,
            members,
          }: { pool: { periods: Period[] } | null; members: { periods: Period[] }[] } = await ask(
            `/${publicId}`,
            { startDate: date, endDate: date, timezone },
          );
          expect((pool ?? members[0]!).periods).toEqual([period]);
        }
      }),
      { numRuns: runs(30) },
    );
  });
});
