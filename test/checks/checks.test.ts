import { describe, expect, test } from "bun:test";
import { checkNames } from "../../src/checks/checks.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import {
  credentialsUntil,
  newApiKey,
  newAuthorization,
  newAuthorizationPool,
  newEncounter,
  newLocation,
  newOrganization,
  newPatient,
  newPayor,
  newServiceLine,
  newSession,
  newUser,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { statementsOf } from "../support/statements.ts";

/**
 * GET /v1/checks: each check's complete finding, windows, filters, pages, refusals and the audit
 * trail. Findings by time zone are compared with an oracle in checks-properties.test.ts. Now is
 * Wednesday, 2026-03-11, 11:00 in New York.
 */

const PATH = "/api/v1/checks";
const service = await newService();
const { database } = service;

const day = (date: string) => date as CalendarDate;
const at = (date: string, time: string) => `${date}T${time}:00.000Z` as Instant;
const lasting = (date: string, from: string, to: string) => ({
  start_time: at(date, from),
  end_time: at(date, to),
});

interface FindingBody {
  check: string;
  date: string;
  sessionIds: string[];
  message: string;
}

/** An organization with a patient, two providers, and one authorization of each kind. */
async function newPractice() {
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization);
  const add = {
    patient: (public_id: string, row: Parameters<typeof newPatient>[2] = {}) =>
      newPatient(database, organization, { time_zone: "America/New_York", ...row, public_id }),
    credentialsOfNoor: (...ends: Instant[]) =>
      database.write(
        (trx) =>
          trx
            .updateTable("users")
            .set(credentialsUntil(...ends))
            .where("organization_id", "=", organization)
            .where("public_id", "=", "usr_noor")
            .execute(),
        { organizationId: organization },
      ),
    user: (public_id: string, row: Parameters<typeof newUser>[2] = {}) =>
      newUser(database, organization, { ...row, public_id }),
    session: (public_id: string, row: Parameters<typeof newSession>[2]) =>
      newSession(database, organization, {
        client_id: "usr_leo",
        technician_id: "usr_ana",
        service_line_id: "svc_97153",
        ...row,
        public_id,
      }),
    encounter: (public_id: string, row: Parameters<typeof newEncounter>[2]) =>
      newEncounter(database, organization, { authorization_id: "auth_leo", ...row, public_id }),
    authorization: (public_id: string, row: Parameters<typeof newAuthorization>[2] = {}) =>
      newAuthorization(database, organization, {
        patient_id: "usr_leo",
        service_line_id: "svc_97153",
        ...row,
        public_id,
      }),
  };
  await add.patient("usr_leo");
  await add.user("usr_ana");
  await add.user("usr_noor", { role: "CLINICIAN", first_name: "Noor", last_name: "Haddad" });
  await newServiceLine(database, organization, { public_id: "svc_97153" });
  await newPayor(database, organization, { public_id: "pay_own" });
  await newPayor(database, organization, { public_id: "pay_pool" });
  await newAuthorizationPool(database, organization, {
    ...{ public_id: "apool_leo", patient_id: "usr_leo", payor_id: "pay_pool", total_units: 6 },
    unit_frequency: "WEEKLY",
  });
  const dates = {
    authorization_date: day("2026-02-01"),
    authorization_expiration_date: day("2026-03-10"),
  };
  await add.authorization("auth_leo", { ...dates, payor_id: "pay_own" });
  await add.authorization("auth_member", { ...dates, authorization_pool_id: "apool_leo" });
  const list = async (query = "") => {
    const { status, body } = await service.call(`GET ${PATH}${query}`, { key });
    expect(status).toBe(200);
    return body as {
      startDate: string;
      endDate: string;
      totals: Record<string, number>;
      data: FindingBody[];
      pagination: object;
    };
  };
  const found = async (query = "") =>
    (await list(query)).data.map(({ check, date, sessionIds }) => [check, date, ...sessionIds]);
  return { organization, key, add, list, found };
}

/** A practice in which each check finds something. */
async function withEveryFinding() {
  const practice = await newPractice();
  const { add } = practice;
  const bound = { authorization_id: "auth_member" };
  await add.user("usr_gone", { is_active: 0 });
  await add.patient("usr_left", { is_active: 0 });
  await add.credentialsOfNoor(at("2026-01-01", "00:00"));
  await add.authorization("auth_end", {
    authorization_date: day("2026-02-01"),
    authorization_expiration_date: day("2026-03-20"),
  });
  await add.session("apt_1", { ...lasting("2026-03-09", "14:00", "15:00"), ...bound });
  await add.session("apt_2", {
    ...{ ...lasting("2026-03-09", "14:30", "15:30"), ...bound, client_id: "usr_leo" },
  });
  await add.session("apt_3", { ...lasting("2026-03-09", "14:30", "15:30"), client_id: null });
  await add.session("apt_twice", { ...lasting("2026-03-10", "14:00", "15:00"), ...bound });
  await add.session("apt_declined", {
    ...{ ...lasting("2026-03-10", "16:00", "17:00"), ...bound, status: "DECLINED" },
  });
  const named = { authorization_id: "auth_member", start_time: at("2026-03-10", "14:00") };
  await add.encounter("enc_1", { ...named, session_id: "apt_twice" });
  await add.encounter("enc_2", { ...named, session_id: "apt_twice" });
  await add.encounter("enc_3", { ...named, session_id: "apt_declined" });
  await add.session("apt_noor", {
    ...{ ...lasting("2026-03-12", "14:00", "15:00"), technician_id: null },
    clinician_id: "usr_noor",
  });
  await add.session("apt_gone", {
    ...{ ...lasting("2026-03-12", "16:00", "17:00"), technician_id: "usr_gone" },
    authorization_id: "auth_end",
  });
  await add.session("apt_after", {
    ...{ ...lasting("2026-03-24", "16:00", "17:00"), authorization_id: "auth_end" },
  });
  await add.session("apt_left", {
    ...{ ...lasting("2026-03-13", "16:00", "17:00"), client_id: "usr_left" },
  });
  return practice;
}

