import { describe, expect, test } from "bun:test";
import { references } from "../../src/practice-file/kinds/references.ts";
import { issueKey } from "../support/factories.ts";
import { newDatabase, NOW } from "../support/harness.ts";
import {
  authorization,
  clinician,
  databaseOfFullPractice,
  encounter,
  fullPractice,
  lead,
  nonBillableSession,
  organization,
  patient,
  plan,
  pool,
  pooledAuthorization,
  ratingGoal,
  session,
  skillGoal,
  takenBack,
} from "../support/practice-file/full-practice.ts";
import {
  exportRecords,
  exportText,
  type Fields,
  fileOf,
  importAll,
  importFile,
  mustImport,
  recordOf,
} from "../support/practice-file/practice-file.ts";

/** Lines that delete a record, and stored records that are missing in a file. */

const deletion = ({ type, publicId }: Fields): Fields => ({ type, publicId, deleted: true });
const own: Fields = { type: "organization", publicId: "org_maple" };
const byId = (id: string): Fields =>
  fullPractice.find(({ publicId }) => publicId === id) ?? { publicId: id };

async function tallyOf(outcome: ReturnType<typeof importAll>, type: string) {
  const settled = await outcome;
  return "tallies" in settled ? settled.tallies.get(type as never) : settled.mistakes.report("f");
}

describe("a deletion", () => {
  test("deletes a record with its dependent rows", async () => {
    const database = await databaseOfFullPractice();
    const gone = ["enc_1", "lead_1", "goal_hands", "usr_x1"];
    await mustImport(database, [own, ...gone.map((id) => deletion(byId(id)))]);
    expect(await exportRecords(database, "org_maple")).toEqual(
      fullPractice.filter(({ publicId }) => !gone.includes(String(publicId))),
    );
    for (const table of ["intake_lead_labels", "child_goals", "recorded_data"] as const) {
      const rows = await database.read((db) => db.selectFrom(table).selectAll().execute());
      expect(JSON.stringify(rows)).not.toMatch(/lead_1|goal_hands|goal_handle/);
    }
  });

  test.each([
    [2, "1 other"],
    [1_001, "1,000 others"],
    [1_002, "more than 1,000 others"],
    [1_500, "more than 1,000 others"],
  ])("is refused for a record that %d others name, of which %s are told", async (count, told) => {
    const database = await databaseOfFullPractice();
    const named = { type: "specialization", publicId: "spec_named", name: "Named" };
    await mustImport(database, [
      own,
      named,
      ...Array.from({ length: count }, (_, index) => ({
        ...{ type: "user", publicId: `usr_n${1_000 + index}`, role: "TECHNICIAN" },
        ...{ firstName: "Ana", lastName: "Ruiz", specializationIds: ["spec_named"] },
      })),
    ]);
    const { report } = (await importFile(database, [own, deletion(named)])) as { report: string[] };
    // Of more than are counted, any is told.
    expect(report.map((line) => line.replace(/usr_n\d+/, "usr_n"))).toEqual([
      `f:2: specialization spec_named: deleted: is named by user usr_n and ${told}`,
    ]);
  });

  test("of more records than are told refuses all of them", async () => {
    const database = await databaseOfFullPractice();
    const lines = (name: string) =>
      Array.from({ length: 150 }, (_, index) => ({
        ...{ type: "specialization", publicId: `spec_${name}_${1_000 + index}`, name: "Named" },
      }));
    const ids = lines("x").map(({ publicId }) => publicId);
    await mustImport(database, [
      ...[own, ...lines("x")],
      ...Array.from({ length: 3 }, (_, index) => ({
        ...{ type: "user", publicId: `usr_n${index}`, role: "TECHNICIAN" },
        ...{ firstName: "Ana", lastName: "Ruiz" },
        specializationIds: ids.slice(50 * index, 50 * (index + 1)),
      })),
    ]);
    expect(await importFile(database, [own, ...lines("x").map(deletion)])).toEqual({
      report: [
        ...[0, 1, 2].map(
          (index) =>
            `f:${index + 2}: specialization ${ids[index]}: deleted: is named by user usr_n0`,
        ),
        "f: 147 more: specialization: deleted: is named by",
      ],
    });
  });

  test("of all records except the organization leaves only the organization", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [own, takenBack]);
    const file = [own, ...fullPractice.slice(1).map(deletion)];
    await mustImport(database, file);
    expect(await exportRecords(database, "org_maple")).toEqual([organization]);
  });

  test("is executed after all other lines, wherever it is in the file", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [
      own,
      deletion({ type: "location", publicId: "loc_north" }),
      ...fullPractice
        .filter((record) => JSON.stringify(record).includes("loc_north"))
        .filter(({ type }) => type !== "location")
        .map(
          (record) =>
            JSON.parse(JSON.stringify(record).replaceAll("loc_north", "loc_main")) as Fields,
        ),
    ]);
    expect(await exportText(database, "org_maple")).not.toContain("loc_north");
  });

  test("of an unknown record succeeds", async () => {
    const database = await databaseOfFullPractice();
    const file = [own, deletion({ type: "session", publicId: "apt_none" })];
    expect(await importFile(database, file)).toEqual({ counts: { organization: 1, session: 1 } });
    expect(await tallyOf(importAll(database, file), "session")).toEqual({
      created: 0,
      changed: 0,
      unchanged: 0,
      deleted: 0,
      missing: 4,
    });
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });

  test("makes the email address of its user available", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [
      own,
      { type: "user", publicId: "usr_x1", email: "admin@maple.example" },
      deletion(byId("usr_admin")),
    ]);
    expect(await exportText(database, "org_maple")).toContain('"email":"admin@maple.example"');
  });

  test("of a user is refused while a valid key names the user, and otherwise removes the user from the keys", async () => {
    const database = await databaseOfFullPractice();
    await issueKey(database, "org_maple", { holder: { userId: "usr_x2" } });
    const file = [own, deletion(byId("usr_x2"))];
    const outcome = await importFile(database, file);
    expect(outcome).toEqual({
      report: [expect.stringMatching(/^f:2: user usr_x2: deleted: is named by API key \w+$/)],
    });
    await database.write(
      (trx) =>
        trx
          .updateTable("api_keys")
          .set({ revoked_at: NOW as never })
          .execute(),
      { organizationId: "org_maple" },
    );
    await mustImport(database, file);
    const keys = await database.read((db) => db.selectFrom("api_keys").select("user_id").execute());
    expect(keys).toEqual([{ user_id: null }]);
  });

  test("of an inactive user revokes the user's key, which did not work before", async () => {
    const database = await databaseOfFullPractice();
    await issueKey(database, "org_maple", { holder: { userId: "usr_x2" } });
    await mustImport(database, [own, { type: "user", publicId: "usr_x2", isActive: false }]);
    await mustImport(database, [own, deletion(byId("usr_x2"))]);
    const keys = await database.read((db) =>
      db.selectFrom("api_keys").select(["user_id", "revoked_at"]).execute(),
    );
    expect(keys).toEqual([{ user_id: null, revoked_at: NOW as never }]);
  });
});

