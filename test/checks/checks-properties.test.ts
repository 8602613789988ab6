import { expect, test } from "bun:test";
import fc from "fast-check";
import { expectedChecks, expectedDelivery } from "../support/checks/oracle.ts";
import { type ChecksCase, checksCases, loadChecksPractice } from "../support/checks/practices.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { runs } from "../support/runs.ts";

/**
 * GET /v1/checks and GET /v1/delivery over the app: random practices in every time zone, compared
 * with an oracle.
 */

const service = await newService();
let organizations = 0;

async function served({ practice, now }: ChecksCase) {
  organizations += 1;
  const organization = `org_${organizations}`;
  await loadChecksPractice(service.database, organization, practice);
  const key = await newApiKey(service.database, organization);
  return async (path: string, query: object) => {
    service.clock.set(now);
    const parameters = new URLSearchParams(query as Record<string, string>);
    const { status, body } = await service.call(`GET /api/v1/${path}?${parameters}`, { key });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  };
}

const SENTENCE = /^(An? |\d).*\d{4}-\d{2}-\d{2}.*\.$/;

test("the findings equal those of the oracle, and each has a message", async () => {
  await fc.assert(
    fc.asyncProperty(checksCases(), async (one) => {
      const ask = await served(one);
      const { data, ...rest } = (await ask("checks", one.query)) as {
        data: { message: string; date: string }[];
      };
      const found = data.map(({ message, ...finding }) => {
        expect(message).toMatch(SENTENCE);
        expect(message).not.toMatch(/Leo|Park|Mia|Stone|Ana|Ruiz|undefined|null|NaN/);
        return finding;
      });
      const expected = expectedChecks(one.practice, one.query, one.now);
      expect({ ...rest, data: found }).toEqual(expected as never);
    }),
    { numRuns: runs(150) },
  );
});

test("the delivery equals that of the oracle", async () => {
  await fc.assert(
    fc.asyncProperty(checksCases(), async (one) => {
      const ask = await served(one);
      const { check: _, providerId: __, ...query } = one.query;
      const expected = expectedDelivery(one.practice, query, one.now);
      expect(await ask("delivery", query)).toEqual(expected as never);
    }),
    { numRuns: runs(75) },
  );
});
