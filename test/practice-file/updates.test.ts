import { describe, expect, test } from "bun:test";
import { digitsOfPhone } from "../../src/lib/text.ts";
import type { Database } from "../../db/database.ts";
import type { Tally } from "../../src/practice-file/import-state.ts";
import { newDatabase, NOW } from "../support/harness.ts";
import {
  behaviorGoal,
  clinician,
  databaseOfFullPractice,
  fullPractice,
  lead,
  organization,
  patient,
  ratingGoal,
  skillGoal,
  technician,
} from "../support/practice-file/full-practice.ts";
import { exported } from "../support/practice-file/fields.ts";
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

/**
 * Importing over an existing practice. Lines change the fields that they contain, and no others.
 */

const later = "2026-04-01T00:00:00.000Z";
const none = { created: 0, changed: 0, unchanged: 0, deleted: 0, missing: 0 };

function tallies(outcome: Awaited<ReturnType<typeof importAll>>): Record<string, Tally> {
  return "tallies" in outcome ? Object.fromEntries(outcome.tallies) : {};
}

/** Every row of every table except the audit trail, which records the import. */
function allRows(database: Database): Promise<unknown> {
  return database.read(async (db) => {
    const tables = await db.introspection.getTables();
    const rows: Record<string, unknown> = {};
    for (const { name } of tables.filter(({ name }) => !name.startsWith("audit_")))
      rows[name] = await db
        .selectFrom(name as "users")
        .selectAll()
        .execute();
    return rows;
  });
}

describe("an export that is imported into its own database", () => {
  test("changes nothing", async () => {
    const database = await databaseOfFullPractice();
    const before = await allRows(database);
    await mustImport(database, await exportText(database, "org_maple"), {
      now: "2027-01-01T00:00:00.000Z",
    });
    expect(await allRows(database)).toEqual(before);
  });
});

