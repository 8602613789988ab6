import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { sessionStatuses } from "../../src/sessions/model.ts";
import { newApiKey, newAuthorization, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { describePages, idsIn, totalIn, validationBody } from "../support/list-rules.ts";
import {
  addBillable,
  addNonBillable,
  addPeopleAndPlaces,
  billable,
  nonBillable,
} from "../support/sessions/practice.ts";

/** GET /v1/sessions (specification, section 4.3). */

const path = "/api/v1/sessions";
const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
await addPeopleAndPlaces(database, organization);
const key = await newApiKey(database, organization);

const at = (time: string) => ({
  start_time: `2026-03-${time}Z` as Instant,
  end_time: "2026-04-01T00:00:00.000Z" as Instant,
});
const nobody = { client_id: null, technician_id: null, clinician_id: null } as const;

// Sorted by start, then by id; written in another order.
await addNonBillable(database, organization, { public_id: "apt_e", ...at("12T00:00:00.000") });
await addBillable(database, organization, {
  public_id: "apt_d",
  ...at("11T23:59:59.999"),
  client_id: "usr_mia",
});
await newAuthorization(database, organization, {
  ...{ public_id: "auth_leo", patient_id: "usr_leo", service_line_id: "svc_97153" },
});
await addBillable(database, organization, {
  public_id: "apt_c",
  ...at("11T00:00:00.000"),
  authorization_id: "auth_leo",
});
await addBillable(database, organization, {
  public_id: "apt_b",
  ...at("11T00:00:00.000"),
  ...nobody,
});
await addBillable(database, organization, {
  public_id: "apt_z",
  ...at("10T23:59:59.999"),
  clinician_id: null,
});
const ids = ["apt_z", "apt_b", "apt_c", "apt_d", "apt_e"];

const other = await newOrganization(database);
await addPeopleAndPlaces(database, other);
const list = {
  service,
  path,
  key,
  ids,
  keyOfEmpty: await newApiKey(database, other),
  maxPage: 1_000_000,
};

describePages(list);

describe("sort orders by start, then by ascending id", () => {
  test.each([
    ["sort=startTime_asc", ids],
    ["sort=startTime_desc", ["apt_e", "apt_d", "apt_b", "apt_c", "apt_z"]],
    ["sort=startTime_desc&clientId=usr_leo", ["apt_c", "apt_z"]],
    ["sort=startTime_desc&startDate=2026-03-11&endDate=2026-03-11", ["apt_d", "apt_b", "apt_c"]],
  ])("?%s", async (query, expected) => {
    const response = await service.call(`GET ${path}?${query}`, { key });
    expect([response.status, idsIn(response)]).toEqual([200, expected]);
  });
});

test("billable and non-billable sessions are listed together, each with its own fields", async () => {
  const { status, body } = await service.call(`GET ${path}?startDate=2026-03-11`, { key });
  expect([status, body]).toEqual([
    200,
    {
      data: [
        {
          ...billable,
          publicId: "apt_b",
          startTime: "2026-03-11T00:00:00.000Z",
          endTime: "2026-04-01T00:00:00.000Z",
          technicianId: null,
          clientId: null,
          clinicianId: null,
        },
        {
          ...billable,
          publicId: "apt_c",
          startTime: "2026-03-11T00:00:00.000Z",
          endTime: "2026-04-01T00:00:00.000Z",
        },
        {
          ...billable,
          publicId: "apt_d",
          startTime: "2026-03-11T23:59:59.999Z",
          endTime: "2026-04-01T00:00:00.000Z",
          clientId: "usr_mia",
        },
        {
          ...nonBillable,
          publicId: "apt_e",
          startTime: "2026-03-12T00:00:00.000Z",
          endTime: "2026-04-01T00:00:00.000Z",
        },
      ],
      pagination: { page: 1, pageSize: 25, totalCount: 4, totalPages: 1 },
    },
  ]);
});

describe("filters, alone and combined, with the total of the filtered sessions", () => {
  test.each([
    ["clientId=usr_leo", ["apt_z", "apt_c"]],
    ["clientId=usr_mia", ["apt_d", "apt_e"]],
    ["technicianId=usr_tech", ["apt_z", "apt_c", "apt_d", "apt_e"]],
    ["clinicianId=usr_bcba", ["apt_c", "apt_d"]],
    ["clientId=usr_leo&clinicianId=usr_bcba", ["apt_c"]],
    ["clientId=usr_leo&technicianId=usr_tech&clinicianId=usr_bcba", ["apt_c"]],
    ["authorizationId=auth_leo", ["apt_c"]],
    ["authorizationId=auth_leo&startDate=2026-03-11&endDate=2026-03-11", ["apt_c"]],
    ["authorizationId=auth_leo&clientId=usr_mia", []],
    // Ids are opaque: an unknown one, or one of another record type, matches nothing.
    ["clientId=usr_none", []],
    ["clientId=", []],
    ["clientId=USR_LEO", []],
    ["clientId=usr_leo%20", []],
    ["clientId=%25", []],
    ["clientId=%", []],
    ["clientId=%zz", []],
    ["clientId=usr_%6Ceo", ["apt_z", "apt_c"]],
    ["technicianId=usr_bcba", []],
    ["clinicianId=usr_tech", []],
    ["clientId=apt_c", []],
    ["authorizationId=AUTH_LEO", []],
    // Days are UTC days, both included. A session belongs to the day on which it starts.
    ["startDate=2026-03-10", ids],
    ["startDate=2026-03-11", ["apt_b", "apt_c", "apt_d", "apt_e"]],
    ["startDate=2026-03-12", ["apt_e"]],
    ["startDate=2026-03-13", []],
    ["endDate=2026-03-12", ids],
    ["endDate=2026-03-11", ["apt_z", "apt_b", "apt_c", "apt_d"]],
    ["endDate=2026-03-10", ["apt_z"]],
    ["endDate=2026-03-09", []],
    ["startDate=2026-03-11&endDate=2026-03-11", ["apt_b", "apt_c", "apt_d"]],
    ["startDate=0001-01-01&endDate=9999-12-31", ids],
    ["startDate=2026-03-11&endDate=2026-03-11&clientId=usr_mia", ["apt_d"]],
    ["startDate=2026-03-12&clientId=usr_leo", []],
    ["endDate=2026-03-10&technicianId=usr_tech", ["apt_z"]],
    ["startDate=2026-03-11&clinicianId=usr_bcba&clientId=usr_leo", ["apt_c"]],
    // With timezone, days begin and end by the clocks of that zone.
    ["timezone=America/New_York", ids],
    ["startDate=2026-03-11&timezone=America/New_York", ["apt_d", "apt_e"]],
    ["endDate=2026-03-10&timezone=America/New_York", ["apt_z", "apt_b", "apt_c"]],
    ["startDate=2026-03-11&endDate=2026-03-11&timezone=Asia/Tokyo", ["apt_z", "apt_b", "apt_c"]],
    ["startDate=2026-03-12&timezone=Asia/Tokyo", ["apt_d", "apt_e"]],
    ["startDate=2026-03-12&timezone=Asia/Tokyo&clientId=usr_leo", []],
    ["startDate=2026-03-11&endDate=2026-03-11&timezone=US/Pacific", ["apt_d", "apt_e"]],
    ["startDate=2026-03-11&endDate=2026-03-11&timezone=UTC", ["apt_b", "apt_c", "apt_d"]],
    // A calendar day that the zone skipped is empty.
    ["startDate=2011-12-30&endDate=2011-12-30&timezone=Pacific/Apia", []],
    ["startDate=0001-01-01&endDate=9999-12-31&timezone=Pacific/Kiritimati", ids],
    ["startDate=9999-12-31&timezone=America/New_York", []],
    ["endDate=0001-01-01&timezone=Asia/Tokyo", []],
  ])("?%s", async (query, expected) => {
    const answer = await service.call(`GET ${path}?${query}`, { key });
    expect([answer.status, idsIn(answer), totalIn(answer)]).toEqual([
      200,
      expected,
      expected.length,
    ]);
  });

  describe("status", async () => {
    const practice = await newOrganization(database);
    await addPeopleAndPlaces(database, practice);
    const keyOfPractice = await newApiKey(database, practice);
    for (const [index, status] of [...sessionStatuses, ...sessionStatuses].entries())
      await addBillable(database, practice, {
        public_id: `apt_${index}`,
        ...{ status, ...at(`1${index}T14:00:00.000`) },
        client_id: index < 5 ? "usr_leo" : "usr_mia",
      });

    test.each([
      ["status=CONFIRMED", ["apt_0", "apt_5"]],
      ["status=REQUESTED_TO_CANCEL,CONFIRMED", ["apt_0", "apt_4", "apt_5", "apt_9"]],
      ["status=CONFIRMED,CONFIRMED", ["apt_0", "apt_5"]],
      ["status=DECLINED%2CPATIENT_NO_SHOW", ["apt_2", "apt_3", "apt_7", "apt_8"]],
      [`status=${sessionStatuses.join()}`, Array.from({ length: 10 }, (_, i) => `apt_${i}`)],
      ["status=CONFIRMED,DECLINED&clientId=usr_mia", ["apt_5", "apt_7"]],
      ["status=CONFIRMED,DECLINED&startDate=2026-03-12&endDate=2026-03-15", ["apt_2", "apt_5"]],
      ["status=CONFIRMED&startDate=2026-03-16&timezone=Asia/Tokyo", []],
    ] as const)("?%s", async (query, expected) => {
      const answer = await service.call(`GET ${path}?${query}`, { key: keyOfPractice });
      expect([answer.status, idsIn(answer), totalIn(answer)]).toEqual([
        ...[200, [...expected], expected.length],
      ]);
    });

    test("pages of the filtered sessions: a later one, and one past the last", async () => {
      for (const [query, expected, total] of [
        ["status=CONFIRMED,UNCONFIRMED&pageSize=2&page=2", ["apt_5", "apt_6"], 4],
        ["status=CONFIRMED&page=9", [], 2],
      ] as const) {
        const answer = await service.call(`GET ${path}?${query}`, { key: keyOfPractice });
        expect([idsIn(answer), totalIn(answer)]).toEqual([[...expected], total]);
      }
    });
  });

  test("pages and totals cover the filtered sessions only", async () => {
    const query = "technicianId=usr_tech&pageSize=3&page=2";
    const { body } = await service.call(`GET ${path}?${query}`, { key });
    expect(body).toEqual({
      data: [expect.objectContaining({ publicId: "apt_e" })],
      pagination: { page: 2, pageSize: 3, totalCount: 4, totalPages: 2 },
    });
  });
});

test("29 February of a leap year is a date", async () => {
  const response = await service.call(`GET ${path}?startDate=2024-02-29`, { key });
  expect([response.status, totalIn(response)]).toEqual([200, 5]);
});

test("startDate after endDate responds 400", async () => {
  for (const query of [
    "startDate=2026-03-12&endDate=2026-03-11",
    "endDate=0001-01-01&startDate=9999-12-31",
  ]) {
    const { status, body } = await service.call(`GET ${path}?${query}`, { key });
    const message = "startDate must be on or before endDate";
    expect([status, body]).toEqual([
      400,
      validationBody({ code: "custom", message, path: ["startDate"] }),
    ]);
  }
});
