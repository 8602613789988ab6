import { describe, expect, test } from "bun:test";
import { digitsOfPhone } from "../../src/lib/text.ts";
import { type Database, NO_ORGANIZATION } from "../../db/database.ts";
import { newDatabase, NOW } from "../support/harness.ts";
import {
  behaviorGoal,
  clinician,
  fullPractice,
  lead,
  organization,
  patient,
  session,
  skillGoal,
  technician,
  users,
} from "../support/practice-file/full-practice.ts";
import {
  exportRecords,
  exportText,
  type Fields,
  fileOf,
  mustImport,
  recordOf,
} from "../support/practice-file/practice-file.ts";
import { databaseOfFullPractice } from "../support/practice-file/refusals.ts";

/** Importing into a database that has the practice already: every record is updated whole, none is deleted. */

/** Every row of every table, the audit trail aside, which says that there was an import. */
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

describe("an export that is imported over its own database", () => {
  test("changes nothing", async () => {
    const database = await databaseOfFullPractice();
    const before = await allRows(database);
    await mustImport(database, await exportText(database, "org_maple"), {
      now: "2027-01-01T00:00:00.000Z",
    });
    expect(await allRows(database)).toEqual(before);
  });
});

describe("a record whose id exists", () => {
  test("is updated whole: what the line leaves out is gone", async () => {
    const database = await databaseOfFullPractice();
    const bare = (record: Fields) => ({
      type: "user",
      publicId: record.publicId,
      role: record.role,
      firstName: "New",
      lastName: "Name",
      createdAt: record.createdAt,
      updatedAt: record.updatedAt,
    });
    await mustImport(database, [organization, ...users.map(bare)]);
    const found = (await exportRecords(database, "org_maple")).filter(
      (record) => record.type === "user",
    );
    expect(found).toEqual(
      users.map((user) => {
        const { createdAt, updatedAt, ...fields } = bare(user);
        const status = user.role === "PATIENT" ? { userStatus: "LEAD" } : {};
        return { ...fields, isActive: true, createdAt, updatedAt, shouldSendSMS: false, ...status };
      }),
    );
  });

  test("may get fewer, other and more entries in its lists", async () => {
    const database = await databaseOfFullPractice();
    const newClinician = {
      ...clinician,
      credentials: [(clinician.credentials as Fields[])[1]],
      complianceCredentials: ["HIPAA"],
      specializationIds: ["spec_feeding"],
      locationIds: ["loc_north"],
      providerPayorIds: ["pay_birch"],
      careTeamTechnicianIds: ["usr_tech2"],
    };
    const newPatient = {
      ...patient,
      payors: [...(patient.payors as Fields[])].reverse(),
      locationIds: ["loc_north"],
      clinicianIds: ["usr_tech2"],
    };
    const newLead = { ...lead, labelIds: ["lbl_web"] };
    await mustImport(database, [organization, newClinician, newPatient, newLead]);
    expect(await recordOf(database, "usr_bcba")).toEqual(newClinician);
    expect(await recordOf(database, "usr_kid")).toEqual(newPatient);
    expect(await recordOf(database, "lead_1")).toEqual(newLead);
  });

  test("may become another kind of itself", async () => {
    const database = await databaseOfFullPractice();
    const { isTelehealth, clinicianId, providerLocationId, services, authorizationId, ...common } =
      session;
    const meeting = {
      ...common,
      publicId: "apt_4",
      isBillable: false,
      nonBillableCode: "nbc_meeting",
    };
    const rating = {
      type: "goal",
      publicId: behaviorGoal.publicId,
      treatmentPlanId: "tp_2",
      goalType: "rating",
      status: "BASELINE",
      title: "Calm",
      measurementType: "RATING",
    };
    await mustImport(database, [organization, meeting, rating]);
    expect(await recordOf(database, "apt_4")).toEqual(meeting);
    expect(await recordOf(database, "goal_behavior")).toEqual(rating);
  });

  test("is left as it is where the file does not have it", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [organization]);
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });

  test("leaves the same id of another organization alone", async () => {
    const database = await databaseOfFullPractice();
    const oak = fullPractice.map((record) =>
      record.type === "organization" ? { ...record, publicId: "org_oak", name: "Oak" } : record,
    );
    await mustImport(database, oak);
    await mustImport(database, [oak[0] as Fields, { ...technician, firstName: "Other" }]);
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
    expect(await exportText(database, "org_oak")).toBe(
      fileOf(
        oak.map((record) =>
          record === technician ? { ...technician, firstName: "Other" } : record,
        ),
      ),
    );
  });
});