const leo = { patientId: "usr_leo", patientFirstName: "Leo", patientLastName: "Park" };
const ana = { providerId: "usr_ana", providerFirstName: "Ana", providerLastName: "Ruiz" };
const nobody = { providerId: null, providerFirstName: null, providerLastName: null };
const own = {
  ...{ authorizationId: "auth_leo", poolId: null, payorId: "pay_own" },
  ...{ authorizationStartDate: "2026-02-01", authorizationEndDate: "2026-03-10" },
};
const none = {
  ...{ authorizationId: null, poolId: null, payorId: null },
  ...{ authorizationStartDate: null, authorizationEndDate: null },
};
const timezone = "America/New_York";

describe("the complete finding of", () => {
  test("a session after the end of its authorization", async () => {
    const { add, list } = await newPractice();
    // 23:30 of the last day in New York, and half an hour later.
    await add.session("apt_in", {
      ...lasting("2026-03-11", "03:30", "03:45"),
      authorization_id: "auth_leo",
    });
    await add.session("apt_after", {
      ...lasting("2026-03-12", "14:00", "15:00"),
      authorization_id: "auth_leo",
    });
    expect(await list("?check=OUTSIDE_AUTHORIZATION")).toEqual({
      startDate: "2026-02-11",
      endDate: "2026-04-08",
      totals: { OUTSIDE_AUTHORIZATION: 1 },
      data: [
        {
          check: "OUTSIDE_AUTHORIZATION",
          date: "2026-03-12",
          timezone,
          goalId: null,
          ...{ ...leo, ...ana, sessionIds: ["apt_after"], encounterIds: [], ...own, units: 4 },
          message:
            "4 units were booked on 2026-03-12, after the authorization ended on 2026-03-10.",
        },
      ],
      pagination: { page: 1, pageSize: 25, totalCount: 1, totalPages: 1 },
    } as never);
  });

  test("an encounter before its authorization begins, together with its session", async () => {
    const { add, list } = await newPractice();
    await add.session("apt_1", {
      ...lasting("2026-03-12", "14:00", "15:00"),
      authorization_id: "auth_leo",
      status: "DECLINED",
    });
    await add.encounter("enc_1", { session_id: "apt_1", start_time: at("2026-01-31", "20:00") });
    const { data } = await list(
      "?startDate=2026-01-01&endDate=2026-03-31&check=OUTSIDE_AUTHORIZATION",
    );
    expect(data).toEqual([
      {
        check: "OUTSIDE_AUTHORIZATION",
        date: "2026-01-31",
        timezone,
        goalId: null,
        ...{ ...leo, ...ana, sessionIds: ["apt_1"], encounterIds: ["enc_1"], ...own, units: 2 },
        message:
          "2 units were delivered on 2026-01-31, before the authorization begins on 2026-02-01.",
      } as never,
    ]);
  });

  test("a billable session without an authorization", async () => {
    const { add, list } = await newPractice();
    await add.session("apt_1", lasting("2026-03-12", "14:00", "14:15"));
    await add.session("apt_nobody", {
      ...lasting("2026-03-12", "16:00", "17:00"),
      client_id: null,
    });
    expect((await list("?check=NO_AUTHORIZATION")).data).toEqual([
      {
        check: "NO_AUTHORIZATION",
        date: "2026-03-12",
        timezone,
        goalId: null,
        ...{ ...leo, ...ana, sessionIds: ["apt_1"], encounterIds: [], ...none, units: 1 },
        message: "A billable session of 1 unit on 2026-03-12 has no authorization.",
      } as never,
    ]);
  });

  test("a pool's week beyond its limit, dated on the window's first day if the week began before", async () => {
    const { add, list } = await newPractice();
    const bound = { authorization_id: "auth_member" };
    await add.session("apt_open", { ...lasting("2026-03-03", "14:00", "15:00"), ...bound });
    await add.session("apt_none", { ...lasting("2026-03-02", "14:00", "14:07"), ...bound });
    await add.session("apt_done", { ...lasting("2026-03-02", "15:00", "16:00"), ...bound });
    await add.encounter("enc_1", {
      ...{ session_id: "apt_done", authorization_id: "auth_member" },
      ...{ start_time: at("2026-03-02", "15:00"), units: 3.5 },
    });
    const { data } = await list("?startDate=2026-03-04&endDate=2026-03-31&check=OVER_AUTHORIZED");
    expect(data).toEqual([
      {
        check: "OVER_AUTHORIZED",
        date: "2026-03-04",
        timezone,
        goalId: null,
        ...{ ...leo, ...nobody, sessionIds: ["apt_none", "apt_open"], encounterIds: ["enc_1"] },
        ...{ ...own, authorizationId: null, poolId: "apool_leo", payorId: "pay_pool", units: 1.5 },
        message:
          "7.5 units are delivered or booked from 2026-03-01 to 2026-03-07, 1.5 more than the 6 authorized.",
      } as never,
    ]);
  });

  test("a session that has ended without an encounter", async () => {
    const { add, list } = await newPractice();
    const bound = { authorization_id: "auth_member" };
    await add.session("apt_1", { ...lasting("2026-03-10", "14:00", "15:00"), ...bound });
    await add.session("apt_ends_now", { ...lasting("2026-03-11", "14:00", "15:00"), ...bound });
    expect((await list("?check=NOT_DOCUMENTED")).data).toEqual([
      {
        check: "NOT_DOCUMENTED",
        date: "2026-03-10",
        timezone,
        goalId: null,
        ...{ ...leo, ...ana, sessionIds: ["apt_1"], encounterIds: [], units: 4 },
        ...{ ...own, authorizationId: "auth_member", poolId: "apool_leo", payorId: "pay_pool" },
        message: "A session of 4 units on 2026-03-10 has ended, and has no encounter.",
      } as never,
    ]);
  });

  test.each([
    ["DECLINED", 2, "2 units were delivered on 2026-03-08 in a session that was declined."],
    ["PATIENT_NO_SHOW", 1, "1 unit was delivered on 2026-03-08 in a session that was a no-show."],
  ])("an encounter of a session that was %s", async (status, units, message) => {
    const { add, list } = await newPractice();
    await add.session("apt_1", {
      ...{ ...lasting("2026-03-09", "14:00", "15:00"), authorization_id: "auth_leo", status },
    });
    await add.encounter("enc_1", {
      ...{ session_id: "apt_1", start_time: at("2026-03-08", "20:00"), units },
    });
    expect((await list("?check=DELIVERED_UNHELD")).data).toEqual([
      {
        check: "DELIVERED_UNHELD",
        date: "2026-03-08",
        timezone,
        goalId: null,
        ...{
          ...leo,
          ...ana,
          sessionIds: ["apt_1"],
          encounterIds: ["enc_1"],
          ...own,
          units,
          message,
        },
      } as never,
    ]);
  });

  test("a session with several encounters, all of them in the order of their starts", async () => {
    const { add, list } = await newPractice();
    await add.session("apt_1", {
      ...{ ...lasting("2026-03-09", "14:00", "15:00"), authorization_id: "auth_leo" },
    });
    const named = { session_id: "apt_1" };
    await add.encounter("enc_b", { ...named, start_time: at("2026-03-09", "14:00"), units: 0.1 });
    await add.encounter("enc_a", { ...named, start_time: at("2026-03-09", "14:00"), units: 4 });
    await add.encounter("enc_0", { ...named, start_time: at("2026-05-09", "14:00"), units: 0.2 });
    expect((await list("?check=DELIVERED_TWICE")).data).toEqual([
      {
        check: "DELIVERED_TWICE",
        date: "2026-03-09",
        timezone,
        goalId: null,
        ...{ ...leo, ...ana, sessionIds: ["apt_1"], ...own, units: 0.3 },
        encounterIds: ["enc_a", "enc_b", "enc_0"],
        message:
          "A session on 2026-03-09 has 3 encounters, with 0.3 units besides those of the first.",
      } as never,
    ]);
  });

  test("a provider's session that begins during others, one of which began days before the window", async () => {
    const { add, list } = await newPractice();
    await add.patient("usr_mia", { first_name: "Mia" });
    await add.session("apt_0", {
      ...{ start_time: at("2026-02-01", "14:00"), end_time: at("2026-03-12", "14:15") },
      client_id: null,
    });
    await add.session("apt_1", {
      ...lasting("2026-03-12", "13:00", "14:30"),
      client_id: "usr_mia",
    });
    await add.session("apt_2", lasting("2026-03-12", "14:00", "15:00"));
    await add.session("apt_short", lasting("2026-03-12", "14:05", "14:05"));
    await add.session("apt_after", lasting("2026-03-12", "15:00", "16:00"));
    const { data } = await list("?check=PROVIDER_OVERLAP&patientId=usr_leo");
    expect(data).toEqual([
      {
        check: "PROVIDER_OVERLAP",
        date: "2026-03-12",
        timezone,
        goalId: null,
        ...{ ...leo, ...ana, sessionIds: ["apt_0", "apt_1", "apt_2"], encounterIds: [], ...none },
        units: null,
        message:
          "A session on 2026-03-12 overlaps 2 earlier ones of the same provider by up to 30 minutes.",
      } as never,
    ]);
  });

  test("a supervision with another client: one for its technician, and one for its clinician", async () => {
    const { add, list } = await newPractice();
    await add.patient("usr_mia", { first_name: "Mia" });
    const both = { is_supervision: 1, clinician_id: "usr_noor", client_id: "usr_mia" } as const;
    // The one that it supervises has the same client.
    await add.session("apt_mia", {
      ...{ ...lasting("2026-03-12", "14:00", "15:00"), client_id: "usr_mia" },
    });
    await add.session("apt_leo", {
      ...{ ...lasting("2026-03-12", "14:00", "15:00"), technician_id: null },
      clinician_id: "usr_noor",
    });
    await add.session("apt_none", {
      ...{ ...lasting("2026-03-12", "14:10", "15:00"), client_id: null },
    });
    await add.session("apt_over", { ...lasting("2026-03-12", "14:30", "15:00"), ...both });
    const { data } = await list("?check=PROVIDER_OVERLAP");
    const about = {
      ...{
        check: "PROVIDER_OVERLAP",
        date: "2026-03-12",
        timezone,
        goalId: null,
        encounterIds: [],
        ...none,
      },
      units: null,
    };
    const mia = { ...leo, patientId: "usr_mia", patientFirstName: "Mia" };
    const message = "A session on 2026-03-12 overlaps an earlier one of the same provider by";
    expect(data).toEqual([
      {
        ...{ ...about, ...mia, sessionIds: ["apt_leo", "apt_over"], providerId: "usr_noor" },
        ...{ providerFirstName: "Noor", providerLastName: "Haddad" },
        message: `${message} 30 minutes.`,
      },
      {
        ...{ ...about, ...ana, patientId: null, patientFirstName: null, patientLastName: null },
        ...{ sessionIds: ["apt_mia", "apt_none"], message: `${message} 50 minutes.` },
      },
      {
        ...{ ...about, ...mia, ...ana, sessionIds: ["apt_none", "apt_over"] },
        message: `${message} 30 minutes.`,
      },
    ] as never);
  });

  test("a finding about more than 100 sessions has the first 100 ids, and says how many there are", async () => {
    const { add, list } = await newPractice();
    const ids = Array.from({ length: 101 }, (_, index) => `apt_${index + 100}`);
    await add.authorization("auth_small", { authorized_units_quantity: 8 });
    for (const id of ids)
      await add.session(id, {
        ...{ ...lasting("2026-03-12", "14:00", "15:00"), authorization_id: "auth_small" },
      });
    const { data } = await list("?check=OVER_AUTHORIZED&pageSize=100");
    expect(data.map(({ sessionIds }) => sessionIds)).toEqual([ids.slice(0, 100)]);
    expect(data[0]?.message).toEndWith(" It is about 101 sessions.");
  });

  test("sessions of a group are none, but each of them with another session, and without the mark all say what to do", async () => {
    const { add, list, organization } = await newPractice();
    const location_id = await newLocation(database, organization);
    const clients = ["usr_leo", "usr_mia", "usr_zoe"];
    await add.patient("usr_mia", { first_name: "Mia" });
    await add.patient("usr_zoe", { first_name: "Zoe" });
    await add.patient("usr_kim", { first_name: "Kim" });
    for (const [index, client_id] of clients.entries())
      await add.session(`apt_${index}`, {
        ...lasting("2026-03-12", "14:00", "15:00"),
        client_id,
        location_id,
      });
    // The supervision of one of the group begins before it, and is of another service.
    const supervision = { is_supervision: 1, clinician_id: "usr_noor" } as const;
    await add.session("apt_over", {
      ...{ ...lasting("2026-03-12", "13:45", "14:30"), ...supervision, client_id: "usr_zoe" },
    });
    const mark = (is_group: 0 | 1) =>
      database.write(
        (trx) =>
          trx
            .updateTable("service_lines")
            .set({ is_group })
            .where("organization_id", "=", organization)
            .execute(),
        {
          organizationId: organization,
        },
      );
    const found = async () =>
      (await list("?check=PROVIDER_OVERLAP&pageSize=100")).data.map(({ sessionIds, message }) => [
        sessionIds.join(" "),
        message.replace(/^.* provider by /, ""),
      ]);
    const asGroup =
      "60 minutes, at the same time and place: mark the service as a group if it is one.";
    expect(await found()).toEqual([
      ["apt_0 apt_1 apt_2", `up to ${asGroup}`],
      ["apt_over apt_0", "30 minutes."],
      ["apt_over apt_0 apt_1", `up to ${asGroup}`],
    ]);
    await mark(1);
    expect(await found()).toEqual([]);
    // Somebody else's session is no part of it, nor is one at another place, or of another length.
    await add.session("apt_kim", {
      ...lasting("2026-03-12", "14:30", "15:30"),
      client_id: "usr_kim",
      location_id,
    });
    expect(await found()).toEqual([["apt_0 apt_1 apt_2 apt_kim", "up to 30 minutes."]]);
    await mark(0);
    expect(await found()).toHaveLength(4);
  });

  test("a session that overlaps 22 others has the ids of the first 20, and says how many there are", async () => {
    const { add, list } = await newPractice();
    const ids = Array.from({ length: 23 }, (_, index) => `apt_${index + 10}`);
    for (const id of ids)
      await add.session(id, { ...lasting("2026-03-12", "14:00", "15:00"), client_id: null });
    const { data } = await list("?check=PROVIDER_OVERLAP&pageSize=100");
    const last = data.find(({ sessionIds }) => sessionIds.at(-1) === "apt_32");
    expect(last?.sessionIds).toEqual([...ids.slice(0, 20), "apt_32"]);
    expect(last?.message).toBe(
      "A session on 2026-03-12 overlaps 22 earlier ones of the same provider by up to 60 minutes.",
    );
  });

  test("a patient's session that begins during another", async () => {
    const { add, list } = await newPractice();
    await add.session("apt_1", lasting("2026-03-12", "14:00", "15:00"));
    await add.session("apt_2", { ...lasting("2026-03-12", "14:00", "14:01"), technician_id: null });
    await add.session("apt_supervision", {
      ...{ ...lasting("2026-03-12", "14:00", "15:00"), is_supervision: 1 },
    });
    expect((await list("?check=PATIENT_OVERLAP")).data).toEqual([
      {
        check: "PATIENT_OVERLAP",
        date: "2026-03-12",
        timezone,
        goalId: null,
        ...{ ...leo, ...nobody, sessionIds: ["apt_1", "apt_2"], encounterIds: [], ...none },
        units: null,
        message: "A session on 2026-03-12 overlaps an earlier one of the same patient by 1 minute.",
      } as never,
    ]);
  });

  test("a session whose provider's credentials have expired; the provider of a supervision is the clinician", async () => {
    const { add, list } = await newPractice();
    await add.credentialsOfNoor(at("2026-03-12", "14:00"), at("2026-03-12", "03:00"));
    const held = { is_supervision: 1, clinician_id: "usr_noor", client_id: null } as const;
    await add.session("apt_before", { ...lasting("2026-03-12", "13:59", "15:00"), ...held });
    await add.session("apt_1", { ...lasting("2026-03-12", "14:00", "15:00"), ...held });
    expect((await list("?check=CREDENTIALS_ENDED")).data).toEqual([
      {
        check: "CREDENTIALS_ENDED",
        date: "2026-03-12",
        timezone,
        goalId: null,
        ...{ patientId: null, patientFirstName: null, patientLastName: null },
        ...{ providerId: "usr_noor", providerFirstName: "Noor", providerLastName: "Haddad" },
        ...{ sessionIds: ["apt_1"], encounterIds: [], ...none, units: 4 },
        message:
          "A session on 2026-03-12 has a provider whose last credential expired on 2026-03-12.",
      } as never,
    ]);
  });

  test("credentials end with their last day in the practice's zone, wherever the patient is", async () => {
    const { add, list } = await newPractice();
    await add.patient("usr_kiri", { time_zone: "Pacific/Auckland" });
    await add.credentialsOfNoor("2026-03-12T03:59:59.999Z" as Instant);
    const held = { clinician_id: "usr_noor", technician_id: null, client_id: "usr_kiri" } as const;
    // The evening of the last day in New York, and the next morning, which is the second day after in Auckland.
    await add.session("apt_evening", { ...lasting("2026-03-12", "02:00", "03:00"), ...held });
    await add.session("apt_morning", { ...lasting("2026-03-12", "13:00", "14:00"), ...held });
    for (const zone of ["", "&timezone=Asia/Tokyo"]) {
      const { data } = await list(`?check=CREDENTIALS_ENDED${zone}`);
      expect(data.map(({ sessionIds }) => sessionIds)).toEqual([["apt_morning"]]);
      expect(data[0]?.message).toEndWith("whose last credential expired on 2026-03-11.");
    }
  });

  test("a coming session of people who have left, one for each of them, in order of their ids", async () => {
    const { add, list } = await newPractice();
    await add.user("usr_ben", { is_active: 0, first_name: "Ben" });
    await add.user("usr_eva", { is_active: 0, role: "CLINICIAN", first_name: "Eva" });
    const left = { clinician_id: "usr_eva" };
    const ben = { technician_id: "usr_ben" };
    await add.session("apt_gone", { ...lasting("2026-03-11", "14:59", "16:00"), ...ben });
    await add.session("apt_now", { ...lasting("2026-03-11", "15:00", "16:00"), ...ben });
    await add.session("apt_off", {
      ...{ ...lasting("2026-03-12", "14:00", "15:00"), ...ben, status: "DECLINED" },
    });
    await add.session("apt_two", {
      ...{ ...lasting("2026-03-13", "14:00", "15:00"), ...left, ...ben },
      ...{ authorization_id: "auth_leo" },
    });
    const { data, totals } = await list("?check=PROVIDER_LEFT");
    expect(totals).toEqual({ PROVIDER_LEFT: 3 });
    const about = (date: string) => ({
      ...{
        check: "PROVIDER_LEFT",
        date,
        timezone,
        goalId: null,
        ...leo,
        encounterIds: [],
        units: 4,
      },
      message: `A session on ${date} has a provider who is no longer active.`,
    });
    const named = (providerId: string, providerFirstName: string) => ({
      ...{ providerId, providerFirstName, providerLastName: "Ruiz" },
    });
    expect(data).toEqual([
      { ...about("2026-03-11"), ...named("usr_ben", "Ben"), ...none, sessionIds: ["apt_now"] },
      { ...about("2026-03-13"), ...named("usr_ben", "Ben"), ...own, sessionIds: ["apt_two"] },
      { ...about("2026-03-13"), ...named("usr_eva", "Eva"), ...own, sessionIds: ["apt_two"] },
    ] as never);
  });
});