/** What refers to a record, and the new record: a user of a role, or a record of a type. */
type Case = [
  field: `${string}.${string}`,
  referrer: (id: string) => Fields,
  named: string | ((id: string) => Fields),
];

const unbound = { ...session, publicId: "apt_new", authorizationId: null };
const [insurance] = patient.payors as [Fields];
const [credential] = clinician.credentials as [Fields];
const user = (publicId: string, fields: Fields) => ({ type: "user", publicId, ...fields });

const cases: Case[] = [
  ["user.caregiverId", (id) => user("usr_kid2", { caregiverId: id }), "CAREGIVER"],
  ["user.primaryClinicianId", (id) => user("usr_kid2", { primaryClinicianId: id }), "CLINICIAN"],
  ["user.clinicianIds", (id) => user("usr_kid2", { clinicianIds: [id] }), "TECHNICIAN"],
  [
    "user.careTeamTechnicianIds",
    (id) => user("usr_x1", { careTeamTechnicianIds: [id] }),
    "TECHNICIAN",
  ],
  ["user.primaryLocationId", (id) => user("usr_y0", { primaryLocationId: id }), "location"],
  ["user.locationIds", (id) => user("usr_y0", { locationIds: [id] }), "location"],
  [
    "user.specializationIds",
    (id) => user("usr_tech2", { specializationIds: [id] }),
    "specialization",
  ],
  ["user.providerPayorIds", (id) => user("usr_tech2", { providerPayorIds: [id] }), "payor"],
  [
    "user.payors.payorId",
    (id) => user("usr_kid2", { payors: [{ ...insurance, payorId: id }] }),
    "payor",
  ],
  [
    "user.credentials.payorCredentialing.payorId",
    (id) => {
      const entry = { publicId: "pcpay", payorId: id, status: "PENDING", startDate: "2026-01-01" };
      return user("usr_tech2", { credentials: [{ ...credential, payorCredentialing: [entry] }] });
    },
    "payor",
  ],
  [
    "authorizationPool.patientId",
    (id) => ({ ...pool, publicId: "apool_new", patientId: id }),
    "PATIENT",
  ],
  [
    "authorizationPool.payorId",
    (id) => ({ ...pool, publicId: "apool_new2", payorId: id }),
    "payor",
  ],
  [
    "authorization.patientId",
    (id) => ({ ...authorization, publicId: "auth_new", patientId: id }),
    "PATIENT",
  ],
  [
    "authorization.authorizationPoolId",
    (id) => ({ ...pooledAuthorization, publicId: "auth_new2", authorizationPoolId: id }),
    (id) => ({ ...pool, publicId: id }),
  ],
  [
    "authorization.payorId",
    (id) => ({ ...authorization, publicId: "auth_new3", payorId: id }),
    "payor",
  ],
  [
    "authorization.serviceLineId",
    (id) => ({ ...authorization, publicId: "auth_new4", serviceLineId: id }),
    "serviceLine",
  ],
  ["session.locationId", (id) => ({ ...unbound, locationId: id }), "location"],
  ["session.technicianId", (id) => ({ ...unbound, technicianId: id }), "TECHNICIAN"],
  ["session.clientId", (id) => ({ ...unbound, clientId: id }), "PATIENT"],
  ["session.clinicianId", (id) => ({ ...unbound, clinicianId: id }), "CLINICIAN"],
  ["session.providerLocationId", (id) => ({ ...unbound, providerLocationId: id }), "location"],
  ["session.services", (id) => ({ ...unbound, services: id }), "serviceLine"],
  [
    "session.authorizationId",
    (id) => ({ ...session, publicId: "apt_new2", authorizationId: id }),
    (id) => ({ ...authorization, publicId: id }),
  ],
  [
    "session.nonBillableCode",
    (id) => ({ ...nonBillableSession, publicId: "apt_new3", nonBillableCode: id }),
    "nonBillableCode",
  ],
  [
    "encounter.authorizationId",
    (id) => ({ ...encounter, publicId: "enc_new", sessionId: null, authorizationId: id }),
    (id) => ({ ...authorization, publicId: id }),
  ],
  [
    "encounter.sessionId",
    (id) => ({ ...encounter, publicId: "enc_new2", sessionId: id }),
    (id) => ({ ...session, publicId: id }),
  ],
  ["intakeLead.clientId", (id) => ({ ...lead, publicId: "lead_new", clientId: id }), "PATIENT"],
  [
    "intakeLead.caregiverId",
    (id) => ({ ...lead, publicId: "lead_new", caregiverId: id }),
    "CAREGIVER",
  ],
  ["intakeLead.stageId", (id) => ({ ...lead, publicId: "lead_new", stageId: id }), "intakeStage"],
  [
    "intakeLead.labelIds",
    (id) => ({ ...lead, publicId: "lead_new", labelIds: [id] }),
    "intakeLabel",
  ],
  ["treatmentPlan.patientId", (id) => ({ ...plan, publicId: "tp_new", patientId: id }), "PATIENT"],
  [
    "goal.treatmentPlanId",
    (id) => ({ ...ratingGoal, publicId: "goal_new", treatmentPlanId: id }),
    (id) => ({ ...plan, publicId: id }),
  ],
];

