import { describe, expect, test } from "bun:test";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Issue } from "../../src/lib/errors.ts";
import type { Instant } from "../../src/lib/instant.ts";
import {
  newApiKey,
  newAuthorization,
  newAuthorizationPool,
  newEncounter,
  newOrganization,
  newPatient,
  newPayor,
  newServiceLine,
  newSession,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { statementsOf } from "../support/statements.ts";

/**
 * GET /v1/delivery: response shape, listed authorizations, windows, refusals and the audit trail.
 * Counting by time zone is compared with an oracle in test/checks/checks-properties.test.ts. Today
 * is Wednesday, 2026-03-11, so that the last month is February.
 */

const PATH = "/api/v1/delivery";
const service = await newService();
const { database } = service;

/** Two authorizations for February of an active patient, and one of an inactive patient. */
async function newPractice() {
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization);
  const patient = (public_id: string, row: Parameters<typeof newPatient>[2] = {}) =>
    newPatient(database, organization, { time_zone: "America/New_York", ...row, public_id });
  await patient("usr_leo", { internal_record_id: "MRN-7" });
  await patient("usr_gone", { is_active: 0 });
  await newServiceLine(database, organization, { public_id: "svc_97153" });
  await newPayor(database, organization, { public_id: "pay_acme" });
  await newPayor(database, organization, { public_id: "pay_pool", name: "Fairwind" });
  await newAuthorizationPool(database, organization, {
    ...{ public_id: "apool_1", patient_id: "usr_leo", payor_id: "pay_pool" },
  });
  const authorize = (public_id: string, row: Parameters<typeof newAuthorization>[2] = {}) =>
    newAuthorization(database, organization, {
      ...{ patient_id: "usr_leo", service_line_id: "svc_97153" },
      authorization_date: "2026-02-01" as CalendarDate,
      authorization_expiration_date: "2026-02-10" as CalendarDate,
      ...row,
      public_id,
    });
  await authorize("auth_b", { payor_id: "pay_acme" });
  await authorize("auth_a", { authorization_pool_id: "apool_1" });
  await authorize("auth_gone", { patient_id: "usr_gone" });
  const deliver = (authorization_id: string, start: string, units: number) =>
    newEncounter(database, organization, {
      ...{ authorization_id, start_time: start as Instant, units },
    });
  const book = (authorization_id: string, start: string, status: string) =>
    newSession(database, organization, {
      ...{ authorization_id, client_id: "usr_leo", status, service_line_id: "svc_97153" },
      ...{ start_time: start as Instant, end_time: start as Instant },
    });
  const list = async (query = "") => {
    const { status, body } = await service.call(`GET ${PATH}${query}`, { key });
    expect(status).toBe(200);
    return body as { data: { authorizationId: string }[] };
  };
  return { organization, key, authorize, deliver, book, list };
}

const noSessions = {
  CONFIRMED: 0,
  UNCONFIRMED: 0,
  DECLINED: 0,
  PATIENT_NO_SHOW: 0,
  REQUESTED_TO_CANCEL: 0,
};

const acme = { payorId: "pay_acme", payorName: "Acme Health" };

/** The sums of a payor, by default of none and without any delivery. */
const sums = (more: object) => ({
  ...{ payorId: null, payorName: null, encounters: 0, unitsDelivered: 0 },
  ...{ hoursDelivered: 0, visits: 0, ...more },
});