describe("a patient who has left", () => {
  const about = {
    ...{
      check: "PATIENT_LEFT",
      timezone,
      goalId: null,
      ...leo,
      patientId: "usr_gone",
      encounterIds: [],
    },
    message: "A session on 2026-03-12 has a patient who is no longer active.",
  };

  test("has a finding for each coming session that holds its slot, whatever the status of the patient", async () => {
    const { add, list } = await newPractice();
    await add.patient("usr_gone", { is_active: 0, user_status: "ACTIVE" });
    await add.patient("usr_done", { user_status: "DISCHARGED" });
    await add.authorization("auth_gone", {
      ...{ patient_id: "usr_gone", payor_id: "pay_own" },
      authorization_date: day("2026-02-01"),
      authorization_expiration_date: day("2026-03-10"),
    });
    const gone = { client_id: "usr_gone" };
    await add.session("apt_before", { ...lasting("2026-03-11", "14:59", "16:00"), ...gone });
    await add.session("apt_declined", {
      ...{ ...lasting("2026-03-12", "14:00", "15:00"), ...gone, status: "DECLINED" },
    });
    await add.session("apt_done", {
      ...{ ...lasting("2026-03-12", "14:00", "15:00"), client_id: "usr_done" },
    });
    const supervision = { is_supervision: 1, clinician_id: "usr_noor" } as const;
    await add.session("apt_bound", {
      ...{ ...lasting("2026-03-12", "14:00", "15:00"), ...gone, ...supervision },
      authorization_id: "auth_gone",
    });
    await add.session("apt_unbilled", {
      ...{ ...lasting("2026-03-12", "14:00", "15:00"), ...gone, technician_id: null },
      ...{ is_billable: 0, service_line_id: null },
    });
    await add.session("apt_now", { ...lasting("2026-03-11", "15:00", "16:00"), ...gone });
    const { data, totals } = await list("?check=PATIENT_LEFT");
    expect(totals).toEqual({ PATIENT_LEFT: 3 });
    expect(data).toEqual([
      {
        ...{ ...about, date: "2026-03-11", ...ana, ...none, units: 4, sessionIds: ["apt_now"] },
        message: "A session on 2026-03-11 has a patient who is no longer active.",
      },
      {
        ...{ ...about, date: "2026-03-12", ...own, authorizationId: "auth_gone", units: 4 },
        ...{ providerId: "usr_noor", providerFirstName: "Noor", providerLastName: "Haddad" },
        sessionIds: ["apt_bound"],
      },
      {
        ...{ ...about, date: "2026-03-12", ...nobody, ...none, units: null },
        sessionIds: ["apt_unbilled"],
      },
    ] as never);
  });
});

