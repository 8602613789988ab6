import { describe, expect, test } from "bun:test";
import { plainBody, withField } from "../support/body-rules.ts";
import {
  newApiKey,
  newIntakeLabel,
  newLocation,
  newOrganization,
  newUser,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { countRows, newCaregiver, newLead } from "../support/intake-leads/practice.ts";

/**
 * POST /v1/intake-leads: roles, and invalid bodies that respond 400 (specification, section 4.2).
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database, { time_zone: "America/New_York" });
const key = await newApiKey(database, organization);
for (const public_id of ["loc_a", "loc_b"])
  await newLocation(database, organization, { public_id });
await newIntakeLabel(database, organization, { public_id: "lbl_a" });

const create = (json: unknown, callersKey = key) =>
  service.call("POST /api/v1/intake-leads", { key: callersKey, json });

describe("client.birthdate must not be in the future", () => {
  const future = validationBody({
    code: "custom",
    message: "Must not be in the future",
    path: ["client", "birthdate"],
  });
  // 15:00 UTC on 2026-03-11 is 2026-03-12 in Auckland and 2026-03-11 in New York.
  test.each([
    ["2026-03-11", "America/New_York", 201],
    ["2026-03-12", "America/New_York", 400],
    ["2026-03-12", "Pacific/Auckland", 201],
    ["2026-03-13", "Pacific/Auckland", 400],
    ["9999-12-31", "Pacific/Auckland", 400],
    ["1900-01-01", "UTC", 201],
  ])("%s in the time zone of the request, %s: %p", async (birthdate, timezone, status) => {
    const answer = await create(newLead({ birthdate, timezone }));
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toEqual(future);
  });

  test.each([
    ["2026-03-11", "Pacific/Honolulu", "2026-03-11T09:59:59.999Z", 400],
    ["2026-03-11", "Pacific/Honolulu", "2026-03-11T10:00:00.000Z", 201],
    ["2026-03-12", "Pacific/Auckland", "2026-03-11T15:00:00.000Z", 201],
    ["2026-03-12", null, "2026-03-11T23:59:59.999Z", 400],
    ["2026-03-12", null, "2026-03-12T00:00:00.000Z", 201],
    // An unsupported time zone from an old system counts as UTC.
    ["2026-03-12", "EST5EDT4", "2026-03-11T23:59:59.999Z", 400],
  ])(
    "%s in the organization's time zone, %p, at %s: %p",
    async (birthdate, time_zone, now, status) => {
      const organization = await newOrganization(database, { time_zone });
      const organizationsKey = await newApiKey(database, organization);
      service.clock.set(now);
      const answer = await create(newLead({ birthdate }), organizationsKey);
      service.clock.set("2026-03-11T15:00:00.000Z");
      expect(answer.status).toBe(status);
      if (status === 400) expect(answer.body).toEqual(future);
    },
  );
});

describe("unknown locations and labels respond 400", () => {
  test.each([
    [{ selectedLocations: ["loc_none"] }, "Unknown selectedLocations: 'loc_none'"],
    [{ selectedLocations: [""] }, "Unknown selectedLocations: ''"],
    [
      { selectedLocations: ["loc_a", "loc_y", "LOC_B", "loc_b", "loc_y"] },
      "Unknown selectedLocations: 'loc_y', 'LOC_B'",
    ],
    [{ labelPublicIds: ["lbl_a", "lbl_none"] }, "Unknown labelPublicIds: 'lbl_none'"],
    // The id of a location is not the id of a label.
    [{ labelPublicIds: ["loc_a"] }, "Unknown labelPublicIds: 'loc_a'"],
    [
      {
        selectedLocations: ["loc_none"],
        intakeStatusKey: "LEAD",
        labelPublicIds: ["lbl_none"],
      },
      "Unknown selectedLocations: 'loc_none'. No active intake stage has the intakeStatusKey 'LEAD'. Unknown labelPublicIds: 'lbl_none'",
    ],
  ])("%p: every unknown id is named, and nothing is written", async (client, sentence) => {
    const before = await countRows(service, organization);
    const answer = await create(newLead(client));
    expect([answer.status, answer.body]).toEqual([400, plainBody(400, sentence)]);
    expect(await countRows(service, organization)).toEqual(before);
  });
});

describe("several errors at once", () => {
  test("are reported in the order: shape, birthdate, unknown ids, email", async () => {
    await newUser(database, organization, { email: "order@example.com" });
    const caregiver = newCaregiver({ email: "order@example.com" });
    const wrong = {
      ...newLead({ birthdate: "2026-03-12", selectedLocations: ["loc_none"] }),
      caregiver,
    };
    const statuses = [];
    for (const json of [
      withField(wrong, ["client", "sex"], "x"),
      wrong,
      withField(wrong, ["client", "birthdate"], "2020-01-01"),
      withField({ ...newLead(), caregiver }, ["client", "selectedLocations"], ["loc_a"]),
    ]) {
      const { status, body } = await create(json);
      const { validationErrors, error } = body as {
        validationErrors?: { path: string[] }[];
        error?: string;
      };
      statuses.push([status, error ?? validationErrors?.map(({ path }) => path.join("."))]);
    }
    expect(statuses).toEqual([
      [400, ["client.sex"]],
      [400, ["client.birthdate"]],
      [400, "Unknown selectedLocations: 'loc_none'"],
      [409, "A record with this email already exists"],
    ]);
  });
});
