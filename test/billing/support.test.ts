import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { type Fields, fileOf, importAll } from "../support/practice-file/practice-file.ts";

/** GET /v1/billing-support: whole answers of one line and of a month, each part by cases. Today is 2026-04-20. */

const service = await newService();
const NOW = "2026-04-20T12:00:00.000Z" as Instant;
const FIRST_WRITE = "2026-04-01T10:00:00.000Z" as Instant;
let practices = 0;

const person = (publicId: string, role: string, more: Fields = {}) => ({
  ...{ type: "user", publicId, role, firstName: "Ana", lastName: publicId.slice(4), ...more },
});
const credential = (credentialType: string, expiresAt: string) => ({
  ...{ credentialType, practiceArea: "VT", credentialNumber: `${credentialType}-1`, expiresAt },
  credentialStatus: "active",
});
const session = (publicId: string, startTime: string, endTime: string, more: Fields = {}) => ({
  ...{ type: "session", publicId, title: "Therapy", status: "CONFIRMED", startTime, endTime },
  ...{ isSupervision: false, isClientPresent: true, placeOfService: "HOME" },
  ...{ locationId: "loc_main", technicianId: "usr_tech", clientId: "usr_kid", isBillable: true },
  ...{ isTelehealth: false, services: "svc_1", authorizationId: "auth_1", ...more },
});
/** Supervision that needs no encounter, for it is on no authorization. */
const supervision = (publicId: string, startTime: string, endTime: string, more: Fields = {}) =>
  session(publicId, startTime, endTime, {
    ...{ isSupervision: true, technicianId: null, clinicianId: "usr_bcba" },
    ...{ authorizationId: null, ...more },
  });
const encounter = (publicId: string, sessionId: string | null, startTime: string, units = 8) => ({
  ...{ type: "encounter", publicId, authorizationId: "auth_1", sessionId, startTime, units },
});