describe("an authorization that ends without a successor", () => {
  const ending = {
    authorization_date: day("2026-01-01"),
    authorization_expiration_date: day("2026-03-20"),
  };
  const about = {
    ...{ check: "RENEWAL_DUE", date: "2026-03-20", timezone, goalId: null, ...leo, ...nobody },
    ...{ sessionIds: [], encounterIds: [], units: null },
    ...{ authorizationStartDate: "2026-01-01", authorizationEndDate: "2026-03-20" },
  };

  /** A practice with an authorization that ends on Friday of next week, and a session on it. */
  async function newEnding(row: Parameters<typeof newAuthorization>[2] = {}) {
    const practice = await newPractice();
    await practice.add.authorization("auth_end", { ...ending, ...row });
    const bound = { authorization_id: "auth_end" };
    const renewals = async () => {
      const { data } = await practice.list("?check=RENEWAL_DUE");
      return data.map((finding) => finding as unknown as Record<string, string>);
    };
    return { ...practice, bound, renewals };
  }

  test("the complete finding of a standalone one, with the number of sessions after its end", async () => {
    const { add, bound, renewals } = await newEnding({ payor_id: "pay_own" });
    await add.session("apt_1", { ...lasting("2026-03-16", "14:00", "15:00"), ...bound });
    // 23:59 of the last day in New York, and a minute later.
    await add.session("apt_2", { ...lasting("2026-03-21", "03:59", "05:00"), ...bound });
    await add.session("apt_3", { ...lasting("2026-03-21", "04:00", "05:00"), ...bound });
    await add.session("apt_4", {
      ...{ ...lasting("2026-06-01", "14:00", "15:00"), ...bound, status: "DECLINED" },
    });
    expect(await renewals()).toEqual([
      {
        ...about,
        ...{ authorizationId: "auth_end", poolId: null, payorId: "pay_own" },
        message:
          "An authorization ends on 2026-03-20 without a successor; 1 session is booked after it.",
      },
    ] as never);
  });

  test("the complete finding of a pool, which ends with its last member", async () => {
    const { add, renewals } = await newEnding({ authorization_pool_id: "apool_leo" });
    await add.session("apt_1", {
      ...{ ...lasting("2026-03-16", "14:00", "15:00"), authorization_id: "auth_member" },
    });
    expect(await renewals()).toEqual([
      {
        ...about,
        ...{ authorizationId: null, poolId: "apool_leo", payorId: "pay_pool" },
        message: "A pool ends on 2026-03-20 without a successor; no session is booked after it.",
      },
    ] as never);
  });

  test.each([
    // Today is 2026-03-11.
    ["a session of any status 28 days ago", "2026-02-11", "DECLINED", 1],
    ["a session 29 days ago", "2026-02-10", "CONFIRMED", 0],
    ["a booked session today", "2026-03-11", "REQUESTED_TO_CANCEL", 1],
    ["a missed session today", "2026-03-11", "PATIENT_NO_SHOW", 0],
    ["a booked session long after its end", "2027-03-11", "UNCONFIRMED", 1],
  ])("in use by %s", async (_, date, status, count) => {
    const { add, bound, renewals } = await newEnding();
    await add.session("apt_1", { ...lasting(date, "14:00", "15:00"), ...bound, status });
    expect(await renewals()).toHaveLength(count);
  });

  test.each([
    ["2026-02-11", 1],
    ["2026-02-10", 0],
    ["2026-03-11", 0],
  ])("in use by an encounter on %s", async (date, count) => {
    const { add, bound, renewals } = await newEnding();
    await add.encounter("enc_1", { ...bound, start_time: at(date, "14:00") });
    expect(await renewals()).toHaveLength(count);
  });

  test.each([
    ["that begins on the day after its end", { authorization_date: day("2026-03-21") }, 0],
    ["that begins two days after its end", { authorization_date: day("2026-03-22") }, 1],
    ["that began before and ends a day later", { authorization_date: day("2026-01-01") }, 0],
    [
      "that ends on the same day",
      {
        authorization_date: day("2026-01-01"),
        authorization_expiration_date: day("2026-03-20"),
      },
      // It is due itself only if it is in use.
      1,
    ],
    ["of another payor", { authorization_date: day("2026-03-21"), payor_id: "pay_own" }, 1],
    [
      "in a pool of another payor",
      { authorization_date: day("2026-03-21"), authorization_pool_id: "apool_leo" },
      1,
    ],
  ])("followed by one %s", async (_, next, count) => {
    const { add, bound, renewals } = await newEnding();
    await add.session("apt_1", { ...lasting("2026-03-16", "14:00", "15:00"), ...bound });
    await add.authorization("auth_next", {
      ...{ authorization_expiration_date: day("2026-03-21"), ...next },
      ...(next.authorization_date > "2026-03-20" && {
        authorization_expiration_date: day("2026-12-31"),
      }),
    });
    expect(await renewals()).toHaveLength(count);
  });

  test("is a finding on its last day, and none on the day after it", async () => {
    const { add, bound, renewals } = await newEnding();
    await add.session("apt_1", { ...lasting("2026-03-16", "14:00", "15:00"), ...bound });
    service.clock.set("2026-03-21T03:59:59.999Z");
    const onLastDay = await renewals();
    service.clock.set("2026-03-21T04:00:00.000Z");
    const onNextDay = await renewals();
    service.clock.set("2026-03-11T15:00:00.000Z");
    expect([onLastDay.length, onNextDay.length]).toEqual([1, 0]);
  });
});

