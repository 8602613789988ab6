import {
  at,
  authorization,
  authorizationPool,
  encounter,
  location,
  patient,
  payor,
  serviceLine,
  session,
} from "../support/practice-file/lines.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { pages } from "../support/pages.ts";
import { transcripts, type Step, whole } from "../support/transcript.ts";

/**
 * Utilization of authorizations and pools: one, its summary, all of them, and of a session. Counting is compared with
 * oracles elsewhere. Today is Wednesday, 2026-03-11, 11:00 in New York.
 */

const practice = await transcripts();
const LIST = "GET authorization-utilization";
const base = [
  ...[location("loc_main"), payor("pay_acme"), payor("pay_fair", { name: "Fairwind" })],
  ...[serviceLine("svc_1"), patient("usr_leo")],
];
const on = (authorizationId: string, more: Fields = {}) => ({ authorizationId, ...more });
const from = (authorizationDate: string, authorizationExpirationDate: string) => ({
  ...{ authorizationDate, authorizationExpirationDate },
});
const february = from("2026-02-01", "2026-02-28");
const member = (publicId: string, more: Fields = {}) =>
  authorization(publicId, {
    ...{ authorizationPoolId: "apool_1", authorizedUnitsQuantity: null },
    ...{ authorizedUnitFrequency: null, ...more },
  });
const error = (statusCode: number, text: string) => whole({ error: text, statusCode });
const leo = { patientId: "usr_leo", patientFirstName: "Leo", patientLastName: "Park" };
const timezone = "America/New_York";

const small = [
  ...[...base, authorizationPool("apool_1"), member("auth_member", february)],
  authorization("auth_alone", { ...february, authorizedUnitFrequency: "MONTHLY" }),
  ...["auth_member", "auth_alone"].flatMap((id) => [
    encounter(`enc_${id}`, "2026-02-10 15:00", 2.5, on(id)),
    session(`apt_${id}`, "2026-02-10 15:00-16:00", on(id)),
  ]),
];
const ofFebruary = {
  ...{ startDate: "2026-02-01", endDate: "2026-02-28", unitsUtilized: 2.5, unitsScheduled: 4 },
};
const series = (authorizationPublicId: string) => ({
  ...{ authorizationPublicId, serviceLinePublicId: "svc_1", periods: [ofFebruary] },
});
const utilization = (subject: string, publicId: string, pool: object | null, of: string): Step => [
  `${LIST}/${publicId}`,
  200,
  whole({
    ...{ subject, publicId, startDate: "2026-02-01", endDate: "2026-04-22", timezone },
    ...{ pool, members: [series(of)] },
  }),
];
const pooled = { poolPublicId: "apool_1", periods: [ofFebruary] };
const noId = error(404, "Authorization or pool not found");
const outOfOrder = error(400, "startDate must be on or before endDate");
const backwards = "startDate=2026-02-02&endDate=2026-02-01";
const noZone = error(422, "The patient's home address has no supported time zone: pass timezone");
const denied = error(403, "Access denied");

practice(small, { elsewhere: [] })("one authorization or pool", [
  utilization("AUTHORIZATION", "auth_alone", null, "auth_alone"),
  utilization("AUTHORIZATION", "auth_member", pooled, "auth_member"),
  utilization("POOL", "apool_1", pooled, "auth_member"),
  ["HEAD authorization-utilization/auth_alone", 200],
  [`elsewhere: ${LIST}/auth_alone`, 404, noId],
  ...["", "/summary"].flatMap((path): Step[] => [
    ...["auth_none", "apool_none", "usr_leo", "svc_1", "$organization", "AUTH_ALONE"].map(
      (id): Step => [`${LIST}/${id}${path}`, 404, noId],
    ),
    // Before the 404.
    ...["auth_alone", "auth_none", "apool_1"].map((id): Step => [
      ...([`${LIST}/${id}${path}?${backwards}`, 400, outOfOrder] as const),
    ]),
    [`${LIST}/auth_alone${path}?startDate=2026-02-01&endDate=2026-02-01`, 200],
    [`PATIENT: ${LIST}/auth_alone${path}`, 403, denied],
  ]),
]);

