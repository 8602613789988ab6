import { describe, expect, test } from "bun:test";
import { newApiKey, newOrganization } from "./support/factories.ts";
import { fuzz } from "./support/fuzz.ts";
import { newService } from "./support/harness.ts";
import { fillOrganization, idsOf } from "./support/isolation-practice.ts";
import { operations } from "./support/operations.ts";
import { onPostgresql } from "./support/postgresql/databases.ts";
import { RANDOM_REQUESTS } from "./support/runs.ts";

/** Random requests to every operation that takes and gives JSON: no 500, and only documented responses. */

// Each request costs more there, and answers from the same handlers.
const count = onPostgresql ? 100 : RANDOM_REQUESTS;
const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
await fillOrganization(database, organization, "_own");
await fillOrganization(database, await newOrganization(database), "_other");
const ids = idsOf(organization, "_own");
const keys = await Promise.all(
  (["ADMIN", "CLINICIAN", "CAREGIVER"] as const).map((role) =>
    newApiKey(database, organization, role),
  ),
);

// Deletions would leave nothing to ask for.
const walked = operations.filter(
  ({ method, operationId }) => method !== "DELETE" && !operationId.endsWith("PracticeFile"),
);

describe.each(walked)("$operation", (operation) => {
  test(
    `gives documented responses to ${count} random requests`,
    async () => {
      const statuses = await fuzz(service, operation, { keys, ids, count });
      // The requests are plausible, or all of them would be refused.
      const succeeded = operation.statuses.includes(201) ? 201 : 200;
      for (const status of [succeeded, 400, 401, 404, 405])
        expect(statuses.get(status) ?? 0).toBeGreaterThan(count / 1_000);
    },
    { timeout: 120_000 },
  );
});
