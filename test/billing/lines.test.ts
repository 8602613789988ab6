import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { type Fields, mustImport } from "../support/practice-file/practice-file.ts";
import { statementsOf } from "../support/statements.ts";

/**
 * GET /v1/billing-lines: whole lines, order, filters, windows, refusals and the audit trail. All problems and states are
 * compared with an oracle in lines-properties.test.ts. Today is Wednesday, 2026-03-11.
 */

const PATH = "/api/v1/billing-lines";
const service = await newService();
const { database } = service;
let practices = 0;

const MARCH = "?startDate=2026-03-01&endDate=2026-03-31";

async function newPractice() {
  practices += 1;
  const organization = `org_${practices}`;
  const write = (...records: Fields[]) =>
    mustImport(database, [{ type: "organization", publicId: organization, name: "M" }, ...records]);
  const patient = (publicId: string, more: Fields = {}) => ({
    ...{ type: "user", publicId, role: "PATIENT", firstName: "Leo", lastName: "Park" },
    ...{ timezone: "America/New_York", ...more },
  });
  await write(
    { type: "location", publicId: "loc_main", name: "Main" },
    { type: "payor", publicId: "pay_acme", name: "Acme Health" },
    {
      type: "serviceLine",
      publicId: "svc_1",
      name: "Therapy",
      billingUnitMinutes: 15,
      code: "97153",
      modifiers: ["HM", "95"],
    },
    {
      type: "user",
      publicId: "usr_bcba",
      role: "CLINICIAN",
      firstName: "Jo",
      lastName: "Lee",
      npiNumber: "1234567893",
    },
    {
      ...{
        type: "user",
        publicId: "usr_tech",
        role: "TECHNICIAN",
        firstName: "Ana",
        lastName: "Ruiz",
      },
      credentials: [
        {
          credentialType: "RBT",
          practiceArea: "VT",
          credentialNumber: "1",
          expiresAt: "2026-12-31T00:00:00Z",
          credentialStatus: "active",
        },
      ],
    },
    patient("usr_leo", {
      ...{ birthDate: "2019-04-02", internalRecordId: "MRN-7", primaryClinicianId: "usr_bcba" },
      ...{ sex: "MALE", addressLine1: "1 Elm St", city: "Salem", state: "MA" },
      postalCode: "01970",
      payors: [
        {
          ...{ payorId: "pay_acme", priority: "PRIMARY", relationshipToPatient: "CHILD" },
          ...{ insuredBirthDate: "1990-01-01", memberId: "M-1" },
          insuredAddress: { addressLine2: "Apt 2", state: "NH" },
          ...{ planHolder: "Mia Park", effectiveStartDate: "2026-01-01" },
        },
      ],
    }),
    {
      ...{ type: "authorization", publicId: "auth_1", patientId: "usr_leo", payorId: "pay_acme" },
      ...{
        authorizationNumber: "A-100",
        authorizationStatus: "AUTHORIZED",
        serviceLineId: "svc_1",
      },
      ...{ authorizedUnitsQuantity: 80, authorizedUnitFrequency: "WEEKLY" },
      ...{ authorizationDate: "2026-01-01", authorizationExpirationDate: "2026-12-31" },
    },
  );
  const session = (publicId: string, startTime: string, endTime: string, more: Fields = {}) => ({
    ...{ type: "session", publicId, title: "Therapy", status: "CONFIRMED", startTime, endTime },
    ...{
      isSupervision: false,
      isClientPresent: true,
      placeOfService: "HOME",
      locationId: "loc_main",
    },
    ...{ technicianId: "usr_tech", clientId: "usr_leo", isBillable: true, isTelehealth: false },
    ...{ services: "svc_1", authorizationId: "auth_1", ...more },
  });
  const encounter = (publicId: string, startTime: string, more: Fields = {}) => ({
    ...{ type: "encounter", publicId, authorizationId: "auth_1", startTime, units: 8, ...more },
  });
  const key = await newApiKey(database, organization, "BILLING_MANAGER");
  const read = async (query: string) => {
    const { status, body } = await service.call(`GET ${PATH}${query}`, { key });
    expect(status).toBe(200);
    return body as { data: { encounterId: string }[]; totals: Fields; batches: Fields[] };
  };
  const idsOf = async (query: string) =>
    (await read(query)).data.map(({ encounterId }) => encounterId);
  return { organization, key, write, patient, session, encounter, read, idsOf };
}

