import { expect, test } from "bun:test";
import { newClient } from "../support/client.ts";
import { newService } from "../support/harness.ts";
import {
  authorization,
  clinician,
  encounter as encounterLine,
  location,
  patient,
  payor,
  serviceLine,
  session,
  technician,
} from "../support/practice-file/lines.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { countReads } from "../support/statements.ts";
import { refused, type Step, transcripts, whole } from "../support/transcript.ts";

/**
 * GET /v1/billing-lines: whole lines, order, filters, windows, refusals and the audit trail. All problems and states are
 * compared with an oracle in lines-properties.test.ts. Today is Wednesday, 2026-03-11.
 */

const practice = await transcripts();

const base = [
  ...[location("loc_main"), payor("pay_acme")],
  serviceLine("svc_1", { code: "97153", modifiers: ["HM", "95"] }),
  clinician("usr_bcba", { firstName: "Jo", lastName: "Lee", npiNumber: "1234567893" }),
  technician("usr_tech", {
    credentials: [
      {
        ...{ credentialType: "RBT", practiceArea: "VT", credentialNumber: "1" },
        ...{ expiresAt: "2026-12-31T00:00:00Z", credentialStatus: "active" },
      },
    ],
  }),
  patient("usr_leo", {
    ...{ birthDate: "2019-04-02", internalRecordId: "MRN-7", primaryClinicianId: "usr_bcba" },
    ...{ sex: "MALE", addressLine1: "1 Elm St", city: "Salem", state: "MA" },
    postalCode: "01970",
    payors: [
      {
        ...{ payorId: "pay_acme", priority: "PRIMARY", relationshipToPatient: "CHILD" },
        ...{ insuredBirthDate: "1990-01-01", memberId: "M-1", planHolder: "Mia Park" },
        insuredAddress: { addressLine2: "Apt 2", state: "NH" },
        effectiveStartDate: "2026-01-01",
      },
    ],
  }),
  authorization("auth_1", { payorId: "pay_acme", authorizationDate: "2026-01-01" }),
];
const START = "2026-03-03 15:00";
const encounter = (publicId: string, time = START, more: Fields = {}) =>
  encounterLine(publicId, time, 8, { authorizationId: "auth_1", ...more });
const held = (publicId: string, to: string, more: Fields = {}) =>
  session(publicId, `${START}-${to}`, {
    ...{ technicianId: "usr_tech", authorizationId: "auth_1", ...more },
  });

const GET = "BILLING_MANAGER: GET billing-lines";
const MARCH = "startDate=2026-03-01&endDate=2026-03-31";
const listed = (query: string, ids: readonly string[], more: object = {}): Step => [
  `${GET}?${query}`,
  200,
  { data: ids.map((encounterId) => ({ encounterId })), ...more },
];