describe("a line with an existing id", () => {
  test("changes the fields that it contains, and no others", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(
      database,
      [
        { type: "organization", publicId: "org_maple" },
        { type: "session", publicId: "apt_1", status: "PATIENT_NO_SHOW" },
        { type: "user", publicId: "usr_kid", city: "Springfield" },
        { type: "goal", publicId: "goal_hands", status: "MASTERED" },
      ],
      { now: later },
    );
    const changes: Record<string, Fields> = {
      apt_1: { status: "PATIENT_NO_SHOW" },
      usr_kid: { city: "Springfield", updatedAt: later },
      goal_hands: {
        status: "MASTERED",
        phases: [
          ...(skillGoal.phases as Fields[]),
          { status: "MASTERED", since: later, isAutomatic: false },
        ],
      },
    };
    expect(await exportRecords(database, "org_maple")).toEqual(
      fullPractice.map((record) => ({ ...record, ...changes[String(record.publicId)] })),
    );
  });

  test("clears fields with null, or resets them to their defaults", async () => {
    const database = await databaseOfFullPractice();
    const cleared = { phoneNumber: null, shouldSendSMS: null, locationIds: null, payors: null };
    await mustImport(database, [
      { type: "organization", publicId: "org_maple", timezone: null, weekStartsOn: null },
      { type: "user", publicId: "usr_kid", ...cleared, userStatus: null },
      { type: "specialization", publicId: "spec_feeding", isActive: null },
    ]);
    expect(await recordOf(database, "org_maple")).toMatchObject({
      timezone: null,
      weekStartsOn: "SUNDAY",
    });
    expect(await recordOf(database, "usr_kid")).toEqual({
      ...patient,
      phoneNumber: null,
      shouldSendSMS: false,
      locationIds: [],
      payors: [],
      userStatus: "LEAD",
      updatedAt: NOW,
    });
    expect(await recordOf(database, "spec_feeding")).toMatchObject({ isActive: true });
  });

  test("changes nothing with only type and id, or with unchanged values", async () => {
    const database = await databaseOfFullPractice();
    const before = await allRows(database);
    const outcome = await importAll(database, [
      { type: "organization", publicId: "org_maple" },
      ...fullPractice.slice(1).map(({ type, publicId }) => ({ type, publicId })),
    ]);
    expect(await allRows(database)).toEqual(before);
    expect(tallies(outcome).session).toEqual({ ...none, unchanged: 4 });
  });

  test("replaces a list completely", async () => {
    const database = await databaseOfFullPractice();
    const lists = {
      credentials: [(clinician.credentials as Fields[])[1]],
      complianceCredentials: ["HIPAA"],
      specializationIds: ["spec_feeding"],
      locationIds: ["loc_north"],
      providerPayorIds: ["pay_birch"],
      careTeamTechnicianIds: ["usr_tech2"],
    };
    const payors = [...(patient.payors as Fields[])].reverse();
    await mustImport(database, [
      organization,
      { type: "user", publicId: "usr_bcba", ...lists },
      { type: "user", publicId: "usr_kid", payors },
      { type: "intakeLead", publicId: "lead_1", labelIds: ["lbl_web"] },
    ]);
    expect(await recordOf(database, "usr_bcba")).toEqual({
      ...clinician,
      ...lists,
      updatedAt: NOW,
    });
    expect(await recordOf(database, "usr_kid")).toEqual({ ...patient, payors, updatedAt: NOW });
    expect(await recordOf(database, "lead_1")).toEqual({ ...lead, labelIds: ["lbl_web"] });
  });

  test("that changes the variant removes fields which the new variant does not have", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [
      organization,
      { type: "session", publicId: "apt_4", isBillable: false, nonBillableCode: "nbc_meeting" },
      { type: "goal", publicId: "goal_behavior", goalType: "rating", title: "Calm" },
      { type: "user", publicId: "usr_x0", role: "PATIENT" },
    ]);
    const apt = fullPractice.find(({ publicId }) => publicId === "apt_4") as Fields;
    const { isTelehealth, clinicianId, providerLocationId, services, authorizationId, ...common } =
      apt;
    expect(await recordOf(database, "apt_4")).toEqual({
      ...common,
      isBillable: false,
      nonBillableCode: "nbc_meeting",
    });
    expect(await recordOf(database, "goal_behavior")).toEqual({
      type: "goal",
      publicId: "goal_behavior",
      treatmentPlanId: "tp_1",
      goalType: "rating",
      status: "IN_PROGRESS",
      phases: behaviorGoal.phases,
      title: "Calm",
      description: null,
      instructions: "Offer the card.",
      measurementType: "RATING",
      ratingInstances: [],
      baselineDate: "2026-01-06T09:00:00.000Z",
      targetAchievementDate: "2026-06-30T00:00:00.000Z",
    });
    expect(await recordOf(database, "usr_x0")).toMatchObject({
      role: "PATIENT",
      userStatus: "LEAD",
      payors: [],
    });
  });

  test("that changes the goal type sets the new type's measurementType", async () => {
    const database = await databaseOfFullPractice();
    const { type, publicId, title, treatmentPlanId } = ratingGoal;
    const interval = {
      goalType: "interval",
      intervalDuration: 10,
      intervalQuantity: 6,
      sets: 2,
      intervalRecordingType: "PARTIAL",
    };
    await mustImport(database, [organization, { type, publicId, ...interval }]);
    const measured = { measurementType: "INTERVAL", intervalSets: [] };
    const changed = { type, publicId, treatmentPlanId, title, ...interval, ...measured };
    expect(await recordOf(database, publicId)).toMatchObject(changed);
    expect(await recordOf(database, publicId)).not.toContainKey("ratingInstances");
  });

  test("sets updatedAt if something changed, unless the line contains it", async () => {
    const database = await databaseOfFullPractice();
    const line = { type: "user", publicId: "usr_tech" };
    const updatedAt = async () => (await recordOf(database, "usr_tech"))?.updatedAt;
    await mustImport(database, [organization, { ...line, lastName: "Ruiz" }], { now: later });
    expect(await updatedAt()).toBe(technician.updatedAt);
    const nulls = { createdAt: null, updatedAt: null };
    await mustImport(database, [organization, { ...line, ...nulls }], { now: later });
    expect(await updatedAt()).toBe(technician.updatedAt);
    await mustImport(database, [organization, { ...line, lastName: "R" }], { now: later });
    expect(await updatedAt()).toBe(later);
    const given = "2025-05-05T05:05:05.005Z";
    await mustImport(database, [organization, { ...line, lastName: "S", updatedAt: given }]);
    expect(await updatedAt()).toBe(given);
    expect(await recordOf(database, "usr_tech")).toMatchObject({ createdAt: technician.createdAt });
  });

  test("does not change a record with the same id in another organization", async () => {
    const database = await databaseOfFullPractice();
    const oak = fullPractice.map((record) =>
      record.type === "organization" ? { ...record, publicId: "org_oak", name: "Oak" } : record,
    );
    await mustImport(database, oak);
    const changed = { ...technician, firstName: "Other" };
    await mustImport(database, [oak[0] as Fields, changed]);
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
    expect(await exportText(database, "org_oak")).toBe(
      fileOf(oak.map((record) => (record.publicId === technician.publicId ? changed : record))),
    );
  });
});