describe("the window", () => {
  test("is by default 28 days before and after today in the organization's time zone, whatever the timezone parameter", async () => {
    const { list } = await newPractice();
    service.clock.set("2026-03-12T03:59:59.999Z");
    const { startDate, endDate } = await list("?timezone=Pacific/Kiritimati");
    service.clock.set("2026-03-11T15:00:00.000Z");
    expect([startDate, endDate]).toEqual(["2026-02-11", "2026-04-08"]);
  });

  test("includes both its first and its last day, in the time zone of each finding", async () => {
    const { add, found } = await newPractice();
    for (const [id, start_time] of [
      ["apt_1", "2026-03-02T04:59:59.999Z"],
      ["apt_2", "2026-03-02T05:00:00.000Z"],
      ["apt_3", "2026-03-03T04:59:59.999Z"],
      ["apt_4", "2026-03-03T05:00:00.000Z"],
    ] as const)
      await add.session(id, {
        ...{ start_time: start_time as Instant, end_time: start_time as Instant },
      });
    const query = "?startDate=2026-03-02&endDate=2026-03-02&check=NO_AUTHORIZATION";
    expect(await found(query)).toEqual([
      ["NO_AUTHORIZATION", "2026-03-02", "apt_2"],
      ["NO_AUTHORIZATION", "2026-03-02", "apt_3"],
    ]);
    expect(await found(`${query}&timezone=UTC`)).toEqual([
      ["NO_AUTHORIZATION", "2026-03-02", "apt_1"],
      ["NO_AUTHORIZATION", "2026-03-02", "apt_2"],
    ]);
  });
});

