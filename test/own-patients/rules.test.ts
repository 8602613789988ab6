import { beforeEach, describe, expect, test } from "bun:test";
import { roles, staffRoles } from "../../src/callers/roles.ts";
import { issueKey } from "../support/factories.ts";
import { newDatabase, NOW, TestService } from "../support/harness.ts";
import { connect, textOf } from "../support/mcp/agent.ts";
import { exportRecords, type Fields, mustImport } from "../support/practice-file/practice-file.ts";
import { newSignIn } from "../support/sign-in/browser.ts";

/**
 * Own patients: the organization's `ownPatientsOnly` limits what technicians (and clinicians) read to the patients whom
 * they are booked with. `strangers.test.ts` has every place that names a record, `own.test.ts` random practices.
 */

const organization = { type: "organization", publicId: "org_maple", name: "Maple" };
const person = (publicId: string, role: string, more: Fields = {}): Fields => ({
  ...{ type: "user", publicId, role, firstName: "Ida", lastName: "Newly" },
  ...more,
});

const records: Fields[] = [
  {
    ...organization,
    ...{ timezone: "America/New_York", ownPatientsOnly: "TECHNICIANS_AND_CLINICIANS" },
  },
  { type: "location", publicId: "loc_main", name: "Main clinic" },
  { type: "payor", publicId: "pay_acme", name: "Acme Health" },
  { type: "serviceLine", publicId: "svc_main", name: "Therapy", billingUnitMinutes: 15 },
  { type: "nonBillableCode", publicId: "nbc_main", name: "Meeting" },
  person("usr_tech", "TECHNICIAN"),
  person("usr_other_tech", "TECHNICIAN"),
  person("usr_bcba", "CLINICIAN", { careTeamTechnicianIds: ["usr_tech"] }),
  person("usr_other_bcba", "CLINICIAN"),
  person("usr_parent", "CAREGIVER"),
  person("usr_kid", "PATIENT", { caregiverId: "usr_parent", userStatus: "ACTIVE" }),
  {
    ...{ type: "authorization", publicId: "auth_1", patientId: "usr_kid", payorId: "pay_acme" },
    ...{ authorizationNumber: "A-1", authorizationStatus: "AUTHORIZED" },
    ...{ authorizationDate: "2026-01-01", authorizationExpirationDate: "2026-12-31" },
    ...{ authorizedUnitsQuantity: 8, authorizedUnitFrequency: "WEEKLY", serviceLineId: "svc_main" },
  },
];

function session(publicId: string, startTime: string, more: Fields = {}): Fields {
  const end = new Date(Date.parse(startTime) + 3_600_000);
  return {
    ...{ type: "session", publicId, title: "Visit", status: "CONFIRMED", startTime },
    ...{ endTime: end.toISOString(), isSupervision: false, isClientPresent: true },
    ...{ placeOfService: "OFFICE", locationId: "loc_main", technicianId: "usr_tech" },
    ...{ clientId: "usr_kid", isBillable: true, isTelehealth: false, services: "svc_main" },
    ...{ authorizationId: "auth_1" },
    ...more,
  };
}

let service: TestService;

beforeEach(async () => {
  service = new TestService(await newDatabase());
  await mustImport(service.database, records);
});

const add = (...lines: Fields[]) =>
  mustImport(service.database, [{ type: "organization", publicId: "org_maple" }, ...lines]);
const limitTo = (ownPatientsOnly: string | null) =>
  mustImport(service.database, [{ ...organization, ownPatientsOnly }]);
const keyOf = async (userId: string, more = {}): Promise<string> =>
  (await issueKey(service.database, "org_maple", { holder: { userId }, ...more })).key;
const get = (key: string, path: string) => service.call(`GET /api/v1/${path}`, { key });

/** Whether somebody sees the patient, by id. */
async function sees(userId: string, patientId = "usr_kid"): Promise<boolean> {
  const { status, body } = await get(await keyOf(userId), `users/${patientId}`);
  if (status === 404) expect(body).toEqual({ error: "User not found", statusCode: 404 });
  return status === 200;
}

/** The row of the last request in the audit trail. */
async function lastRow() {
  return service.database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["route", "status", "patient_ids"])
      .orderBy("sequence", "desc")
      .executeTakeFirstOrThrow(),
  );
}

