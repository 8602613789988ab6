import { NOW } from "../support/harness.ts";
import {
  at,
  authorization,
  authorizationPool,
  clinician,
  encounter as encounterLine,
  location,
  patient,
  payor,
  serviceLine,
  session as sessionLine,
  technician,
} from "../support/practice-file/lines.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { refused, type Step, transcripts, whole } from "../support/transcript.ts";

/**
 * GET /v1/billing-support: whole answers of one line and of a month, each part by cases. What is stored is of March 11,
 * today is 2026-04-20.
 */

const TODAY: Step = ["2026-04-20T12:00:00.000Z"];
const practice = await transcripts();
const testing = (name: string, records: Fields[], ...steps: Step[]) =>
  practice([...base, ...records], { elsewhere: [] })(name, [TODAY, ...steps]);

const credential = (credentialType: string, expiresAt: string) => ({
  ...{ credentialType, practiceArea: "VT", credentialNumber: `${credentialType}-1`, expiresAt },
  credentialStatus: "active",
});
const session = (publicId: string, times: string, more: Fields = {}) =>
  sessionLine(publicId, times, {
    ...{ technicianId: "usr_tech", clientId: "usr_kid", authorizationId: "auth_1", ...more },
  });
/** Supervision that needs no encounter, for it is on no authorization. */
const supervision = (publicId: string, times: string, more: Fields = {}) =>
  session(publicId, times, {
    ...{ isSupervision: true, technicianId: null, clinicianId: "usr_bcba" },
    ...{ authorizationId: null, ...more },
  });
const encounter = (publicId: string, time: string, units: number, more: Fields = {}) =>
  encounterLine(publicId, time, units, { authorizationId: "auth_1", ...more });

