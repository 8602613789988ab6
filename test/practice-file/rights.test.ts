import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Role, roles } from "../../src/callers/roles.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import { issueKey, newApiKey, newUser } from "../support/factories.ts";
import { TestService } from "../support/harness.ts";
import { fullPractice, databaseOfFullPractice } from "../support/practice-file/full-practice.ts";
import {
  exportRecords,
  type Fields,
  fileOf,
  mustImport,
} from "../support/practice-file/practice-file.ts";
import { runs } from "../support/runs.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** Who may send which line in a practice file: by role, by whom it is about, and by whose session it is. */

const own: Fields = { type: "organization", publicId: "org_maple" };
const MESSAGE = "Insufficient permissions for this action";
const name = { firstName: "Ana", lastName: "Ruiz" };
const LATE_AFTERNOON = "2026-01-08T22:00:00.000Z";

const database = await databaseOfFullPractice();
const service = new TestService(database);
service.clock.set(LATE_AFTERNOON);

function send(lines: readonly Fields[], key: string, query = "?dryRun=true") {
  return service.call(`POST /api/v1/practice-file${query}`, {
    key,
    headers: { "Content-Type": "application/x-ndjson" },
    raw: fileOf([own, ...lines]),
  });
}

/** The line and type that a file is refused for; undefined if it is not. */
async function refusalOf(lines: readonly Fields[], key: string): Promise<string | undefined> {
  const { status, body } = await send(lines, key);
  if (status !== 403) return undefined;
  const { error } = body as { error: string };
  expect(error).toStartWith(MESSAGE);
  return error.slice(MESSAGE.length);
}

const keyOfUser = async (userId: string) =>
  (await issueKey(database, "org_maple", { holder: { userId } })).key;

describe("the types that a role may send", async () => {
  const clinical = ["session", "encounter", "treatmentPlan", "goal"];
  const table: Partial<Record<Role, string[]>> = {
    ADMIN: recordTypes.slice(1),
    SCHEDULING_MANAGER: ["session"],
    BILLING_MANAGER: ["payor", "serviceLine", "authorizationPool", "authorization", "encounter"],
    CLINICAL_SUPERADMIN: clinical,
    CLINICAL_ADMIN: clinical,
  };
  const isStored = (line: Fields) =>
    !("deleted" in line) && fullPractice.some(({ publicId }) => publicId === line.publicId);
  const linesOf = (type: string): Fields[] => {
    const stored = fullPractice.find((record) => record.type === type) ?? {};
    const name = { type, publicId: stored.publicId };
    return [
      stored,
      { ...stored, publicId: `${stored.publicId}_new` },
      name,
      { ...name, deleted: true },
    ];
  };

  test.each(roles)("%s", async (role) => {
    const key = await newApiKey(database, "org_maple", role);
    for (const type of recordTypes.slice(1)) {
      // Users have a table of their own.
      if (type === "user" && role !== "ADMIN") continue;
      for (const line of linesOf(type)) {
        const isAllowed =
          table[role]?.includes(type) === true ||
          // A session that stays as it is; what may change, a test of its own says.
          (role === "BILLING_MANAGER" && type === "session" && isStored(line));
        const sender = table[role] === undefined ? "" : `: line 2, ${type}`;
        expect([line, await refusalOf([line], key)]).toEqual([
          line,
          isAllowed ? undefined : sender,
        ]);
      }
    }
  });

  test("a read-only key sends nothing", async () => {
    const { key } = await issueKey(database, "org_maple", { isReadOnly: true });
    expect(await refusalOf([], key)).toBe("");
  });
});

/** The roles that a role may assign (specification, section 4.6), written out. */
const assignable: Partial<Record<Role, Role[]>> = {
  CLINICAL_SUPERADMIN: ["CLINICAL_ADMIN", "CLINICIAN", "TECHNICIAN", "PATIENT", "CAREGIVER"],
  CLINICAL_ADMIN: ["CLINICIAN", "TECHNICIAN", "PATIENT", "CAREGIVER"],
  SCHEDULING_MANAGER: ["CLINICIAN", "TECHNICIAN", "PATIENT", "CAREGIVER"],
  BILLING_MANAGER: ["PATIENT", "CAREGIVER"],
};