test("-0 is 0, so that it changes nothing a second time", async () => {
  const database = await databaseOfFullPractice();
  const text =
    '{"type":"organization","publicId":"org_maple"}\n{"type":"encounter","publicId":"enc_1","units":-0}\n';
  for (const changed of [1, 0]) {
    const outcome = await importAll(database, text);
    expect(tallies(outcome).encounter).toMatchObject({ changed, unchanged: 1 - changed });
  }
});

describe("child goals", () => {
  const [tap, soap] = skillGoal.childGoals as [Fields, Fields];

  test("are replaced by those of the line, in the order of its list", async () => {
    const database = await databaseOfFullPractice();
    const added = { ...soap, publicId: "goal_new" };
    const goal = { ...skillGoal, childGoals: [added, soap, tap] };
    await mustImport(database, [organization, goal]);
    expect(await recordOf(database, "goal_hands")).toEqual(goal);
    const fewer = { ...skillGoal, childGoals: [soap] };
    await mustImport(database, [organization, fewer]);
    expect(await recordOf(database, "goal_hands")).toEqual(fewer);
    expect(await recordOf(database, "goal_z_tap")).toBeUndefined();
  });

  test("may become top goals", async () => {
    const database = await databaseOfFullPractice();
    const { type, treatmentPlanId } = skillGoal;
    const own = exported({ type, publicId: tap.publicId, treatmentPlanId, ...tap });
    await mustImport(database, [organization, own]);
    expect(await recordOf(database, "goal_z_tap")).toEqual(own);
    expect(await recordOf(database, "goal_hands")).toEqual({ ...skillGoal, childGoals: [soap] });
  });

  const partial = { type: "goal", publicId: "goal_hands", status: skillGoal.status };
  const own = exported({ ...tap, type: "goal", treatmentPlanId: skillGoal.treatmentPlanId });
  /** More lines than are written at a time. */
  const others = Array.from({ length: 600 }, (_, index) => ({
    ...ratingGoal,
    publicId: `goal_other_${index}`,
  }));
  const orders: Record<string, Fields[]> = {
    "the parent's line first": [partial, own],
    "the parent's line last": [own, partial],
    "the parent's line far before": [partial, ...others, own],
    "the parent's line far behind": [own, ...others, partial],
  };
  for (const [order, lines] of Object.entries(orders))
    test(`with a line of their own leave a parent whose line has no child goals: ${order}`, async () => {
      const database = await databaseOfFullPractice();
      const outcome = await importAll(database, [organization, ...lines]);
      expect(tallies(outcome).goal).toEqual({
        ...none,
        created: lines.length - 1,
        changed: 1,
        missing: 3,
      });
      expect(await recordOf(database, "goal_z_tap")).toEqual(own);
      expect(await recordOf(database, "goal_hands")).toEqual({ ...skillGoal, childGoals: [soap] });
    });

  test("may be top goals before, wherever the line of their parent is", async () => {
    for (const between of [[], others]) {
      const database = await databaseOfFullPractice();
      const { type: _, treatmentPlanId: __, childGoals: ___, ...handle } = skillGoal;
      const parent = {
        ...skillGoal,
        publicId: "goal_parent",
        childGoals: [{ ...handle, childGoals: [] }],
      };
      const deletion = { type: "goal", publicId: "goal_hands", deleted: true };
      const outcome = await importAll(database, [organization, deletion, ...between, parent]);
      const created = between.length + 1;
      expect(tallies(outcome).goal).toEqual({ ...none, created, deleted: 1, missing: 3 });
      expect(await recordOf(database, "goal_parent")).toEqual(parent);
      expect(await recordOf(database, "goal_hands")).toBeUndefined();
    }
  });

  describe("of other goals", () => {
    const parent = { ...skillGoal, publicId: "goal_parent" };
    const others: Fields[] = [
      { type: "user", publicId: "usr_other", role: "PATIENT", firstName: "A", lastName: "B" },
      { type: "treatmentPlan", publicId: "tp_other", patientId: "usr_other" },
      { ...skillGoal, publicId: "goal_other", treatmentPlanId: "tp_other", childGoals: [] },
    ];
    const other = { type: "goal", publicId: "goal_other", childGoals: [soap] };

    test("of the same patient move to the goal that names them", async () => {
      const database = await databaseOfFullPractice();
      const outcome = await importAll(database, [organization, { ...parent, childGoals: [tap] }]);
      expect(tallies(outcome).goal).toEqual({ ...none, created: 1, missing: 4 });
      expect(await recordOf(database, "goal_hands")).toEqual({ ...skillGoal, childGoals: [soap] });
    });

    test("cannot be goals of their own, of any type", async () => {
      const database = await databaseOfFullPractice();
      const before = await exportText(database, "org_maple");
      const stored = ["goal_hands", ratingGoal.publicId];
      const children = stored.map((publicId) => ({ ...soap, publicId, childGoals: [] }));
      const goal = { ...parent, childGoals: [tap, ...children] };
      expect(await importFile(database, [organization, goal])).toEqual({
        report: stored.map(
          (id, index) =>
            `f:2: goal goal_parent: childGoals[${index + 1}].publicId: "${id}" is a goal of its own, not a child goal`,
        ),
      });
      expect(await exportText(database, "org_maple")).toBe(before);
    });

    test("cannot be those of another patient, unless the file takes them away there", async () => {
      const database = await databaseOfFullPractice();
      await mustImport(database, [organization, ...others]);
      expect(await importFile(database, [organization, other])).toEqual({
        report: [
          `f:2: goal goal_other: childGoals[0].publicId: "${soap.publicId}" is a child goal of another patient's goal`,
        ],
      });
      const left = { type: "goal", publicId: "goal_hands", childGoals: [tap] };
      const moved = await importAll(database, [organization, other, left]);
      expect(tallies(moved).goal).toEqual({ ...none, changed: 2, missing: 3 });
      expect(await recordOf(database, "goal_other")).toMatchObject({ childGoals: [soap] });
    });

    test("cannot become goals of another patient, unless the file takes them away where they were", async () => {
      const database = await databaseOfFullPractice();
      await mustImport(database, [organization, ...others]);
      const taken = { ...soap, type: "goal", treatmentPlanId: "tp_other" };
      const before = await exportText(database, "org_maple");
      expect(await importFile(database, [organization, taken])).toEqual({
        report: [
          `f:2: goal ${soap.publicId}: publicId: "${soap.publicId}" is a child goal of another patient's goal`,
        ],
      });
      expect(await exportText(database, "org_maple")).toBe(before);
      const left = { type: "goal", publicId: "goal_hands", childGoals: [tap] };
      const moved = await importAll(database, [organization, taken, left]);
      expect(tallies(moved).goal).toEqual({ ...none, created: 1, changed: 1, missing: 4 });
    });

    test("are not taken by a line that is refused", async () => {
      const database = await databaseOfFullPractice();
      const twice = [
        { ...parent, childGoals: [soap] },
        { ...parent, publicId: "goal_second", childGoals: [soap] },
        { type: "goal", publicId: "goal_hands", childGoals: [tap, soap] },
      ];
      const twiceText = (line: number) =>
        `"${soap.publicId}" is in this file twice, also on line ${line}`;
      const report = [
        `f:3: goal goal_second: childGoals[0].publicId: ${twiceText(2)}`,
        `f:4: goal goal_hands: childGoals[1].publicId: ${twiceText(3)}`,
      ];
      expect(await importFile(database, [organization, ...twice])).toEqual({ report });
    });
  });
});

