import { expect, test } from "bun:test";
import fc from "fast-check";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { loadPractice, recordsOf } from "../support/utilization/load-practice.ts";
import { expectedAnswer } from "../support/utilization/oracle.ts";
import { utilizationCases } from "../support/utilization/practices.ts";
import { runs } from "../support/runs.ts";

/**
 * Random practices, imported and read over the app, compared with an oracle that walks the days.
 */

const service = await newService();
let organizations = 0;

test("over the app, in every time zone, from 1990 to 2040: responses equal those of the oracle", async () => {
  await fc.assert(
    fc.asyncProperty(utilizationCases(), async ({ practice, request, now }) => {
      organizations += 1;
      const organization = `org_${organizations}`;
      await loadPractice(service.database, organization, recordsOf(practice));
      const key = await newApiKey(service.database, organization);
      service.clock.set(now);
      const { publicId, ...query } = request;
      const path = `/api/v1/authorization-utilization/${publicId}?${new URLSearchParams(query)}`;
      const { status, body } = await service.call(`GET ${path}`, { key });
      expect([status, body]).toEqual([200, expectedAnswer(practice, request, now)]);
    }),
    { numRuns: runs(60) },
  );
});