describe("a patient is one's own", () => {
  test("by no session and no name: not", async () => {
    for (const userId of ["usr_tech", "usr_bcba"]) expect(await sees(userId)).toBe(false);
  });

  test.each([
    ["90 days ago", "2025-12-11T15:00:00.000Z", true],
    ["90 days and a millisecond ago", "2025-12-11T14:59:59.999Z", false],
    ["to come", "2027-03-11T15:00:00.000Z", true],
  ])("by a session that began %s", async (_, startTime, isOwn) => {
    await add(session("apt_1", startTime));
    expect(await sees("usr_tech")).toBe(isOwn);
    expect(await sees("usr_other_tech")).toBe(false);
  });

  test("by a session with any status, as its technician or its clinician", async () => {
    await add(session("apt_1", NOW, { status: "DECLINED", clinicianId: "usr_other_bcba" }));
    expect(await sees("usr_tech")).toBe(true);
    expect(await sees("usr_other_bcba")).toBe(true);
  });

  test("by a session of a technician whom one leads", async () => {
    await add(session("apt_1", NOW));
    expect(await sees("usr_bcba")).toBe(true);
    expect(await sees("usr_other_bcba")).toBe(false);
  });

  test.each([{ primaryClinicianId: "usr_bcba" }, { clinicianIds: ["usr_bcba"] }])(
    "by their %j",
    async (fields) => {
      await add({ type: "user", publicId: "usr_kid", ...fields });
      expect(await sees("usr_bcba")).toBe(true);
      expect(await sees("usr_other_bcba")).toBe(false);
    },
  );

  test("from the booking of a substitute on, until 90 days after the session", async () => {
    service.clock.set("2026-03-11T11:50:00.000Z");
    expect(await sees("usr_other_tech")).toBe(false);
    const start = "2026-03-11T12:00:00.000Z";
    await add(session("apt_1", start, { technicianId: "usr_other_tech" }));
    expect(await sees("usr_other_tech")).toBe(true);
    service.clock.set("2026-06-09T12:00:00.000Z");
    expect(await sees("usr_other_tech")).toBe(true);
    service.clock.advance(1);
    expect(await sees("usr_other_tech")).toBe(false);
  });

  test("with their caregiver, who is nobody's own otherwise", async () => {
    expect(await sees("usr_tech", "usr_parent")).toBe(false);
    await add(session("apt_1", NOW));
    expect(await sees("usr_tech", "usr_parent")).toBe(true);
  });
});