practice([
  ...[...base, patient("usr_odd", { timezone: "Eastern Time" })],
  authorization("auth_zoneless", { patientId: "usr_odd" }),
])("of a patient whose address has no supported time zone", [
  [`${LIST}/auth_zoneless`, 422, noZone],
  [`${LIST}/auth_zoneless/summary`, 422, noZone],
  [`${LIST}/auth_zoneless?timezone=UTC`, 200],
]);

const none = { before: null, after: null };
const oneAfter = { records: 1, firstDate: "2026-03-09", lastDate: "2026-03-09" };
practice([
  ...small,
  authorization("auth_whole", {
    ...{ ...february, payorId: "pay_fair", authorizationNumber: "F-7" },
    ...{ authorizedUnitsQuantity: 5, authorizedUnitFrequency: "TOTAL" },
  }),
  session("apt_before", "2026-01-31 15:00-15:30", on("auth_whole")),
  session("apt_declined", "2026-01-30 15:00-15:30", on("auth_whole", { status: "DECLINED" })),
  session("apt_delivered", "2026-02-03 15:00-15:30", on("auth_whole")),
  session(
    "apt_open",
    "2026-02-04 15:00-15:30",
    on("auth_whole", { status: "REQUESTED_TO_CANCEL" }),
  ),
  session("apt_after", "2026-03-01 15:00-15:30", on("auth_whole")),
  encounter("enc_in", "2026-02-03 15:00", 2, on("auth_whole", { sessionId: "apt_delivered" })),
  // In New York this is still March 9. Its session is no finding of its own.
  encounter("enc_after", "2026-03-10 03:00", 2, on("auth_whole", { sessionId: "apt_after" })),
  authorizationPool("apool_empty", { totalUnits: 7 }),
  patient("usr_gone", { isActive: false }),
  authorization("auth_gone", { patientId: "usr_gone" }),
  encounter("enc_gone", "2030-01-01 15:00", 2, on("auth_gone")),
])("a summary has what is left, and what is outside", [
  [
    `${LIST}/auth_whole/summary`,
    200,
    whole({
      ...{ subject: "AUTHORIZATION", publicId: "auth_whole", poolId: null, ...leo },
      ...{ payorId: "pay_fair", payorName: "Fairwind", ...dates(february), timezone },
      ...{ unitFrequency: "TOTAL", unitsAuthorized: 5 },
      series: [
        {
          ...{ authorizationId: "auth_whole", authorizationNumber: "F-7" },
          ...{ authorizationStatus: "AUTHORIZED", serviceLinePublicId: "svc_1" },
          ...{ serviceLineName: "Therapy", ...dates(february), unitsAuthorized: 5 },
          periods: [
            {
              ...{ ...dates(february), unitsAuthorized: 5, unitsUtilized: 2, unitsScheduled: 4 },
              ...{ unitsOpen: 2, unitsCommitted: 4, unitsLeft: 1 },
            },
          ],
          outside: {
            before: { records: 1, firstDate: "2026-01-31", lastDate: "2026-01-31" },
            after: oneAfter,
          },
        },
      ],
    }),
  ],
  [
    `${LIST}/auth_member/summary`,
    200,
    {
      ...{ subject: "AUTHORIZATION", poolId: "apool_1", ...leo, unitFrequency: "MONTHLY" },
      series: [{ authorizationId: "auth_member", periods: [{ ...ofFebruary, unitsLeft: null }] }],
    },
  ],
  // Its own series, then those of its members.
  [
    `${LIST}/apool_1/summary`,
    200,
    {
      ...{ subject: "POOL", publicId: "apool_1", poolId: null, ...leo },
      series: [
        {
          ...{ authorizationId: null, authorizationNumber: null, authorizationStatus: null },
          ...{ serviceLinePublicId: null, serviceLineName: null, outside: null },
          periods: [{ ...ofFebruary, unitsLeft: 153.5 }],
        },
        {
          ...{ authorizationId: "auth_member", outside: none },
          periods: [{ ...ofFebruary, unitsLeft: null }],
        },
      ],
    },
  ],
  [
    `${LIST}/apool_empty/summary`,
    200,
    {
      ...{ publicId: "apool_empty", startDate: null, endDate: null, unitsAuthorized: 7 },
      series: [{ startDate: null, endDate: null, unitsAuthorized: 7, periods: [], outside: null }],
    },
  ],
  // Checks leave out inactive patients.
  [`${LIST}/auth_gone/summary`, 200, { series: [{ outside: none }] }],
]);

