import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { streamSessions } from "../../src/supervision/repository.ts";
import {
  newApiKey,
  newAuthorization,
  newEncounter,
  newOrganization,
  newPatient,
  newSession,
  newUser,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";

/**
 * GET /v1/supervision: complete entries, states, order, pages, refusals and the audit trail. Hours, contacts, time zones
 * and rounding are compared with an oracle in supervision-properties.test.ts. Now is Wednesday, 2026-03-11, 11:00 in New
 * York.
 */

const PATH = "/api/v1/supervision";
const service = await newService();
const { database } = service;

/** A time of a day in March, in UTC. */
const lasting = (day: number, from: string, to: string) => {
  const at = (time: string) => `2026-03-${String(day).padStart(2, "0")}T${time}:00.000Z` as Instant;
  return { start_time: at(from), end_time: at(to) };
};

async function newPractice() {
  const organization = await newOrganization(database, { time_zone: "America/New_York" });
  const key = await newApiKey(database, organization);
  await newPatient(database, organization, { public_id: "usr_leo" });
  await newUser(database, organization, { public_id: "usr_ana" });
  await newUser(database, organization, { public_id: "usr_noor", role: "CLINICIAN" });
  const add = (public_id: string, row: Parameters<typeof newSession>[2]) =>
    newSession(database, organization, {
      ...{ client_id: "usr_leo", technician_id: "usr_ana" },
      ...row,
      public_id,
    });
  const list = async (query = "") => {
    const { status, body } = await service.call(`GET ${PATH}${query}`, { key });
    expect(status).toBe(200);
    return body as { data: Record<string, unknown>[]; totals: object; pagination: object };
  };
  return { organization, key, add, list };
}

const ana = {
  technicianId: "usr_ana",
  technicianFirstName: "Ana",
  technicianLastName: "Ruiz",
};
const supervision = { is_supervision: 1, is_billable: 0, clinician_id: null } as const;

test("the complete report of a month with one technician", async () => {
  const { organization, add, list } = await newPractice();
  await newAuthorization(database, organization, { public_id: "auth_1", patient_id: "usr_leo" });
  const bound = { authorization_id: "auth_1" };
  // 10 hours were delivered, and 10 more are booked; one was missed.
  await add("apt_done", { ...lasting(2, "14:00", "23:59"), ...bound });
  await newEncounter(database, organization, { ...bound, session_id: "apt_done" });
  await add("apt_booked", { ...lasting(12, "14:00", "23:59"), ...bound });
  await add("apt_missed", { ...lasting(13, "14:00", "23:59"), status: "PATIENT_NO_SHOW" });
  await add("apt_meeting", { ...lasting(14, "14:00", "23:59"), is_billable: 0, client_id: null });
  // Without an authorization, delivered when confirmed and over.
  await add("apt_contact", { ...lasting(2, "14:00", "14:20"), ...supervision });
  await add("apt_later", {
    ...{ ...lasting(12, "14:00", "14:10"), ...supervision, client_id: null },
  });
  expect(await list()).toEqual({
    month: "2026-03",
    startDate: "2026-03-01",
    endDate: "2026-03-31",
    timezone: "America/New_York",
    requiredShare: 0.05,
    elapsedShare: 0.3548,
    totals: { SHORT: 1, BOOKED: 0, MET: 0, NO_HOURS: 0 },
    data: [
      {
        ...ana,
        ...{ hoursDelivered: 9.98, hoursBooked: 19.97 },
        ...{ supervisedDelivered: 0.33, supervisedBooked: 0.5 },
        ...{ contactsDelivered: 1, contactsBooked: 2, observedDelivered: 1, observedBooked: 1 },
        // 20 of 599 minutes, and 30 of 1,198; 59.9 are required.
        ...{ shareDelivered: 0.0334, shareBooked: 0.025, hoursNeeded: 0.5 },
        ...{ contactsNeeded: 0, observationNeeded: false, state: "SHORT" },
      },
    ],
    pagination: { page: 1, pageSize: 25, totalCount: 1, totalPages: 1 },
  } as never);
});

describe("a supervision without a technician", () => {
  const without = { ...supervision, technician_id: null, clinician_id: null };

  test("is that of every technician with service with the client meanwhile, for the time of both", async () => {
    const { organization, add, list } = await newPractice();
    await newUser(database, organization, { public_id: "usr_ben", first_name: "Ben" });
    await add("apt_ana", lasting(2, "14:00", "16:00"));
    await add("apt_ben", { ...lasting(2, "15:30", "17:00"), technician_id: "usr_ben" });
    await add("apt_both", { ...lasting(2, "15:00", "17:30"), ...without });
    await newPatient(database, organization, { public_id: "usr_mia" });
    await add("apt_other", { ...lasting(2, "14:00", "15:00"), ...without, client_id: "usr_mia" });
    await add("apt_nobody", { ...lasting(2, "14:00", "15:00"), ...without, client_id: null });
    const { data } = await list();
    expect(data.map((one) => [one.technicianId, one.supervisedBooked, one.contactsBooked])).toEqual(
      [
        ["usr_ana", 1, 1],
        ["usr_ben", 1.5, 1],
      ],
    );
  });

  test("counts for its own month, also beside service that began in another", async () => {
    const { add, list } = await newPractice();
    const day = (month: string, from: string, to: string) =>
      ({ start_time: `${month}T${from}:00.000Z`, end_time: `${to}:00.000Z` }) as {
        start_time: Instant;
        end_time: Instant;
      };
    // March begins at 05:00Z in New York, and ends on the first of April at 04:00Z.
    await add("apt_before", day("2026-03-01", "04:00", "2026-03-01T08:00"));
    await add("apt_first", { ...day("2026-03-01", "05:00", "2026-03-01T07:00"), ...without });
    await add("apt_last", { ...day("2026-04-01", "03:30", "2026-04-01T06:00"), ...without });
    await add("apt_after", day("2026-04-01", "04:30", "2026-04-01T05:00"));
    const { data } = await list();
    expect(data).toMatchObject([
      { hoursBooked: 0, supervisedBooked: 2.5, contactsBooked: 2, state: "NO_HOURS" },
    ]);
  });
});

test("an active technician without service has NO_HOURS", async () => {
  const { list } = await newPractice();
  expect((await list()).data).toEqual([
    {
      ...ana,
      ...{ hoursDelivered: 0, hoursBooked: 0, supervisedDelivered: 0, supervisedBooked: 0 },
      ...{ contactsDelivered: 0, contactsBooked: 0, observedDelivered: 0, observedBooked: 0 },
      ...{ shareDelivered: null, shareBooked: null, hoursNeeded: 0, contactsNeeded: 0 },
      ...{ observationNeeded: false, state: "NO_HOURS" },
    },
  ] as never);
});
test("ordered by state, then by what is needed, then by id; an inactive technician only with hours", async () => {
  const { organization, add, list } = await newPractice();
  const technicians = ["usr_b", "usr_c", "usr_d", "usr_e", "usr_gone", "usr_left"];
  for (const public_id of technicians)
    await newUser(database, organization, {
      ...{ public_id, is_active: public_id === "usr_gone" || public_id === "usr_left" ? 0 : 1 },
    });
  const service = async (id: string, to: string) =>
    add(`apt_${id}`, { ...lasting(12, "10:00", to), technician_id: id });
  await service("usr_b", "11:00");
  await service("usr_c", "12:00");
  await service("usr_d", "12:00");
  await service("usr_left", "10:30");
  for (const [id, from, to] of [
    ["usr_e", "14:00", "15:00"],
    ["usr_d", "10:00", "10:01"],
  ] as const)
    await add(`apt_super_${id}`, { ...lasting(13, from, to), ...supervision, technician_id: id });
  const ids = async (query = "") => (await list(query)).data.map((one) => one.technicianId);
  expect(await ids()).toEqual(["usr_c", "usr_d", "usr_b", "usr_left", "usr_ana", "usr_e"]);
  expect(await ids("?pageSize=2&page=2")).toEqual(["usr_b", "usr_left"]);
  expect(await ids("?technicianId=usr_d")).toEqual(["usr_d"]);
  expect(await ids("?technicianId=usr_gone")).toEqual([]);
  expect(await ids("?technicianId=usr_noor")).toEqual([]);
  expect((await list("?technicianId=usr_d&page=9")).totals).toEqual({
    ...{ SHORT: 1, BOOKED: 0, MET: 0, NO_HOURS: 0 },
  });
  expect(await ids("?state=NO_HOURS")).toEqual(["usr_ana", "usr_e"]);
  expect(await ids("?state=BOOKED,SHORT&pageSize=3&page=2")).toEqual(["usr_left"]);
  expect(await list("?state=MET&technicianId=usr_d")).toMatchObject({
    ...{ totals: { SHORT: 1, BOOKED: 0, MET: 0, NO_HOURS: 0 }, data: [] },
    pagination: { totalCount: 0, totalPages: 0 },
  });
  expect((await list("?requiredShare=0")).data[0]).toMatchObject({ hoursNeeded: 0 });
});

describe("the month", () => {
  test.each([
    ["2026-02", "2026-02-01", "2026-02-28", 1],
    ["2026-03", "2026-03-01", "2026-03-31", 0.3548],
    ["2026-04", "2026-04-01", "2026-04-30", 0],
    ["9999-12", "9999-12-01", "9999-12-31", 0],
    ["0001-01", "0001-01-01", "0001-01-31", 1],
  ])(
    "%s is from %s to %s; %p of it has passed",
    async (month, startDate, endDate, elapsedShare) => {
      const { list } = await newPractice();
      expect(await list(`?month=${month}`)).toMatchObject({
        month,
        startDate,
        endDate,
        elapsedShare,
      });
    },
  );

  test("is by default the current one in the organization's time zone, or UTC", async () => {
    service.clock.set("2026-04-01T03:59:59.999Z");
    const { list } = await newPractice();
    expect(await list()).toMatchObject({ month: "2026-03", elapsedShare: 1 });
    const organization = await newOrganization(database, { time_zone: null });
    const key = await newApiKey(database, organization);
    const { body } = await service.call(`GET ${PATH}`, { key });
    expect(body).toMatchObject({ month: "2026-04", timezone: "UTC", elapsedShare: 0.0333 });
    service.clock.set("2026-03-11T15:00:00.000Z");
  });
});

test.each(["0", "0.0", "1", "1.000", "0.123456789012345678901234567890"])(
  "requiredShare=%s is valid",
  async (share) => {
    const { key } = await newPractice();
    const { status, body } = await service.call(`GET ${PATH}?requiredShare=${share}`, { key });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ requiredShare: Number(share) }),
    ]);
  },
);

