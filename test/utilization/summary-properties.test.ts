import { expect, test } from "bun:test";
import fc from "fast-check";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { runs } from "../support/runs.ts";
import { loadPractice, recordsOf } from "../support/utilization/load-practice.ts";
import { overviewCases } from "../support/utilization/overview-practices.ts";
import { expectedSession, expectedSummary } from "../support/utilization/summary-oracle.ts";

/** Summaries, and how sessions count, in random practices, compared with an oracle. */

const service = await newService();
let organizations = 0;

test("over the app, in every time zone, from 1990 to 2040: summaries equal those of the oracle", async () => {
  await fc.assert(
    fc.asyncProperty(overviewCases(), async ({ practice, query, now }) => {
      organizations += 1;
      const id = `org_${organizations}`;
      await loadPractice(service.database, id, recordsOf(practice));
      const ownKey = await newApiKey(service.database, id);
      service.clock.set(now);
      const timezone = query.timezone ?? "America/New_York";
      const date = query.date === undefined ? {} : { startDate: query.date };
      const ids = [...practice.authorizationPools, ...practice.authorizations];
      for (const { publicId } of ids) {
        const parameters = new URLSearchParams({ timezone, ...date });
        const { status, body } = await service.call(
          `GET /api/v1/authorization-utilization/${publicId}/summary?${parameters}`,
          { key: ownKey },
        );
        // A default end before the start leaves no window.
        expect(status).toBe(200);
        const request = { publicId, timezone, ...date };
        expect(body).toEqual(expectedSummary(practice, request, now) as never);
      }
    }),
    { numRuns: runs(15) },
  );
}, 60_000);

test("over the app, in every time zone: sessions count as the oracle says", async () => {
  await fc.assert(
    fc.asyncProperty(overviewCases(), async ({ practice, now }) => {
      organizations += 1;
      const id = `org_${organizations}`;
      await loadPractice(service.database, id, recordsOf(practice));
      const ownKey = await newApiKey(service.database, id);
      service.clock.set(now);
      for (const { publicId, clientId } of practice.sessions as {
        publicId: string;
        clientId?: string;
      }[]) {
        const patient = practice.patients.find((one) => one.publicId === clientId);
        const zone = [patient?.timezone, practice.organization.timezone].find(isZone) ?? "UTC";
        const path = `GET /api/v1/sessions/${publicId}/utilization`;
        const { body } = await service.call(path, { key: ownKey });
        expect(body).toMatchObject(expectedSession(practice, publicId, zone));
      }
    }),
    { numRuns: 20 },
  );
}, 60_000);

function isZone(zone: string | null | undefined): zone is string {
  return zone != null && !["Eastern Time", "Central Time", "+05:00"].includes(zone);
}