describe("an absent field", () => {
  const made = "2026-03-11T15:00:00.000Z";
  const user = {
    type: "user",
    publicId: "usr_new",
    role: "TECHNICIAN",
    firstName: "A",
    lastName: "B",
  };
  const newLead = {
    type: "intakeLead",
    publicId: "lead_new",
    clientId: "usr_kid",
    caregiverId: "usr_care",
    relationship: "OTHER",
  };

  test("is the time of the import for a new user or lead; a later import changes only a user's updatedAt", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [organization, user, newLead], { now: NOW });
    expect(await recordOf(database, "usr_new")).toMatchObject({ createdAt: made, updatedAt: made });
    expect(await recordOf(database, "lead_new")).toMatchObject({ createdAt: made });
    await mustImport(database, [organization, { ...user, lastName: "C" }, newLead], { now: later });
    expect(await recordOf(database, "usr_new")).toMatchObject({
      createdAt: made,
      updatedAt: later,
    });
    expect(await recordOf(database, "lead_new")).toMatchObject({ createdAt: made });
  });

  test("has the default of the documented table", async () => {
    const database = await newDatabase();
    await mustImport(database, [
      { type: "organization", publicId: "org_oak", name: "Oak" },
      { type: "specialization", publicId: "spec_1", name: "Feeding" },
      { type: "intakeStage", publicId: "stage_1", name: "Lead", position: 1 },
      { ...user, role: "PATIENT" },
      { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_new" },
      {
        type: "goal",
        publicId: "goal_1",
        treatmentPlanId: "tp_1",
        goalType: "rating",
        title: "Calm",
      },
    ]);
    expect(await exportRecords(database, "org_oak")).toEqual(
      [
        { type: "organization", publicId: "org_oak", name: "Oak", weekStartsOn: "SUNDAY" },
        { type: "specialization", publicId: "spec_1", name: "Feeding", isActive: true },
        { type: "intakeStage", publicId: "stage_1", name: "Lead", position: 1, isActive: true },
        {
          ...user,
          role: "PATIENT",
          isActive: true,
          createdAt: made,
          updatedAt: made,
          shouldSendSMS: false,
          userStatus: "LEAD",
        },
        { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_new" },
        {
          type: "goal",
          publicId: "goal_1",
          treatmentPlanId: "tp_1",
          goalType: "rating",
          status: "BASELINE",
          title: "Calm",
          measurementType: "RATING",
        },
      ].map(exported),
    );
  });

  test("is null; an empty email or phoneNumber is null, too", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [
      organization,
      { ...technician, email: "", phoneNumber: "" },
      { type: "user", publicId: "usr_bcba", email: " " },
      { type: "user", publicId: "usr_kid", email: "  " },
    ]);
    expect(await recordOf(database, "usr_tech")).toEqual({
      ...technician,
      email: null,
      phoneNumber: null,
    });
  });
});