const noProblems = {
  ...{ NO_SESSION: 0, DELIVERED_UNHELD: 0, DELIVERED_TWICE: 0, OUTSIDE_AUTHORIZATION: 0 },
  ...{ CREDENTIALS_ENDED: 0, OVER_AUTHORIZED: 0, NO_PAYOR: 0, NO_COVERAGE: 0, NO_CODE: 0 },
  ...{ NO_PROVIDER: 0, NO_NPI: 0, UNITS_DIFFER: 0, NO_UNITS: 0, NOTHING_RECORDED: 0 },
};
const body = {
  ...{ startDate: "2026-03-01", endDate: "2026-03-31" },
  totals: {
    lines: 1,
    states: { READY: 1, PROBLEM: 0, BILLED: 0, CHANGED: 0, TAKEN_BACK: 0 },
    problems: noProblems,
  },
  batches: [],
  data: [
    {
      ...{ encounterId: "enc_1", date: "2026-03-03", timezone: "America/New_York" },
      ...{ startTime: "2026-03-03T15:00:00.000Z", endTime: "2026-03-03T17:00:30.000Z" },
      ...{ minutes: 120, patientId: "usr_leo", patientFirstName: "Leo" },
      ...{ patientLastName: "Park", patientBirthDate: "2019-04-02" },
      ...{ internalRecordId: "MRN-7", payorId: "pay_acme", payorName: "Acme Health" },
      ...{ memberId: "M-1", groupId: null, planHolder: "Mia Park" },
      ...{ relationshipToPatient: "CHILD", priority: "PRIMARY", authorizationId: "auth_1" },
      ...{ authorizationNumber: "A-100", poolId: null, serviceLineId: "svc_1" },
      ...{ serviceLineName: "Therapy", code: "97153", modifiers: ["HM", "95"] },
      ...{ placeOfService: "HOME", placeOfServiceCode: "12", units: 8 },
      ...{ billingUnitMinutes: 15, renderedById: "usr_tech", renderedByFirstName: "Ana" },
      ...{ renderedByLastName: "Ruiz", renderedByNpi: null, renderedByCredential: "RBT" },
      ...{ supervisedById: "usr_bcba", supervisedByFirstName: "Jo" },
      ...{ supervisedByLastName: "Lee", supervisedByNpi: "1234567893" },
      ...{ localStart: "2026-03-03T10:00", localEnd: "2026-03-03T12:00", patientSex: "MALE" },
      ...{ patientAddressLine1: "1 Elm St", patientAddressLine2: null, patientCity: "Salem" },
      ...{ patientState: "MA", patientPostalCode: "01970", insuredBirthDate: "1990-01-01" },
      ...{ insuredAddressLine1: null, insuredAddressLine2: "Apt 2", insuredCity: null },
      ...{ insuredState: "NH", insuredPostalCode: null, claimFrequencyCode: "1" },
      ...{ replacesBatch: null, replacesUnits: null },
      ...{ problems: [], state: "READY", changedFields: [], billed: [] },
    },
  ],
  pagination: { page: 1, pageSize: 25, totalCount: 1, totalPages: 1 },
};

const service = await newService();
async function newPractice(...records: Fields[]) {
  const client = await newClient(service, [...base, ...records], "BILLING_MANAGER");
  return { ...client, read: (query: string) => client.get(`billing-lines?${query}`) };
}

test("a line has exactly the documented fields, in their order; the answer has the sequence", async () => {
  const { read } = await newPractice(
    held("apt_1", "17:00:30.000"),
    encounter("enc_1", START, { sessionId: "apt_1" }),
  );
  const { text, headers } = await read(MARCH);
  expect(text).toBe(JSON.stringify(body));
  expect(headers.get("caseload-sequence")).toBe("1");
});

practice([...base, encounter("enc_1")], { elsewhere: [...base, encounter("enc_2")] })(
  "without a session nobody is known to have rendered it, nor when and where",
  [
    [
      `${GET}?${MARCH}`,
      200,
      {
        data: [
          {
            ...{ startTime: null, endTime: null, minutes: null, placeOfService: null },
            ...{ placeOfServiceCode: null, renderedById: null, renderedByNpi: null },
            ...{ renderedByCredential: null, supervisedById: null, supervisedByNpi: null },
            ...{ problems: ["NO_SESSION"], state: "PROBLEM" },
          },
        ],
      },
    ],
    [`elsewhere: GET billing-lines?${MARCH}`, 200, { data: [{ encounterId: "enc_2" }] }],
  ],
);

const codes = {
  ...{ TELEHEALTH_PROVIDED_ELSEWHERE: "02", SCHOOL: "03" },
  ...{ TELEHEALTH_PROVIDED_IN_PATIENT_HOME: "10", OFFICE: "11", HOME: "12" },
  ...{ TEMPORARY_LODGING: "16", PLACE_OF_EMPLOYMENT: "18", COMMUNITY_MENTAL_HEALTH_CENTER: "53" },
  OTHER: "99",
};
const places = Object.entries(codes);
practice([
  ...base,
  ...places.flatMap(([placeOfService], index) => [
    held(`apt_${index}`, "17:00", { placeOfService }),
    encounter(`enc_${index}`, START, { sessionId: `apt_${index}` }),
  ]),
])("the codes of places", [
  [
    `${GET}?${MARCH}`,
    200,
    {
      data: places.map(([placeOfService, placeOfServiceCode]) => ({
        placeOfService,
        placeOfServiceCode,
      })),
    },
  ],
]);