test("entries have exactly the documented fields; inactive patients are listed, too", async () => {
  const { deliver, book, list } = await newPractice();
  await deliver("auth_b", "2026-02-10T15:00:00.000Z", 0.1);
  await deliver("auth_b", "2026-02-11T04:59:59.999Z", 0.2);
  await deliver("auth_b", "2026-02-11T05:00:00.000Z", 4);
  // The last millisecond of January and the first of March.
  await deliver("auth_b", "2026-02-01T04:59:59.999Z", 100);
  await deliver("auth_b", "2026-03-01T05:00:00.000Z", 100);
  await book("auth_b", "2026-02-10T15:00:00.000Z", "CONFIRMED");
  await book("auth_b", "2026-02-12T15:00:00.000Z", "PATIENT_NO_SHOW");
  await book("auth_b", "2026-02-12T15:00:00.000Z", "PATIENT_NO_SHOW");
  await book("auth_a", "2026-02-12T15:00:00.000Z", "DECLINED");
  await deliver("auth_gone", "2026-02-10T15:00:00.000Z", 2);
  const leo = {
    ...{ patientId: "usr_leo", patientFirstName: "Leo", patientLastName: "Park" },
    ...{ internalRecordId: "MRN-7", serviceLinePublicId: "svc_97153" },
    ...{ authorizationStartDate: "2026-02-01", authorizationEndDate: "2026-02-10" },
    ...{ authorizationNumber: "A-100", timezone: "America/New_York" },
  };
  expect(await list()).toEqual({
    startDate: "2026-02-01",
    endDate: "2026-02-28",
    totals: { encounters: 4, unitsDelivered: 6.3, unitsOutside: 4 },
    byPayor: [
      // Of 4.3 units 1.075 hours, rounded half up.
      sums({ ...acme, encounters: 3, unitsDelivered: 4.3, hoursDelivered: 1.08 }),
      sums({ payorId: "pay_pool", payorName: "Fairwind" }),
      sums({ encounters: 1, unitsDelivered: 2, hoursDelivered: 0.5 }),
    ],
    data: [
      {
        ...leo,
        authorizationId: "auth_gone",
        ...{ poolId: null, payorId: null, payorName: null },
        ...{ patientId: "usr_gone", internalRecordId: null },
        ...{ encounters: 1, unitsDelivered: 2, hoursDelivered: 0.5 },
        ...{ unitsOutside: 0, sessions: noSessions },
      },
      {
        authorizationId: "auth_a",
        ...{ ...leo, poolId: "apool_1", payorId: "pay_pool", payorName: "Fairwind" },
        ...{ encounters: 0, unitsDelivered: 0, hoursDelivered: 0, unitsOutside: 0 },
        sessions: { ...noSessions, DECLINED: 1 },
      },
      {
        authorizationId: "auth_b",
        ...{ ...leo, ...acme, poolId: null },
        ...{ encounters: 3, unitsDelivered: 4.3, hoursDelivered: 1.08, unitsOutside: 4 },
        sessions: { ...noSessions, CONFIRMED: 1, PATIENT_NO_SHOW: 2 },
      },
    ],
    pagination: { page: 1, pageSize: 25, totalCount: 3, totalPages: 1 },
  } as never);
});

describe("the query", () => {
  test("payorId filters by payor, for a pool's member by the pool's; patientId filters by patient", async () => {
    const { deliver, list } = await newPractice();
    for (const id of ["auth_a", "auth_b", "auth_gone"])
      await deliver(id, "2026-02-10T15:00:00.000Z", 1);
    const ids = async (query: string) =>
      (await list(query)).data.map(({ authorizationId }) => authorizationId);
    expect(await ids("?payorId=pay_pool")).toEqual(["auth_a"]);
    expect(await ids("?payorId=pay_acme")).toEqual(["auth_b"]);
    expect(await ids("?patientId=usr_gone")).toEqual(["auth_gone"]);
    expect(await ids("?patientId=usr_gone&payorId=pay_acme")).toEqual([]);
    expect(await ids("?payorId=pay_none")).toEqual([]);
    expect(await list("?pageSize=1&page=2&payorId=pay_pool")).toMatchObject({
      totals: { encounters: 1, unitsDelivered: 1, unitsOutside: 0 },
      data: [],
      pagination: { page: 2, pageSize: 1, totalCount: 1, totalPages: 1 },
    });
  });

  test("timezone sets the zone of the days", async () => {
    const { deliver, list } = await newPractice();
    await deliver("auth_b", "2026-02-01T04:59:59.999Z", 1);
    expect((await list()).data).toEqual([]);
    expect((await list("?timezone=UTC")).data).toMatchObject([{ timezone: "UTC" }]);
  });
});

describe("the default window is the last month in the organization's time zone", () => {
  test.each([
    ["2026-03-01T04:59:59.999Z", "2026-01-01", "2026-01-31"],
    ["2026-03-01T05:00:00.000Z", "2026-02-01", "2026-02-28"],
    ["2026-01-31T15:00:00.000Z", "2025-12-01", "2025-12-31"],
  ])("at %s", async (now, startDate, endDate) => {
    const { list } = await newPractice();
    service.clock.set(now);
    const answer = await list("?timezone=Pacific/Kiritimati");
    service.clock.set("2026-03-11T15:00:00.000Z");
    expect(answer).toMatchObject({ startDate, endDate, data: [] });
  });
});