function dates(of: ReturnType<typeof from>) {
  return { startDate: of.authorizationDate, endDate: of.authorizationExpirationDate };
}

const service97153 = (authorizationId: string) => ({
  ...{ authorizationId, serviceLinePublicId: "svc_1", serviceLineName: "Therapy" },
});
const listed = (query: string, ...ids: string[]): Step => [
  ...([`${LIST}?${query}`, 200, { data: ids.map((publicId) => ({ publicId })) }] as const),
];
practice([
  ...base,
  authorization("auth_alone", { authorizedUnitsQuantity: 32, payorId: "pay_acme" }),
  authorizationPool("apool_1", { payorId: "pay_fair" }),
  member("auth_early", from("2026-03-03", "2026-03-09")),
  member("auth_late", { authorizationDate: "2026-03-08" }),
  session("apt_1", "2026-03-09 14:00-15:00", on("auth_alone")),
  session("apt_2", "2026-03-09 16:00-17:00", on("auth_alone")),
  session("apt_3", "2026-03-09 18:00-19:00", on("auth_late")),
  // The session of the week counts; its encounter counts in the week before.
  encounter("enc_1", "2026-03-07 14:00", 4, on("auth_alone", { sessionId: "apt_1" })),
  encounter("enc_2", "2026-03-10 14:00", 1, on("auth_alone")),
  encounter("enc_3", "2026-03-05 14:00", 0.25, on("auth_early")),
  // After the last day of its member.
  encounter("enc_4", "2026-03-10 14:00", 2.5, on("auth_early")),
])("all, sorted by share; members of pools are not listed", [
  [
    LIST,
    200,
    whole({
      data: [
        {
          ...{ subject: "AUTHORIZATION", publicId: "auth_alone", ...leo },
          ...{ authorizationNumber: "A-100", authorizationStatus: "AUTHORIZED" },
          ...{ serviceLinePublicId: "svc_1", payorId: "pay_acme", payorName: "Acme Health" },
          ...{ startDate: "2026-01-07", endDate: "2026-07-06", timezone },
          unitFrequency: "WEEKLY",
          period: {
            ...{ startDate: "2026-03-08", endDate: "2026-03-14" },
            ...{ unitsUtilized: 1, unitsScheduled: 8 },
          },
          ...{ unitsAuthorized: 32, unitsOpen: 4, unitsCommitted: 5, unitsLeft: 27 },
          ...{ services: [service97153("auth_alone")], overFrom: null },
          ...{ share: 0.1563, elapsedShare: 0.5714 },
        },
        {
          ...{ subject: "POOL", publicId: "apool_1", ...leo },
          ...{ authorizationNumber: null, authorizationStatus: null, serviceLinePublicId: null },
          ...{ payorId: "pay_fair", payorName: "Fairwind" },
          ...{ startDate: "2026-03-03", endDate: "2026-07-06", timezone },
          unitFrequency: "MONTHLY",
          period: {
            ...{ startDate: "2026-03-03", endDate: "2026-03-31" },
            ...{ unitsUtilized: 0.25, unitsScheduled: 4 },
          },
          ...{ unitsAuthorized: 160, unitsOpen: 4, unitsCommitted: 4.25, unitsLeft: 155.75 },
          services: [service97153("auth_early"), service97153("auth_late")],
          ...{ overFrom: null, share: 0.0266, elapsedShare: 0.3103 },
        },
      ],
      pagination: { page: 1, pageSize: 25, totalCount: 2, totalPages: 1 },
    }),
  ],
  // A member of a pool belongs to the pool's payor.
  ...["share", "endDate"].flatMap((sort) => [
    listed(`sort=${sort}&payorId=pay_acme`, "auth_alone"),
    listed(`sort=${sort}&payorId=pay_fair`, "apool_1"),
    listed(`sort=${sort}&payorId=pay_none`),
  ]),
]);

