import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Role, roles } from "../../src/callers/roles.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import { issueKey, newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { TestService } from "../support/harness.ts";
import { fullPractice, databaseOfFullPractice } from "../support/practice-file/full-practice.ts";
import {
  exportRecords,
  type Fields,
  fileOf,
  mustImport,
  recordOf,
} from "../support/practice-file/practice-file.ts";
import { runs } from "../support/runs.ts";

/** Who may send which line in a practice file: by role, by whom it is about, and by whose session it is. */

const own: Fields = { type: "organization", publicId: "org_maple" };
const MESSAGE = "Insufficient permissions for this action";
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
  const name = { firstName: "Ana", lastName: "Ruiz" };
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

  test.each([
    ["a guard is held to the same", { publicId: "usr_of_ADMIN" }, true],
    ["and one of somebody whom they may assign is sent", { publicId: "usr_of_PATIENT" }, false],
    ["a new user without a role is a mistake", { publicId: "usr_new", ...name }, false],
    ["and so is one with an unknown role", { publicId: "usr_new", ...name, role: "BOSS" }, false],
    ["nobody is raised", { publicId: "usr_of_TECHNICIAN", role: "CLINICAL_ADMIN" }, true],
    ["nobody is taken down", { publicId: "usr_of_CLINICAL_ADMIN", role: "TECHNICIAN" }, true],
    ["nobody is deleted", { publicId: "usr_of_PATIENT", deleted: true }, true],
    ["not even one who is not there", { publicId: "usr_none", deleted: true }, true],
  ] as const)("%s", async (_, line, isRefused) => {
    const key = keys.get("SCHEDULING_MANAGER") ?? "";
    const refusal = await refusalOf([{ type: "user", ...line }], key);
    expect(refusal).toBe(isRefused ? ": line 2, user" : undefined);
  });

  const npi = { npiNumber: "1234567893" };
  const ofTechnician = { publicId: "usr_of_TECHNICIAN", ...npi };
  test.each<[string, Role, Fields, boolean]>([
    ["a biller says the NPI of staff", "BILLING_MANAGER", ofTechnician, false],
    ["and clears it", "BILLING_MANAGER", { ...ofTechnician, npiNumber: null }, false],
    [
      "and that of an administrator",
      "BILLING_MANAGER",
      { ...ofTechnician, publicId: "usr_of_ADMIN" },
      false,
    ],
    ["but nothing besides", "BILLING_MANAGER", { ...ofTechnician, isActive: true }, true],
    ["not even what clears", "BILLING_MANAGER", { ...ofTechnician, phoneNumber: null }, true],
    [
      "nor the role that they have",
      "BILLING_MANAGER",
      { ...ofTechnician, role: "TECHNICIAN" },
      true,
    ],
    [
      "nor credentials",
      "BILLING_MANAGER",
      { publicId: "usr_of_TECHNICIAN", credentials: [] },
      true,
    ],
    [
      "a scheduler says none of an administrator",
      "SCHEDULING_MANAGER",
      { publicId: "usr_of_ADMIN", ...npi },
      true,
    ],
  ])("%s", async (_, role, line, isRefused) => {
    const refusal = await refusalOf([{ type: "user", ...line }], keys.get(role) ?? "");
    expect(refusal).toBe(isRefused ? ": line 2, user" : undefined);
  });

  test("nobody raises themselves, by a line that also gives up their email, or by two lines", async () => {
    const userId = "usr_of_SCHEDULING_MANAGER";
    const key = await keyOfUser(userId);
    const self = { type: "user", publicId: userId };
    for (const file of [
      [{ ...self, role: "ADMIN" }],
      [
        { ...self, role: "TECHNICIAN" },
        { ...self, role: "ADMIN" },
      ],
      [{ ...self, isActive: true }],
      [{ ...self, email: "me@maple.example" }],
    ])
      expect(await refusalOf(file, key)).toBe(": line 2, user");
  });

  test("a refusal comes before mistakes, also behind a hundred of them", async () => {
    const mistakes = Array.from({ length: 150 }, () => ({ type: "user", publicId: "usr_one" }));
    const file = [...mistakes, { type: "user", publicId: "usr_of_ADMIN" }];
    expect(await refusalOf(file, keys.get("CLINICAL_ADMIN") ?? "")).toBe(": line 152, user");
    expect(await refusalOf(mistakes, keys.get("CLINICAL_ADMIN") ?? "")).toBeUndefined();
  });

  test("a scheduler makes a patient, changes a technician and lets one leave", async () => {
    const file = [
      { type: "user", publicId: "usr_new_kid", role: "PATIENT", ...name },
      { type: "user", publicId: "usr_tech2", phoneNumber: "+14155552679" },
      { type: "user", publicId: "usr_of_TECHNICIAN", isActive: false },
    ];
    const { status } = await send(file, keys.get("SCHEDULING_MANAGER") ?? "", "");
    expect(status).toBe(200);
    expect(await recordOf(database, "usr_new_kid")).toMatchObject({ role: "PATIENT" });
    expect(await recordOf(database, "usr_tech2")).toMatchObject({ phoneNumber: "+14155552679" });
    expect(await recordOf(database, "usr_of_TECHNICIAN")).toMatchObject({ isActive: false });
  });
});