describe("a window that is none responds 400", async () => {
  const { key } = await newPractice();
  const issue = (path: string, message: string): Issue => ({
    code: "custom",
    message,
    path: [path],
  });
  test.each<[string, Issue]>([
    [
      "startDate=2026-03-02&endDate=2026-03-01",
      issue("startDate", "startDate must be on or before endDate"),
    ],
    [
      "startDate=2026-03-01",
      issue("startDate", "startDate must be on or before endDate; endDate defaults to 2026-02-28"),
    ],
    [
      "startDate=2025-02-27",
      issue(
        "endDate",
        "endDate must be within 366 days of startDate, both counted; endDate defaults to 2026-02-28",
      ),
    ],
    [
      "month=2026-02&endDate=2026-02-28",
      issue("month", "month cannot be given with startDate or endDate"),
    ],
    [
      "startDate=2026-02-28&month=2026-02",
      issue("month", "month cannot be given with startDate or endDate"),
    ],
  ])("?%s", async (query, expected) => {
    const { status, body } = await service.call(`GET ${PATH}?${query}`, { key });
    expect([status, body]).toEqual([400, validationBody(expected)]);
  });
});

test("month is the same as its first and last day", async () => {
  const { deliver, list } = await newPractice();
  await deliver("auth_b", "2024-02-29T15:00:00.000Z", 1);
  const ofMonth = await list("?month=2024-02");
  expect(ofMonth).toMatchObject({ startDate: "2024-02-01", endDate: "2024-02-29" });
  expect(ofMonth).toEqual(await list("?startDate=2024-02-01&endDate=2024-02-29"));
});

test("hours and visits are summed by payor, exactly before they are rounded; without a payor last", async () => {
  const { organization, authorize, deliver, list } = await newPractice();
  const line = async (public_id: string, billing_unit_minutes: number | null) =>
    newServiceLine(database, organization, { public_id, billing_unit_minutes });
  await line("svc_visit", null);
  await line("svc_minute", 1);
  await newPayor(database, organization, { public_id: "pay_zebra", name: "Acme Health" });
  for (const [id, service_line_id, payor_id, units] of [
    ["auth_1", "svc_minute", "pay_zebra", 0.3],
    ["auth_2", "svc_minute", "pay_zebra", 0.3],
    ["auth_3", "svc_visit", "pay_zebra", 2],
    ["auth_4", "svc_visit", null, 1],
  ] as const) {
    await authorize(id, { service_line_id, payor_id });
    await deliver(id, "2026-02-10T15:00:00.000Z", units);
  }
  await deliver("auth_b", "2026-02-10T15:00:00.000Z", 4);
  expect(await list()).toMatchObject({
    byPayor: [
      sums({ ...acme, encounters: 1, unitsDelivered: 4, hoursDelivered: 1 }),
      // Each is 0.005 hours, rounded 0.01; together they are 0.01.
      sums({
        ...{ ...acme, payorId: "pay_zebra", encounters: 3, unitsDelivered: 2.6 },
        ...{ hoursDelivered: 0.01, visits: 2 },
      }),
      sums({ encounters: 1, unitsDelivered: 1, visits: 1 }),
    ],
    data: [
      { hoursDelivered: 0.01 },
      { hoursDelivered: 0.01 },
      { hoursDelivered: null },
      { hoursDelivered: null },
      { hoursDelivered: 1 },
    ],
  });
});

test("the number of SQL statements is the same for dozens of authorizations as for one", async () => {
  const { authorize, deliver, list } = await newPractice();
  const statements = async () => {
    const ran = await statementsOf(() => list("?pageSize=100"));
    return ran.statements.filter((text) => /^(select|with) /.test(text)).length;
  };
  await deliver("auth_a", "2026-02-10T15:00:00.000Z", 1);
  await statements();
  const few = await statements();
  for (let index = 0; index < 40; index += 1) {
    await authorize(`auth_${index}`);
    await deliver(`auth_${index}`, "2026-02-10T15:00:00.000Z", 1);
  }
  expect(await statements()).toBe(few);
});