describe("the query", () => {
  test("without check: totals of all checks in their fixed order, zero included", async () => {
    const { list } = await newPractice();
    expect(Object.entries((await list()).totals)).toEqual(
      [
        "OUTSIDE_AUTHORIZATION",
        "NO_AUTHORIZATION",
        "OVER_AUTHORIZED",
        "NOT_DOCUMENTED",
        "DELIVERED_UNHELD",
        "DELIVERED_TWICE",
        "PROVIDER_OVERLAP",
        "PATIENT_OVERLAP",
        "CREDENTIALS_ENDED",
        "PROVIDER_LEFT",
        "RENEWAL_DUE",
        "PATIENT_LEFT",
        ...["GOAL_MET", "GOAL_SILENT", "GOAL_NO_LONGER_MET", "GOAL_PAST"],
      ].map((name) => [name, 0]),
    );
  });

  test("check selects checks, each once, in the fixed order", async () => {
    const { list } = await newPractice();
    const { totals } = await list("?check=PATIENT_OVERLAP,NO_AUTHORIZATION,PATIENT_OVERLAP");
    expect(Object.keys(totals)).toEqual(["NO_AUTHORIZATION", "PATIENT_OVERLAP"]);
  });

  test("totals cover all pages, also on a page past the last", async () => {
    const { add, list } = await newPractice();
    for (const id of ["apt_1", "apt_2", "apt_3"])
      await add.session(id, { ...lasting("2026-03-12", "14:00", "14:00"), technician_id: null });
    const { totals, data, pagination } = await list("?pageSize=2&page=2");
    expect(totals.NO_AUTHORIZATION).toBe(3);
    expect(data.map(({ sessionIds }) => sessionIds)).toEqual([["apt_3"]]);
    expect(pagination).toEqual({ page: 2, pageSize: 2, totalCount: 3, totalPages: 2 });
    expect(await list("?page=9")).toMatchObject({ totals, data: [] });
  });

  test("pages of a day with very many findings of a check are in the order of their ids, not of their starts", async () => {
    const { organization, add, list } = await newPractice();
    const ids = Array.from({ length: 1_400 }, (_, index) => `apt_${10_000 - index}`);
    const [first = "", ...others] = ids;
    await add.session(first, {
      ...{ ...lasting("2026-03-12", "14:00", "14:00"), technician_id: null },
    });
    await database.write(
      async (trx) => {
        const row = await trx
          .selectFrom("sessions")
          .selectAll()
          .where("public_id", "=", first)
          .where("organization_id", "=", organization)
          .executeTakeFirstOrThrow();
        const start = Date.parse(row.start_time);
        for (const [index, public_id] of others.entries()) {
          const start_time = new Date(start + index).toISOString() as Instant;
          const session = { ...row, public_id, start_time, end_time: start_time };
          await trx.insertInto("sessions").values(session).execute();
        }
      },
      { organizationId: organization },
    );
    const sorted = ids.toSorted();
    const pageOf = async (page: number) => {
      const query = `?check=NO_AUTHORIZATION&pageSize=100&page=${page}`;
      return (await list(query)).data.flatMap(({ sessionIds }) => sessionIds);
    };
    for (const page of [1, 2, 8, 13, 14])
      expect(await pageOf(page)).toEqual(sorted.slice(100 * (page - 1), 100 * page));
  });

  test("patientId, providerId and payorId select findings; findings without one do not match", async () => {
    const { add, found } = await newPractice();
    await add.session("apt_1", lasting("2026-03-12", "14:00", "15:00"));
    await add.session("apt_2", {
      ...{ ...lasting("2026-03-13", "14:00", "15:00"), technician_id: null },
      authorization_id: "auth_leo",
    });
    const first = ["NO_AUTHORIZATION", "2026-03-12", "apt_1"];
    const second = ["OUTSIDE_AUTHORIZATION", "2026-03-13", "apt_2"];
    expect(await found()).toEqual([first, second]);
    expect(await found("?providerId=usr_ana")).toEqual([first]);
    expect(await found("?payorId=pay_own")).toEqual([second]);
    expect(await found("?patientId=usr_leo&payorId=pay_pool")).toEqual([]);
    expect(await found("?patientId=usr_none")).toEqual([]);
  });

  test("inactive patients have no other findings, and sessions that overlap theirs have none", async () => {
    const { add, found } = await newPractice();
    await add.patient("usr_gone", { is_active: 0 });
    const gone = { client_id: "usr_gone" };
    await add.session("apt_1", { ...lasting("2026-03-12", "14:00", "15:00"), ...gone });
    await add.session("apt_2", {
      ...{ ...lasting("2026-03-12", "14:30", "15:30"), client_id: null },
    });
    await add.session("apt_3", { ...lasting("2026-03-12", "14:30", "15:30"), ...gone });
    await add.encounter("enc_1", { session_id: "apt_3" });
    await add.encounter("enc_2", { session_id: "apt_3" });
    expect(await found("?check=DELIVERED_TWICE,PROVIDER_OVERLAP,NO_AUTHORIZATION")).toEqual([]);
    expect(await found("?check=PATIENT_LEFT")).toEqual([
      ["PATIENT_LEFT", "2026-03-12", "apt_1"],
      ["PATIENT_LEFT", "2026-03-12", "apt_3"],
    ]);
  });

  // Those of goals are in goals.test.ts.
  const names = checkNames.filter((name) => !name.startsWith("GOAL_"));
  test.each(names)("%s alone finds what it finds among all", async (check) => {
    const { found } = await withEveryFinding();
    const all = await found("?pageSize=100");
    const ofCheck = all.filter(([name]) => name === check);
    expect(ofCheck).not.toEqual([]);
    expect(await found(`?pageSize=100&check=${check}`)).toEqual(ofCheck);
  });
});

