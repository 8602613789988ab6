import { expect } from "bun:test";
import type { Database } from "../../../db/database.ts";
import { addWebhookCommand } from "../../../src/commands/webhooks.ts";
import type { Clock } from "../../../src/lib/clock.ts";

/** Adds a webhook as the operator does; returns its secret. */
export async function addWebhook({
  database,
  clock,
  organizationId,
  url,
}: {
  database: Database;
  clock: Clock;
  organizationId: string;
  url: string;
}): Promise<string> {
  const results: string[] = [];
  const output = { result: (line: string) => results.push(line), message: () => {} };
  await addWebhookCommand({ database, clock, operator: "root", output }, url, {
    organization: organizationId,
    name: "mirror",
  });
  expect(results).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
  return results[0] as string;
}