const noProblems = {
  ...{ NO_SESSION: 0, DELIVERED_UNHELD: 0, DELIVERED_TWICE: 0, OUTSIDE_AUTHORIZATION: 0 },
  ...{ CREDENTIALS_ENDED: 0, OVER_AUTHORIZED: 0, NO_PAYOR: 0, NO_COVERAGE: 0, NO_CODE: 0 },
  ...{ NO_PROVIDER: 0, NO_NPI: 0, UNITS_DIFFER: 0, NO_UNITS: 0 },
  NOTHING_RECORDED: 0,
};

test("a line has exactly the documented fields, in their order", async () => {
  const { write, session, encounter, read } = await newPractice();
  await write(
    session("apt_1", "2026-03-03T15:00:00.000Z", "2026-03-03T17:00:30.000Z"),
    encounter("enc_1", "2026-03-03T15:00:00.000Z", { sessionId: "apt_1" }),
  );
  const body = await read(MARCH);
  expect(JSON.stringify(body)).toBe(
    JSON.stringify({
      startDate: "2026-03-01",
      endDate: "2026-03-31",
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
    }),
  );
});

test("without a session nobody is known to have rendered it, nor when and where", async () => {
  const { write, encounter, read } = await newPractice();
  await write(encounter("enc_1", "2026-03-03T15:00:00.000Z"));
  expect((await read(MARCH)).data).toEqual([
    expect.objectContaining({
      ...{ startTime: null, endTime: null, minutes: null, placeOfService: null },
      ...{ placeOfServiceCode: null, renderedById: null, renderedByNpi: null },
      ...{ renderedByCredential: null, supervisedById: null, supervisedByNpi: null },
      ...{ problems: ["NO_SESSION"], state: "PROBLEM" },
    }),
  ]);
});

test.each([
  ["TELEHEALTH_PROVIDED_ELSEWHERE", "02"],
  ["SCHOOL", "03"],
  ["TELEHEALTH_PROVIDED_IN_PATIENT_HOME", "10"],
  ["OFFICE", "11"],
  ["HOME", "12"],
  ["TEMPORARY_LODGING", "16"],
  ["PLACE_OF_EMPLOYMENT", "18"],
  ["COMMUNITY_MENTAL_HEALTH_CENTER", "53"],
  ["OTHER", "99"],
])("the code of %s is %s", async (placeOfService, placeOfServiceCode) => {
  const { write, session, encounter, read } = await newPractice();
  const start = "2026-03-03T15:00:00.000Z";
  await write(
    session("apt_1", start, "2026-03-03T17:00:00.000Z", { placeOfService }),
    encounter("enc_1", start, { sessionId: "apt_1" }),
  );
  expect((await read(MARCH)).data).toMatchObject([{ placeOfService, placeOfServiceCode }]);
});