const base = [
  ...[location("loc_main"), payor("pay_acme"), serviceLine("svc_1")],
  clinician("usr_bcba", { npiNumber: "1234567893" }),
  technician("usr_tech", {
    credentials: [
      credential("OLD", "2026-03-03T15:00:00.000Z"),
      credential("BT", "2026-12-31T00:00:00.000Z"),
      credential("RBT", "2026-03-03T15:00:00.001Z"),
    ],
  }),
  patient("usr_kid", { timezone: null, primaryClinicianId: "usr_bcba" }),
  authorization("auth_1", {
    ...{ patientId: "usr_kid", payorId: "pay_acme", authorizedUnitsQuantity: 20 },
    ...{ authorizationDate: "2026-03-02", authorizationExpirationDate: "2026-03-31" },
  }),
  { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_kid" },
];

const START = "2026-03-03 15:00";
const delivered = [
  session("apt_1", "2026-03-03 15:00-17:00"),
  encounter("enc_1", START, 8, { sessionId: "apt_1" }),
];
/** Some of what supports a line. */
const ofLine = (more: object): Step => [
  ...(["GET billing-support?encounterId=enc_1", 200, { data: [more] }] as const),
];
const changed = { sequence: 1, changedAt: NOW, changedBy: "ana", isSince: false };
const changes = (...records: string[]) =>
  records.map((record) => {
    const [type, publicId] = record.split(" ");
    return { type, publicId, ...changed };
  });

testing(
  "a line has all that supports it",
  delivered,
  [
    "GET billing-support?encounterId=enc_1",
    200,
    whole({
      data: [
        {
          line: "$line",
          session: {
            ...{ sessionId: "apt_1", status: "CONFIRMED", startTime: at(START) },
            ...{ endTime: "2026-03-03T17:00:00.000Z", isSupervision: false, isClientPresent: true },
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
          changes: changes(
            ...["encounter enc_1", "session apt_1", "authorization auth_1"],
            ...["payor pay_acme", "serviceLine svc_1", "user usr_kid"],
            ...["user usr_tech", "user usr_bcba"],
          ),
        },
      ],
      pagination: { page: 1, pageSize: 25, totalCount: 1, totalPages: 1 },
    }),
  ],
  ["GET billing-lines?startDate=2026-03-01&endDate=2026-03-31", 200, { data: ["$line"] }],
);

testing(
  "without a session there is no more than the authorization and the changes",
  [encounter("enc_1", START, 8)],
  ofLine({
    ...{ session: null, credentials: [], supervision: null, recorded: null },
    changes: changes(
      ...["encounter enc_1", "authorization auth_1", "payor pay_acme"],
      ...["serviceLine svc_1", "user usr_kid"],
    ),
  }),
);

const ofMonth = (query: string, ...ids: string[]): Step => [
  `GET billing-support?patientId=usr_kid${query}`,
  200,
  { data: ids.map((encounterId) => ({ line: { encounterId } })) },
];
const nothing = whole({
  data: [],
  pagination: { page: 1, pageSize: 25, totalCount: 0, totalPages: 0 },
});
// Today is in April. The clocks of New York are an hour ahead from March 8 on.
testing(
  "the month of a patient",
  ["03-01 04:59", "03-01 05:00", "03-15 15:00", "04-01 03:59", "04-01 04:00"].map((time, index) =>
    encounter(`enc_${index + 1}`, `2026-${time}`, 8),
  ),
  ofMonth("", "enc_2", "enc_3", "enc_4"),
  ofMonth("&month=2026-03", "enc_2", "enc_3", "enc_4"),
  ofMonth("&month=2026-04", "enc_5"),
  ofMonth("&month=2026-02", "enc_1"),
  ofMonth("&month=2026-01"),
  ofMonth("&pageSize=2&page=2", "enc_4"),
  ofMonth("&pageSize=2&page=3"),
  ...["patientId=usr_none", "encounterId=enc_none", "patientId=usr_tech"].map((query): Step => [
    ...([`GET billing-support?${query}`, 200, nothing] as const),
  ]),
  ["elsewhere: GET billing-support?encounterId=enc_1", 200, nothing],
);

const invalid = (query: string, path: string, message: string, code?: string) =>
  refused(`GET billing-support?${query}`, path, message, code);
testing(
  "refused",
  [],
  ...["", "month=2026-03", "encounterId=enc_1&patientId=usr_kid"].map((query) =>
    invalid(query, "encounterId", "Either encounterId or patientId is needed, and not both"),
  ),
  invalid("encounterId=enc_1&month=2026-03", "month", "month stands beside patientId"),
  invalid(
    ...["patientId=usr_kid&month=2026-13", "month"],
    "Must be a calendar month, written YYYY-MM",
  ),
);

const pool = (more: Fields) =>
  authorizationPool("pool_1", { patientId: "usr_kid", totalUnits: 100, ...more });
const inPool = {
  ...{ type: "authorization", publicId: "auth_1", authorizationPoolId: "pool_1" },
  ...{ authorizedUnitsQuantity: null, authorizedUnitFrequency: null },
};
const auth2 = authorization("auth_2", {
  ...{ patientId: "usr_kid", authorizationPoolId: "pool_1", payorId: "pay_acme" },
  ...{ authorizedUnitsQuantity: null, authorizedUnitFrequency: null },
  ...{ authorizationDate: "2026-02-20", authorizationExpirationDate: "2026-03-20" },
});
/** Of an encounter of 8 units: the period's units, and what is before it and left with it. */
function units(what: string, days: string, [of, before, left]: unknown[], ...others: Fields[]) {
  const [periodStartDate = null, periodEndDate = null] = days === "" ? [] : days.split(" to ");
  testing(
    `units: ${what}`,
    [encounter("enc_1", START, 8)],
    ["POST practice-file", others, 200],
    ofLine({
      authorization: {
        ...{ periodStartDate, periodEndDate },
        ...{ unitsAuthorized: of, unitsBefore: before, unitsLeft: left },
      },
    }),
  );
}
const WEEK = "2026-03-02 to 2026-03-07";
units("nothing before it", WEEK, [20, 0, 12]);
units(
  "others of the week, by start, then id",
  WEEK,
  [20, 5, 7],
  ...[encounter("enc_0", START, 1), encounter("enc_2", START, 2)],
  encounter("enc_3", "2026-03-02 15:00", 4),
  encounter("enc_4", "2026-03-09 15:00", 4),
);
units("more than there are", WEEK, [20, 15.5, -3.5], encounter("enc_0", START, 15.5));
units(
  "what does not count is before nothing",
  WEEK,
  [20, 0, 12],
  encounter("enc_3", "2026-03-01 15:00", 4),
);
units("outside of the authorization", "", [null, null, null], {
  ...{ type: "encounter", publicId: "enc_1", startTime: "2026-03-01T15:00:00.000Z" },
});
units(
  "a pool, with its other members",
  "2026-03-01 to 2026-03-31",
  [100, 3, 89],
  ...[pool({}), inPool, auth2],
  encounter("enc_2", "2026-03-02 15:00", 3, { authorizationId: "auth_2" }),
  encounter("enc_3", "2026-02-25 15:00", 3, { authorizationId: "auth_2" }),
);
units(
  "a pool without a limit",
  "2026-03-02 to 2026-03-31",
  [null, 3, null],
  ...[pool({ unitFrequency: "TOTAL", isUnlimited: true }), inPool],
  encounter("enc_2", "2026-03-02 15:00", 3),
);

/** Of a session from 10:00 to 12:00 in New York: minutes, share of the month, contacts and those with the client. */
function supervised(by: string, numbers: number[], ...others: Fields[]) {
  const [supervisedMinutes, shareDelivered, contactsDelivered, observedDelivered] = numbers;
  testing(
    `supervised by ${by}`,
    [...delivered, ...others],
    ofLine({
      supervision: whole({
        ...{ month: "2026-03", supervisedMinutes, shareDelivered, contactsDelivered },
        observedDelivered,
      }),
    }),
  );
}
const other = patient("usr_other");
const ofOther = { clientId: "usr_other" };
const ofTechnician = { technicianId: "usr_tech", clientId: null };
const meanwhile = (more: Fields) => supervision("apt_2", "2026-03-03 15:00-15:30", more);
supervised("nobody", [0, 0, 0, 0]);
supervised(
  "of the client meanwhile, by a clinician alone",
  [30, 0.25, 1, 1],
  supervision("apt_2", "2026-03-03 14:00-15:30"),
);
supervised("of another client", [0, 0, 0, 0], other, meanwhile(ofOther));
supervised(
  "of another client whom the technician serves later",
  [0, 0, 0, 0],
  ...[other, meanwhile(ofOther)],
  session("apt_3", "2026-03-20 15:00-16:00", { ...ofOther, authorizationId: null }),
);
supervised(
  "what was missed, though somebody has documented it",
  [0, 0, 0, 0],
  meanwhile({ status: "DECLINED", authorizationId: "auth_1" }),
  encounter("enc_2", START, 2, { sessionId: "apt_2" }),
);
supervised(
  "of the technician, twice at the same time",
  [45, 0.375, 1, 0],
  supervision("apt_2", "2026-03-03 15:30-16:00", ofTechnician),
  supervision("apt_3", "2026-03-03 15:45-16:15", ofTechnician),
);
supervised(
  "of the technician, when the session is over",
  [0, 0.25, 1, 0],
  supervision("apt_2", "2026-03-03 18:00-18:30", ofTechnician),
);
supervised("booked, and not delivered", [0, 0, 0, 0], meanwhile({ status: "UNCONFIRMED" }));
supervised("missed", [0, 0, 0, 0], meanwhile({ status: "DECLINED" }));
supervised("whole minutes, and on from the day before", [1, 14.5167, 1, 0], {
  ...supervision("apt_2", "2026-03-03 10:00-15:01:59.999", ofTechnician),
  startTime: "2026-03-02T10:00:00.000Z",
});

const rests = (...ids: string[]) => ids.map((publicId) => ({ publicId }));
testing(
  "supervision is that of a technician who rendered it alone",
  delivered,
  [
    "POST practice-file",
    [{ type: "session", publicId: "apt_1", technicianId: null, clinicianId: "usr_bcba" }],
    200,
  ],
  ofLine({
    ...{ supervision: null, credentials: [] },
    changes: rests("enc_1", "apt_1", "auth_1", "pay_acme", "svc_1", "usr_kid", "usr_bcba"),
  }),
);

testing(
  "of a supervision that the clinician renders, it is not that of the technician who is present",
  [
    session("apt_1", "2026-03-03 15:00-17:00", { isSupervision: true, clinicianId: "usr_bcba" }),
    encounter("enc_1", START, 8, { sessionId: "apt_1" }),
  ],
  ofLine({ supervision: null, line: { renderedById: "usr_bcba" } }),
);

testing(
  "a pool is among what a line rests on",
  [encounter("enc_1", START, 8)],
  ["POST practice-file", [pool({ unitFrequency: "TOTAL", isUnlimited: true }), inPool], 200],
  ofLine({ changes: rests("enc_1", "auth_1", "pool_1", "pay_acme", "svc_1", "usr_kid") }),
);

const onThird = (time: string) => at(`2026-03-03 ${time}`);
const trial = (publicId: string, time: string) => ({
  ...{ publicId, outcome: "SUCCESS", happenedAt: onThird(time) },
});
const skill = (publicId: string, skillTrials: Fields[]) => ({
  ...{ publicId, goalStatement: "Waits", skillAcquisitionGoalType: "CHAINED_GOAL" },
  ...{ goalType: "opportunity", enabledOutcomes: ["SUCCESS"], skillTrials },
  ...Object.fromEntries(
    ["baseline", "success", "maintenance"].map((name) => [
      `${name}Metric`,
      { publicId: `${publicId}_${name}`, value: 1, unit: "PERCENTAGE" },
    ]),
  ),
});
testing(
  "recorded is what was within the session and half an hour around it, on goals and steps of any status",
  [
    ...delivered,
    {
      ...{ type: "goal", treatmentPlanId: "tp_1", status: "ARCHIVED" },
      ...skill("goal_1", [trial("t1", "14:29"), trial("t2", "14:30")]),
      childGoals: [skill("goal_2", [trial("t3", "17:30"), trial("t4", "17:31")])],
    },
    {
      ...{ type: "goal", publicId: "goal_3", treatmentPlanId: "tp_1", goalType: "interval" },
      ...{ title: "On task", intervalDuration: 30, intervalQuantity: 10, sets: 1 },
      ...{ intervalRecordingType: "MOMENTARY" },
      intervalSets: [{ publicId: "i1", startedAt: onThird("15:10"), intervals: [true] }],
    },
  ],
  ofLine({
    recorded: { entries: 3, goals: 3, firstAt: onThird("14:30"), lastAt: onThird("17:30") },
  }),
);

const april = (day: number) => `2026-04-0${day}T10:00:00.000Z`;
const write = (day: number, line: Fields): Step[] => [
  [april(day)],
  ["POST practice-file", [line], 200],
  TODAY,
];
const billed = (...list: Fields[]) => ({ type: "encounter", publicId: "enc_1", billed: list });
const ids = ["enc_1", "apt_1", "auth_1", "pay_acme", "svc_1", "usr_kid", "usr_tech", "usr_bcba"];
const since = (...changedSince: string[]): Step =>
  ofLine({
    changes: ids.map((publicId) => ({ publicId, isSince: changedSince.includes(publicId) })),
  });
testing(
  "changes say who wrote what last, and whether since the last hand-over that counts",
  delivered,
  ...write(2, { type: "session", publicId: "apt_1", title: "T" }),
  since(),
  // Handing over is no change since.
  ...write(3, billed({ batch: "W1" })),
  since(),
  ...write(4, { type: "user", publicId: "usr_tech", lastName: "Ruiz-Lee" }),
  since("usr_tech"),
  ...write(5, billed({ batch: "W1" }, { batch: null })),
  since(),
  ...write(6, billed({ batch: "W1" }, { batch: null, takenBackAt: april(6) })),
  since("enc_1", "usr_tech"),
  ...write(
    7,
    billed({ batch: "W1", takenBackAt: april(7) }, { batch: null, takenBackAt: april(6) }),
  ),
  since(),
  ofLine({
    line: {
      billed: whole([
        { batch: "W1", at: april(3), takenBackAt: april(7), line: null },
        { batch: null, at: april(5), takenBackAt: april(6), line: null },
      ]),
    },
    changes: [
      {
        ...{ type: "encounter", publicId: "enc_1", sequence: 7, changedAt: april(7) },
        ...{ changedBy: "test", isSince: false },
      },
      {
        ...{ type: "session", publicId: "apt_1", sequence: 2, changedAt: april(2) },
        ...{ changedBy: "test", isSince: false },
      },
      ...ids.slice(2).map((publicId) => ({ publicId })),
    ],
  }),
);