describe("users", async () => {
  const stored = new Map<string, Role>();
  for (const role of roles) {
    const publicId = `usr_of_${role}`;
    await newUser(database, "org_maple", { public_id: publicId, role });
    stored.set(publicId, role);
  }
  const keys = new Map<Role, string>();
  for (const role of Object.keys(assignable) as Role[])
    keys.set(role, await newApiKey(database, "org_maple", role));

  // As the contract says it: the stored role and the resulting role are both assignable; deletions are refused.
  function isRefused(caller: Role, line: Fields): boolean {
    if ("deleted" in line) return true;
    const names = Object.keys(line).filter((name) => name !== "type" && name !== "publicId");
    if (caller === "BILLING_MANAGER" && names.join() === "npiNumber") return false;
    const before = stored.get(String(line.publicId));
    const after = roles.find((role) => role === line.role) ?? before;
    const mayAssign = (role: Role | undefined) =>
      role === undefined || assignable[caller]?.includes(role) === true;
    return !mayAssign(before) || !mayAssign(after);
  }

  const ids = fc.constantFrom(...stored.keys(), "usr_one", "usr_two", "not an id");
  const lines = fc
    .record(
      {
        publicId: ids,
        role: fc.constantFrom<unknown>(...roles, ...roles, "NOBODY", null, 7),
        deleted: fc.constant(true),
        isActive: fc.constantFrom<unknown>(true, false, "no"),
        npiNumber: fc.constantFrom<unknown>("1234567893", null, 7),
        color: fc.constant("red"),
        locationIds: fc.constant(["loc_none"]),
      },
      { requiredKeys: ["publicId"] },
    )
    .map(({ deleted, ...line }): Fields => {
      const { publicId } = line;
      if (deleted === true) return { type: "user", publicId, deleted };
      // The NPI of somebody may stand alone.
      const isAlone = Object.keys(line).join() === "publicId,npiNumber";
      return { type: "user", ...(isAlone ? {} : name), ...line };
    });

  test("of which roles a role may send, in any order, with mistakes and repeated ids", async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...keys.keys()),
        fc.array(lines, { minLength: 1, maxLength: 3 }),
        async (caller, file) => {
          // Deletions are refused before stored users are looked at.
          const first = (is: (line: Fields) => boolean) => file.findIndex(is);
          const deletion = first((line) => "deleted" in line);
          const index = deletion === -1 ? first((line) => isRefused(caller, line)) : deletion;
          if (index !== -1) refused += 1;
          expect(await refusalOf(file, keys.get(caller) ?? "")).toBe(
            index === -1 ? undefined : `: line ${index + 2}, user`,
          );
        },
      ),
      { numRuns: runs(200) },
    );
    expect(refused).toBeGreaterThan(0);
  });
});

const SCHEDULER = "SCHEDULING_MANAGER";
const BILLER = "BILLING_MANAGER";
const user = (publicId: string, fields: Fields = {}) => ({ type: "user", publicId, ...fields });
const transcript = await transcripts();
const staff = transcript(roles.map((role) => user(`usr_of_${role}`, { role, ...name })));
const sends = (who: string, file: Fields[], status: number, refused = 2): Step => [
  ...([`${who}: POST practice-file?dryRun=true`, file, status] as const),
  status === 403
    ? whole({ error: `${MESSAGE}: line ${refused}, ${file[refused - 2]!.type}`, statusCode: 403 })
    : {},
];

staff("a guard of a user is held to the same", [
  sends(SCHEDULER, [user("usr_of_ADMIN")], 403),
  sends(SCHEDULER, [user("usr_of_PATIENT")], 200),
]);

staff("nobody is raised, taken down or deleted, not even one who is not there", [
  sends(SCHEDULER, [user("usr_of_TECHNICIAN", { role: "CLINICAL_ADMIN" })], 403),
  sends(SCHEDULER, [user("usr_of_CLINICAL_ADMIN", { role: "TECHNICIAN" })], 403),
  sends(SCHEDULER, [user("usr_of_PATIENT", { deleted: true })], 403),
  sends(SCHEDULER, [user("usr_none", { deleted: true })], 403),
]);

