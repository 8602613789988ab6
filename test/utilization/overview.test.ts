import { describe, expect, test } from "bun:test";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
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
import { describePages, idsIn, paginationIn } from "../support/list-rules.ts";
import { statementsOf } from "../support/statements.ts";

/**
 * GET /v1/authorization-utilization: response shape, listed subjects, order and refusals. Counting
 * is compared with an oracle in overview-properties.test.ts. Today is Wednesday, 2026-03-11.
 */

const PATH = "/api/v1/authorization-utilization";
const service = await newService();
const { database } = service;

const day = (date: string) => date as CalendarDate;
const instant = (text: string) => text as Instant;

/** An organization with one patient, and functions that add authorizations. */
async function newPractice(organizationRow: Parameters<typeof newOrganization>[1] = {}) {
  const organization = await newOrganization(database, organizationRow);
  const key = await newApiKey(database, organization);
  const patient_id = await newPatient(database, organization, {
    public_id: "usr_leo",
    time_zone: "America/New_York",
  });
  const service_line_id = await newServiceLine(database, organization, { public_id: "svc_97153" });
  const authorize = (public_id: string, row: Parameters<typeof newAuthorization>[2] = {}) =>
    newAuthorization(database, organization, { patient_id, service_line_id, ...row, public_id });
  const deliver = (authorization_id: string, units: number) =>
    newEncounter(database, organization, { authorization_id, units });
  const list = (query = "", keyOfCaller = key) =>
    service.call(`GET ${PATH}${query}`, { key: keyOfCaller });
  return { organization, key, patient_id, service_line_id, authorize, deliver, list };
}

const first = await newPractice();
await newPayor(database, first.organization, { public_id: "pay_own" });
await newPayor(database, first.organization, { public_id: "pay_pool", name: "Fairwind" });
await first.authorize("auth_alone", { authorized_units_quantity: 32, payor_id: "pay_own" });
await newAuthorizationPool(database, first.organization, {
  public_id: "apool_1",
  patient_id: first.patient_id,
  payor_id: "pay_pool",
  total_units: 160,
  unit_frequency: "MONTHLY",
});
const pooled = { authorization_pool_id: "apool_1" };
await first.authorize("auth_early", {
  ...pooled,
  authorization_date: day("2026-03-03"),
  authorization_expiration_date: day("2026-03-09"),
});
await first.authorize("auth_late", { ...pooled, authorization_date: day("2026-03-08") });
for (const [authorization_id, hour] of [
  ["auth_alone", 14],
  ["auth_alone", 16],
  ["auth_late", 18],
] as const) {
  const session_id = await newSession(database, first.organization, {
    authorization_id,
    start_time: instant(`2026-03-09T${hour}:00:00.000Z`),
    end_time: instant(`2026-03-09T${hour + 1}:00:00.000Z`),
  });
  // The first session was delivered. Its encounter has a start in the week before, where it counts.
  if (hour === 14)
    await newEncounter(database, first.organization, {
      authorization_id,
      session_id,
      start_time: instant("2026-03-07T14:00:00.000Z"),
      units: 4,
    });
}
await first.deliver("auth_alone", 1);
await first.deliver("auth_early", 2.5);
await newEncounter(database, first.organization, {
  authorization_id: "auth_early",
  start_time: instant("2026-03-05T14:00:00.000Z"),
  units: 0.25,
});

const service97153 = (authorizationId: string) => ({
  authorizationId,
  serviceLinePublicId: "svc_97153",
  serviceLineName: "Adaptive behavior treatment",
});
const patient = { patientId: "usr_leo", patientFirstName: "Leo", patientLastName: "Park" };
const alone = {
  subject: "AUTHORIZATION",
  publicId: "auth_alone",
  ...patient,
  authorizationNumber: "A-100",
  authorizationStatus: "AUTHORIZED",
  serviceLinePublicId: "svc_97153",
  payorId: "pay_own",
  payorName: "Acme Health",
  startDate: "2026-01-07",
  endDate: "2026-07-06",
  timezone: "America/New_York",
  unitFrequency: "WEEKLY",
  period: { startDate: "2026-03-08", endDate: "2026-03-14", unitsUtilized: 1, unitsScheduled: 8 },
  unitsAuthorized: 32,
  unitsOpen: 4,
  unitsCommitted: 5,
  unitsLeft: 27,
  services: [service97153("auth_alone")],
  overFrom: null,
  share: 0.1563,
  elapsedShare: 0.5714,
};
const pool = {
  subject: "POOL",
  publicId: "apool_1",
  ...patient,
  authorizationNumber: null,
  authorizationStatus: null,
  serviceLinePublicId: null,
  payorId: "pay_pool",
  payorName: "Fairwind",
  startDate: "2026-03-03",
  endDate: "2026-07-06",
  timezone: "America/New_York",
  unitFrequency: "MONTHLY",
  // The encounter of the 10th is after the last day of its member.
  period: {
    startDate: "2026-03-03",
    endDate: "2026-03-31",
    unitsUtilized: 0.25,
    unitsScheduled: 4,
  },
  unitsAuthorized: 160,
  unitsOpen: 4,
  unitsCommitted: 4.25,
  unitsLeft: 155.75,
  services: [service97153("auth_early"), service97153("auth_late")],
  overFrom: null,
  share: 0.0266,
  elapsedShare: 0.3103,
};