const booked = (publicId: string, times: string, more?: Fields) =>
  session(publicId, times, on("auth_over", more));
const overFrom = (date: string | null): Step => [LIST, 200, { data: [{ overFrom: date }] }];
practice([
  ...base,
  // Its last day is a Wednesday: the week of the 29th is cut.
  authorization("auth_over", { authorizedUnitsQuantity: 4, ...from("2026-03-02", "2026-04-01") }),
  // This week is over, too, to its last day.
  encounter("enc_1", "2026-03-10 14:00", 5, on("auth_over")),
  booked("apt_1", "2026-03-14 15:00-18:00"),
  booked("apt_2", "2026-03-17 15:00-16:00"),
  booked("apt_3", "2026-03-23 15:00-18:00"),
  encounter("enc_2", "2026-03-23 15:00", 4, on("auth_over", { sessionId: "apt_3" })),
  booked("apt_4", "2026-03-24 15:00-18:00", { status: "DECLINED" }),
  booked("apt_5", "2026-04-02 15:00-18:00"),
])("overFrom is the first later period within the term that is over, whose open sessions count", [
  overFrom(null),
  ["POST practice-file", [booked("apt_6", "2026-04-01 15:00-17:00")], 200],
  overFrom("2026-03-29"),
  ["POST practice-file", [booked("apt_7", "2026-03-18 15:00-16:00")], 200],
  overFrom("2026-03-15"),
]);

practice([
  ...[...base, authorizationPool("apool_1", { unitFrequency: "DAILY" })],
  member("auth_1", from("2026-03-01", "2026-03-01")),
  member("auth_2", from("2026-03-20", "2026-03-20")),
])("today may be in a gap between the members of a pool, which then counts no units", [
  [
    LIST,
    200,
    {
      data: [
        {
          ...{ publicId: "apool_1", startDate: "2026-03-01", endDate: "2026-03-20" },
          period: { startDate: "2026-03-11", endDate: "2026-03-11", unitsScheduled: 0 },
          ...{ share: 0, elapsedShare: 1 },
        },
      ],
    },
  ],
]);

const zones = { usr_apia: "Pacific/Apia", usr_none: null, usr_odd: "Eastern Time" };
const inZones = (query: string, entries: Record<string, string>): Step => [
  `${LIST}?sort=endDate${query}`,
  200,
  { data: Object.entries(entries).map(([patientId, timezone]) => ({ patientId, timezone })) },
];
const tokyo = "Asia/Tokyo";
practice(
  [
    ...base,
    ...Object.entries(zones).map(([publicId, timezone]) => patient(publicId, { timezone })),
    // 2026-03-11T15:00Z is the 12th in Apia and Tokyo, and the 11th in New York.
    ...["usr_leo", ...Object.keys(zones)].map((patientId) =>
      authorization(`auth_${patientId}`, { patientId, ...from("2026-03-12", "2026-03-12") }),
    ),
  ],
  { organization: { time_zone: tokyo } },
)("today is that of each patient's time zone, or of the organization's", [
  inZones("", { usr_apia: "Pacific/Apia", usr_none: tokyo, usr_odd: tokyo }),
  inZones("&minShare=0", { usr_apia: "Pacific/Apia", usr_none: tokyo, usr_odd: tokyo }),
  inZones("&timezone=America/New_York", {}),
  inZones("&timezone=Asia/Tokyo&patientId=usr_leo", { usr_leo: tokyo }),
  inZones("&date=2026-03-12&patientId=usr_leo", { usr_leo: timezone }),
]);