staff("nobody raises themselves, by a line that also gives up their email, or by two lines", [
  ...[
    [{ role: "ADMIN" }],
    [{ role: "TECHNICIAN" }, { role: "ADMIN" }],
    [{ isActive: true }],
    [{ email: "me@maple.example" }],
  ].map((lines) =>
    sends(
      `usr_of_${SCHEDULER}`,
      lines.map((fields) => user(`usr_of_${SCHEDULER}`, fields)),
      403,
    ),
  ),
]);

const npi = { npiNumber: "1234567893" };
staff("a biller says the NPI of anybody, and nothing else of staff", [
  sends(BILLER, [user("usr_of_TECHNICIAN", npi)], 200),
  sends(BILLER, [user("usr_of_TECHNICIAN", { npiNumber: null })], 200),
  sends(BILLER, [user("usr_of_ADMIN", npi)], 200),
  ...[{ isActive: true }, { phoneNumber: null }, { role: "TECHNICIAN" }].map((fields) =>
    sends(BILLER, [user("usr_of_TECHNICIAN", { ...npi, ...fields })], 403),
  ),
  sends(BILLER, [user("usr_of_TECHNICIAN", { credentials: [] })], 403),
  sends(SCHEDULER, [user("usr_of_ADMIN", npi)], 403),
]);

const mistakes = Array.from({ length: 150 }, () => user("usr_one"));
staff("a new user without a role, or with an unknown one, is a mistake, after every refusal", [
  sends(SCHEDULER, [user("usr_new", name)], 400),
  sends(SCHEDULER, [user("usr_new", { ...name, role: "BOSS" })], 400),
  sends("CLINICAL_ADMIN", [...mistakes, user("usr_of_ADMIN")], 403, 152),
  sends("CLINICAL_ADMIN", mistakes, 400),
]);

staff("a scheduler makes a patient, changes a technician and lets one leave", [
  [
    `${SCHEDULER}: POST practice-file`,
    [
      user("usr_new_kid", { role: "PATIENT", ...name }),
      user("usr_of_TECHNICIAN", { phoneNumber: "+14155552679" }),
      user("usr_of_CLINICIAN", { isActive: false }),
    ],
    200,
  ],
  [
    "GET practice-file?ids=usr_new_kid,usr_of_TECHNICIAN,usr_of_CLINICIAN",
    200,
    [{}, { role: "PATIENT" }, { isActive: false }, { phoneNumber: "+14155552679" }],
  ],
]);

const stored = (id: string) => fullPractice.find(({ publicId }) => publicId === id) as Fields;
const base = stored("apt_1");
const next = { ...stored("auth_1"), publicId: "auth_next", authorizationNumber: "A-200" };
const made = { ...next, publicId: "auth_made" };
const unbound = { ...base, publicId: "apt_unbound", authorizationId: null };
const added: Fields[] = [
  ...[next, { ...next, publicId: "auth_of_kid2", patientId: "usr_kid2" }],
  ...[unbound, { ...base, publicId: "apt_bound" }],
];
const billing = transcript([...fullPractice, ...added]);
const sessions = [...fullPractice, ...added].filter(({ type }) => type === "session");
const bill = (status: number, ...lines: Fields[]) => sends(BILLER, lines, status);
/** A session that gets an authorization, or another field. */
const session = (publicId: string, fields: Fields = {}) => ({
  type: "session",
  publicId,
  ...fields,
});
const binds = (authorizationId: unknown) => session("apt_unbound", { authorizationId });

billing("a biller gives a session of a client one of the client's authorizations, or none", [
  bill(200, session("apt_unbound")),
  bill(200, binds("auth_next")),
  bill(200, session("apt_bound", { authorizationId: "auth_next" })),
  bill(200, session("apt_bound", { authorizationId: null })),
  // One that the same file makes, in any order of lines.
  bill(200, made, binds("auth_made")),
  bill(200, binds("auth_made"), made),
  // Not away from the one that its encounter has, one that nobody has, or what is no id.
  bill(400, session("apt_1", { authorizationId: "auth_next" })),
  bill(400, binds("auth_none")),
  bill(400, binds(7)),
  bill(400, session("apt_none")),
]);

