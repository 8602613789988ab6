import { describe, expect, test } from "bun:test";
import { endpoints } from "../support/endpoints.ts";
import { seedDemo } from "../../src/demo/practice.ts";
import { newApiKey } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";

/**
 * Readers who try the documentation use the demo practice. The ids in its examples must exist
 * there.
 */

const service = await newService();
const organization = await seedDemo(service.database, Date.parse(NOW), "ana");
const key = await newApiKey(service.database, organization);

/** An authorization of the first patient, for paths that require one. */
const authorization = "auth_000001_1_97153";

const creations = endpoints.filter(({ method }) => method === "POST");

describe.each(creations.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  "the demo practice accepts the documented bodies of %s",
  (_, { path, response, examples = {} }) => {
    test.each(Object.entries(examples))("%s", async (_, { value }) => {
      const filled = path.replace("{publicId}", authorization);
      const body =
        typeof value === "string"
          ? { raw: value, headers: { "Content-Type": "application/x-ndjson" } }
          : { json: value };
      const answer = await service.call(`POST /api${filled}`, { key, ...body });
      expect([answer.status, answer.body]).toEqual([
        Number(Object.keys(response)[0]),
        expect.anything(),
      ]);
    });
  },
);

test("the examples' links are stored; unknown ids are skipped", async () => {
  const search = "GET /api/v1/users?email=ana.ruiz@maple.example";
  const { body } = await service.call(search, { key });
  expect(body).toMatchObject({ data: [{ careTeamLeadIds: ["usr_clinician_000001"] }] });
});