practice(
  [
    ...base.slice(0, -1),
    patient("usr_leo", { timezone: null, isActive: false }),
    authorization("auth_1"),
  ],
  {
    organization: { time_zone: null },
  },
)("a patient's change of activity or time zone takes effect immediately; without zones it is UTC", [
  listed(""),
  ["POST practice-file", [{ type: "user", publicId: "usr_leo", isActive: true }], 200],
  // Never a 422.
  [LIST, 200, { data: [{ timezone: "UTC" }] }],
  ["POST practice-file", [{ type: "user", publicId: "usr_leo", timezone: "America/Denver" }], 200],
  [LIST, 200, { data: [{ timezone: "America/Denver" }] }],
]);

const ends: Fields = { auth_c: "2026-05-01", auth_Z: "2026-04-01", auth_B: undefined };
// 8.003 of 80 is 0.1000375. It is rounded to 0.1 in the response, in the order and in filters.
const delivered = { auth_a: 20, auth_b: 8, auth_Z: 8, auth_c: 120, auth_B: 8.003 };
const byShare = ["auth_c", "auth_a", "auth_B", "auth_Z", "auth_b", "apool_1", "auth_zero"];
practice([
  ...[...base, authorizationPool("apool_1", { isUnlimited: true }), member("auth_of_free")],
  authorization("auth_zero", { authorizedUnitsQuantity: 0 }),
  ...Object.entries(delivered).flatMap(([id, units]) => [
    authorization(id, id === "auth_B" ? {} : from("2026-01-07", String(ends[id] ?? "2026-06-01"))),
    encounter(`enc_${id}`, "2026-03-10 14:00", units, on(id)),
  ]),
])("order, minShare and maxShare", [
  listed("", ...byShare),
  listed("sort=-share", ...byShare),
  listed("sort=share", ...["auth_B", "auth_Z", "auth_b", "auth_a", "auth_c"], ...byShare.slice(5)),
  listed(
    "sort=endDate",
    ...["auth_Z", "auth_c", "auth_a", "auth_b", "apool_1", "auth_B", "auth_zero"],
  ),
  listed(
    "sort=-endDate",
    ...["apool_1", "auth_B", "auth_zero", "auth_a", "auth_b", "auth_c", "auth_Z"],
  ),
  listed("minShare=0.1", ...byShare.slice(0, 5)),
  listed("minShare=0.1&maxShare=0.1", "auth_B", "auth_Z", "auth_b"),
  listed("minShare=0.10001", "auth_c", "auth_a"),
  listed("maxShare=0.25&sort=endDate", "auth_Z", "auth_a", "auth_b", "auth_B"),
  listed("minShare=0&sort=-endDate", "auth_B", "auth_a", "auth_b", "auth_c", "auth_Z"),
  listed("minShare=2&maxShare=1"),
  listed(`minShare=${"9".repeat(400)}`),
  listed(`maxShare=${"9".repeat(400)}&sort=share&pageSize=1`, "auth_B"),
  ...[0, 1, 2, 3].map((index) =>
    listed(`pageSize=2&page=${index + 1}`, ...byShare.slice(2 * index, 2 * index + 2)),
  ),
  [
    `${LIST}?minShare=0.25&pageSize=1&page=9`,
    200,
    { data: [], pagination: { page: 9, pageSize: 1, totalCount: 2, totalPages: 2 } },
  ],
  [
    `${LIST}?page=2&pageSize=5`,
    200,
    {
      data: [
        { publicId: "apool_1", unitsAuthorized: null, share: null },
        { publicId: "auth_zero", unitsAuthorized: 0, share: null },
      ],
    },
  ],
]);

const five = ["auth_1", "auth_2", "auth_3", "auth_4", "auth_5"];
practice([...base, ...five.map((id) => authorization(id))], { elsewhere: [] })(
  "pages",
  pages(LIST, five),
);