describe("a window that is none responds 400", async () => {
  const { key } = await newPractice();
  test.each([
    ["startDate=2026-03-12&endDate=2026-03-11", "startDate must be on or before endDate"],
    // The default of the other date counts.
    [
      "startDate=2026-04-09",
      "startDate must be on or before endDate; endDate defaults to 2026-04-08",
    ],
    [
      "startDate=2026-01-01&endDate=2027-01-02",
      "endDate must be within 366 days of startDate, both counted",
    ],
    [
      "endDate=2027-02-12",
      "endDate must be within 366 days of startDate, both counted; startDate defaults to 2026-02-11",
    ],
  ])("?%s", async (query, message) => {
    const { status, body } = await service.call(`GET ${PATH}?${query}`, { key });
    const [name = ""] = message.split(" ");
    expect([status, body]).toEqual([
      400,
      validationBody({ code: "custom", message, path: [name] }),
    ]);
  });

  test("a window of 366 days is valid", async () => {
    const { status } = await service.call(`GET ${PATH}?startDate=2026-01-01&endDate=2027-01-01`, {
      key,
    });
    expect(status).toBe(200);
  });
});

test("the number of SQL statements is the same for hundreds of findings as for dozens", async () => {
  const { add, list } = await newPractice();
  const addSessions = async (count: number, from: number) => {
    for (let index = from; index < from + count; index += 1) {
      await add.session(`apt_${index}`, {
        ...{ ...lasting("2026-03-10", "14:00", "15:00"), authorization_id: "auth_leo" },
      });
      await add.encounter(`enc_${index}`, { session_id: `apt_${index}` });
      await add.encounter(`enc_${index}_b`, { session_id: `apt_${index}` });
    }
  };
  const statements = async () => {
    const ran = await statementsOf(() => list("?pageSize=100"));
    return ran.statements.filter((text) => /^(select|with) /.test(text)).length;
  };
  await addSessions(25, 0);
  await statements();
  const few = await statements();
  await addSessions(75, 25);
  expect(await statements()).toBe(few);
});