describe("the list", () => {
  test("is in order of date, the patient's last and first name, then encounter, by code unit", async () => {
    const { write, patient, encounter, idsOf } = await newPractice();
    const authorize = (publicId: string, patientId: string) => ({
      ...{ type: "authorization", publicId, patientId, authorizationNumber: "A" },
      ...{ authorizationStatus: "AUTHORIZED", serviceLineId: "svc_1", authorizedUnitsQuantity: 1 },
      ...{ authorizedUnitFrequency: "TOTAL", authorizationDate: "2026-01-01" },
      authorizationExpirationDate: "2026-12-31",
    });
    await write(
      patient("usr_z", { lastName: "Zoe" }),
      patient("usr_a", { firstName: "Abe" }),
      patient("usr_u", { lastName: "adams" }),
      ...["z", "a", "u"].map((name) => authorize(`auth_${name}`, `usr_${name}`)),
      encounter("enc_4", "2026-03-03T15:00:00.000Z", { authorizationId: "auth_z" }),
      encounter("enc_5", "2026-03-03T20:00:00.000Z", { authorizationId: "auth_a" }),
      encounter("enc_3", "2026-03-03T10:00:00.000Z", { authorizationId: "auth_u" }),
      encounter("enc_2", "2026-03-03T09:00:00.000Z"),
      encounter("enc_1", "2026-03-03T21:00:00.000Z"),
      encounter("enc_6", "2026-03-02T21:00:00.000Z"),
    );
    const order = ["enc_6", "enc_5", "enc_1", "enc_2", "enc_4", "enc_3"];
    expect(await idsOf(MARCH)).toEqual(order);
    expect(await idsOf(`${MARCH}&page=2&pageSize=2`)).toEqual(order.slice(2, 4));
    expect(await idsOf(`${MARCH}&page=9&pageSize=1000`)).toEqual([]);
  });

  test("has the days of the patient's zone, both ends included, or of the zone that is asked for", async () => {
    const { write, encounter, idsOf } = await newPractice();
    await write(
      encounter("enc_1", "2026-03-01T04:59:59.999Z"),
      encounter("enc_2", "2026-03-01T05:00:00.000Z"),
      encounter("enc_3", "2026-04-01T03:59:59.999Z"),
      encounter("enc_4", "2026-04-01T04:00:00.000Z"),
    );
    expect(await idsOf(MARCH)).toEqual(["enc_2", "enc_3"]);
    expect(await idsOf(`${MARCH}&timezone=UTC`)).toEqual(["enc_1", "enc_2"]);
  });

  test("a line that was handed over is not changed by the zone that is asked for", async () => {
    const { write, encounter, read } = await newPractice();
    const line = { date: "2026-02-28", timezone: "America/New_York", memberId: "M-1" };
    await write(
      encounter("enc_1", "2026-03-01T04:59:59.999Z", { billed: [{ batch: "W1", line }] }),
    );
    const { data } = await read(`${MARCH}&timezone=UTC`);
    expect(data).toMatchObject([{ date: "2026-03-01", state: "BILLED", changedFields: [] }]);
  });

  test("is of the last 90 days and today unless days are given", async () => {
    const { write, encounter, read, idsOf } = await newPractice();
    await write(
      encounter("enc_1", "2025-12-10T15:00:00.000Z"),
      encounter("enc_2", "2025-12-11T15:00:00.000Z"),
      encounter("enc_3", "2026-03-11T23:00:00.000Z"),
      encounter("enc_4", "2026-03-12T15:00:00.000Z"),
    );
    expect(await read("")).toMatchObject({ startDate: "2025-12-11", endDate: "2026-03-11" });
    expect(await idsOf("")).toEqual(["enc_2", "enc_3"]);
  });

  test("state and problem narrow the page and not the totals; all other filters do both", async () => {
    const { write, session, encounter, read } = await newPractice();
    const start = "2026-03-03T15:00:00.000Z";
    const billed = { batch: "W1", at: "2026-03-04T00:00:00.000Z" };
    await write(
      session("apt_1", start, "2026-03-03T17:00:00.000Z"),
      encounter("enc_1", start, { sessionId: "apt_1" }),
      encounter("enc_2", start),
      encounter("enc_3", start, { billed: [billed] }),
      encounter("enc_4", start, {
        billed: [
          { ...billed, batch: "W3", takenBackAt: "2026-03-05T00:00:00.000Z" },
          { ...billed, batch: "W2", line: { units: 9 } },
        ],
      }),
    );
    const seen = async (query: string) => {
      const { data, totals, batches } = await read(MARCH + query);
      return [data.map(({ encounterId }) => encounterId), totals.lines, batches.length];
    };
    const all = ["enc_1", "enc_2", "enc_3", "enc_4"];
    expect(await seen("")).toEqual([all, 4, 3]);
    expect(await seen("&state=READY")).toEqual([["enc_1"], 4, 3]);
    expect(await seen("&state=CHANGED,BILLED,CHANGED")).toEqual([["enc_3", "enc_4"], 4, 3]);
    expect(await seen("&problem=NO_SESSION,NO_CODE")).toEqual([all.slice(1), 4, 3]);
    expect(await seen("&problem=NO_SESSION&state=PROBLEM")).toEqual([["enc_2"], 4, 3]);
    expect(await seen("&batch=W2")).toEqual([["enc_4"], 1, 2]);
    expect(await seen("&batch=W3")).toEqual([["enc_4"], 1, 2]);
    expect(await seen("&batch=W3&patientId=usr_none")).toEqual([[], 0, 0]);
    expect(await seen("&batch=w2")).toEqual([[], 0, 0]);
    expect(await seen("&providerId=usr_tech")).toEqual([["enc_1"], 1, 0]);
    expect(await seen("&payorId=pay_acme")).toEqual([all, 4, 3]);
    expect(await seen("&payorId=pay_none")).toEqual([[], 0, 0]);
    expect(await seen("&patientId=usr_leo")).toEqual([all, 4, 3]);
    expect(await seen("&patientId=usr_none")).toEqual([[], 0, 0]);
  });

  test("batches come by their last time, the latest first, then by name; 100 at most", async () => {
    const { write, encounter, read } = await newPractice();
    const at = (day: number) => `2026-03-0${day}T00:00:00.000Z`;
    const start = "2026-03-03T15:00:00.000Z";
    const billed = (id: string, batch: string, day: number) =>
      encounter(id, start, { billed: [{ batch, at: at(day) }] });
    await write(
      ...[billed("enc_1", "B", 4), billed("enc_2", "A", 4), billed("enc_3", "C", 5)],
      ...[billed("enc_4", "B", 2), billed("enc_5", "b", 4)],
    );
    expect((await read(MARCH)).batches).toEqual([
      { batch: "C", lines: 1, takenBack: 0, firstAt: at(5), lastAt: at(5) },
      { batch: "A", lines: 1, takenBack: 0, firstAt: at(4), lastAt: at(4) },
      { batch: "B", lines: 2, takenBack: 0, firstAt: at(2), lastAt: at(4) },
      { batch: "b", lines: 1, takenBack: 0, firstAt: at(4), lastAt: at(4) },
    ]);
    const many = Array.from({ length: 120 }, (_, index) => billed(`enc_x${index}`, `X${index}`, 1));
    await write(...many);
    const { batches, totals } = await read(MARCH);
    expect([batches.length, totals.lines]).toEqual([100, 125]);
  });
});