/** A session of 38 minutes, and how it counts. */
const lone = (id: string, start: string, more: Fields = {}) => ({
  ...session(id, `${start}-00:00`, on("auth_alone", more)),
  endTime: new Date(Date.parse(at(start)) + 38 * 60_000).toISOString(),
});
const counted = (sessionId: string, reason: string | null, more: object = {}): Step => [
  `GET sessions/${sessionId}/utilization`,
  200,
  whole({
    ...{ sessionId, authorizationId: "auth_alone", poolId: null, units: 3 },
    ...{ counts: reason === null, reason, encounters: [], ...more },
  }),
];
const ofSession = (publicId: string, startTime: string, units: number) => ({
  ...{ publicId, authorizationId: "auth_member", sessionId: "apt_pool", startTime, units },
});
const encounters = [
  ofSession("enc_b", "2026-02-12T15:00:00.000Z", 2),
  ofSession("enc_c", "2026-02-12T15:00:00.000Z", 0.5),
  ofSession("enc_a", "2026-04-12T15:00:00.000Z", 1),
];
practice(
  [
    ...[...base, authorization("auth_alone", february), authorizationPool("apool_1")],
    ...[member("auth_member", february), patient("usr_mars", { timezone: "Mars" })],
    authorization("auth_mars", { ...february, patientId: "usr_mars" }),
    { type: "nonBillableCode", publicId: "nbc_1", name: "Staff meeting" },
    lone("apt_1", "2026-02-01 05:00"),
    lone("apt_2", "2026-03-01 04:59:59.999", { status: "REQUESTED_TO_CANCEL" }),
    lone("apt_3", "2026-02-01 04:59:59.999"),
    lone("apt_4", "2026-03-01 05:00", { status: "UNCONFIRMED" }),
    lone("apt_5", "2026-02-10 15:00", { status: "DECLINED" }),
    lone("apt_6", "2026-02-10 15:00", { status: "PATIENT_NO_SHOW" }),
    lone("apt_free", "2026-02-12 15:00", on(null as never)),
    lone("apt_pool", "2026-02-12 15:00", on("auth_member")),
    ...encounters.toReversed().map((one) => ({ type: "encounter", ...one })),
    lone("apt_mars_1", "2026-02-01 06:59:59.999", on("auth_mars", { clientId: "usr_mars" })),
    lone("apt_mars_2", "2026-02-01 07:00", on("auth_mars", { clientId: "usr_mars" })),
    {
      ...{ type: "session", publicId: "apt_staff", title: "Meeting", status: "CONFIRMED" },
      ...{ startTime: at("2026-02-12 15:00"), endTime: at("2026-02-12 16:00") },
      ...{ isSupervision: false, isClientPresent: false, placeOfService: "OFFICE" },
      ...{ locationId: "loc_main", isBillable: false, nonBillableCode: "nbc_1" },
    },
  ],
  { organization: { time_zone: "America/Denver" }, elsewhere: [] },
)("how a session counts", [
  counted("apt_1", null),
  counted("apt_2", null),
  counted("apt_3", "it starts before the authorization does"),
  counted("apt_4", "it starts after the authorization has ended"),
  counted("apt_5", "a cancelled session does not hold the slot"),
  counted("apt_6", "a no-show does not hold the slot"),
  // All encounters that refer to it, by start, then id.
  counted("apt_pool", null, { authorizationId: "auth_member", poolId: "apool_1", encounters }),
  counted("apt_free", "it is booked on no authorization", { authorizationId: null }),
  ["GET sessions/apt_staff/utilization", 200, { units: null, counts: false, encounters: [] }],
  // By days of the organization's zone.
  ["GET sessions/apt_mars_1/utilization", 200, { counts: false }],
  ["GET sessions/apt_mars_2/utilization", 200, { counts: true }],
  ["GET sessions/apt_none/utilization", 404, error(404, "Session not found")],
  ["elsewhere: GET sessions/apt_1/utilization", 404, error(404, "Session not found")],
  ["GET sessions/apt%00/utilization", 400, { validationErrors: [{ path: ["sessionId"] }] }],
]);