const order = ["enc_6", "enc_5", "enc_1", "enc_2", "enc_4", "enc_3"];
practice([
  ...[...base, patient("usr_z", { lastName: "Zoe" }), patient("usr_a", { firstName: "Abe" })],
  patient("usr_u", { lastName: "adams" }),
  ...["z", "a", "u"].map((name) => authorization(`auth_${name}`, { patientId: `usr_${name}` })),
  encounter("enc_4", START, { authorizationId: "auth_z" }),
  encounter("enc_5", "2026-03-03 20:00", { authorizationId: "auth_a" }),
  encounter("enc_3", "2026-03-03 10:00", { authorizationId: "auth_u" }),
  encounter("enc_2", "2026-03-03 09:00"),
  encounter("enc_1", "2026-03-03 21:00"),
  encounter("enc_6", "2026-03-02 21:00"),
])("order: date, the patient's last and first name, then encounter, by code unit", [
  listed(MARCH, order),
  listed(`${MARCH}&page=2&pageSize=2`, order.slice(2, 4)),
  listed(`${MARCH}&page=9&pageSize=1000`, []),
]);

const late = { date: "2026-02-28", timezone: "America/New_York", memberId: "M-1" };
practice([
  ...base,
  encounter("enc_1", "2026-03-01 04:59:59.999", { billed: [{ batch: "W1", line: late }] }),
  encounter("enc_2", "2026-03-01 05:00"),
  encounter("enc_3", "2026-04-01 03:59:59.999"),
  encounter("enc_4", "2026-04-01 04:00"),
  encounter("enc_5", "2025-12-10 15:00"),
  encounter("enc_6", "2025-12-11 15:00"),
  encounter("enc_7", "2026-03-11 23:00"),
  encounter("enc_8", "2026-03-12 15:00"),
])("the days of the patient's zone, both included, or of the zone that is asked for", [
  listed(MARCH, ["enc_2", "enc_7", "enc_8", "enc_3"]),
  // A line that was handed over is not changed by the zone.
  [
    `${GET}?${MARCH}&timezone=UTC`,
    200,
    {
      data: [
        { encounterId: "enc_1", date: "2026-03-01", state: "BILLED", changedFields: [] },
        ...["enc_2", "enc_7", "enc_8"].map((encounterId) => ({ encounterId })),
      ],
    },
  ],
  // The last 90 days and today unless days are given.
  listed("", ["enc_6", "enc_1", "enc_2", "enc_7"], {
    ...{ startDate: "2025-12-11", endDate: "2026-03-11" },
  }),
]);

const W1 = { batch: "W1", at: "2026-03-04T00:00:00.000Z" };
const seen = (query: string, ids: readonly string[], lines: number, batches: number): Step =>
  listed(MARCH + query, ids, { totals: { lines }, batches: Array<object>(batches).fill({}) });
const all = ["enc_1", "enc_2", "enc_3", "enc_4"];
practice([
  ...[...base, held("apt_1", "17:00"), encounter("enc_1", START, { sessionId: "apt_1" })],
  ...[encounter("enc_2"), encounter("enc_3", START, { billed: [W1] })],
  encounter("enc_4", START, {
    billed: [
      { ...W1, batch: "W3", takenBackAt: "2026-03-05T00:00:00.000Z" },
      { ...W1, batch: "W2", line: { units: 9 } },
    ],
  }),
])("state and problem narrow the page and not the totals; all other filters do both", [
  seen("", all, 4, 3),
  seen("&state=READY", ["enc_1"], 4, 3),
  seen("&state=CHANGED,BILLED,CHANGED", ["enc_3", "enc_4"], 4, 3),
  seen("&problem=NO_SESSION,NO_CODE", all.slice(1), 4, 3),
  seen("&problem=NO_SESSION&state=PROBLEM", ["enc_2"], 4, 3),
  seen("&batch=W2", ["enc_4"], 1, 2),
  seen("&batch=W3", ["enc_4"], 1, 2),
  seen("&batch=W3&patientId=usr_none", [], 0, 0),
  seen("&batch=w2", [], 0, 0),
  seen("&providerId=usr_tech", ["enc_1"], 1, 0),
  seen("&payorId=pay_acme", all, 4, 3),
  seen("&payorId=pay_none", [], 0, 0),
  seen("&patientId=usr_leo", all, 4, 3),
  seen("&patientId=usr_none", [], 0, 0),
]);

