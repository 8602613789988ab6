import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import {
  newApiKey,
  newAuthorization,
  newEncounter,
  newOrganization,
  newPatient,
  newSession,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { describePages, idsIn, totalIn, validationBody } from "../support/list-rules.ts";

/** GET /v1/encounters: delivered units. */

const path = "/api/v1/encounters";
const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
for (const [patient_id, authorization] of [
  ["usr_leo", "auth_leo"],
  ["usr_mia", "auth_mia"],
] as const) {
  await newPatient(database, organization, { public_id: patient_id });
  await newAuthorization(database, organization, { public_id: authorization, patient_id });
}
await newSession(database, organization, { public_id: "apt_1", client_id: "usr_leo" });
await newSession(database, organization, { public_id: "apt_bare", client_id: "usr_mia" });

// Sorted by start, then by id; written in another order.
const encounters = [
  ["enc_z", "auth_leo", null, "2026-03-10T23:59:59.999Z", 4],
  ["enc_a", "auth_leo", "apt_1", "2026-03-11T00:00:00.000Z", 8.25],
  ["enc_b", "auth_mia", null, "2026-03-11T00:00:00.000Z", 0],
  ["enc_c", "auth_mia", null, "2026-03-11T23:59:59.999Z", 0.5],
  ["enc_d", "auth_leo", "apt_1", "2026-03-12T03:59:59.999Z", 2],
] as const;
for (const [public_id, authorization_id, session_id, start, units] of encounters.toReversed())
  await newEncounter(database, organization, {
    ...{ public_id, authorization_id, session_id, units },
    start_time: start as Instant,
  });
const ids = encounters.map(([id]) => id);

const list = {
  ...{ service, path, key, ids: [...ids], maxPage: 1_000_000 },
  keyOfEmpty: await newApiKey(database, await newOrganization(database)),
};
describePages(list);

test("encounters have five fields and are sorted by start, then id", async () => {
  const { status, body } = await service.call(`GET ${path}`, { key });
  expect([status, body]).toEqual([
    200,
    {
      data: encounters.map(([publicId, authorizationId, sessionId, startTime, units]) => ({
        ...{ publicId, authorizationId, sessionId, startTime, units },
      })),
      pagination: { page: 1, pageSize: 25, totalCount: 5, totalPages: 1 },
    },
  ]);
});

describe("filters, alone and combined, with the total of the filtered encounters", () => {
  test.each([
    ["authorizationId=auth_mia", ["enc_b", "enc_c"]],
    ["sessionId=apt_1", ["enc_a", "enc_d"]],
    ["sessionId=apt_bare", []],
    ["patientId=usr_leo", ["enc_z", "enc_a", "enc_d"]],
    ["patientId=usr_leo&authorizationId=auth_mia", []],
    ["patientId=usr_none", []],
    ["authorizationId=", []],
    // Days are UTC days unless timezone is given, both included.
    ["startDate=2026-03-11", ["enc_a", "enc_b", "enc_c", "enc_d"]],
    ["endDate=2026-03-10", ["enc_z"]],
    ["startDate=2026-03-11&endDate=2026-03-11", ["enc_a", "enc_b", "enc_c"]],
    ["startDate=2026-03-11&endDate=2026-03-11&timezone=America/New_York", ["enc_c", "enc_d"]],
    [
      "startDate=2026-03-10&endDate=2026-03-10&timezone=America/New_York",
      ["enc_z", "enc_a", "enc_b"],
    ],
    ["startDate=2026-03-11&patientId=usr_leo&timezone=Asia/Tokyo", ["enc_z", "enc_a", "enc_d"]],
    ["timezone=Asia/Tokyo", ids],
  ] as const)("?%s", async (query, expected) => {
    const answer = await service.call(`GET ${path}?${query}`, { key });
    expect([answer.status, idsIn(answer), totalIn(answer)]).toEqual([
      200,
      [...expected],
      expected.length,
    ]);
  });
});

test("startDate after endDate responds 400", async () => {
  const { status, body } = await service.call(
    `GET ${path}?startDate=2026-03-12&endDate=2026-03-11`,
    { key },
  );
  const message = "startDate must be on or before endDate";
  expect([status, body]).toEqual([
    400,
    validationBody({ code: "custom", message, path: ["startDate"] }),
  ]);
});
