import { expect, test } from "bun:test";
import { checkNames } from "../../src/checks/checks.ts";
import { newClient } from "../support/client.ts";
import { newService } from "../support/harness.ts";
import {
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
import { countReads } from "../support/statements.ts";
import { refused, type Step, transcripts, whole } from "../support/transcript.ts";

/**
 * GET /v1/checks: each check's complete finding, windows, filters, pages and refusals. Findings by time zone are
 * compared with an oracle in checks-properties.test.ts. Now is Wednesday, 2026-03-11, 11:00 in New York.
 */

const practice = await transcripts();

const session = (publicId: string, times: string, more: Fields = {}) =>
  sessionLine(publicId, times, { technicianId: "usr_ana", ...more });
const encounter = (publicId: string, time: string, units: number, more: Fields = {}) =>
  encounterLine(publicId, time, units, { authorizationId: "auth_leo", ...more });
const noor = (...ends: string[]) =>
  clinician("usr_noor", {
    credentials: ends.map((expiresAt) => ({
      ...{ credentialType: "BCBA", practiceArea: "ABA", credentialNumber: "C-1", expiresAt },
      credentialStatus: "active",
    })),
  });
const from = (authorizationDate: string, authorizationExpirationDate: string) => ({
  ...{ authorizationDate, authorizationExpirationDate },
});
const winter = from("2026-02-01", "2026-03-10");
const inPool = {
  ...{ authorizationPoolId: "apool_leo", authorizedUnitsQuantity: null },
  authorizedUnitFrequency: null,
};

/** A patient, two providers, and one authorization of each kind. */
const base = [
  ...[location("loc_main"), location("loc_north"), payor("pay_own"), payor("pay_pool")],
  ...[serviceLine("svc_1"), patient("usr_leo"), technician("usr_ana"), noor()],
  authorizationPool("apool_leo", {
    ...{ payorId: "pay_pool", totalUnits: 6, unitFrequency: "WEEKLY" },
  }),
  authorization("auth_leo", { ...winter, payorId: "pay_own" }),
  authorization("auth_member", { ...winter, ...inPool }),
];
/** Lines of the base again, with what differs. */
const but = (...lines: Fields[]) => [
  ...base.filter((one) => !lines.some(({ publicId }) => publicId === one.publicId)),
  ...lines,
];
const member = { authorizationId: "auth_member" };
const bound = { authorizationId: "auth_leo" };

const timezone = "America/New_York";
const leo = { patientId: "usr_leo", patientFirstName: "Leo", patientLastName: "Park" };
const nobodyPatient = { patientId: null, patientFirstName: null, patientLastName: null };
const ana = { providerId: "usr_ana", providerFirstName: "Ana", providerLastName: "Ruiz" };
const byNoor = { providerId: "usr_noor", providerFirstName: "Noor", providerLastName: "Haddad" };
const nobody = { providerId: null, providerFirstName: null, providerLastName: null };
const own = {
  ...{ authorizationId: "auth_leo", poolId: null, payorId: "pay_own" },
  ...{ authorizationStartDate: "2026-02-01", authorizationEndDate: "2026-03-10" },
};
const ofPool = { poolId: "apool_leo", payorId: "pay_pool" };
const none = {
  ...{ authorizationId: null, poolId: null, payorId: null },
  ...{ authorizationStartDate: null, authorizationEndDate: null },
};

/** A finding, which names Leo and Ana and nothing else unless it says so. */
const finding = (check: string, date: string, message: string, ...more: object[]): object =>
  Object.assign(
    { check, date, timezone, goalId: null, ...leo, ...ana, sessionIds: [], encounterIds: [] },
    { ...none, units: null, message },
    ...more,
  ) as object;
const WINDOW = { startDate: "2026-02-11", endDate: "2026-04-08" };
/** Whole answers of one check. */
const found = (check: string, query: string, ...data: object[]): Step => {
  const size = /pageSize=(\d+)/.exec(query)?.[1] ?? 25;
  const days = Object.fromEntries(
    [...query.matchAll(/(startDate|endDate)=([^&]+)/g)].map(([, name, date]) => [name, date]),
  ) as object;
  return [
    `GET checks?check=${check}${query}`,
    200,
    whole({
      ...{ ...WINDOW, ...days, totals: { [check]: data.length }, data },
      pagination: {
        ...{ page: 1, pageSize: Number(size), totalCount: data.length },
        totalPages: data.length === 0 ? 0 : 1,
      },
    }),
  ];
};
/** What is found, in short: the check, the date, and ids of sessions. */
const short = (query: string, ...lines: string[]): Step => [
  `GET checks?${query}`,
  200,
  {
    data: lines.map((text) => {
      const [check, date, ...sessionIds] = text.split(" ");
      return { check, date, sessionIds };
    }),
  },
];

practice([
  ...base,
  // 23:30 of the last day in New York, and a day later.
  session("apt_in", "2026-03-11 03:30-03:45", bound),
  session("apt_after", "2026-03-12 14:00-15:00", bound),
  session("apt_off", "2026-03-12 16:00-17:00", { ...bound, status: "DECLINED" }),
  encounter("enc_1", "2026-01-31 20:00", 2, { sessionId: "apt_off" }),
])("OUTSIDE_AUTHORIZATION: after its end, and before it begins together with the session", [
  found(
    "OUTSIDE_AUTHORIZATION",
    "",
    finding(
      ...["OUTSIDE_AUTHORIZATION", "2026-03-12"],
      "4 units were booked on 2026-03-12, after the authorization ended on 2026-03-10.",
      { ...own, sessionIds: ["apt_after"], units: 4 },
    ),
  ),
  found(
    "OUTSIDE_AUTHORIZATION",
    "&startDate=2026-01-01&endDate=2026-03-11",
    finding(
      ...["OUTSIDE_AUTHORIZATION", "2026-01-31"],
      "2 units were delivered on 2026-01-31, before the authorization begins on 2026-02-01.",
      { ...own, sessionIds: ["apt_off"], encounterIds: ["enc_1"], units: 2 },
    ),
  ),
]);

practice([
  ...base,
  session("apt_1", "2026-03-12 14:00-14:15"),
  session("apt_nobody", "2026-03-12 16:00-17:00", { clientId: null }),
])("NO_AUTHORIZATION: a billable session", [
  found(
    "NO_AUTHORIZATION",
    "",
    finding(
      ...["NO_AUTHORIZATION", "2026-03-12"],
      "A billable session of 1 unit on 2026-03-12 has no authorization.",
      { sessionIds: ["apt_1"], units: 1 },
    ),
  ),
]);

practice([
  ...base,
  session("apt_open", "2026-03-03 14:00-15:00", member),
  session("apt_none", "2026-03-02 14:00-14:07", member),
  session("apt_done", "2026-03-02 15:00-16:00", member),
  encounter("enc_1", "2026-03-02 15:00", 3.5, { ...member, sessionId: "apt_done" }),
])("OVER_AUTHORIZED: a pool's week, dated on the window's first day if it began before", [
  found(
    "OVER_AUTHORIZED",
    "&startDate=2026-03-04&endDate=2026-03-31",
    finding(
      ...["OVER_AUTHORIZED", "2026-03-04"],
      "7.5 units are delivered or booked from 2026-03-01 to 2026-03-07, 1.5 more than the 6 authorized.",
      { ...nobody, sessionIds: ["apt_none", "apt_open"], encounterIds: ["enc_1"], units: 1.5 },
      { ...own, ...ofPool, authorizationId: null },
    ),
  ),
]);

const crowd = Array.from({ length: 101 }, (_, index) => `apt_${index + 100}`);
practice([
  ...[...base, authorization("auth_small", { authorizedUnitsQuantity: 8 })],
  ...crowd.map((id) => session(id, "2026-03-12 14:00-15:00", { authorizationId: "auth_small" })),
])("OVER_AUTHORIZED: the first 100 ids of more, and how many there are", [
  [
    "GET checks?check=OVER_AUTHORIZED&pageSize=100",
    200,
    {
      data: [
        {
          sessionIds: crowd.slice(0, 100),
          message: expect.stringMatching(/ It is about 101 sessions\.$/),
        },
      ],
    },
  ],
]);

practice([
  ...base,
  session("apt_1", "2026-03-10 14:00-15:00", member),
  session("apt_ends_now", "2026-03-11 14:00-15:00", member),
])("NOT_DOCUMENTED: a session that has ended without an encounter", [
  found(
    "NOT_DOCUMENTED",
    "",
    finding(
      ...["NOT_DOCUMENTED", "2026-03-10"],
      "A session of 4 units on 2026-03-10 has ended, and has no encounter.",
      { ...own, ...member, ...ofPool, sessionIds: ["apt_1"], units: 4 },
    ),
  ),
]);

for (const [status, units, message] of [
  ["DECLINED", 2, "2 units were delivered on 2026-03-08 in a session that was declined."],
  ["PATIENT_NO_SHOW", 1, "1 unit was delivered on 2026-03-08 in a session that was a no-show."],
] as const)
  practice([
    ...[...base, session("apt_1", "2026-03-09 14:00-15:00", { ...bound, status })],
    encounter("enc_1", "2026-03-08 20:00", units, { sessionId: "apt_1" }),
  ])(`DELIVERED_UNHELD: an encounter of a session that was ${status}`, [
    found(
      "DELIVERED_UNHELD",
      "",
      finding("DELIVERED_UNHELD", "2026-03-08", message, {
        ...{ ...own, sessionIds: ["apt_1"], encounterIds: ["enc_1"], units },
      }),
    ),
  ]);

practice([
  ...[...base, session("apt_1", "2026-03-09 14:00-15:00", bound)],
  encounter("enc_b", "2026-03-09 14:00", 0.1, { sessionId: "apt_1" }),
  encounter("enc_a", "2026-03-09 14:00", 4, { sessionId: "apt_1" }),
  encounter("enc_0", "2026-05-09 14:00", 0.2, { sessionId: "apt_1" }),
  session("apt_once", "2026-03-09 16:00-17:00", bound),
  encounter("enc_once", "2026-03-09 16:00", 4, { sessionId: "apt_once" }),
])("DELIVERED_TWICE: all encounters of a session in the order of their starts", [
  found(
    "DELIVERED_TWICE",
    "",
    finding(
      ...["DELIVERED_TWICE", "2026-03-09"],
      "A session on 2026-03-09 has 3 encounters, with 0.3 units besides those of the first.",
      { ...own, sessionIds: ["apt_1"], encounterIds: ["enc_a", "enc_b", "enc_0"], units: 0.3 },
    ),
  ),
]);

const overlap = (about: string, by: string) => `A session on 2026-03-12 overlaps ${about} by ${by}`;
const anEarlier = "an earlier one of the same provider";
practice([
  ...[...base, patient("usr_mia", { firstName: "Mia" })],
  // It began days before the window.
  {
    ...session("apt_0", "2026-02-01 14:00-15:00", { clientId: null }),
    endTime: "2026-03-12T14:15:00.000Z",
  },
  session("apt_1", "2026-03-12 13:00-14:30", { clientId: "usr_mia" }),
  session("apt_2", "2026-03-12 14:00-15:00"),
  session("apt_short", "2026-03-12 14:05-14:05"),
  session("apt_after", "2026-03-12 15:00-16:00"),
])("PROVIDER_OVERLAP: a session that begins during others", [
  found(
    "PROVIDER_OVERLAP",
    "&patientId=usr_leo",
    finding(
      ...["PROVIDER_OVERLAP", "2026-03-12"],
      overlap("2 earlier ones of the same provider", "up to 30 minutes."),
      { sessionIds: ["apt_0", "apt_1", "apt_2"] },
    ),
  ),
]);

const mia = { patientId: "usr_mia", patientFirstName: "Mia" };
practice([
  ...[...base, patient("usr_mia", { firstName: "Mia" })],
  // The one that it supervises has the same client.
  session("apt_mia", "2026-03-12 14:00-15:00", { clientId: "usr_mia" }),
  session("apt_leo", "2026-03-12 14:00-15:00", { technicianId: null, clinicianId: "usr_noor" }),
  session("apt_none", "2026-03-12 14:10-15:00", { clientId: null }),
  session("apt_over", "2026-03-12 14:30-15:00", {
    ...{ isSupervision: true, clinicianId: "usr_noor", clientId: "usr_mia" },
  }),
])("PROVIDER_OVERLAP: a supervision with another client has one for each of its people", [
  found(
    "PROVIDER_OVERLAP",
    "",
    finding("PROVIDER_OVERLAP", "2026-03-12", overlap(anEarlier, "30 minutes."), {
      ...{ ...mia, ...byNoor, sessionIds: ["apt_leo", "apt_over"] },
    }),
    finding("PROVIDER_OVERLAP", "2026-03-12", overlap(anEarlier, "50 minutes."), {
      ...{ ...nobodyPatient, sessionIds: ["apt_mia", "apt_none"] },
    }),
    finding("PROVIDER_OVERLAP", "2026-03-12", overlap(anEarlier, "30 minutes."), {
      ...{ ...mia, sessionIds: ["apt_none", "apt_over"] },
    }),
  ),
]);

const overlaps = (...list: [string, string][]): Step => [
  "GET checks?check=PROVIDER_OVERLAP&pageSize=100",
  200,
  {
    data: list.map(([ids, by]) => ({
      ...{ sessionIds: ids.split(" "), message: expect.stringMatching(new RegExp(` by ${by}$`)) },
    })),
  },
];
const asGroup = "60 minutes, at the same time and place: mark the service as a group if it is one.";
const mark = (isGroup: boolean): Step => [
  ...(["POST practice-file", [{ type: "serviceLine", publicId: "svc_1", isGroup }], 200] as const),
];
practice([
  ...base,
  ...["Mia", "Zoe", "Kim"].map((firstName) =>
    patient(`usr_${firstName.toLowerCase()}`, { firstName }),
  ),
  ...["usr_leo", "usr_mia", "usr_zoe"].map((clientId, index) =>
    session(`apt_${index}`, "2026-03-12 14:00-15:00", { clientId }),
  ),
  // The supervision of one of the group begins before it, and is of another service.
  ...[serviceLine("svc_2")],
  session("apt_over", "2026-03-12 13:45-14:30", {
    ...{ isSupervision: true, clinicianId: "usr_noor", clientId: "usr_zoe", services: "svc_2" },
    locationId: "loc_north",
  }),
])("PROVIDER_OVERLAP: none of a group; without the mark, what to do", [
  overlaps(
    ["apt_0 apt_1 apt_2", `up to ${asGroup}`],
    ["apt_over apt_0", "30 minutes."],
    ["apt_over apt_0 apt_1", `up to ${asGroup}`],
  ),
  mark(true),
  overlaps(),
  // Somebody else's session is no part of it, nor is one of another length.
  [
    "POST practice-file",
    [session("apt_kim", "2026-03-12 14:30-15:30", { clientId: "usr_kim" })],
    200,
  ],
  overlaps(["apt_0 apt_1 apt_2 apt_kim", "up to 30 minutes."]),
  mark(false),
  ["GET checks?check=PROVIDER_OVERLAP", 200, { data: [{}, {}, {}, {}] }],
]);

const many = Array.from({ length: 23 }, (_, index) => `apt_${index + 10}`);
practice([...base, ...many.map((id) => session(id, "2026-03-12 14:00-15:00", { clientId: null }))])(
  "PROVIDER_OVERLAP: the first 20 ids of those that are overlapped, and how many there are",
  [
    [
      "GET checks?check=PROVIDER_OVERLAP&page=22&pageSize=1",
      200,
      {
        data: [
          {
            sessionIds: [...many.slice(0, 20), "apt_32"],
            message: overlap("22 earlier ones of the same provider", "up to 60 minutes."),
          },
        ],
      },
    ],
  ],
);

practice([
  ...[...base, session("apt_1", "2026-03-12 14:00-15:00")],
  session("apt_2", "2026-03-12 14:00-14:01", { technicianId: null }),
  session("apt_over", "2026-03-12 14:00-15:00", { isSupervision: true }),
])("PATIENT_OVERLAP: a session that begins during another, which is no supervision", [
  found(
    "PATIENT_OVERLAP",
    "",
    finding(
      ...["PATIENT_OVERLAP", "2026-03-12"],
      overlap("an earlier one of the same patient", "1 minute."),
      { ...nobody, sessionIds: ["apt_1", "apt_2"] },
    ),
  ),
]);

const held = { isSupervision: true, clinicianId: "usr_noor", clientId: null };
practice([
  ...but(noor("2026-03-12T14:00:00.000Z", "2026-03-12T03:00:00.000Z")),
  session("apt_before", "2026-03-12 13:59-15:00", held),
  session("apt_1", "2026-03-12 14:00-15:00", held),
])("CREDENTIALS_ENDED: the provider of a supervision is the clinician", [
  found(
    "CREDENTIALS_ENDED",
    "",
    finding(
      ...["CREDENTIALS_ENDED", "2026-03-12"],
      "A session on 2026-03-12 has a provider whose last credential expired on 2026-03-12.",
      { ...nobodyPatient, ...byNoor, sessionIds: ["apt_1"], units: 4 },
    ),
  ),
]);

const ofKiri = { clinicianId: "usr_noor", technicianId: null, clientId: "usr_kiri" };
practice([
  ...but(noor("2026-03-12T03:59:59.999Z")),
  patient("usr_kiri", { timezone: "Pacific/Auckland" }),
  // The evening of the last day in New York, and the next morning, which is the second day after in Auckland.
  session("apt_evening", "2026-03-12 02:00-03:00", ofKiri),
  session("apt_morning", "2026-03-12 13:00-14:00", ofKiri),
])("CREDENTIALS_ENDED: they end with their last day in the practice's zone", [
  ...["", "&timezone=Asia/Tokyo"].map((zone): Step => [
    `GET checks?check=CREDENTIALS_ENDED${zone}`,
    200,
    {
      data: [
        {
          sessionIds: ["apt_morning"],
          message: expect.stringMatching(/ whose last credential expired on 2026-03-11\.$/),
        },
      ],
    },
  ]),
]);

const ben = { technicianId: "usr_ben" };
const named = (providerId: string, providerFirstName: string, sessionId: string) => ({
  ...{ providerId, providerFirstName, sessionIds: [sessionId], units: 4 },
});
const gone = (date: string, who: string) =>
  `A session on ${date} has a ${who} who is no longer active.`;
practice([
  ...[...base, technician("usr_ben", { isActive: false, firstName: "Ben" })],
  clinician("usr_eva", { isActive: false, firstName: "Eva", lastName: "Ruiz" }),
  session("apt_gone", "2026-03-11 14:59-16:00", ben),
  session("apt_now", "2026-03-11 15:00-16:00", ben),
  session("apt_off", "2026-03-12 14:00-15:00", { ...ben, status: "DECLINED" }),
  session("apt_two", "2026-03-13 14:00-15:00", { ...ben, ...bound, clinicianId: "usr_eva" }),
])("PROVIDER_LEFT: a coming session, one for each who has left, in order of their ids", [
  found(
    "PROVIDER_LEFT",
    "",
    finding("PROVIDER_LEFT", "2026-03-11", gone("2026-03-11", "provider"), {
      ...named("usr_ben", "Ben", "apt_now"),
    }),
    ...[named("usr_ben", "Ben", "apt_two"), named("usr_eva", "Eva", "apt_two")].map((who) =>
      finding("PROVIDER_LEFT", "2026-03-13", gone("2026-03-13", "provider"), { ...own, ...who }),
    ),
  ),
]);

const ofGone = { clientId: "usr_gone" };
practice([
  ...[...base, patient("usr_gone", { isActive: false, userStatus: "ACTIVE" })],
  patient("usr_done", { userStatus: "DISCHARGED" }),
  authorization("auth_gone", { ...winter, patientId: "usr_gone", payorId: "pay_own" }),
  { type: "nonBillableCode", publicId: "nbc_1", name: "Meeting" },
  session("apt_before", "2026-03-11 14:59-16:00", ofGone),
  session("apt_declined", "2026-03-12 14:00-15:00", { ...ofGone, status: "DECLINED" }),
  session("apt_done", "2026-03-12 14:00-15:00", { clientId: "usr_done" }),
  session("apt_bound", "2026-03-12 14:00-15:00", {
    ...{ ...ofGone, isSupervision: true, clinicianId: "usr_noor", authorizationId: "auth_gone" },
  }),
  {
    ...{ type: "session", publicId: "apt_unbilled", title: "Meeting", status: "CONFIRMED" },
    ...{ startTime: "2026-03-12T14:00:00.000Z", endTime: "2026-03-12T15:00:00.000Z" },
    ...{ isSupervision: false, isClientPresent: true, placeOfService: "HOME", ...ofGone },
    ...{ locationId: "loc_main", isBillable: false, nonBillableCode: "nbc_1" },
  },
  session("apt_now", "2026-03-11 15:00-16:00", ofGone),
])("PATIENT_LEFT: each coming session that holds its slot, whatever the status of the patient", [
  found(
    "PATIENT_LEFT",
    "",
    ...[
      ["2026-03-11", { sessionIds: ["apt_now"], units: 4 }] as const,
      [
        "2026-03-12",
        { ...own, authorizationId: "auth_gone", ...byNoor, sessionIds: ["apt_bound"], units: 4 },
      ] as const,
      ["2026-03-12", { ...nobody, sessionIds: ["apt_unbilled"] }] as const,
    ].map(([date, more]) =>
      finding("PATIENT_LEFT", date, gone(date, "patient"), { patientId: "usr_gone" }, more),
    ),
  ),
]);

/** An authorization that ends on Friday of next week. */
const ending = (more: Fields = {}) =>
  authorization("auth_end", { ...from("2026-01-01", "2026-03-20"), ...more });
const onIt = { authorizationId: "auth_end" };
const soon = session("apt_1", "2026-03-16 14:00-15:00", onIt);
const due = (message: string, ids: object): object =>
  finding("RENEWAL_DUE", "2026-03-20", message, nobody, {
    ...{ authorizationStartDate: "2026-01-01", authorizationEndDate: "2026-03-20", ...ids },
  });

practice([
  ...[...base, ending({ payorId: "pay_own" }), soon],
  // 23:59 of the last day in New York, and a minute later.
  session("apt_2", "2026-03-21 03:59-05:00", onIt),
  session("apt_3", "2026-03-21 04:00-05:00", onIt),
  session("apt_4", "2026-06-01 14:00-15:00", { ...onIt, status: "DECLINED" }),
])("RENEWAL_DUE: of one on its own, until its last day in the practice's zone", [
  found(
    "RENEWAL_DUE",
    "",
    due("An authorization ends on 2026-03-20 without a successor; 1 session is booked after it.", {
      ...{ authorizationId: "auth_end", payorId: "pay_own" },
    }),
  ),
  ["2026-03-21T03:59:59.999Z"],
  ["GET checks?check=RENEWAL_DUE", 200, { data: [{}] }],
  ["2026-03-21T04:00:00.000Z"],
  ["GET checks?check=RENEWAL_DUE", 200, { data: [] }],
]);

practice([...[...base, ending(inPool), session("apt_1", "2026-03-16 14:00-15:00", member)]])(
  "RENEWAL_DUE: of a pool, which ends with its last member",
  [
    found(
      "RENEWAL_DUE",
      "",
      due("A pool ends on 2026-03-20 without a successor; no session is booked after it.", ofPool),
    ),
  ],
);

const renewals = (what: string, count: number, ...lines: Fields[]) =>
  practice([...base, ...lines])(`RENEWAL_DUE: ${count} ${what}`, [
    ["GET checks?check=RENEWAL_DUE", 200, { data: Array<object>(count).fill({}) }],
  ]);
for (const [what, date, status, count] of [
  ["with a session of any status 28 days ago", "2026-02-11", "DECLINED", 1],
  ["with a session 29 days ago", "2026-02-10", "CONFIRMED", 0],
  ["with a booked session today", "2026-03-11", "REQUESTED_TO_CANCEL", 1],
  ["with a missed session today", "2026-03-11", "PATIENT_NO_SHOW", 0],
  ["with a booked session long after its end", "2027-03-11", "UNCONFIRMED", 1],
] as const)
  renewals(what, count, ending(), session("apt_1", `${date} 14:00-15:00`, { ...onIt, status }));
for (const [date, count] of [
  ["2026-02-11", 1],
  ["2026-02-10", 0],
  ["2026-03-11", 0],
] as const)
  renewals(
    `with an encounter on ${date}`,
    count,
    ending(),
    encounter("enc_1", `${date} 14:00`, 2, onIt),
  );
for (const [what, next, count] of [
  ["followed by one that begins on the day after its end", from("2026-03-21", "2026-12-31"), 0],
  ["followed by one two days after its end", from("2026-03-22", "2026-12-31"), 1],
  ["with one that began before and ends a day later", from("2026-01-01", "2026-03-21"), 0],
  // That one is due itself only if it is in use.
  ["with one that ends on the same day", from("2026-01-01", "2026-03-20"), 1],
  ["with one of another payor", { ...from("2026-03-21", "2026-12-31"), payorId: "pay_own" }, 1],
  ["with one in a pool of another payor", { ...from("2026-03-21", "2026-12-31"), ...inPool }, 1],
] as const)
  renewals(what, count, ending(), soon, authorization("auth_next", next));

const days = "startDate=2026-03-02&endDate=2026-03-02&check=NO_AUTHORIZATION";
practice([
  ...base,
  ...["02 04:59:59.999", "02 05:00:00.000", "03 04:59:59.999", "03 05:00:00.000"].map(
    (time, index) => session(`apt_${index}`, `2026-03-${time}-${time.slice(3)}`),
  ),
])("the window: 28 days around today, and both its days in the zone of each finding", [
  ["2026-03-12T03:59:59.999Z"],
  ["GET checks?timezone=Pacific/Kiritimati", 200, WINDOW],
  ["2026-03-11T15:00:00.000Z"],
  short(days, "NO_AUTHORIZATION 2026-03-02 apt_1", "NO_AUTHORIZATION 2026-03-02 apt_2"),
  short(
    `${days}&timezone=UTC`,
    "NO_AUTHORIZATION 2026-03-02 apt_0",
    "NO_AUTHORIZATION 2026-03-02 apt_1",
  ),
]);

const invalid = (query: string, path: string, message: string, code?: string) =>
  refused(`GET checks?${query}`, path, message, code);
const reversed = "startDate must be on or before endDate";
const tooLong = "endDate must be within 366 days of startDate, both counted";
practice(base)("a window that is none, where the default of the other date counts", [
  invalid("startDate=2026-03-12&endDate=2026-03-11", "startDate", reversed),
  invalid("startDate=2026-04-09", "startDate", `${reversed}; endDate defaults to 2026-04-08`),
  invalid("startDate=2026-01-01&endDate=2027-01-02", "endDate", tooLong),
  invalid("endDate=2027-02-12", "endDate", `${tooLong}; startDate defaults to 2026-02-11`),
  ["GET checks?startDate=2026-01-01&endDate=2027-01-01", 200],
]);

const OF_GOALS = ["GOAL_MET", "GOAL_SILENT", "GOAL_NO_LONGER_MET", "GOAL_PAST"];
const CHECKS = [
  ...["OUTSIDE_AUTHORIZATION", "NO_AUTHORIZATION", "OVER_AUTHORIZED", "NOT_DOCUMENTED"],
  ...["DELIVERED_UNHELD", "DELIVERED_TWICE", "PROVIDER_OVERLAP", "PATIENT_OVERLAP"],
  ...["CREDENTIALS_ENDED", "PROVIDER_LEFT", "RENEWAL_DUE", "PATIENT_LEFT", ...OF_GOALS],
];
test("the checks, in their order", () => {
  expect<readonly string[]>(checkNames).toEqual(CHECKS);
});

const zero = (names: readonly string[]) =>
  whole(Object.fromEntries(names.map((name) => [name, 0])));
const paged = (query: string, ids: string[]): Step => [
  `GET checks?${query}`,
  200,
  {
    totals: { ...Object.fromEntries(CHECKS.map((name) => [name, 0])), NO_AUTHORIZATION: 3 },
    data: ids.map((id) => ({ sessionIds: [id] })),
    pagination: { totalCount: 3 },
  },
];
practice(base, { elsewhere: [...base, session("apt_1", "2026-03-12 14:00-15:00")] })("the query", [
  ["GET checks", 200, { totals: zero(CHECKS), data: [] }],
  [
    "GET checks?check=PATIENT_OVERLAP,NO_AUTHORIZATION,PATIENT_OVERLAP",
    200,
    { totals: zero(["NO_AUTHORIZATION", "PATIENT_OVERLAP"]) },
  ],
  ["elsewhere: GET checks", 200, { data: [{ check: "NO_AUTHORIZATION" }] }],
  [
    "POST practice-file",
    ["apt_1", "apt_2", "apt_3"].map((id) =>
      session(id, "2026-03-12 14:00-14:00", { technicianId: null }),
    ),
    200,
  ],
  // Totals cover all pages, also on one past the last.
  paged("pageSize=2&page=2", ["apt_3"]),
  paged("page=9", []),
]);

practice([
  ...[...base, session("apt_1", "2026-03-12 14:00-15:00")],
  session("apt_2", "2026-03-13 14:00-15:00", { ...bound, technicianId: null }),
])("patientId, providerId and payorId: findings without one do not match", [
  short("", "NO_AUTHORIZATION 2026-03-12 apt_1", "OUTSIDE_AUTHORIZATION 2026-03-13 apt_2"),
  short("providerId=usr_ana", "NO_AUTHORIZATION 2026-03-12 apt_1"),
  short("payorId=pay_own", "OUTSIDE_AUTHORIZATION 2026-03-13 apt_2"),
  short("patientId=usr_leo&payorId=pay_pool"),
  short("patientId=usr_none"),
]);

practice([
  ...[
    ...base,
    patient("usr_gone", { isActive: false }),
    authorization("auth_gone", { patientId: "usr_gone" }),
  ],
  session("apt_1", "2026-03-12 14:00-15:00", ofGone),
  session("apt_2", "2026-03-12 14:30-15:30", { clientId: null }),
  session("apt_3", "2026-03-12 14:30-15:30", { ...ofGone, authorizationId: "auth_gone" }),
  ...["enc_1", "enc_2"].map((id) =>
    encounter(id, "2026-03-10 14:00", 2, { authorizationId: "auth_gone", sessionId: "apt_3" }),
  ),
])("inactive patients have no other findings, and sessions that overlap theirs have none", [
  short("check=DELIVERED_TWICE,PROVIDER_OVERLAP,NO_AUTHORIZATION"),
  short("check=PATIENT_LEFT", "PATIENT_LEFT 2026-03-12 apt_1", "PATIENT_LEFT 2026-03-12 apt_3"),
]);

/** A practice in which each check finds something, but for those of goals, which are in goals.test.ts. */
const everything = [
  ...but(noor("2026-01-01T00:00:00.000Z")),
  ...[technician("usr_gone", { isActive: false }), patient("usr_left", { isActive: false })],
  ending({ authorizationDate: "2026-02-01" }),
  session("apt_1", "2026-03-09 14:00-15:00", member),
  session("apt_2", "2026-03-09 14:30-15:30", member),
  session("apt_3", "2026-03-09 14:30-15:30", { clientId: null }),
  session("apt_twice", "2026-03-10 14:00-15:00", member),
  session("apt_declined", "2026-03-10 16:00-17:00", { ...member, status: "DECLINED" }),
  encounter("enc_1", "2026-03-10 14:00", 2, { ...member, sessionId: "apt_twice" }),
  encounter("enc_2", "2026-03-10 14:00", 2, { ...member, sessionId: "apt_twice" }),
  encounter("enc_3", "2026-03-10 14:00", 2, { ...member, sessionId: "apt_declined" }),
  session("apt_noor", "2026-03-12 14:00-15:00", { technicianId: null, clinicianId: "usr_noor" }),
  session("apt_gone", "2026-03-12 16:00-17:00", { ...onIt, technicianId: "usr_gone" }),
  session("apt_after", "2026-03-24 16:00-17:00", onIt),
  session("apt_left", "2026-03-13 16:00-17:00", { clientId: "usr_left" }),
];

const service = await newService();
async function newPractice(records: Fields[]) {
  const { write, get } = await newClient(service, records);
  const list = async (query: string) => {
    const { status, body } = await get(`checks${query}`);
    expect(status).toBe(200);
    return (body as { data: { check: string; sessionIds: string[] }[] }).data;
  };
  return { write, list };
}

test("each check alone finds what it finds among all", async () => {
  const { list } = await newPractice(everything);
  const all = await list("?pageSize=100");
  for (const name of CHECKS.filter((one) => !OF_GOALS.includes(one))) {
    const ofCheck = all.filter(({ check }) => check === name);
    expect([name, ofCheck.length]).not.toEqual([name, 0]);
    expect(await list(`?pageSize=100&check=${name}`)).toEqual(ofCheck);
  }
});

test("pages of a day with very many findings of a check are in the order of their ids, not of their starts", async () => {
  const start = Date.parse("2026-03-12T14:00:00.000Z");
  const ids = Array.from({ length: 1_400 }, (_, index) => `apt_${10_000 - index}`);
  const { list } = await newPractice([
    ...base,
    ...ids.map((id, index) => {
      const startTime = new Date(start + index).toISOString();
      const line = session(id, "2026-03-12 14:00-14:00", { technicianId: null });
      return { ...line, startTime, endTime: startTime };
    }),
  ]);
  const sorted = ids.toSorted();
  for (const page of [1, 2, 8, 13, 14]) {
    const data = await list(`?check=NO_AUTHORIZATION&pageSize=100&page=${page}`);
    expect(data.flatMap(({ sessionIds }) => sessionIds)).toEqual(
      sorted.slice(100 * (page - 1), 100 * page),
    );
  }
});

test("the number of SQL statements is the same for hundreds of findings as for dozens", async () => {
  const { write, list } = await newPractice(base);
  const addSessions = (count: number, first: number) =>
    write(
      ...Array.from({ length: count }, (_, place) => {
        const sessionId = `apt_${first + place}`;
        return [
          session(sessionId, "2026-03-10 14:00-15:00", bound),
          encounter(`enc_${first + place}`, "2026-03-10 14:00", 2, { sessionId }),
          encounter(`enc_${first + place}_b`, "2026-03-10 14:00", 2, { sessionId }),
        ];
      }).flat(),
    );
  const statements = () => countReads(() => list("?pageSize=100"));
  await addSessions(25, 0);
  await statements();
  const few = await statements();
  await addSessions(75, 25);
  expect(await statements()).toBe(few);
});