describe("a value with several spellings", () => {
  test("is normalized: trimmed names, instants in UTC, sorted lists without duplicates", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [
      organization,
      {
        ...technician,
        firstName: "  Ana ",
        recertificationDate: "2026-12-31T02:00:00+02:00",
        complianceCredentials: ["HIPAA", "CPR", "HIPAA"],
        locationIds: ["loc_north", "loc_main", "loc_north"],
      },
    ]);
    expect(await recordOf(database, "usr_tech")).toEqual({
      ...technician,
      recertificationDate: "2026-12-31T00:00:00.000Z",
      complianceCredentials: ["CPR", "HIPAA"],
      locationIds: ["loc_main", "loc_north"],
    });
  });

  test("is searchable after an update: search text and email key are updated", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [
      organization,
      { ...technician, lastName: "Muñoz", email: "Ana.M@maple.example" },
    ]);
    const row = await database.read((db) =>
      db
        .selectFrom("users")
        .select(["last_name_key", "first_name_key", "search_text", "email_key"])
        .where("public_id", "=", "usr_tech")
        .executeTakeFirst(),
    );
    expect(row).toEqual({
      last_name_key: "munoz",
      first_name_key: "ana",
      search_text: `ana\nmunoz\nana.m@maple.example\n+14155552675\n${digitsOfPhone("14155552675")}`,
      email_key: "ana.m@maple.example",
    });
  });
});