describe("what is shown of own patients", () => {
  test("sessions of others with them; and one's own without a patient, but not others'", async () => {
    const meeting = { clientId: null, authorizationId: null };
    await add(
      session("apt_own", NOW),
      session("apt_others", NOW, { technicianId: "usr_other_tech" }),
      session("apt_meeting", NOW, meeting),
      session("apt_their_meeting", NOW, { ...meeting, technicianId: "usr_other_tech" }),
    );
    const { body } = await get(await keyOf("usr_tech"), "sessions");
    expect(body).toMatchObject({
      data: [{ publicId: "apt_meeting" }, { publicId: "apt_others" }, { publicId: "apt_own" }],
      pagination: { totalCount: 3 },
    });
  });

  test("one's own sessions with somebody who is no more one's own are gone with them", async () => {
    await add(session("apt_1", "2025-12-01T15:00:00.000Z"));
    expect((await get(await keyOf("usr_tech"), "sessions/apt_1")).status).toBe(404);
  });

  test("the whole numbers, the same bytes as an administrator gets", async () => {
    await add(
      session("apt_1", NOW),
      session("apt_2", NOW, { technicianId: "usr_other_tech" }),
      ...[1, 2].map((number) => ({
        ...{ type: "encounter", publicId: `enc_${number}`, authorizationId: "auth_1" },
        ...{ sessionId: `apt_${number}`, startTime: NOW, units: 4 },
      })),
    );
    const admin = (await issueKey(service.database, "org_maple")).key;
    const own = await keyOf("usr_tech");
    for (const path of ["", "/summary", "/ledger"]) {
      const both = await Promise.all(
        [admin, own].map((key) => get(key, `authorization-utilization/auth_1${path}`)),
      );
      expect(both[1]!.text).toBe(both[0]!.text);
    }
  });

  test("an overlap with a session of another's patient is no finding", async () => {
    await add(
      person("usr_kid_2", "PATIENT"),
      session("apt_1", NOW, { technicianId: "usr_other_tech", clinicianId: null }),
      session("apt_2", NOW, {
        ...{ technicianId: "usr_other_tech", clientId: "usr_kid_2", authorizationId: null },
      }),
      { type: "user", publicId: "usr_kid", primaryClinicianId: "usr_bcba" },
    );
    const query = "checks?check=PROVIDER_OVERLAP&startDate=2026-03-01&endDate=2026-03-31";
    const admin = (await issueKey(service.database, "org_maple")).key;
    expect((await get(admin, query)).body).toMatchObject({ totals: { PROVIDER_OVERLAP: 1 } });
    expect((await get(await keyOf("usr_bcba"), query)).body).toMatchObject({
      totals: { PROVIDER_OVERLAP: 0 },
    });
  });

  test("supervision has all technicians: it has hours of staff, and no patient", async () => {
    await add(session("apt_1", NOW, { technicianId: "usr_other_tech" }));
    const admin = (await issueKey(service.database, "org_maple")).key;
    const both = await Promise.all(
      [admin, await keyOf("usr_tech")].map((key) => get(key, "supervision?month=2026-03")),
    );
    expect(both[1]!.text).toBe(both[0]!.text);
    expect(both[0]!.text).toContain("usr_other_tech");
  });
});

describe("who is limited", () => {
  const limited: Record<string, string[]> = {
    null: [],
    TECHNICIANS: ["TECHNICIAN"],
    TECHNICIANS_AND_CLINICIANS: ["TECHNICIAN", "CLINICIAN"],
  };

  test.each(Object.entries(limited))("with %s: %j", async (setting, limitedRoles) => {
    await limitTo(setting === "null" ? null : setting);
    for (const role of roles) {
      const { key } = await issueKey(service.database, "org_maple", { holder: { role } });
      const me = await get(key, "me");
      const isLimited = limitedRoles.includes(role);
      expect(me.body).toMatchObject({ key: { role, ownPatientsOnly: isLimited } });
      if (!(staffRoles as readonly string[]).includes(role)) continue;
      // A key without a user has no patients.
      expect((await get(key, "users/usr_kid")).status).toBe(isLimited ? 404 : 200);
    }
  });

  test("also who signs in, whatever way the request comes", async () => {
    const { userId, headers } = await newSignIn(service.database, "org_maple", "TECHNICIAN");
    const read = () => service.call("GET /api/v1/users/usr_kid", { headers });
    expect((await read()).status).toBe(404);
    await add(session("apt_1", NOW, { technicianId: userId }));
    expect((await read()).status).toBe(200);
  });

  test("also agents, whose tools ask the API", async () => {
    const agent = await issueKey(service.database, "org_maple", {
      ...{ holder: { userId: "usr_tech" }, kind: "AGENT" as const },
    });
    const agents = new TestService(service.database, { agents: { isLocal: true } });
    const client = await connect(agents, agent.key);
    const find = () => textOf(client, "find_person", { search: "usr_kid" });
    expect(await find()).not.toContain("PATIENT");
    await add(session("apt_1", NOW));
    expect(await find()).toContain("PATIENT");
  });

  test("with the next request", async () => {
    const key = await keyOf("usr_tech");
    expect((await get(key, "users/usr_kid")).status).toBe(404);
    await limitTo(null);
    expect((await get(key, "users/usr_kid")).status).toBe(200);
  });

  test("only an administrator changes it", async () => {
    const file = `${JSON.stringify({ ...organization, ownPatientsOnly: null })}\n`;
    for (const role of staffRoles) {
      const { key } = await issueKey(service.database, "org_maple", { holder: { role } });
      const headers = { "Content-Type": "application/x-ndjson" };
      const { status } = await service.call("POST /api/v1/practice-file?dryRun=true", {
        ...{ key, headers, raw: file },
      });
      expect({ role, status }).toEqual({ role, status: role === "ADMIN" ? 200 : 403 });
    }
  });

  test("an export always has the field", async () => {
    const own = async () => (await exportRecords(service.database, "org_maple"))[0];
    expect(await own()).toMatchObject({ ownPatientsOnly: "TECHNICIANS_AND_CLINICIANS" });
    await limitTo(null);
    expect(await own()).toMatchObject({ ownPatientsOnly: null });
  });
});

