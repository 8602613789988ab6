import { afterAll, describe, expect, test } from "bun:test";
import { plainBody } from "../support/body-rules.ts";
import { newApiKey, newIntakeLabel, newLocation, newOrganization } from "../support/factories.ts";
import { newServiceWithOtherConnection, whileHeld } from "../support/other-connection.ts";
import { countRows, newCaregiver, newLead } from "../support/intake-leads/practice.ts";

/**
 * POST /v1/intake-leads: the two 409 responses for a caregiver's email address that is taken
 * (specification, section 4.2).
 */

const { service, otherConnection } = await newServiceWithOtherConnection();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
await newLocation(database, organization, { public_id: "loc_a" });
await newIntakeLabel(database, organization, { public_id: "lbl_a" });

const exists = plainBody(409, "A record with this email already exists");
const lost = plainBody(
  409,
  "The caregiver could not be created. Review the submission and try again.",
);

const leadOf = (email: string) => ({
  ...newLead({ selectedLocations: ["loc_a"], labelPublicIds: ["lbl_a"] }),
  caregiver: newCaregiver({ email }),
});

describe("an email address in concurrent requests over the network", () => {
  const server = Bun.serve({ port: 0, fetch: service.app.fetch });
  afterAll(() => server.stop(true));
  const post = async (path: string, json: object): Promise<[number, unknown]> => {
    const response = await fetch(new URL(path, server.url), {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(json),
    });
    return [response.status, await response.json()];
  };

  test("is given to one complete lead; requests that had found it free respond 409 asking to try again", async () => {
    const before = await countRows(service, organization);
    const spellings = ["race@example.com", "Race@Example.com", "RACE@EXAMPLE.COM"];
    const answers = await whileHeld(otherConnection, () =>
      Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          post("/api/v1/intake-leads", leadOf(spellings[index % 3] ?? "")),
        ),
      ),
    );
    expect(answers.filter(([status]) => status === 201)).toHaveLength(1);
    const texts = new Set(
      answers.filter(([status]) => status !== 201).map((a) => JSON.stringify(a)),
    );
    expect(texts).toContain(JSON.stringify([409, lost]));
    // A request that arrived later may have found the first one committed.
    texts.delete(JSON.stringify([409, exists]));
    expect(texts.size).toBe(1);
    expect(await countRows(service, organization)).toEqual({
      users: (before.users ?? 0) + 2,
      user_locations: (before.user_locations ?? 0) + 1,
      intake_leads: (before.intake_leads ?? 0) + 1,
      intake_lead_labels: (before.intake_lead_labels ?? 0) + 1,
      idempotent_responses: before.idempotent_responses ?? 0,
    });
  });

  test("is given to a lead or to a user, never to both", async () => {
    const before = await countRows(service, organization);
    const answers = await whileHeld(otherConnection, () =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0
            ? post("/api/v1/intake-leads", leadOf("either@example.com"))
            : post("/api/v1/users", {
                firstName: "Ana",
                lastName: "Ruiz",
                email: "either@example.com",
              }),
        ),
      ),
    );
    const statuses = answers.map(([status]) => status);
    const created = statuses.filter((status) => status === 200 || status === 201);
    expect(created).toHaveLength(1);
    const after = await countRows(service, organization);
    expect((after.users ?? 0) - (before.users ?? 0)).toBe(created[0] === 201 ? 2 : 1);
  });
});