test("entries have exactly the documented fields, sorted by share; members of pools are not listed", async () => {
  const { status, body } = await first.list();
  expect([status, body]).toEqual([
    200,
    {
      data: [alone, pool],
      pagination: { page: 1, pageSize: 25, totalCount: 2, totalPages: 1 },
    },
  ]);
});

test("overFrom is the first later period within the term that is over, whose open sessions count", async () => {
  const { authorize, deliver, list, organization } = await newPractice();
  await authorize("auth_over", {
    authorized_units_quantity: 4,
    authorization_date: day("2026-03-02"),
    // A Wednesday: the week of the 29th is cut.
    authorization_expiration_date: day("2026-04-01"),
  });
  const at = (date: string) => ({
    authorization_id: "auth_over",
    start_time: instant(`${date}T15:00:00.000Z`),
  });
  const booked = (date: string, hours: number, status = "CONFIRMED") =>
    newSession(database, organization, {
      ...at(date),
      end_time: instant(`${date}T${15 + hours}:00:00.000Z`),
      status,
    });
  // This week is over, too, to its last day.
  await deliver("auth_over", 5);
  await booked("2026-03-14", 3);
  await booked("2026-03-17", 1);
  const delivered = await booked("2026-03-23", 3);
  await newEncounter(database, organization, {
    ...at("2026-03-23"),
    ...{ session_id: delivered, units: 4 },
  });
  await booked("2026-03-24", 3, "DECLINED");
  await booked("2026-04-02", 3);
  const overFrom = async () => {
    const { body } = await list();
    return (body as { data: { overFrom: string | null }[] }).data[0]?.overFrom;
  };
  expect(await overFrom()).toBeNull();
  await booked("2026-04-01", 2);
  expect(await overFrom()).toBe("2026-03-29");
  await booked("2026-03-18", 1);
  expect(await overFrom()).toBe("2026-03-15");
});

describe("the date", () => {
  test("may be in a gap between the members of a pool, which then counts no units", async () => {
    const { organization, patient_id, authorize, list } = await newPractice();
    await newAuthorizationPool(database, organization, {
      public_id: "apool_gap",
      patient_id,
      unit_frequency: "DAILY",
    });
    for (const [id, date] of [
      ["auth_1", "2026-03-01"],
      ["auth_2", "2026-03-20"],
    ] as const)
      await authorize(id, {
        authorization_pool_id: "apool_gap",
        authorization_date: day(date),
        authorization_expiration_date: day(date),
      });
    const { body } = await list();
    expect(body).toMatchObject({
      data: [
        {
          ...{ publicId: "apool_gap", startDate: "2026-03-01", endDate: "2026-03-20" },
          period: { startDate: "2026-03-11", endDate: "2026-03-11", unitsScheduled: 0 },
          ...{ share: 0, elapsedShare: 1 },
        },
      ],
    });
  });

  test("is today in each patient's time zone by default", async () => {
    const { organization, authorize, list } = await newPractice({ time_zone: "Asia/Tokyo" });
    const zones = { usr_apia: "Pacific/Apia", usr_none: null, usr_odd: "Eastern Time" };
    for (const [public_id, time_zone] of Object.entries(zones))
      await newPatient(database, organization, { public_id, time_zone });
    // 2026-03-11T15:00Z is the 12th in Apia and Tokyo, and the 11th in New York.
    for (const patient_id of ["usr_leo", ...Object.keys(zones)])
      await authorize(`auth_${patient_id}`, {
        patient_id,
        authorization_date: day("2026-03-12"),
        authorization_expiration_date: day("2026-03-12"),
      });
    const entries = async (query = "") => {
      const { body } = await list(`?sort=endDate${query}`);
      const { data } = body as { data: { patientId: string; timezone: string }[] };
      return data.map(({ patientId, timezone }) => [patientId, timezone]);
    };
    expect(await entries()).toEqual([
      ["usr_apia", "Pacific/Apia"],
      ["usr_none", "Asia/Tokyo"],
      ["usr_odd", "Asia/Tokyo"],
    ]);
    expect(await entries("&minShare=0")).toHaveLength(3);
    expect(await entries("&timezone=America/New_York")).toEqual([]);
    expect(await entries("&timezone=Asia/Tokyo&patientId=usr_leo")).toEqual([
      ["usr_leo", "Asia/Tokyo"],
    ]);
    expect(await entries("&date=2026-03-12&patientId=usr_leo")).toEqual([
      ["usr_leo", "America/New_York"],
    ]);
  });

  test("is today in UTC if neither patient nor organization has a time zone; never a 422", async () => {
    const { organization, authorize, list } = await newPractice({ time_zone: null });
    const patient_id = await newPatient(database, organization, { time_zone: null });
    await authorize("auth_1", { patient_id });
    expect((await list()).body).toMatchObject({ data: [{ timezone: "UTC" }] });
  });
});

