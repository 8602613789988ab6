import { expect, test } from "bun:test";
import { pointStates } from "../../src/goal-progress/units.ts";
import { expectedList } from "../support/goals/progress-oracle.ts";
import { tryWorlds } from "../support/goals/random-world.ts";
import { newService } from "../support/harness.ts";

/**
 * GET /v1/goal-progress of random practices, compared with what is worked out from their records (progress-oracle.ts):
 * every field of every goal, in the order of the list.
 */

test("the progress of goals is that of their records", async () => {
  const seen = new Set<string>();
  await tryWorlds(await newService(), async (world, read) => {
    const expected = expectedList(world);
    for (const { isMet, points } of expected) {
      seen.add(`met: ${isMet}`);
      for (const { state } of points) seen.add(String(state));
    }
    const found = await read("goal-progress?pageSize=100&startDate=2020-01-01");
    expect<unknown>(found).toEqual(expected);
  });
  const verdicts = ["met: true", "met: false", "met: null"];
  expect(seen).toEqual(new Set([...pointStates, ...verdicts]));
});
