import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { loadPractice, recordsOf } from "../support/utilization/load-practice.ts";
import type { OverviewPractice } from "../support/utilization/overview-oracle.ts";
import { overviewCases } from "../support/utilization/overview-practices.ts";
import { expectedWhatIf, type Question } from "../support/utilization/what-if-oracle.ts";
import { runs } from "../support/runs.ts";

/**
 * POST /v1/authorization-utilization/{publicId}/what-if over the app: random practices in every
 * time zone.
 */

const service = await newService();
let organizations = 0;

interface WhatIfCase {
  practice: OverviewPractice;
  publicId: string;
  question: Question;
}

/**
 * Added sessions start close to existing sessions and to the first and last days of authorizations.
 */
function whatIfCases(): fc.Arbitrary<WhatIfCase> {
  const added = fc.record({
    place: fc.nat(40),
    distance: fc.oneof(
      fc.constantFrom(-3_600_000, -60_000, -1, 0, 1, 60_000, 3_600_000),
      fc.integer({ min: -200_000_000, max: 200_000_000 }),
    ),
    minutes: fc.oneof(fc.constantFrom(0, 7, 8, 22, 23, 60), fc.nat(300)),
  });
  return fc
    .record({
      base: overviewCases(),
      asked: fc.nat(3),
      added: fc.array(added, { maxLength: 6 }),
      cancelled: fc.array(fc.nat(11), { maxLength: 4 }),
    })
    .map(({ base: { practice, query }, asked, added, cancelled }) => {
      const { publicId } = practice.authorizations[asked % practice.authorizations.length]!;
      const own = practice.sessions.filter((one) => one.authorizationId === publicId);
      const moments = [
        ...practice.sessions.map((one) => one.startTime),
        ...practice.encounters.map((one) => one.startTime),
        ...practice.authorizations.map((one) => `${one.authorizationDate}T12:00:00.000Z`),
        ...practice.authorizations.map((one) => `${one.authorizationExpirationDate}T12:00:00.000Z`),
      ];
      const question: Question = {
        timezone: query.timezone ?? "America/New_York",
        add: added.map(({ place, distance, minutes }) => {
          const start = Date.parse(moments[place % moments.length]!) + distance;
          return {
            startTime: new Date(start).toISOString(),
            endTime: new Date(start + minutes * 60_000).toISOString(),
          };
        }),
        cancel: cancelled.flatMap((place) => own[place % own.length]?.publicId ?? []),
      };
      return { practice, publicId, question };
    });
}

async function served(practice: OverviewPractice) {
  organizations += 1;
  const organization = `org_${organizations}`;
  await loadPractice(service.database, organization, recordsOf(practice));
  const key = await newApiKey(service.database, organization);
  return {
    async ask(publicId: string, question: Partial<Question>) {
      const path = `/api/v1/authorization-utilization/${publicId}/what-if`;
      const { status, body } = await service.call(`POST ${path}`, { key, json: question });
      expect(status).toBe(200);
      return body as ReturnType<typeof expectedWhatIf>;
    },
    reload: (changed: OverviewPractice) =>
      loadPractice(service.database, organization, recordsOf(changed)),
  };
}

describe("over the app, in every time zone, from 1990 to 2040", () => {
  test("responses equal those of the oracle", async () => {
    await fc.assert(
      fc.asyncProperty(whatIfCases(), async ({ practice, publicId, question }) => {
        const { ask } = await served(practice);
        expect(await ask(publicId, question)).toEqual(expectedWhatIf(practice, publicId, question));
      }),
      { numRuns: runs(40) },
    );
  });

  test("without added or cancelled sessions no period changes", async () => {
    await fc.assert(
      fc.asyncProperty(whatIfCases(), async ({ practice, publicId, question }) => {
        const { ask } = await served(practice);
        const { timezone = "UTC" } = question;
        expect(await ask(publicId, { timezone })).toMatchObject({
          ...{ fits: true, periods: [], outside: [] },
        });
        // Cancelling sessions that do not count changes no period either.
        const idle = practice.sessions.filter(
          ({ authorizationId, status }) => authorizationId === publicId && status === "DECLINED",
        );
        const cancel = idle.map((session) => session.publicId);
        const { fits, periods, poolPeriods } = await ask(publicId, { timezone, cancel });
        expect(fits).toBe(true);
        for (const { unitsAfter, unitsCommitted } of [...periods, ...(poolPeriods ?? [])])
          expect(unitsAfter).toBe(unitsCommitted);
      }),
      { numRuns: runs(30) },
    );
  });

  test("the predicted units equal the actual units after the sessions are booked and cancelled", async () => {
    await fc.assert(
      fc.asyncProperty(whatIfCases(), async ({ practice, publicId, question }) => {
        const { ask, reload } = await served(practice);
        const promised = await ask(publicId, question);
        const authorization = practice.authorizations.find((one) => one.publicId === publicId)!;
        const booked = question.add.map((session, index) => ({
          ...session,
          ...{ publicId: `apt_booked_${index}`, authorizationId: publicId, status: "CONFIRMED" },
          ...{ clientId: authorization.patientId },
        }));
        const sessions = practice.sessions.map((session) =>
          question.cancel.includes(session.publicId) ? { ...session, status: "DECLINED" } : session,
        );
        await reload({ ...practice, sessions: [...sessions, ...booked] });
        const inside = booked.filter((_, index) => !promised.outside.includes(index));
        const { timezone = "UTC" } = question;
        // Naming sessions that no longer count, or would not count, returns their periods
        // unchanged.
        const now = await ask(publicId, {
          timezone,
          cancel: [...question.cancel, ...inside.map((session) => session.publicId)],
        });
        const after = (
          { periods, poolPeriods }: typeof now,
          name: "unitsCommitted" | "unitsAfter",
        ) => [...periods, ...(poolPeriods ?? [])].map((one) => [one.startDate, one[name]]);
        expect(after(now, "unitsCommitted")).toEqual(after(promised, "unitsAfter"));
      }),
      { numRuns: runs(30) },
    );
  });
});