function newRecord(named: Case[2], publicId: string): Fields {
  if (typeof named !== "string") return named(publicId);
  const role = fullPractice.find((record) => record.role === named);
  if (role !== undefined)
    return { type: "user", publicId, role: named, firstName: "A", lastName: "B" };
  return { ...fullPractice.find(({ type }) => type === named), publicId };
}

describe("a record is not deleted while it is referred to", async () => {
  const database = await databaseOfFullPractice();

  test.each(cases.map((each, index) => [...each, `x${index}`] as const))(
    "by %s",
    async (field, referrer, named, id) => {
      const record = newRecord(named, id);
      const referring = referrer(id);
      await mustImport(database, [own, record, referring]);
      expect(await importFile(database, [own, deletion(record)])).toEqual({
        report: [
          `f:2: ${String(record.type)} ${id}: deleted: is named by ${field.split(".")[0]} ${String(referring.publicId)}`,
        ],
      });
    },
  );

  test("by any field that refers to records", () => {
    const fields = references.map(({ type, field }) => [type, ...field].join("."));
    expect(cases.map(([field]) => field as string).sort()).toEqual(fields.sort());
  });
});

describe("records that are missing in the file", () => {
  const sessions = Array.from({ length: 10 }, (_, index) => ({
    ...session,
    publicId: `apt_m${index}`,
  }));
  async function withSessions() {
    const database = await newDatabase();
    await mustImport(database, [...fullPractice, ...sessions]);
    return database;
  }

  test("are counted and kept", async () => {
    const database = await withSessions();
    const file = [own, ...sessions.slice(0, 8)];
    expect(await tallyOf(importAll(database, file), "session")).toMatchObject({
      unchanged: 8,
      deleted: 0,
      missing: 6,
    });
  });

  test("are those of the file's organization, and so are the records that name them", async () => {
    const database = await newDatabase();
    const other = { ...organization, publicId: "org_other", name: "Other" };
    await mustImport(database, fullPractice);
    await mustImport(database, [other, ...fullPractice.slice(1)]);
    const before = await exportText(database, "org_other");
    await mustImport(database, [own, takenBack]);
    const types = ["encounter", "session", "goal"] as const;
    const kept = types.map((type) => fullPractice.find((record) => record.type === type) as Fields);
    // In the other organization, encounters of these sessions stay.
    await mustImport(database, [own, ...kept], {
      ...{ deleteMissing: types, deleteMany: true },
    });
    const ids = (await exportRecords(database, "org_maple"))
      .filter(({ type }) => types.includes(type as (typeof types)[number]))
      .map(({ publicId }) => publicId);
    expect(ids.sort()).toEqual(kept.map(({ publicId }) => publicId).sort());
    expect(await exportText(database, "org_other")).toBe(before);
  });

  test("are deleted if --delete-missing names their type", async () => {
    const database = await withSessions();
    const kept = [...fullPractice.filter(({ type }) => type === "session"), ...sessions.slice(2)];
    const outcome = importAll(database, [own, ...kept], { deleteMissing: ["session"] });
    expect(await tallyOf(outcome, "session")).toEqual({
      created: 0,
      changed: 0,
      unchanged: 12,
      deleted: 2,
      missing: 0,
    });
  });

  test("make their email addresses available if they are users", async () => {
    const database = await databaseOfFullPractice();
    const users = fullPractice.filter(
      ({ type, publicId }) => type === "user" && publicId !== "usr_admin",
    );
    const heir = { email: "admin@maple.example" };
    const file = users.map((user) => (user.publicId === "usr_x1" ? { ...user, ...heir } : user));
    await mustImport(database, [own, ...file], { deleteMissing: ["user"] });
    expect(await recordOf(database, "usr_admin")).toBeUndefined();
    expect(await recordOf(database, "usr_x1")).toMatchObject(heir);
  });

  test("are not deleted if other records refer to them", async () => {
    const database = await withSessions();
    const outcome = await importFile(database, [own, ...sessions], { deleteMissing: ["session"] });
    expect(outcome).toEqual({
      report: ["f: session apt_1: deleted: is named by encounter enc_1"],
    });
  });

  test("are reported in the order of their ids if they are not deleted", async () => {
    const database = await databaseOfFullPractice();
    const file = [own, { type: "payor", publicId: "pay_new", name: "New" }];
    const options = { deleteMissing: ["payor"] as const, deleteMany: true };
    expect(await importFile(database, file, options)).toEqual({
      report: [
        expect.stringMatching(/^f: payor pay_acme: deleted: is named by /),
        expect.stringMatching(/^f: payor pay_birch: deleted: is named by /),
      ],
    });
  });

  test("are not deleted if they are more than half, unless --delete-many is given", async () => {
    const database = await withSessions();
    const kept = [...fullPractice.filter(({ type }) => type === "session"), ...sessions.slice(8)];
    const options = { deleteMissing: ["session"] as const };
    expect(await importAll(database, [own, ...kept], options)).toMatchObject({
      refusal:
        "--delete-missing session would delete 8 of 14, more than half; give --delete-many if that is intended. Nothing was written.",
    });
    const all = { ...options, deleteMany: true };
    expect(await importAll(database, [own, deletion(session)], all)).toMatchObject({
      refusal:
        'The file has no session, so --delete-missing session would delete all of them. To delete all, give each a line with "deleted": true instead. Nothing was written.',
    });
    const outcome = importAll(database, [own, ...kept], { ...options, deleteMany: true });
    expect(await tallyOf(outcome, "session")).toMatchObject({ deleted: 8, missing: 0 });
  });

  test("count as existing before, even if the file makes them child goals", async () => {
    const database = await databaseOfFullPractice();
    const { type: _, treatmentPlanId: __, ...handle } = { ...skillGoal, childGoals: [] } as Fields;
    const parent = { ...skillGoal, publicId: "goal_rating", childGoals: [handle] };
    // Four goals before: one gets another as its child, and two are missing.
    await mustImport(database, [own, parent], { deleteMissing: ["goal"] });
    const goals = (await exportRecords(database, "org_maple")).filter(
      ({ type }) => type === "goal",
    );
    expect(goals.map(({ publicId }) => publicId)).toEqual(["goal_rating"]);
  });
});