const at = (day: number) => `2026-03-0${day}T00:00:00.000Z`;
const billed = (id: string, batch: string, day: number) =>
  encounter(id, START, { billed: [{ batch, at: at(day) }] });
const batch = (name: string, lines: number, firstAt: string, lastAt = firstAt) => ({
  ...{ batch: name, lines, takenBack: 0, firstAt, lastAt },
});
practice([
  ...[...base, billed("enc_1", "B", 4), billed("enc_2", "A", 4), billed("enc_3", "C", 5)],
  ...[billed("enc_4", "B", 2), billed("enc_5", "b", 4)],
])("batches come by their last time, the latest first, then by name; 100 at most", [
  [
    `${GET}?${MARCH}`,
    200,
    {
      batches: whole([
        ...[batch("C", 1, at(5)), batch("A", 1, at(4)), batch("B", 2, at(2), at(4))],
        batch("b", 1, at(4)),
      ]),
    },
  ],
  [
    "POST practice-file",
    Array.from({ length: 120 }, (_, index) => billed(`enc_x${index}`, `X${index}`, 1)),
    200,
  ],
  [`${GET}?${MARCH}`, 200, { batches: Array<object>(100).fill({}), totals: { lines: 125 } }],
]);

const longAgo = { startDate: "2019-03-02", endDate: "2031-03-03" };
const defaults = { startDate: "2025-12-11", endDate: "2026-03-11" };
practice([
  ...[...base, encounter("enc_3"), patient("usr_mia")],
  // In New York, it is the day before.
  encounter("enc_1", "2019-03-03 02:00", { billed: [W1] }),
  encounter("enc_2", "2031-03-03 15:00", { billed: [W1] }),
])("a batch without days has all its lines, and the first and the last day of them", [
  listed("batch=W1", ["enc_1", "enc_2"], { ...longAgo, totals: { lines: 2 } }),
  // State and problem do not decide about the days; all other filters do.
  listed("batch=W1&state=READY", [], longAgo),
  listed("batch=W1&patientId=usr_mia", [], defaults),
  listed("batch=none", [], defaults),
  listed("batch=W1&endDate=2019-03-02&startDate=2019-01-01", ["enc_1"]),
]);

const invalid = (query: string, path: string, message: string, code?: string) =>
  refused(`${GET}?${query}`, path, message, code);
practice([])("refused", [
  invalid(
    ...["startDate=2026-03-02&endDate=2026-03-01", "startDate"],
    "startDate must be on or before endDate",
  ),
  invalid(
    ...["startDate=2025-03-01&endDate=2026-03-02", "endDate"],
    "endDate must be within 366 days of startDate, both counted",
  ),
  invalid(
    ...["state=ready", "state"],
    "Invalid enum value. Expected 'READY' | 'PROBLEM' | 'BILLED' | 'CHANGED' | 'TAKEN_BACK', or several with commas between them",
    "invalid_enum_value",
  ),
]);

const audited = (query: string, patients: string): Step[] => [
  [`${GET}?${MARCH}${query}`, 200],
  ["audit", 200, { patient_ids: patients }],
];
practice([...base, encounter("enc_1")])(
  "the row names the patients of the page and of the filter",
  [
    ...audited("", '["usr_leo"]'),
    ...audited("&page=2", "[]"),
    ...audited("&page=2&patientId=usr_leo", '["usr_leo"]'),
  ],
);

test("the number of statements does not depend on the number of lines", async () => {
  const { write, read } = await newPractice(encounter("enc_0"));
  const count = () => countReads(() => read(`${MARCH}&pageSize=1000`));
  await count();
  const one = await count();
  await write(
    ...Array.from({ length: 300 }, (_, index) =>
      encounter(`enc_${index}`, `2026-03-${10 + (index % 20)} 15:00`, { units: 0 }),
    ),
  );
  expect(await count()).toBe(one);
});