describe("a practice file of a limited caller", () => {
  const headers = { "Content-Type": "application/x-ndjson" };
  const send = async (userId: string, ...lines: Fields[]) =>
    service.call("POST /api/v1/practice-file", {
      ...{ key: await keyOf(userId), headers },
      raw: [{ type: "organization", publicId: "org_maple" }, ...lines]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    });

  test("of one's own day is written, and `missing` counts what is of own patients", async () => {
    await add(
      person("usr_kid_2", "PATIENT"),
      session("apt_1", NOW),
      session("apt_2", NOW, { technicianId: "usr_other_tech" }),
      session("apt_3", NOW, {
        ...{ technicianId: "usr_other_tech", clientId: "usr_kid_2", authorizationId: null },
      }),
    );
    const line = { type: "session", publicId: "apt_1", status: "PATIENT_NO_SHOW" };
    const { status, body } = await send("usr_tech", line);
    expect([status, body]).toMatchObject([200, { changes: { session: { missing: 1 } } }]);
  });

  test("with what is not one's own day is the same 403, whether the id is known or not", async () => {
    await add(session("apt_1", NOW, { technicianId: "usr_other_tech" }));
    const answers = [];
    for (const publicId of ["apt_1", "apt_none"])
      answers.push(await send("usr_tech", { type: "session", publicId, status: "DECLINED" }));
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]!.text).toBe(answers[1]!.text);
  });

  test.each([
    "",
    "?types=session",
    "?after=1&types=session",
    "?ids=apt_1",
    "?types=session&changes=true&ids=apt_1",
  ])("is not exported: %s", async (query) => {
    const answer = await get(await keyOf("usr_tech"), `practice-file${query}`);
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: "Insufficient permissions for this action", statusCode: 403 },
    ]);
  });

  test("is exported with types and ids, as far as it is of own patients", async () => {
    await add(
      session("apt_1", NOW),
      person("usr_kid_2", "PATIENT"),
      session("apt_2", NOW, {
        ...{ technicianId: "usr_other_tech", clientId: "usr_kid_2", authorizationId: null },
      }),
    );
    const { status, text } = await get(
      await keyOf("usr_tech"),
      "practice-file?types=session&ids=apt_1,apt_2",
    );
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([status, lines.map(({ publicId }) => publicId)]).toEqual([200, ["org_maple", "apt_1"]]);
  });
});

describe("the audit trail names whom somebody asked for", () => {
  test.each([
    ["a path", "users/usr_kid", 404],
    ["a filter", "sessions?clientId=usr_kid", 200],
    ["ids", "names?ids=usr_parent,usr_kid", 200],
    ["ids of a practice file", "practice-file?types=session&ids=usr_kid", 200],
    ["a search", "users?search=usr_kid", 200],
  ])("in %s, also where they do not see the patient", async (_, path, status) => {
    const answer = await get(await keyOf("usr_tech"), path);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain("usr_kid");
    expect(await lastRow()).toMatchObject({ status, patient_ids: '["usr_kid"]' });
  });

  test("and nobody for an id that the practice does not have", async () => {
    await get(await keyOf("usr_tech"), "users/usr_none");
    expect(await lastRow()).toMatchObject({ status: 404, patient_ids: "[]" });
  });
});

test("a calendar has the sessions of its user, since it names no patient", async () => {
  const meeting = session("apt_old", "2026-03-01T15:00:00.000Z");
  await add(meeting);
  const { key } = await issueKey(service.database, "org_maple", {
    ...{ holder: { userId: "usr_tech" }, kind: "CALENDAR" as const },
  });
  const { status, text } = await service.call(`GET /calendar/${key}.ics`);
  expect(status).toBe(200);
  expect(text).toContain("UID:apt_old");
});