describe("listed subjects", () => {
  test("a patient's change of activity or time zone takes effect immediately", async () => {
    const { organization, authorize, list } = await newPractice();
    const patient_id = await newPatient(database, organization, { is_active: 0 });
    await authorize("auth_1", { patient_id });
    await database.write(
      (trx) =>
        trx
          .updateTable("users")
          .set({ is_active: 1, time_zone: "America/Denver" })
          .where("public_id", "=", patient_id)
          .execute(),
      { organizationId: organization },
    );
    expect((await list()).body).toMatchObject({ data: [{ timezone: "America/Denver" }] });
  });

  test("can be filtered by payor; a member of a pool belongs to the pool's payor", async () => {
    for (const sort of ["share", "endDate"]) {
      const idsOf = async (payor: string) =>
        idsIn(await first.list(`?sort=${sort}&payorId=${payor}`));
      expect(await idsOf("pay_own")).toEqual(["auth_alone"]);
      expect(await idsOf("pay_pool")).toEqual(["apool_1"]);
      expect(await idsOf("pay_none")).toEqual([]);
    }
  });
});

describe("order, minShare and maxShare", async () => {
  const { organization, patient_id, authorize, deliver, list } = await newPractice();
  const ends: Record<string, string> = { auth_c: "2026-05-01", auth_Z: "2026-04-01" };
  for (const [id, units] of Object.entries({ auth_a: 20, auth_b: 8, auth_Z: 8, auth_c: 120 })) {
    await authorize(id, {
      authorized_units_quantity: 80,
      authorization_expiration_date: day(ends[id] ?? "2026-06-01"),
    });
    await deliver(id, units);
  }
  await authorize("auth_zero", { authorized_units_quantity: 0 });
  await newAuthorizationPool(database, organization, {
    public_id: "apool_free",
    patient_id,
    is_unlimited: 1,
  });
  await authorize("auth_of_free", { authorization_pool_id: "apool_free" });
  // 8.003 of 80 is 0.1000375. It is rounded to 0.1 in the response, in the order and in filters.
  await authorize("auth_B", { authorized_units_quantity: 80 });
  await deliver("auth_B", 8.003);
  const listed = async (query: string) => idsIn(await list(query));

  test.each([
    ["", ["auth_c", "auth_a", "auth_B", "auth_Z", "auth_b", "apool_free", "auth_zero"]],
    ["?sort=-share", ["auth_c", "auth_a", "auth_B", "auth_Z", "auth_b", "apool_free", "auth_zero"]],
    ["?sort=share", ["auth_B", "auth_Z", "auth_b", "auth_a", "auth_c", "apool_free", "auth_zero"]],
    [
      "?sort=endDate",
      ["auth_Z", "auth_c", "auth_a", "auth_b", "apool_free", "auth_B", "auth_zero"],
    ],
    [
      "?sort=-endDate",
      ["apool_free", "auth_B", "auth_zero", "auth_a", "auth_b", "auth_c", "auth_Z"],
    ],
    ["?minShare=0.1", ["auth_c", "auth_a", "auth_B", "auth_Z", "auth_b"]],
    ["?minShare=0.1&maxShare=0.1", ["auth_B", "auth_Z", "auth_b"]],
    ["?minShare=0.10001", ["auth_c", "auth_a"]],
    ["?maxShare=0.25&sort=endDate", ["auth_Z", "auth_a", "auth_b", "auth_B"]],
    ["?minShare=0&sort=-endDate", ["auth_B", "auth_a", "auth_b", "auth_c", "auth_Z"]],
    ["?minShare=2&maxShare=1", []],
    [`?minShare=${"9".repeat(400)}`, []],
    [`?maxShare=${"9".repeat(400)}&sort=share&pageSize=1`, ["auth_B"]],
  ])("%s", async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  test("pages continue in the order of shares, with the total of the filtered entries", async () => {
    const pages: string[] = [];
    for (const page of [1, 2, 3, 4]) pages.push(...(await listed(`?pageSize=2&page=${page}`)));
    expect(pages).toEqual(await listed(""));
    expect(paginationIn(await list("?minShare=0.25&pageSize=1&page=9"))).toEqual({
      ...{ page: 9, pageSize: 1, totalCount: 2, totalPages: 2 },
    });
  });

  test("entries without a share have null", async () => {
    const { body } = await list("?page=2&pageSize=5");
    expect(body).toMatchObject({
      data: [
        { publicId: "apool_free", unitsAuthorized: null, share: null },
        { publicId: "auth_zero", unitsAuthorized: 0, share: null },
      ],
    });
  });
});

describe("the rules of all lists", async () => {
  const { key, authorize } = await newPractice();
  const ids = ["auth_1", "auth_2", "auth_3", "auth_4", "auth_5"];
  for (const id of ids) await authorize(id);
  const keyOfEmpty = await newApiKey(database, await newOrganization(database));
  const list = { service, path: PATH, key, ids, keyOfEmpty, maxPage: 1_000_000 };
  describePages(list);
});

describe("the SQL statements", async () => {
  const { organization, authorize, deliver, list } = await newPractice();
  const addPatients = async (count: number, from: number) => {
    for (let index = from; index < from + count; index += 1) {
      const patient_id = await newPatient(database, organization, {
        time_zone: index % 2 === 0 ? "America/Denver" : "Pacific/Apia",
      });
      await authorize(`auth_${index}`, { patient_id });
      await deliver(`auth_${index}`, index);
    }
  };
  /** The reading statements. The first use of a key is written, too. */
  const statementsFor = async (query: string) => {
    const { statements } = await statementsOf(() => list(query));
    return statements.filter((text) => /^(select|with) /.test(text));
  };

  test("are as many for 100 patients as for 2", async () => {
    await addPatients(2, 0);
    const queries = ["", "?sort=endDate", "?minShare=0.01&sort=-endDate", "?date=2026-03-11"];
    const few: string[][] = [];
    // The first request also reads the end of the audit trail. On PostgreSQL that is repeated once
    // a minute.
    await statementsFor("");
    for (const query of queries) few.push(await statementsFor(query));
    await addPatients(98, 2);
    for (const [index, query] of queries.entries()) {
      const statements = await statementsFor(`${query}${query === "" ? "?" : "&"}pageSize=100`);
      expect(statements).toHaveLength(few[index]?.length ?? 0);
    }
  });

  test("read records of one page only if the order does not depend on shares", async () => {
    const readsOf = async (query: string) =>
      (await statementsFor(query)).filter((text) => text.includes("encounters")).length;
    expect(await readsOf("?sort=endDate")).toBe(2);
    expect(await readsOf("?sort=share")).toBe(4);
  });
});

test("numbers of units that cannot be counted in millionths have a share", async () => {
  const { authorize, deliver, list } = await newPractice();
  await authorize("auth_large", { authorized_units_quantity: 1e303 });
  await authorize("auth_over", { authorized_units_quantity: 2 });
  await authorize("auth_usual", { authorized_units_quantity: 2 });
  await deliver("auth_large", 1);
  await deliver("auth_over", 1e303);
  await deliver("auth_usual", 1);
  const { status, body } = await list();
  const { data } = body as { data: { publicId: string; share: number | null }[] };
  expect([status, data.map(({ publicId, share }) => [publicId, share])]).toEqual([
    200,
    [
      ["auth_over", 5e293],
      ["auth_usual", 0.5],
      ["auth_large", 0],
    ],
  ]);
});
