import { expect, test } from "bun:test";
import fc from "fast-check";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { expectedSupervision } from "../support/supervision/oracle.ts";
import { loadSupervisionPractice, supervisionCases } from "../support/supervision/practices.ts";
import { runs } from "../support/runs.ts";

/** GET /v1/supervision over the app: random practices in several time zones, compared with an oracle. */

const service = await newService();
let organizations = 0;

test("the report equals that of the oracle", async () => {
  await fc.assert(
    fc.asyncProperty(supervisionCases(), async ({ practice, query, now }) => {
      organizations += 1;
      const organization = `org_${organizations}`;
      await loadSupervisionPractice(service.database, organization, practice);
      const key = await newApiKey(service.database, organization);
      service.clock.set(now);
      const parameters = new URLSearchParams(query as Record<string, string>);
      const { status, body } = await service.call(`GET /api/v1/supervision?${parameters}`, { key });
      expect([status, body]).toEqual([200, expectedSupervision(practice, query, now)]);
    }),
    { numRuns: runs(100) },
  );
});