billing("a biller gives a session no other client's authorization, also of the same file", [
  bill(403, binds("auth_of_kid2")),
  bill(403, binds("auth_made"), { ...made, patientId: "usr_kid2" }),
  bill(403, binds("auth_next"), {
    ...{ type: "authorization", publicId: "auth_next", patientId: "usr_kid2" },
  }),
]);

billing("a biller sends a session as it is stored, in any form, and changes nothing else of it", [
  ...sessions.flatMap((each) => [bill(200, session(String(each.publicId))), bill(200, each)]),
  bill(200, { ...unbound, startTime: "2026-01-08T09:00:00-05:00" }),
  bill(403, { ...unbound, title: "Mine" }),
  bill(403, { ...unbound, status: "nonsense" }),
  // A field as it is, beside the authorization.
  bill(403, { ...unbound, authorizationId: "auth_1" }),
  bill(403, { ...unbound, publicId: "apt_new" }),
  ...[{ color: "red" }, { deleted: true }, { deleted: false }].map((fields) =>
    bill(403, session("apt_unbound", fields)),
  ),
  ...Object.keys(base)
    .filter((field) => !["type", "publicId", "authorizationId"].includes(field))
    .flatMap((field) =>
      [null, "other", true]
        .filter((value) => value !== base[field])
        .map((value) => bill(403, session("apt_1", { [field]: value }))),
    ),
]);

billing("a session that was deleted meanwhile is a conflict for a biller", [
  ["POST practice-file", [session("apt_unbound", { deleted: true })], 200],
  [`${BILLER}: POST practice-file?unchangedSince=1`, [binds("auth_next")], 412],
]);

billing("a renewal takes a session along; nothing else changes", [
  [`${BILLER}: POST practice-file`, [made, binds("auth_made")], 200],
  [
    "GET practice-file?after=1",
    200,
    whole([
      { ...fullPractice[0], publicId: "$organization" },
      made,
      { ...unbound, authorizationId: "auth_made" },
    ]),
  ],
]);

transcript([], { elsewhere: fullPractice })("a biller changes no session of another organization", [
  ["elsewhere: GET practice-file", 200, "$theirs"],
  bill(400, session("apt_1", { authorizationId: null })),
  [`${BILLER}: POST practice-file`, [session("apt_1", { authorizationId: "auth_1" })], 400],
  ["elsewhere: GET practice-file", 200, "$theirs"],
]);

