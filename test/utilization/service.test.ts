import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { loadPractice, recordsOf } from "../support/utilization/load-practice.ts";
import {
  type Answer,
  expectedAnswer,
  type Period,
  type Request,
} from "../support/utilization/oracle.ts";
import { type UtilizationCase, utilizationCases } from "../support/utilization/practices.ts";
import { runs } from "../support/runs.ts";

/**
 * Random practices in every time zone, imported and read over the app. counts.test.ts runs the pure
 * functions far more often; this test includes the SQL statements.
 */

const service = await newService();
let organizations = 0;

/** Imports a practice as a new organization and returns a function that reads utilization. */
async function served({ practice, now }: UtilizationCase) {
  organizations += 1;
  const organization = `org_${organizations}`;
  await loadPractice(service.database, organization, recordsOf(practice));
  const key = await newApiKey(service.database, organization);
  return async ({ publicId, ...query }: Request): Promise<Answer> => {
    service.clock.set(now);
    const path = `/api/v1/authorization-utilization/${publicId}?${new URLSearchParams(query)}`;
    const { status, body } = await service.call(`GET ${path}`, { key });
    expect(status).toBe(200);
    return body as Answer;
  };
}

const nextDay = (date: string) => Temporal.PlainDate.from(date).add({ days: 1 }).toString();

/** The lists of periods of a response: the pool's and each member's. */
function lists({ pool, members }: Answer): Period[][] {
  return [...(pool ? [pool.periods] : []), ...members.map((member) => member.periods)];
}

describe("over the app, in every time zone, from 1990 to 2040", () => {
  test("responses equal those of the oracle, and periods adjoin each other", async () => {
    await fc.assert(
      fc.asyncProperty(utilizationCases(), async (one) => {
        const answer = await (await served(one))(one.request);
        expect(answer).toEqual(expectedAnswer(one.practice, one.request, one.now));
        for (const periods of lists(answer))
          for (const [index, period] of periods.entries()) {
            const next = periods[index + 1];
            expect(period.startDate <= period.endDate).toBe(true);
            if (next) expect(next.startDate).toBe(nextDay(period.endDate));
          }
      }),
      { numRuns: runs(60) },
    );
  });

  test("two adjoining windows have the periods of one window that spans both", async () => {
    await fc.assert(
      fc.asyncProperty(utilizationCases(), fc.nat(60), async (one, days) => {
        const ask = await served(one);
        const whole = await ask(one.request);
        const split = Temporal.PlainDate.from(whole.startDate).add({ days }).toString();
        if (split >= whole.endDate) return;
        const parts = [
          await ask({ ...one.request, startDate: whole.startDate, endDate: split }),
          await ask({ ...one.request, startDate: nextDay(split), endDate: whole.endDate }),
        ];
        lists(whole).forEach((periods, index) => {
          const both = parts.flatMap((part) => lists(part)[index]!);
          // A period that overlaps both windows is in both responses.
          const joined = new Map(both.map((period) => [period.startDate, period]));
          expect([...joined.values()]).toEqual(periods);
          expect(
            both.filter((period) => !periods.some((other) => Bun.deepEquals(other, period))),
          ).toEqual([]);
        });
      }),
      { numRuns: runs(40) },
    );
  });
});