describe("a batch without days", () => {
  test("has all its lines, and the first and the last day of them", async () => {
    const { write, patient, encounter, read, idsOf } = await newPractice();
    const billed = [{ batch: "W1", at: "2026-03-04T00:00:00.000Z" }];
    await write(
      // In New York, it is the day before.
      encounter("enc_1", "2019-03-03T02:00:00.000Z", { billed }),
      encounter("enc_2", "2031-03-03T15:00:00.000Z", { billed }),
      encounter("enc_3", "2026-03-03T15:00:00.000Z"),
      patient("usr_mia"),
    );
    expect(await idsOf("?batch=W1")).toEqual(["enc_1", "enc_2"]);
    expect(await read("?batch=W1")).toMatchObject({
      ...{ startDate: "2019-03-02", endDate: "2031-03-03" },
      totals: { lines: 2 },
    });
    // State and problem do not decide about the days; all other filters do.
    expect(await read("?batch=W1&state=READY")).toMatchObject({
      ...{ startDate: "2019-03-02", endDate: "2031-03-03", data: [] },
    });
    const defaults = { startDate: "2025-12-11", endDate: "2026-03-11", data: [] };
    expect(await read("?batch=W1&patientId=usr_mia")).toMatchObject(defaults);
    expect(await read("?batch=none")).toMatchObject(defaults);
    expect(await idsOf("?batch=W1&endDate=2019-03-02&startDate=2019-01-01")).toEqual(["enc_1"]);
  });
});

describe("refused:", () => {
  test.each<[string, Issue]>([
    [
      "?startDate=2026-03-02&endDate=2026-03-01",
      { code: "custom", path: ["startDate"], message: "startDate must be on or before endDate" },
    ],
    [
      "?startDate=2025-03-01&endDate=2026-03-02",
      {
        ...{ code: "custom", path: ["endDate"] },
        message: "endDate must be within 366 days of startDate, both counted",
      },
    ],
    [
      "?state=ready",
      {
        ...{ code: "invalid_enum_value", path: ["state"] },
        message:
          "Invalid enum value. Expected 'READY' | 'PROBLEM' | 'BILLED' | 'CHANGED' | 'TAKEN_BACK', or several with commas between them",
      },
    ],
  ])("%s", async (query, issue) => {
    const { key } = await newPractice();
    const { status, body } = await service.call(`GET ${PATH}${query}`, { key });
    expect([status, body]).toEqual([400, validationBody(issue)]);
  });
});

test("the row names the patients of the page and of the filter, and the answer has the sequence", async () => {
  const { key, write, encounter, organization } = await newPractice();
  await write(encounter("enc_1", "2026-03-03T15:00:00.000Z"));
  const named = async (query: string) => {
    const { headers } = await service.call(`GET ${PATH}${query}`, { key });
    expect(headers.get("caseload-sequence")).toBe("2");
    const rows = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select("patient_ids")
        .where("organization_id", "=", organization)
        .orderBy("sequence", "desc")
        .limit(1)
        .execute(),
    );
    return JSON.parse(rows[0]?.patient_ids ?? "") as string[];
  };
  expect(await named(MARCH)).toEqual(["usr_leo"]);
  expect(await named(`${MARCH}&page=2`)).toEqual([]);
  expect(await named(`${MARCH}&page=2&patientId=usr_leo`)).toEqual(["usr_leo"]);
});

test("the number of statements does not depend on the number of lines", async () => {
  const { key, write, encounter } = await newPractice();
  const count = async () => {
    const read = () => service.call(`GET ${PATH}${MARCH}&pageSize=1000`, { key });
    const { statements } = await statementsOf(read);
    return statements.filter((text) => /^(select|with) /.test(text)).length;
  };
  await write(encounter("enc_0", "2026-03-03T15:00:00.000Z"));
  await count();
  const one = await count();
  await write(
    ...Array.from({ length: 300 }, (_, index) =>
      encounter(`enc_${index}`, `2026-03-${10 + (index % 20)}T15:00:00.000Z`, { units: 0 }),
    ),
  );
  expect(await count()).toBe(one);
});
