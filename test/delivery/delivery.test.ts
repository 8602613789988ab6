import { expect, test } from "bun:test";
import { newClient } from "../support/client.ts";
import { newService } from "../support/harness.ts";
import {
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
import { countReads } from "../support/statements.ts";
import { refused, type Step, transcripts, whole } from "../support/transcript.ts";

/**
 * GET /v1/delivery: response shape, listed authorizations, windows and refusals. Counting by time zone is compared with
 * an oracle in test/checks/checks-properties.test.ts. Today is Wednesday, 2026-03-11, so that the last month is
 * February.
 */

const practice = await transcripts();

const authorize = (publicId: string, more: Fields = {}) =>
  authorization(publicId, {
    ...{ authorizationDate: "2026-02-01", authorizationExpirationDate: "2026-02-10", ...more },
  });
const deliver = (publicId: string, id: string, units: number, time = "2026-02-10 15:00") =>
  encounter(publicId, time, units, { authorizationId: id });
const book = (publicId: string, authorizationId: string, status: string) =>
  session(publicId, "2026-02-12 15:00-15:00", { authorizationId, status });

/** Two authorizations for February of an active patient, and one of an inactive patient. */
const base = [
  ...[location("loc_main"), serviceLine("svc_1"), payor("pay_acme")],
  payor("pay_pool", { name: "Fairwind" }),
  patient("usr_leo", { internalRecordId: "MRN-7" }),
  patient("usr_gone", { isActive: false }),
  authorizationPool("apool_1", { payorId: "pay_pool" }),
  authorize("auth_b", { payorId: "pay_acme" }),
  authorize("auth_a", {
    ...{ authorizationPoolId: "apool_1", authorizedUnitsQuantity: null },
    authorizedUnitFrequency: null,
  }),
  authorize("auth_gone", { patientId: "usr_gone" }),
];
const report = (query: string, body: object): Step => [`GET delivery${query}`, 200, body];

const noSessions = {
  ...{ CONFIRMED: 0, UNCONFIRMED: 0, DECLINED: 0, PATIENT_NO_SHOW: 0, REQUESTED_TO_CANCEL: 0 },
};
const acme = { payorId: "pay_acme", payorName: "Acme Health" };
/** The sums of a payor, by default of none and without any delivery. */
const sums = (more: object) => ({
  ...{ payorId: null, payorName: null, encounters: 0, unitsDelivered: 0 },
  ...{ hoursDelivered: 0, visits: 0, ...more },
});
const leo = {
  ...{ patientId: "usr_leo", patientFirstName: "Leo", patientLastName: "Park" },
  ...{ internalRecordId: "MRN-7", serviceLinePublicId: "svc_1" },
  ...{ authorizationStartDate: "2026-02-01", authorizationEndDate: "2026-02-10" },
  ...{ authorizationNumber: "A-100", timezone: "America/New_York" },
};

practice(
  [
    ...[...base, deliver("enc_1", "auth_b", 0.1), deliver("enc_gone", "auth_gone", 2)],
    deliver("enc_2", "auth_b", 0.2, "2026-02-11 04:59:59.999"),
    deliver("enc_3", "auth_b", 4, "2026-02-11 05:00"),
    // The last millisecond of January and the first of March.
    deliver("enc_4", "auth_b", 100, "2026-02-01 04:59:59.999"),
    deliver("enc_5", "auth_b", 100, "2026-03-01 05:00"),
    ...[book("apt_1", "auth_b", "CONFIRMED"), book("apt_2", "auth_b", "PATIENT_NO_SHOW")],
    ...[book("apt_3", "auth_b", "PATIENT_NO_SHOW"), book("apt_4", "auth_a", "DECLINED")],
  ],
  { elsewhere: base },
)("every authorization with something in the month; inactive patients, too", [
  report(
    "",
    whole({
      ...{ startDate: "2026-02-01", endDate: "2026-02-28" },
      totals: { encounters: 4, unitsDelivered: 6.3, unitsOutside: 4 },
      byPayor: [
        // Of 4.3 units 1.075 hours, rounded half up.
        sums({ ...acme, encounters: 3, unitsDelivered: 4.3, hoursDelivered: 1.08 }),
        sums({ payorId: "pay_pool", payorName: "Fairwind" }),
        sums({ encounters: 1, unitsDelivered: 2, hoursDelivered: 0.5 }),
      ],
      data: [
        {
          ...{ ...leo, authorizationId: "auth_gone", poolId: null, payorId: null },
          ...{ payorName: null, patientId: "usr_gone", internalRecordId: null },
          ...{ encounters: 1, unitsDelivered: 2, hoursDelivered: 0.5 },
          ...{ unitsOutside: 0, sessions: noSessions },
        },
        {
          ...{ ...leo, authorizationId: "auth_a", poolId: "apool_1", payorId: "pay_pool" },
          ...{ payorName: "Fairwind", encounters: 0, unitsDelivered: 0, hoursDelivered: 0 },
          ...{ unitsOutside: 0, sessions: { ...noSessions, DECLINED: 1 } },
        },
        {
          ...{ ...leo, authorizationId: "auth_b", ...acme, poolId: null },
          ...{ encounters: 3, unitsDelivered: 4.3, hoursDelivered: 1.08, unitsOutside: 4 },
          sessions: { ...noSessions, CONFIRMED: 1, PATIENT_NO_SHOW: 2 },
        },
      ],
      pagination: { page: 1, pageSize: 25, totalCount: 3, totalPages: 1 },
    }),
  ),
  // The days are of the zone.
  report("?timezone=UTC&startDate=2026-02-01&endDate=2026-02-01", {
    data: [{ authorizationId: "auth_b", unitsDelivered: 100, timezone: "UTC" }],
  }),
  report("?startDate=2026-02-01&endDate=2026-02-01", { data: [] }),
  ["elsewhere: GET delivery", 200, { totals: { encounters: 0 }, data: [] }],
]);

const ids = (query: string, ...list: string[]): Step =>
  report(query, { data: list.map((authorizationId) => ({ authorizationId })) });
const leapDay = { data: [{ authorizationId: "auth_b" }], totals: { encounters: 1 } };
practice([
  ...[...base, deliver("enc_leap", "auth_b", 1, "2024-02-29 15:00")],
  ...["auth_a", "auth_b", "auth_gone"].map((id) => deliver(`enc_${id}`, id, 1)),
])("payorId (of a pool's member the pool's), patientId and month", [
  ids("?payorId=pay_pool", "auth_a"),
  ids("?payorId=pay_acme", "auth_b"),
  ids("?patientId=usr_gone", "auth_gone"),
  ids("?patientId=usr_gone&payorId=pay_acme"),
  ids("?payorId=pay_none"),
  report("?pageSize=1&page=2&payorId=pay_pool", {
    ...{ totals: whole({ encounters: 1, unitsDelivered: 1, unitsOutside: 0 }), data: [] },
    pagination: { page: 2, pageSize: 1, totalCount: 1, totalPages: 1 },
  }),
  report("?month=2024-02", { startDate: "2024-02-01", endDate: "2024-02-29", ...leapDay }),
  report("?startDate=2024-02-01&endDate=2024-02-29", leapDay),
]);

const lastMonth = (now: string, startDate: string, endDate: string): Step[] => [
  [now],
  report("?timezone=Pacific/Kiritimati", { startDate, endDate, data: [] }),
];
const invalid = (query: string, path: string, message: string, code?: string) =>
  refused(`GET delivery?${query}`, path, message, code);
const reversed = "startDate must be on or before endDate";
const tooLong = "endDate must be within 366 days of startDate, both counted";
const both = "month cannot be given with startDate or endDate";
practice(base)("the window is the last month in the organization's zone, or one that is given", [
  invalid("startDate=2026-03-02&endDate=2026-03-01", "startDate", reversed),
  invalid("startDate=2026-03-01", "startDate", `${reversed}; endDate defaults to 2026-02-28`),
  invalid("startDate=2025-02-27", "endDate", `${tooLong}; endDate defaults to 2026-02-28`),
  invalid("month=2026-02&endDate=2026-02-28", "month", both),
  invalid("startDate=2026-02-28&month=2026-02", "month", both),
  ...lastMonth("2026-03-01T04:59:59.999Z", "2026-01-01", "2026-01-31"),
  ...lastMonth("2026-03-01T05:00:00.000Z", "2026-02-01", "2026-02-28"),
  ...lastMonth("2026-01-31T15:00:00.000Z", "2025-12-01", "2025-12-31"),
]);

practice([
  ...[...base, payor("pay_zebra"), serviceLine("svc_visit", { billingUnitMinutes: null })],
  ...[serviceLine("svc_minute", { billingUnitMinutes: 1 }), deliver("enc_b", "auth_b", 4)],
  ...(
    [
      ["auth_1", "svc_minute", "pay_zebra", 0.3],
      ["auth_2", "svc_minute", "pay_zebra", 0.3],
      ["auth_3", "svc_visit", "pay_zebra", 2],
      ["auth_4", "svc_visit", null, 1],
    ] as const
  ).flatMap(([id, serviceLineId, payorId, units]) => [
    authorize(id, { serviceLineId, payorId }),
    deliver(`enc_${id}`, id, units),
  ]),
])("hours and visits are summed by payor, exactly before they are rounded; without a payor last", [
  report("", {
    byPayor: whole([
      sums({ ...acme, encounters: 1, unitsDelivered: 4, hoursDelivered: 1 }),
      // Each is 0.005 hours, rounded 0.01; together they are 0.01.
      sums({
        ...{ ...acme, payorId: "pay_zebra", encounters: 3, unitsDelivered: 2.6 },
        ...{ hoursDelivered: 0.01, visits: 2 },
      }),
      sums({ encounters: 1, unitsDelivered: 1, visits: 1 }),
    ]),
    data: [0.01, 0.01, null, null, 1].map((hoursDelivered) => ({ hoursDelivered })),
  }),
]);

test("the number of SQL statements is the same for dozens of authorizations as for one", async () => {
  const { write, get } = await newClient(await newService(), [
    ...[...base, deliver("enc_a", "auth_a", 1)],
  ]);
  const count = () => countReads(() => get("delivery?pageSize=100"));
  await count();
  const few = await count();
  const many = Array.from({ length: 40 }, (_, index) => `auth_${index}`);
  await write(...many.flatMap((id) => [authorize(id), deliver(`enc_${id}`, id, 1)]));
  expect(await count()).toBe(few);
});