describe("the authorization of a session, with the key of a BILLING_MANAGER", async () => {
  const key = await newApiKey(database, "org_maple", "BILLING_MANAGER");
  const ofType = (type: string) => fullPractice.filter((record) => record.type === type);
  const base = fullPractice.find(({ publicId }) => publicId === "apt_1") as Fields;
  const authorization = fullPractice.find(({ publicId }) => publicId === "auth_1") as Fields;
  const next = { ...authorization, publicId: "auth_next", authorizationNumber: "A-200" };
  const others = { ...next, publicId: "auth_of_kid2", patientId: "usr_kid2" };
  const unbound = { ...base, publicId: "apt_unbound", authorizationId: null };
  const bound = { ...base, publicId: "apt_bound" };
  await mustImport(database, [own, next, others, unbound, bound]);
  const sessions = [...ofType("session"), unbound, bound];
  const ofBound = { type: "session", publicId: "apt_bound" };
  const line = { type: "session", publicId: "apt_unbound" };
  const made = { ...next, publicId: "auth_made" };

  test.each<[string, Fields[], number]>([
    ["a guard", [line], 200],
    ["none to one of the client", [{ ...line, authorizationId: "auth_next" }], 200],
    ["one of the client to another", [{ ...ofBound, authorizationId: "auth_next" }], 200],
    ["one of the client to none", [{ ...ofBound, authorizationId: null }], 200],
    [
      "away from the one that its encounter has is a mistake",
      [{ ...line, publicId: "apt_1", authorizationId: "auth_next" }],
      400,
    ],
    ["to one that the same file makes", [made, { ...line, authorizationId: "auth_made" }], 200],
    ["in any order of lines", [{ ...line, authorizationId: "auth_made" }, made], 200],
    ["another client's", [{ ...line, authorizationId: "auth_of_kid2" }], 403],
    [
      "another client's that the file makes",
      [
        { ...line, authorizationId: "auth_made" },
        { ...made, patientId: "usr_kid2" },
      ],
      403,
    ],
    [
      "one that the file gives to another client",
      [
        { ...line, authorizationId: "auth_next" },
        { type: "authorization", publicId: "auth_next", patientId: "usr_kid2" },
      ],
      403,
    ],
    ["one that nobody has is a mistake", [{ ...line, authorizationId: "auth_none" }], 400],
    ["and so is what is no id", [{ ...line, authorizationId: 7 }], 400],
    ["all fields as they are stored", [unbound], 200],
    ["in another form", [{ ...unbound, startTime: "2026-01-08T09:00:00-05:00" }], 200],
    ["one field that changes", [{ ...unbound, title: "Mine" }], 403],
    ["one that is invalid", [{ ...unbound, status: "nonsense" }], 403],
    ["one that there is not", [{ ...line, color: "red" }], 403],
    [
      "a field as it is, beside the authorization",
      [{ ...unbound, authorizationId: "auth_1" }],
      403,
    ],
    ["a new session", [{ ...unbound, publicId: "apt_new" }], 403],
    ["a session that is not there is a mistake", [{ ...line, publicId: "apt_none" }], 400],
    ["a deletion", [{ ...line, deleted: true }], 403],
    ["a deletion that is none", [{ ...line, deleted: false }], 403],
  ])("%s", async (_, file, expected) => {
    const { status } = await send(file, key);
    expect(status).toBe(expected);
  });

  test("every stored session by a guard, and as it was exported", async () => {
    for (const stored of sessions) {
      expect(
        await refusalOf([{ type: "session", publicId: stored.publicId }], key),
      ).toBeUndefined();
      expect(await refusalOf([stored], key)).toBeUndefined();
    }
  });

  test("no other field, whatever its value", async () => {
    for (const name of Object.keys(base).filter((one) => !["type", "publicId"].includes(one)))
      for (const value of [null, "other", true])
        if (name !== "authorizationId" && value !== base[name])
          expect([
            name,
            await refusalOf([{ type: "session", publicId: "apt_1", [name]: value }], key),
          ]).toEqual([name, ": line 2, session"]);
  });

  test("a session that was deleted meanwhile is a conflict", async () => {
    const gone = { ...unbound, publicId: "apt_gone" };
    await mustImport(database, [own, gone]);
    const { headers } = await service.call("GET /api/v1/me", { key });
    await mustImport(database, [own, { type: "session", publicId: "apt_gone", deleted: true }]);
    const since = headers.get("Caseload-Sequence");
    const file = [{ type: "session", publicId: "apt_gone", authorizationId: "auth_next" }];
    const { status } = await send(file, key, `?unchangedSince=${since}`);
    expect(status).toBe(412);
  });

  test("a renewal takes a session along; nothing else changes", async () => {
    const before = await exportRecords(database, "org_maple");
    const file = [made, { ...line, authorizationId: "auth_made" }];
    expect((await send(file, key, "")).status).toBe(200);
    const after = await exportRecords(database, "org_maple");
    expect(after.filter(({ publicId }) => publicId !== "auth_made")).toEqual(
      before.map((record) =>
        record.publicId === "apt_unbound" ? { ...record, authorizationId: "auth_made" } : record,
      ),
    );
    expect(after.find(({ publicId }) => publicId === "auth_made")).toEqual(made);
  });

  test("not of another organization", async () => {
    const other = await newOrganization(database, { public_id: "org_oak" });
    const { status } = await service.call("POST /api/v1/practice-file", {
      key: await newApiKey(database, other, "BILLING_MANAGER"),
      headers: { "Content-Type": "application/x-ndjson" },
      raw: fileOf([
        { type: "organization", publicId: other },
        { ...line, authorizationId: "auth_1" },
      ]),
    });
    expect(status).toBe(400);
    expect(await recordOf(database, "apt_unbound")).toMatchObject({ authorizationId: "auth_made" });
  });
});

describe("one's own day", async () => {
  const DAY = 86_400_000;
  const now = Date.parse(LATE_AFTERNOON);
  const at = (moment: number) => new Date(moment).toISOString() as Instant;
  const base = fullPractice.find(({ publicId }) => publicId === "apt_1") as Fields;
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

  test("another organization's session of the same id is not one's own", async () => {
    const other = await newOrganization(database, { public_id: "org_birch" });
    const userId = await newUser(database, other, { public_id: "usr_tech" });
    const { key } = await issueKey(database, other, { holder: { userId } });
    const id = [...sessions.keys()].find((one) => isOwn("usr_tech", one));
    const { status, body } = await service.call("POST /api/v1/practice-file", {
      key,
      headers: { "Content-Type": "application/x-ndjson" },
      raw: fileOf([
        { type: "organization", publicId: other },
        { type: "session", publicId: id, status: "DECLINED" },
      ]),
    });
    expect([status, body]).toEqual([
      403,
      { error: `${MESSAGE}: line 2, session`, statusCode: 403 },
    ]);
  });
});