describe("one's own day", async () => {
  const DAY = 86_400_000;
  const now = Date.parse(LATE_AFTERNOON);
  const at = (moment: number) => new Date(moment).toISOString() as Instant;
  const times = (start: number) => ({ startTime: at(start), endTime: at(start + 3_600_000) });

  // Midnight in New York is 05:00 UTC.
  const starts = {
    now,
    "a millisecond ago": now - 1,
    "this morning": Date.parse("2026-01-08T05:00:00.000Z"),
    "late tonight": Date.parse("2026-01-09T04:59:59.999Z"),
    "at midnight": Date.parse("2026-01-09T05:00:00.000Z"),
    "two weeks ago": now - 14 * DAY,
    "before that": now - 14 * DAY - 1,
  };
  const staff = {
    both: { technicianId: "usr_tech", clinicianId: "usr_bcba" },
    "the technician": { technicianId: "usr_tech", clinicianId: null },
    "the clinician": { technicianId: null, clinicianId: "usr_bcba" },
    another: { technicianId: "usr_tech2", clinicianId: "usr_bcba" },
    nobody: { technicianId: null, clinicianId: null },
  };
  const sessions = new Map<string, Fields>();
  for (const start of Object.values(starts))
    for (const people of Object.values(staff))
      for (const isSupervision of [false, true]) {
        const publicId = `apt_own_${sessions.size}`;
        const record = { ...base, ...people, ...times(start), publicId, isSupervision };
        sessions.set(publicId, record);
      }
  const encounters = new Map<string, Fields>();
  for (const publicId of sessions.keys()) {
    const id = publicId.replace("apt", "enc");
    encounters.set(id, {
      ...{ type: "encounter", publicId: id, authorizationId: "auth_1", sessionId: publicId },
      ...{ startTime: "2026-01-08T14:00:00.000Z", units: 1 },
    });
  }
  encounters.set("enc_alone", {
    ...encounters.values().next().value,
    publicId: "enc_alone",
    sessionId: null,
  });
  await mustImport(database, [own, ...sessions.values(), ...encounters.values()]);

  const people = ["usr_tech", "usr_tech2", "usr_bcba"];
  const keys = new Map<string, string>();
  for (const id of people) keys.set(id, await keyOfUser(id));

  // As the contract says it, apart from the code.
  const local = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" });
  function isOwn(userId: string, id: unknown): boolean {
    const record = sessions.get(String(id));
    if (record === undefined) return false;
    const { isSupervision, technicianId, clinicianId } = record;
    const deliverer =
      isSupervision === true ? (clinicianId ?? technicianId) : (technicianId ?? clinicianId);
    const isPresent = userId === deliverer || (isSupervision === true && userId === technicianId);
    const start = Date.parse(String(record.startTime));
    const isRecent = start <= now && now - start <= 14 * DAY;
    return isPresent && (isRecent || local.format(start) === local.format(now));
  }

  function isRefused(userId: string, line: Fields): boolean {
    const { type, publicId, ...fields } = line;
    if (type === "session") {
      if (!isOwn(userId, publicId)) return true;
      if (Object.keys(fields).some((name) => !["status", "startTime", "endTime"].includes(name)))
        return true;
      const start = Date.parse(String(fields.startTime));
      const stored = Date.parse(String(sessions.get(String(publicId))?.startTime));
      return !Number.isNaN(start) && local.format(start) !== local.format(stored);
    }
    if (type !== "encounter") return true;
    const stored = encounters.get(String(publicId));
    if (stored !== undefined && !isOwn(userId, stored.sessionId)) return true;
    if (fields.deleted === true) return stored === undefined;
    const sessionId = "sessionId" in fields ? fields.sessionId : stored?.sessionId;
    if (!isOwn(userId, sessionId)) return true;
    const authorizationId =
      "authorizationId" in fields ? fields.authorizationId : stored?.authorizationId;
    return authorizationId !== undefined && authorizationId !== "auth_1";
  }

  const moment = fc.constantFrom<unknown>(
    ...Object.values(starts).map(at),
    ...["2026-01-08T10:00:00-05:00", "2026-01-09T00:00:00-05:00", "tomorrow", null],
  );
  const sessionLines = fc.record(
    {
      type: fc.constant("session"),
      publicId: fc.constantFrom(...sessions.keys(), "apt_none", "no id"),
      status: fc.constantFrom("DECLINED", "PATIENT_NO_SHOW", "nonsense"),
      startTime: moment,
      endTime: moment,
      ...{ title: fc.constant("Mine"), technicianId: fc.constantFrom("usr_tech", null) },
      ...{ deleted: fc.constant(true), color: fc.constant(1) },
    },
    { requiredKeys: ["type", "publicId"] },
  );
  const encounterLines = fc
    .record(
      {
        publicId: fc.constantFrom(...encounters.keys(), "enc_new", "enc_new2", "no id"),
        sessionId: fc.constantFrom(...sessions.keys(), "apt_none", null),
        authorizationId: fc.constantFrom("auth_1", "auth_1", "auth_2", null),
        startTime: moment,
        units: fc.constantFrom(2, -1),
        deleted: fc.constant(true),
      },
      { requiredKeys: ["publicId"] },
    )
    .map(({ deleted, ...line }): Fields =>
      deleted === true
        ? { type: "encounter", publicId: line.publicId, deleted }
        : { type: "encounter", ...line },
    );
  /** Mostly lines that are allowed by themselves, so that files of several lines are accepted, too. */
  const line = (userId: string) =>
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.oneof(sessionLines, encounterLines).filter((one) => !isRefused(userId, one)),
      },
      { weight: 1, arbitrary: fc.oneof(sessionLines, encounterLines) },
      { weight: 1, arbitrary: fc.constant({ type: "user", publicId: userId }) },
    );

  test("lines of random files, in any order, with mistakes and repeated ids", async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...people)
          .chain((userId) =>
            fc.tuple(fc.constant(userId), fc.array(line(userId), { minLength: 1, maxLength: 3 })),
          ),
        async ([userId, file]) => {
          const { status, body } = await send(file, keys.get(userId) ?? "");
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          const refused = file.find((one) => isRefused(userId, one));
          if (refused === undefined) expect([200, 400]).toContain(status);
          else {
            // Types and fields are refused before stored records are looked at.
            const refusals = file.flatMap((one, index) =>
              isRefused(userId, one) ? [`${MESSAGE}: line ${index + 2}, ${one.type}`] : [],
            );
            expect(refusals).toContain((body as { error: string }).error);
          }
        },
      ),
      // All, also in the suite: a third of them may lack one of the statuses below.
      { numRuns: 250 },
    );
    for (const status of [200, 400, 403]) expect(statuses.get(status)).toBeGreaterThan(0);
  });

  test("every session by a guard, for each person", async () => {
    for (const userId of people)
      for (const publicId of sessions.keys()) {
        const refusal = await refusalOf([{ type: "session", publicId }], keys.get(userId) ?? "");
        expect([publicId, refusal === undefined]).toEqual([publicId, isOwn(userId, publicId)]);
      }
  });

  test("no encounter of a whole line that takes it off its session, or off another's", async () => {
    const sessionId = [...sessions.keys()].find((one) => isOwn("usr_tech", one)) ?? "";
    const publicId = sessionId.replace("apt", "enc");
    const whole = { ...encounters.get(publicId), type: "encounter", publicId };
    const key = keys.get("usr_tech") ?? "";
    expect(await refusalOf([whole], key)).toBeUndefined();
    expect(await refusalOf([{ ...whole, sessionId: null }], key)).toBe(": line 2, encounter");
    const { sessionId: _, ...without } = whole as Fields;
    expect(await refusalOf([without], key)).toBeUndefined();
  });

  test("no other type", async () => {
    for (const record of fullPractice.slice(1))
      if (record.type !== "session" && record.type !== "encounter")
        expect(await refusalOf([record], keys.get("usr_tech") ?? "")).toBe(
          `: line 2, ${record.type}`,
        );
  });

  test("without a user, a key of these roles sends nothing", async () => {
    for (const role of ["CLINICIAN", "TECHNICIAN"] as const)
      expect(await refusalOf([], await newApiKey(database, "org_maple", role))).toBe("");
  });

  test("a session is cancelled, moved within its day, and documented; nothing else changes", async () => {
    const before = await exportRecords(database, "org_maple");
    const id = [...sessions.keys()].find((one) => isOwn("usr_tech", one)) ?? "";
    const { startTime } = sessions.get(id) as { startTime: string };
    const endTime = at(Date.parse(startTime) + 1_800_000);
    const file = [
      { type: "session", publicId: id, status: "UNCONFIRMED", endTime },
      { type: "encounter", publicId: id.replace("apt", "enc"), deleted: true },
      {
        ...{ type: "encounter", publicId: "enc_mine", authorizationId: "auth_1", sessionId: id },
        ...{ startTime, units: 2 },
      },
    ];
    const { status } = await send(file, keys.get("usr_tech") ?? "", "");
    expect(status).toBe(200);
    const changed = before
      .filter(({ publicId }) => publicId !== id.replace("apt", "enc"))
      .map((record) =>
        record.publicId === id ? { ...record, status: "UNCONFIRMED", endTime } : record,
      );
    const after = await exportRecords(database, "org_maple");
    expect(after.filter(({ publicId }) => publicId !== "enc_mine")).toEqual(changed);
    expect(after.some(({ publicId }) => publicId === "enc_mine")).toBe(true);
  });
});

transcript([user("usr_tech", { role: "TECHNICIAN", ...name })], { elsewhere: fullPractice })(
  "another organization's session of the same id is not one's own",
  [sends("usr_tech", [session("apt_1", { status: "DECLINED" })], 403)],
  { now: LATE_AFTERNOON },
);
