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

/** A goal of the first patient of each kind, for which there is an example each. */
const goals: Record<string, string> = {
  frequency_duration: "goal_000001_1",
  opportunity: "goal_000001_2",
  rating: "goal_000001_4",
  interval: "goal_000001_5",
};

const written = endpoints.filter(({ method }) => method === "POST" || method === "PATCH");

describe.each(written.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  "the demo practice accepts the documented bodies of %s",
  (_, { method, path, response, examples = {} }) => {
    test.each(Object.entries(examples))("%s", async (kind, { value }) => {
      const filled = path
        .replace("{publicId}", authorization)
        .replace("{goalId}", goals[kind] ?? "");
      const body =
        typeof value === "string"
          ? { raw: value, headers: { "Content-Type": "application/x-ndjson" } }
          : { json: value };
      const answer = await service.call(`${method} /api${filled}`, { key, ...body });
      expect([answer.status, answer.body]).toEqual([
        Number(Object.keys(response)[0]),
        expect.anything(),
      ]);
    });
  },
);

test("the demo practice accepts the documented file of CSV, with its type", async () => {
  const { otherExamples } = endpoints.find(
    ({ operationId }) => operationId === "importPracticeFile",
  )!;
  const { location } = otherExamples!["text/csv"]!;
  const body = { raw: location!.value as string, headers: { "Content-Type": "text/csv" } };
  const answer = await service.call("POST /api/v1/practice-file?type=location", { key, ...body });
  expect([answer.status, answer.body]).toEqual([
    200,
    expect.objectContaining({ counts: { organization: 1, location: 1 } }),
  ]);
});

test("the examples' links are stored; unknown ids are skipped", async () => {
  const search = "GET /api/v1/users?email=ana.ruiz@maple.example";
  const { body } = await service.call(search, { key });
  expect(body).toMatchObject({ data: [{ careTeamLeadIds: ["usr_clinician_000001"] }] });
});
