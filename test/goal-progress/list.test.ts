import { expect, test } from "bun:test";
import fc from "fast-check";
import { pointStates } from "../../src/goal-progress/units.ts";
import { newApiKey } from "../support/factories.ts";
import { expectedList } from "../support/goals/progress-oracle.ts";
import { newWorld, recordsOf } from "../support/goals/random-world.ts";
import { newService, NOW } from "../support/harness.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";

/**
 * GET /v1/goal-progress of random practices, compared with what is worked out from their records (progress-oracle.ts):
 * every field of every goal, in the order of the list.
 */

const RUNS = Number(process.env.GOAL_RUNS ?? 40);

test("the progress of goals is that of their records", async () => {
  const service = await newService();
  const seen = new Set<string>();
  let practices = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (random) => {
      const world = newWorld(random, NOW);
      practices += 1;
      const publicId = `org_${practices}`;
      world.organization.publicId = publicId;
      await mustImport(service.database, recordsOf(world));
      const key = await newApiKey(service.database, publicId, "ADMIN");
      const { status, body } = await service.call(
        "GET /api/v1/goal-progress?pageSize=100&startDate=2020-01-01",
        { key },
      );
      const expected = expectedList(world);
      for (const { isMet, points } of expected) {
        seen.add(`met: ${isMet}`);
        for (const { state } of points) seen.add(String(state));
      }
      expect([status, (body as { data: unknown }).data]).toEqual([200, expected]);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  const verdicts = ["met: true", "met: false", "met: null"];
  expect(seen).toEqual(new Set([...pointStates, ...verdicts]));
});
