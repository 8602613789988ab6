import { expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { streamSessions } from "../../src/supervision/repository.ts";
import { newClient } from "../support/client.ts";
import { newService } from "../support/harness.ts";
import {
  at,
  authorization,
  clinician,
  encounter,
  location,
  patient,
  serviceLine,
  session as sessionLine,
  technician,
} from "../support/practice-file/lines.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { countReads } from "../support/statements.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/**
 * GET /v1/supervision: complete entries, states, order and pages. Hours, contacts, time zones and rounding are compared
 * with an oracle in supervision-properties.test.ts. Now is Wednesday, 2026-03-11, 11:00 in New York.
 */

const practice = await transcripts();
const base = [
  ...[location("loc_main"), serviceLine("svc_1"), patient("usr_leo"), technician("usr_ana")],
  ...[clinician("usr_noor"), { type: "nonBillableCode", publicId: "nbc_1", name: "Meeting" }],
];

/** Service by Ana for Leo on days of March 2026, such as `02 14:00-15:00`. */
const session = (publicId: string, times: string, more: Fields = {}) =>
  sessionLine(publicId, `2026-03-${times}`, { technicianId: "usr_ana", ...more });
/** What nobody bills. */
const unbilled = (publicId: string, times: string, more: Fields = {}): Fields => {
  const { isTelehealth: _t, services: _s, ...line } = session(publicId, times);
  return { ...line, isBillable: false, nonBillableCode: "nbc_1", ...more };
};
const supervision = (publicId: string, times: string, more: Fields = {}) =>
  unbilled(publicId, times, { isSupervision: true, ...more });
const report = (query: string, body: object): Step => [`GET supervision${query}`, 200, body];

const ana = { technicianId: "usr_ana", technicianFirstName: "Ana", technicianLastName: "Ruiz" };
const nothing = {
  ...{ hoursDelivered: 0, hoursBooked: 0, supervisedDelivered: 0, supervisedBooked: 0 },
  ...{ contactsDelivered: 0, contactsBooked: 0, observedDelivered: 0, observedBooked: 0 },
  ...{ shareDelivered: null, shareBooked: null, hoursNeeded: 0, contactsNeeded: 0 },
  ...{ observationNeeded: false, state: "NO_HOURS" },
};
const march = (totals: object, ...data: object[]) =>
  whole({
    ...{ month: "2026-03", startDate: "2026-03-01", endDate: "2026-03-31" },
    ...{ timezone: "America/New_York", requiredShare: 0.05, elapsedShare: 0.3548 },
    ...{ totals: { SHORT: 0, BOOKED: 0, MET: 0, NO_HOURS: 0, ...totals }, data },
    pagination: { page: 1, pageSize: 25, totalCount: 1, totalPages: 1 },
  });

const bound = { authorizationId: "auth_1" };
practice(
  [
    ...[...base, authorization("auth_1")],
    // 10 hours were delivered, and 10 more are booked; one was missed.
    session("apt_done", "02 14:00-23:59", bound),
    encounter("enc_1", "2026-03-02 14:00", 40, { ...bound, sessionId: "apt_done" }),
    session("apt_booked", "12 14:00-23:59", bound),
    session("apt_missed", "13 14:00-23:59", { status: "PATIENT_NO_SHOW" }),
    unbilled("apt_meeting", "14 14:00-23:59", { clientId: null }),
    // Without an authorization, delivered when confirmed and over.
    supervision("apt_contact", "02 14:00-14:20"),
    supervision("apt_later", "12 14:00-14:10", { clientId: null }),
  ],
  { elsewhere: base },
)("the complete report of a month with one technician", [
  report(
    "",
    march(
      { SHORT: 1 },
      {
        ...{ ...ana, hoursDelivered: 9.98, hoursBooked: 19.97 },
        ...{ supervisedDelivered: 0.33, supervisedBooked: 0.5 },
        ...{ contactsDelivered: 1, contactsBooked: 2, observedDelivered: 1, observedBooked: 1 },
        // 20 of 599 minutes, and 30 of 1,198; 59.9 are required.
        ...{ shareDelivered: 0.0334, shareBooked: 0.025, hoursNeeded: 0.5 },
        ...{ contactsNeeded: 0, observationNeeded: false, state: "SHORT" },
      },
    ),
  ),
  // An active technician without service.
  ["elsewhere: GET supervision", 200, march({ NO_HOURS: 1 }, { ...ana, ...nothing })],
]);

const without = { technicianId: null };
practice([
  ...[...base, technician("usr_ben", { firstName: "Ben" }), patient("usr_mia")],
  session("apt_ana", "02 14:00-16:00"),
  session("apt_ben", "02 15:30-17:00", { technicianId: "usr_ben" }),
  supervision("apt_both", "02 15:00-17:30", without),
  supervision("apt_other", "02 14:00-15:00", { ...without, clientId: "usr_mia" }),
  supervision("apt_nobody", "02 14:00-15:00", { ...without, clientId: null }),
])("without a technician it is that of all with service with the client, for the time of both", [
  report("", {
    data: [
      { technicianId: "usr_ana", supervisedBooked: 1, contactsBooked: 1 },
      { technicianId: "usr_ben", supervisedBooked: 1.5, contactsBooked: 1 },
    ],
  }),
]);

const from = (start: string, end: string) => ({ startTime: at(start), endTime: at(end) });
practice([
  ...base,
  // March begins at 05:00Z in New York, and ends on the first of April at 04:00Z.
  session("apt_before", "01 04:00-08:00"),
  supervision("apt_first", "01 05:00-07:00", without),
  supervision("apt_last", "31 00:00-00:00", {
    ...{ ...without, ...from("2026-04-01 03:30", "2026-04-01 06:00") },
  }),
  session("apt_after", "31 00:00-00:00", from("2026-04-01 04:30", "2026-04-01 05:00")),
])("it counts for its own month, also beside service that began in another", [
  report("", {
    data: [{ hoursBooked: 0, supervisedBooked: 2.5, contactsBooked: 2, state: "NO_HOURS" }],
  }),
]);

const ids = (query: string, ...list: string[]): Step =>
  report(`?${query}`, { data: list.map((technicianId) => ({ technicianId })) });
const short = { SHORT: 1, BOOKED: 0, MET: 0, NO_HOURS: 0 };
practice([
  ...[...base, ...["usr_b", "usr_c", "usr_d", "usr_e"].map((id) => technician(id))],
  ...["usr_gone", "usr_left"].map((id) => technician(id, { isActive: false })),
  session("apt_b", "12 10:00-11:00", { technicianId: "usr_b" }),
  session("apt_c", "12 10:00-12:00", { technicianId: "usr_c" }),
  session("apt_d", "12 10:00-12:00", { technicianId: "usr_d" }),
  session("apt_left", "12 10:00-10:30", { technicianId: "usr_left" }),
  supervision("apt_of_e", "13 14:00-15:00", { technicianId: "usr_e" }),
  supervision("apt_of_d", "13 10:00-10:01", { technicianId: "usr_d" }),
])("by state, then by what is needed, then by id; the inactive only with hours", [
  ids("", "usr_c", "usr_d", "usr_b", "usr_left", "usr_ana", "usr_e"),
  ids("pageSize=2&page=2", "usr_b", "usr_left"),
  ids("technicianId=usr_d", "usr_d"),
  ids("technicianId=usr_gone"),
  ids("technicianId=usr_noor"),
  report("?technicianId=usr_d&page=9", { totals: whole(short), data: [] }),
  ids("state=NO_HOURS", "usr_ana", "usr_e"),
  ids("state=BOOKED,SHORT&pageSize=3&page=2", "usr_left"),
  report("?state=MET&technicianId=usr_d", {
    ...{ totals: short, data: [], pagination: { totalCount: 0, totalPages: 0 } },
  }),
  report("?requiredShare=0&pageSize=1", { data: [{ hoursNeeded: 0 }] }),
]);

const month = (month: string, days: number, elapsedShare: number): Step =>
  report(`?month=${month}`, {
    ...{ month, startDate: `${month}-01`, endDate: `${month}-${days}`, elapsedShare },
  });
practice([])("the month, by default the current one in the organization's zone", [
  month("2026-02", 28, 1),
  month("2026-03", 31, 0.3548),
  month("2026-04", 30, 0),
  month("9999-12", 31, 0),
  month("0001-01", 31, 1),
  ["2026-04-01T03:59:59.999Z"],
  report("", { month: "2026-03", elapsedShare: 1 }),
  ...["0", "0.0", "1", "1.000", "0.123456789012345678901234567890"].map((share) =>
    report(`?requiredShare=${share}`, { requiredShare: Number(share) }),
  ),
]);
practice([], { organization: { time_zone: null }, now: "2026-04-01T03:59:59.999Z" })(
  "the month in UTC, of an organization without a zone",
  [report("", { month: "2026-04", timezone: "UTC", elapsedShare: 0.0333 })],
);

const service = await newService();
test("the number of SQL statements is the same for many technicians and sessions as for few", async () => {
  const { write, get } = await newClient(service, base);
  const addTechnicians = (length: number, from: number) =>
    write(
      ...Array.from({ length }, (_, place) => {
        const technicianId = `usr_${from + place}`;
        return [
          technician(technicianId),
          session(`apt_${from + place}`, "02 14:00-15:00", { technicianId }),
        ];
      }).flat(),
    );
  const count = () => countReads(() => get("supervision"));
  await addTechnicians(3, 0);
  await count();
  const few = await count();
  await addTechnicians(37, 3);
  expect(await count()).toBe(few);
});

test("of the sessions that start before the month, only those that go on in it are read", async () => {
  const { publicId } = await newClient(service, [
    ...[...base, session("apt_1", "04 14:00-15:00"), session("apt_2", "05 00:00-01:00")],
    session("apt_3", "04 22:00-23:00", { endTime: "2026-03-05T00:00:00.001Z" }),
    session("apt_4", "04 23:00-23:00", { endTime: "2026-03-05T00:00:00.000Z" }),
  ]);
  const midnight = "2026-03-05T00:00:00.000Z" as Instant;
  const batches = await service.database.read((db) =>
    Array.fromAsync(
      streamSessions(db, { organizationId: publicId }, { from: midnight, to: midnight }),
    ),
  );
  expect(batches.flat().map(({ startTime }) => startTime)).toEqual([
    "2026-03-04T22:00:00.000Z" as Instant,
    midnight,
  ]);
});