describe("child goals", () => {
  const [tap, soap] = skillGoal.childGoals as [Fields, Fields];

  test("are replaced by those of the record, in the order of its list", async () => {
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

  test("may become goals of their own, and goals child goals", async () => {
    const database = await databaseOfFullPractice();
    const { childGoals, ...hands } = skillGoal;
    const { type, treatmentPlanId } = skillGoal;
    const own = { type, publicId: tap.publicId, treatmentPlanId, ...tap };
    await mustImport(database, [organization, own]);
    expect(await recordOf(database, "goal_z_tap")).toEqual(own);
    expect(await recordOf(database, "goal_hands")).toEqual({ ...skillGoal, childGoals: [soap] });

    const { type: _, treatmentPlanId: __, ...below } = hands;
    const turned = { ...own, childGoals: [below] };
    await mustImport(database, [organization, turned]);
    expect(await recordOf(database, "goal_z_tap")).toEqual(turned);
    expect(await recordOf(database, "goal_hands")).toBeUndefined();
  });

  test("keep the place that an update gave to the goal above them", async () => {
    const database = await databaseOfFullPractice();
    const place = { order_among_siblings: 7 };
    await database.write(
      (trx) => trx.updateTable("goals").set(place).where("public_id", "=", "goal_hands").execute(),
      NO_ORGANIZATION,
    );
    await mustImport(database, [organization, skillGoal]);
    const row = await database.read((db) =>
      db
        .selectFrom("goals")
        .select("order_among_siblings")
        .where("public_id", "=", "goal_hands")
        .executeTakeFirst(),
    );
    expect(row).toEqual(place);
  });
});

describe("what a line does not say", () => {
  const made = "2026-03-11T15:00:00.000Z";
  const later = "2026-04-01T00:00:00.000Z";
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

  test("is the time of the import for a new user or lead; later, the lead keeps it and the user was updated", async () => {
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

  test("is what the table gives", async () => {
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
    expect(await exportRecords(database, "org_oak")).toEqual([
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
    ]);
  });

  test("may be null, an empty list or an empty address, which are all the same", async () => {
    const database = await databaseOfFullPractice();
    const { email, phoneNumber, credentials, locationIds, ...fields } = technician;
    await mustImport(database, [
      organization,
      { ...fields, email: "", phoneNumber: null, credentials: [], locationIds: null },
      { ...users[0], email: "", phoneNumber: "" },
    ]);
    expect(await recordOf(database, "usr_tech")).toEqual(fields);
    const { email: _, phoneNumber: __, ...admin } = users[0] as Fields;
    expect(await recordOf(database, "usr_admin")).toEqual(admin);
  });
});

describe("what is written in more than one way", () => {
  test("is kept in one: names trimmed, instants in UTC, lists sorted and without repetition", async () => {
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

  test("is found by the API: search and email follow an update", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [
      organization,
      { ...technician, lastName: "Muñoz", email: "Ana.M@maple.example" },
    ]);
    const row = await database.read((db) =>
      db
        .selectFrom("users")
        .select(["search_text", "email_key"])
        .where("public_id", "=", "usr_tech")
        .executeTakeFirst(),
    );
    expect(row).toEqual({
      search_text: `ana\nmunoz\nana.m@maple.example\n+14155552675\n${digitsOfPhone("14155552675")}`,
      email_key: "ana.m@maple.example",
    });
  });
});