const PRACTICE: Fields[] = [
  { type: "location", publicId: "loc_main", name: "Main" },
  { type: "payor", publicId: "pay_acme", name: "Acme" },
  { type: "serviceLine", publicId: "svc_1", name: "Therapy", billingUnitMinutes: 15 },
  person("usr_bcba", "CLINICIAN", { npiNumber: "1234567893" }),
  person("usr_tech", "TECHNICIAN", {
    credentials: [
      credential("OLD", "2026-03-03T15:00:00.000Z"),
      credential("BT", "2026-12-31T00:00:00.000Z"),
      credential("RBT", "2026-03-03T15:00:00.001Z"),
    ],
  }),
  person("usr_kid", "PATIENT", { primaryClinicianId: "usr_bcba" }),
  {
    ...{ type: "authorization", publicId: "auth_1", patientId: "usr_kid", payorId: "pay_acme" },
    ...{ authorizationNumber: "A-1", authorizationStatus: "AUTHORIZED", serviceLineId: "svc_1" },
    ...{ authorizedUnitsQuantity: 20, authorizedUnitFrequency: "WEEKLY" },
    ...{ authorizationDate: "2026-03-02", authorizationExpirationDate: "2026-03-31" },
  },
  { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_kid" },
];

/** A practice in New York with some records; those of the first write are of April 1. */
async function newPractice(...records: Fields[]) {
  practices += 1;
  const organization = `org_${practices}`;
  const own = { type: "organization", publicId: organization, timezone: "America/New_York" };
  const write = async (now: Instant, ...lines: Fields[]) => {
    service.clock.set(now);
    const { status, body } = await service.call("POST /api/v1/practice-file", {
      ...{ key: await keyOf("ADMIN"), headers: { "Content-Type": "application/x-ndjson" } },
      raw: fileOf([{ ...own, name: "M" }, ...lines]),
    });
    expect([status, (body as Fields).validationErrors]).toEqual([200, undefined]);
  };
  const keys = new Map<string, string>();
  const keyOf = async (role: "ADMIN" | "TECHNICIAN") => {
    const key = keys.get(role) ?? (await newApiKey(service.database, organization, role));
    keys.set(role, key);
    return key;
  };
  await importAll(service.database, [{ ...own, name: "M" }], { now: FIRST_WRITE });
  await write(FIRST_WRITE, ...PRACTICE, ...records);
  const call = async (query: string) => {
    service.clock.set(NOW);
    return service.call(`GET /api/v1/billing-support?${query}`, { key: await keyOf("ADMIN") });
  };
  const read = async (query: string) => {
    const { status, body } = await call(query);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body as { data: (Fields & { line: Fields; changes: Fields[] })[]; pagination: Fields };
  };
  const ofLine = async (encounterId = "enc_1") =>
    (await read(`encounterId=${encounterId}`)).data[0] as Fields & { changes: Fields[] };
  return { call, read, ofLine, write };
}

const START = "2026-03-03T15:00:00.000Z";
const END = "2026-03-03T17:00:00.000Z";
const DELIVERED = [session("apt_1", START, END), encounter("enc_1", "apt_1", START)];

test("a line has all that supports it", async () => {
  const { read } = await newPractice(...DELIVERED);
  const { data, pagination } = await read("encounterId=enc_1");
  const changed = { sequence: 2, changedAt: FIRST_WRITE, changedBy: "test", isSince: false };
  const of = (type: string, publicId: string) => ({ type, publicId, ...changed });
  expect(pagination).toEqual({ page: 1, pageSize: 25, totalCount: 1, totalPages: 1 });
  const [{ line, ...rest }] = data as [(typeof data)[0]];
  expect(line).toMatchObject({ encounterId: "enc_1", state: "PROBLEM", billed: [] });
  expect(JSON.stringify(rest)).toBe(
    JSON.stringify({
      session: {
        ...{ sessionId: "apt_1", status: "CONFIRMED", startTime: START, endTime: END },
        ...{ isSupervision: false, isClientPresent: true },
      },
      credentials: [
        {
          ...{ credentialType: "BT", credentialNumber: "BT-1" },
          expiresAt: "2026-12-31T00:00:00.000Z",
        },
        {
          ...{ credentialType: "RBT", credentialNumber: "RBT-1" },
          expiresAt: "2026-03-03T15:00:00.001Z",
        },
      ],
      supervision: {
        ...{ supervisedMinutes: 0, month: "2026-03", shareDelivered: 0 },
        ...{ contactsDelivered: 0, observedDelivered: 0 },
      },
      authorization: {
        ...{ status: "AUTHORIZED", startDate: "2026-03-02", endDate: "2026-03-31" },
        ...{ periodStartDate: "2026-03-02", periodEndDate: "2026-03-07" },
        ...{ unitsAuthorized: 20, unitsBefore: 0, unitsLeft: 12 },
      },
      recorded: { entries: 0, goals: 0, firstAt: null, lastAt: null },
      changes: [
        ...[of("encounter", "enc_1"), of("session", "apt_1"), of("authorization", "auth_1")],
        ...[of("payor", "pay_acme"), of("serviceLine", "svc_1"), of("user", "usr_kid")],
        ...[of("user", "usr_tech"), of("user", "usr_bcba")],
      ],
    }),
  );
});

test("without a session there is no more than the authorization and the changes", async () => {
  const { ofLine } = await newPractice(encounter("enc_1", null, START));
  const { session: of, credentials, supervision: by, recorded, changes } = await ofLine();
  expect([of, credentials, by, recorded]).toEqual([null, [], null, null]);
  expect(changes.map(({ type }) => type)).toEqual([
    ...["encounter", "authorization", "payor", "serviceLine", "user"],
  ]);
});

describe("the month of a patient", async () => {
  const at = (day: string, time = "15:00") => `2026-${day}T${time}:00.000Z`;
  const { read } = await newPractice(
    encounter("enc_1", null, at("03-01", "04:59")),
    encounter("enc_2", null, at("03-01", "05:00")),
    encounter("enc_3", null, at("03-15")),
    encounter("enc_4", null, at("04-01", "03:59")),
    encounter("enc_5", null, at("04-01", "04:00")),
  );

  // Today is in April. The clocks of New York are an hour ahead from March 8 on.
  test.each([
    ["", ["enc_2", "enc_3", "enc_4"]],
    ["&month=2026-03", ["enc_2", "enc_3", "enc_4"]],
    ["&month=2026-04", ["enc_5"]],
    ["&month=2026-02", ["enc_1"]],
    ["&month=2026-01", []],
    ["&pageSize=2&page=2", ["enc_4"]],
    ["&pageSize=2&page=3", []],
  ])("patientId=usr_kid%s", async (query, expected) => {
    const { data } = await read(`patientId=usr_kid${query}`);
    expect(data.map(({ line }) => line.encounterId as string)).toEqual(expected);
  });

  test.each(["patientId=usr_none", "encounterId=enc_none", "patientId=usr_tech"])(
    "%s finds nothing",
    async (query) => {
      expect(await read(query)).toEqual({
        data: [],
        pagination: { page: 1, pageSize: 25, totalCount: 0, totalPages: 0 },
      });
    },
  );
});

describe("refused:", async () => {
  const { call } = await newPractice();
  const custom = (path: string, message: string): Issue => ({
    ...{ code: "custom", path: [path], message },
  });
  const one = custom("encounterId", "Either encounterId or patientId is needed, and not both");
  test.each<[string, Issue]>([
    ["", one],
    ["month=2026-03", one],
    ["encounterId=enc_1&patientId=usr_kid", one],
    ["encounterId=enc_1&month=2026-03", custom("month", "month stands beside patientId")],
    [
      "patientId=usr_kid&month=2026-13",
      custom("month", "Must be a calendar month, written YYYY-MM"),
    ],
  ])("%s", async (query, issue) => {
    const { status, body } = await call(query);
    expect([status, body]).toEqual([400, validationBody(issue)]);
  });
});

/** The period's units, and what is before an encounter of 8 and left with it. */
test.each<[string, Fields[], (number | string | null)[]]>([
  ["nothing before it", [], ["2026-03-02", "2026-03-07", 20, 0, 12]],
  [
    "others of the week, by start, then id",
    [
      encounter("enc_0", null, START, 1),
      encounter("enc_2", null, START, 2),
      encounter("enc_3", null, "2026-03-02T15:00:00.000Z", 4),
      encounter("enc_4", null, "2026-03-09T15:00:00.000Z", 4),
    ],
    ["2026-03-02", "2026-03-07", 20, 5, 7],
  ],
  [
    "more than there are",
    [encounter("enc_0", null, START, 15.5)],
    ["2026-03-02", "2026-03-07", 20, 15.5, -3.5],
  ],
  [
    "what does not count is before nothing",
    [encounter("enc_3", null, "2026-03-01T15:00:00.000Z", 4)],
    ["2026-03-02", "2026-03-07", 20, 0, 12],
  ],
  [
    "outside of the authorization",
    [{ type: "encounter", publicId: "enc_1", startTime: "2026-03-01T15:00:00.000Z" }],
    [null, null, null, null, null],
  ],
  [
    "a pool, with its other members",
    [
      {
        ...{ type: "authorizationPool", publicId: "pool_1", patientId: "usr_kid" },
        ...{ payorId: "pay_acme", totalUnits: 100, unitFrequency: "MONTHLY", isUnlimited: false },
      },
      { type: "authorization", publicId: "auth_1", authorizationPoolId: "pool_1" },
      {
        ...{ type: "authorization", publicId: "auth_2", patientId: "usr_kid" },
        ...{ authorizationPoolId: "pool_1", payorId: "pay_acme", authorizationNumber: "A-2" },
        ...{ authorizationStatus: "AUTHORIZED", serviceLineId: "svc_1" },
        ...{ authorizationDate: "2026-02-20", authorizationExpirationDate: "2026-03-20" },
      },
      {
        ...encounter("enc_2", null, "2026-03-02T15:00:00.000Z", 3),
        authorizationId: "auth_2",
      },
      {
        ...encounter("enc_3", null, "2026-02-25T15:00:00.000Z", 3),
        authorizationId: "auth_2",
      },
    ],
    ["2026-03-01", "2026-03-31", 100, 3, 89],
  ],
  [
    "a pool without a limit",
    [
      {
        ...{ type: "authorizationPool", publicId: "pool_1", patientId: "usr_kid" },
        ...{ payorId: "pay_acme", totalUnits: 100, unitFrequency: "TOTAL", isUnlimited: true },
      },
      { type: "authorization", publicId: "auth_1", authorizationPoolId: "pool_1" },
      encounter("enc_2", null, "2026-03-02T15:00:00.000Z", 3),
    ],
    ["2026-03-02", "2026-03-31", null, 3, null],
  ],
])("units: %s", async (_, others, expected) => {
  const { ofLine, write } = await newPractice(encounter("enc_1", null, START));
  await write(FIRST_WRITE, ...others);
  const {
    status: _s,
    startDate: _d,
    endDate: _e,
    ...units
  } = (await ofLine()).authorization as Fields;
  expect(Object.values(units)).toEqual(expected as never);
});

/** From 10:00 to 12:00 in New York; a share of two hours, contacts and those with the client. */
const at = (time: string) => `2026-03-03T${time}:00.000Z`;
test.each<[string, Fields[], (number | null)[]]>([
  ["nobody", [], [0, 0, 0, 0]],
  [
    "of the client meanwhile, by a clinician alone",
    [supervision("apt_2", at("14:00"), at("15:30"))],
    [30, 0.25, 1, 1],
  ],
  [
    "of another client",
    [
      person("usr_other", "PATIENT"),
      supervision("apt_2", at("15:00"), at("15:30"), { clientId: "usr_other" }),
    ],
    [0, 0, 0, 0],
  ],
  [
    "of another client whom the technician serves later",
    [
      person("usr_other", "PATIENT"),
      supervision("apt_2", at("15:00"), at("15:30"), { clientId: "usr_other" }),
      session("apt_3", "2026-03-20T15:00:00.000Z", "2026-03-20T16:00:00.000Z", {
        ...{ clientId: "usr_other", authorizationId: null },
      }),
    ],
    [0, 0, 0, 0],
  ],
  [
    "what was missed, though somebody has documented it",
    [
      supervision("apt_2", at("15:00"), at("15:30"), {
        ...{ status: "DECLINED", authorizationId: "auth_1" },
      }),
      encounter("enc_2", "apt_2", at("15:00"), 2),
    ],
    [0, 0, 0, 0],
  ],
  [
    "of the technician, twice at the same time",
    [
      supervision("apt_2", at("15:30"), at("16:00"), { technicianId: "usr_tech", clientId: null }),
      supervision("apt_3", at("15:45"), at("16:15"), { technicianId: "usr_tech", clientId: null }),
    ],
    [45, 0.375, 1, 0],
  ],
  [
    "of the technician, when the session is over",
    [supervision("apt_2", at("18:00"), at("18:30"), { technicianId: "usr_tech", clientId: null })],
    [0, 0.25, 1, 0],
  ],
  [
    "booked, and not delivered",
    [supervision("apt_2", at("15:00"), at("15:30"), { status: "UNCONFIRMED" })],
    [0, 0, 0, 0],
  ],
  [
    "missed",
    [supervision("apt_2", at("15:00"), at("15:30"), { status: "DECLINED" })],
    [0, 0, 0, 0],
  ],
  [
    "whole minutes, and on from the day before",
    [
      supervision("apt_2", "2026-03-02T10:00:00.000Z", "2026-03-03T15:01:59.999Z", {
        ...{ technicianId: "usr_tech", clientId: null },
      }),
    ],
    [1, 14.5167, 1, 0],
  ],
])("supervised by %s", async (_, others, expected) => {
  const { ofLine } = await newPractice(...DELIVERED, ...others);
  const { month, ...rest } = (await ofLine()).supervision as Fields;
  expect([month, ...Object.values(rest)]).toEqual(["2026-03", ...expected]);
});

test("supervision is that of a technician who rendered it alone", async () => {
  const { ofLine, write } = await newPractice(...DELIVERED);
  await write(FIRST_WRITE, {
    ...{ type: "session", publicId: "apt_1", technicianId: null, clinicianId: "usr_bcba" },
  });
  const { supervision: by, credentials, changes } = await ofLine();
  expect([by, credentials]).toEqual([null, []]);
  expect(changes.filter(({ type }) => type === "user").map(({ publicId }) => publicId)).toEqual([
    ...["usr_kid", "usr_bcba"],
  ]);
});

test("of a supervision that the clinician renders, it is not that of the technician who is present", async () => {
  const { ofLine } = await newPractice(
    session("apt_1", START, END, { isSupervision: true, clinicianId: "usr_bcba" }),
    encounter("enc_1", "apt_1", START),
  );
  const { supervision: by, line } = await ofLine();
  expect([by, (line as Fields).renderedById]).toEqual([null, "usr_bcba"]);
});

test("a pool is among what a line rests on", async () => {
  const pool = {
    ...{ type: "authorizationPool", publicId: "pool_1", patientId: "usr_kid" },
    ...{ payorId: "pay_acme", totalUnits: 100, unitFrequency: "TOTAL", isUnlimited: true },
  };
  const { ofLine, write } = await newPractice(encounter("enc_1", null, START));
  await write(FIRST_WRITE, pool, {
    ...{ type: "authorization", publicId: "auth_1", authorizationPoolId: "pool_1" },
  });
  expect((await ofLine()).changes.map(({ publicId }) => publicId)).toEqual([
    ...["enc_1", "auth_1", "pool_1", "pay_acme", "svc_1", "usr_kid"],
  ]);
});

test("recorded is what was within the session and half an hour around it, on goals and steps of any status", async () => {
  const trial = (publicId: string, happenedAt: string) => ({
    ...{ publicId, outcome: "SUCCESS", happenedAt },
  });
  const skill = (publicId: string, skillTrials: Fields[]) => ({
    ...{ publicId, goalStatement: "Waits", skillAcquisitionGoalType: "CHAINED_GOAL" },
    ...{ enabledOutcomes: ["SUCCESS"], skillTrials },
    ...Object.fromEntries(
      ["baseline", "success", "maintenance"].map((name) => [
        `${name}Metric`,
        { publicId: `${publicId}_${name}`, value: 1, unit: "PERCENTAGE" },
      ]),
    ),
  });
  const { ofLine } = await newPractice(
    ...DELIVERED,
    {
      ...{ type: "goal", treatmentPlanId: "tp_1", goalType: "opportunity", status: "ARCHIVED" },
      ...skill("goal_1", [trial("t1", at("14:29")), trial("t2", at("14:30"))]),
      childGoals: [
        {
          goalType: "opportunity",
          ...skill("goal_2", [trial("t3", at("17:30")), trial("t4", at("17:31"))]),
        },
      ],
    },
    {
      ...{ type: "goal", publicId: "goal_3", treatmentPlanId: "tp_1", goalType: "interval" },
      ...{ title: "On task", intervalDuration: 30, intervalQuantity: 10, sets: 1 },
      ...{ intervalRecordingType: "MOMENTARY" },
      intervalSets: [{ publicId: "i1", startedAt: at("15:10"), intervals: [true] }],
    },
  );
  expect((await ofLine()).recorded).toEqual({
    ...{ entries: 3, goals: 3, firstAt: at("14:30"), lastAt: at("17:30") },
  });
});

test("changes say who wrote what last, and whether since the last hand-over that counts", async () => {
  const { ofLine, write } = await newPractice(...DELIVERED);
  const days = (day: number) => `2026-04-${String(day).padStart(2, "0")}T10:00:00.000Z` as Instant;
  const billed = (list: Fields[]) => ({ type: "encounter", publicId: "enc_1", billed: list });
  const since = async () =>
    (await ofLine()).changes.flatMap(({ publicId, isSince }) => (isSince ? publicId : []));
  await write(days(2), { type: "session", publicId: "apt_1", title: "T" });
  expect(await since()).toEqual([]);
  await write(days(3), billed([{ batch: "W1" }]));
  // Handing over is no change since.
  expect(await since()).toEqual([]);
  await write(days(4), { type: "user", publicId: "usr_tech", lastName: "Ruiz" });
  expect(await since()).toEqual(["usr_tech"]);
  await write(days(5), billed([{ batch: "W1" }, { batch: null }]));
  expect(await since()).toEqual([]);
  await write(days(6), billed([{ batch: "W1" }, { batch: null, takenBackAt: days(6) }]));
  expect(await since()).toEqual(["enc_1", "usr_tech"]);
  await write(
    days(7),
    billed([
      { batch: "W1", takenBackAt: days(7) },
      { batch: null, takenBackAt: days(6) },
    ]),
  );
  expect(await since()).toEqual([]);
  const { line, changes } = await ofLine();
  expect((line as { billed: Fields[] }).billed.map(Object.keys)).toEqual(
    Array(2).fill(["batch", "at", "takenBackAt", "line"]),
  );
  expect(changes.slice(0, 2)).toEqual([
    {
      ...{ type: "encounter", publicId: "enc_1", sequence: 8, changedAt: days(7) },
      ...{ changedBy: "test", isSince: false },
    },
    {
      ...{ type: "session", publicId: "apt_1", sequence: 3, changedAt: days(2) },
      ...{ changedBy: "test", isSince: false },
    },
  ]);
});