test("the number of SQL statements is the same for many technicians and sessions as for few", async () => {
  const { organization, add, list } = await newPractice();
  const addTechnicians = async (from: number, to: number) => {
    for (let index = from; index < to; index += 1) {
      const technician_id = await newUser(database, organization);
      await add(`apt_${index}`, { ...lasting(2, "14:00", "15:00"), technician_id });
    }
  };
  const statements = async () =>
    (await statementsOf(() => list())).statements.filter((text) => /^(select|with) /.test(text))
      .length;
  await addTechnicians(0, 3);
  await statements();
  const few = await statements();
  await addTechnicians(3, 40);
  expect(await statements()).toBe(few);
});

test("of the sessions that start before the month, only those that go on in it are read", async () => {
  const { organization, add } = await newPractice();
  const midnight = "2026-03-05T00:00:00.000Z" as Instant;
  const spans = [
    ["2026-03-04T14:00:00.000Z", "2026-03-04T15:00:00.000Z"],
    ["2026-03-04T22:00:00.000Z", "2026-03-05T00:00:00.001Z"],
    ["2026-03-04T23:00:00.000Z", midnight],
    [midnight, "2026-03-05T01:00:00.000Z"],
  ] as [Instant, Instant][];
  for (const [index, [start_time, end_time]] of spans.entries())
    await add(`apt_${index}`, { start_time, end_time });
  const batches = await database.read((db) =>
    Array.fromAsync(
      streamSessions(db, { organizationId: organization }, { from: midnight, to: midnight }),
    ),
  );
  expect(batches.flat().map(({ startTime }) => startTime)).toEqual([
    "2026-03-04T22:00:00.000Z" as Instant,
    midnight,
  ]);
});
