import { describe, expect, test } from "bun:test";
import { digitsOfPhone } from "../../src/lib/text.ts";
import type { Issue } from "../../src/lib/errors.ts";
import type { Database } from "../../db/database.ts";
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
import { NOW } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { exportText, type Fields, mustImport } from "../support/practice-file/practice-file.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** A file over an existing practice. Lines change the fields that they contain, and no others. */

const transcript = await transcripts();
const practice = transcript(fullPractice);

const later = "2026-04-01T00:00:00.000Z";
const none = { created: 0, changed: 0, unchanged: 0, deleted: 0, missing: 0 };

const write = (...lines: Fields[]): Step => ["POST practice-file", lines, 200];
const stored = (...records: Fields[]): Step => [
  `GET practice-file?ids=${records.map(({ publicId }) => String(publicId)).join()}`,
  200,
  [{}, ...records.map(whole)],
];
/** What a file did with the records of a type. */
const wrote = (lines: Fields[], type: string, tally: object): Step => [
  ...(["POST practice-file", lines, 200, { changes: { [type]: { ...none, ...tally } } }] as const),
];
const everything = ([first, ...records]: readonly Fields[]): Step => [
  ...(["GET practice-file", 200] as const),
  whole([{ ...first, publicId: "$organization" }, ...records]),
];

const guards = fullPractice.slice(1).map(({ type, publicId }) => ({ type, publicId }));

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

test("an export, and lines with only type and id, change no row", async () => {
  const database = await databaseOfFullPractice();
  const before = await allRows(database);
  const now = "2027-01-01T00:00:00.000Z";
  await mustImport(database, await exportText(database, "org_maple"), { now });
  expect(await allRows(database)).toEqual(before);
  const own = { type: "organization", publicId: "org_maple" };
  await mustImport(database, [own, ...guards], { now });
  expect(await allRows(database)).toEqual(before);
});

describe("a line with an existing id", () => {
  practice("changes nothing with only type and id", [wrote(guards, "session", { unchanged: 4 })]);

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
  practice("changes the fields that it contains, and no others", [
    [later],
    write(
      { type: "session", publicId: "apt_1", status: "PATIENT_NO_SHOW" },
      { type: "user", publicId: "usr_kid", city: "Springfield" },
      { type: "goal", publicId: "goal_hands", status: "MASTERED" },
    ),
    everything(fullPractice.map((record) => ({ ...record, ...changes[String(record.publicId)] }))),
  ]);

  const cleared = { phoneNumber: null, shouldSendSMS: null, locationIds: null, payors: null };
  practice("clears fields with null, or resets them to their defaults", [
    wrote(
      [
        { type: "organization", timezone: null, weekStartsOn: null },
        { type: "user", publicId: "usr_kid", ...cleared, userStatus: null },
        { type: "specialization", publicId: "spec_feeding", isActive: null },
      ],
      "organization",
      { changed: 1 },
    ),
    [
      "GET practice-file?ids=usr_kid,spec_feeding",
      200,
      [
        { timezone: null, weekStartsOn: "SUNDAY" },
        { publicId: "spec_feeding", isActive: true },
        whole({
          ...{ ...patient, phoneNumber: null, shouldSendSMS: false, locationIds: [], payors: [] },
          ...{ userStatus: "LEAD", updatedAt: NOW },
        }),
      ],
    ],
  ]);

  const lists = {
    credentials: [(clinician.credentials as Fields[])[1]],
    complianceCredentials: ["HIPAA"],
    specializationIds: ["spec_feeding"],
    locationIds: ["loc_north"],
    providerPayorIds: ["pay_birch"],
    careTeamTechnicianIds: ["usr_tech2"],
  };
  const payors = [...(patient.payors as Fields[])].reverse();
  practice("replaces a list completely", [
    write(
      { type: "user", publicId: "usr_bcba", ...lists },
      { type: "user", publicId: "usr_kid", payors },
      { type: "intakeLead", publicId: "lead_1", labelIds: ["lbl_web"] },
    ),
    stored(
      { ...clinician, ...lists, updatedAt: NOW },
      { ...patient, payors, updatedAt: NOW },
      { ...lead, labelIds: ["lbl_web"] },
    ),
  ]);

  const apt = fullPractice.find(({ publicId }) => publicId === "apt_4") as Fields;
  const { isTelehealth, clinicianId, providerLocationId, services, authorizationId, ...common } =
    apt;
  const { type, publicId, treatmentPlanId, phases, instructions } = behaviorGoal;
  const { baselineDate, targetAchievementDate } = behaviorGoal;
  practice("that changes the variant removes fields which the new variant does not have", [
    write(
      { type: "session", publicId: "apt_4", isBillable: false, nonBillableCode: "nbc_meeting" },
      { type: "goal", publicId: "goal_behavior", goalType: "rating", title: "Calm" },
      { type: "user", publicId: "usr_x0", role: "PATIENT" },
    ),
    [
      "GET practice-file?ids=apt_4,goal_behavior,usr_x0",
      200,
      [
        {},
        { role: "PATIENT", userStatus: "LEAD", payors: [] },
        whole({ ...common, isBillable: false, nonBillableCode: "nbc_meeting" }),
        whole({
          ...{ type, publicId, treatmentPlanId, goalType: "rating", status: "IN_PROGRESS", phases },
          ...{ title: "Calm", description: null, instructions, measurementType: "RATING" },
          ...{ ratingInstances: [], baselineDate, targetAchievementDate },
        }),
      ],
    ],
  ]);

  const { measurementType, ratingInstances, ...ofAnyType } = ratingGoal;
  const interval = {
    ...{ goalType: "interval", intervalDuration: 10, intervalQuantity: 6, sets: 2 },
    intervalRecordingType: "PARTIAL",
  };
  practice("that changes the goal type sets the new type's measurementType", [
    write({ type: "goal", publicId: "goal_rating", ...interval }),
    stored({
      ...{ ...ofAnyType, ...interval, window: null },
      ...{ measurementType: "INTERVAL", intervalSets: [] },
    }),
  ]);

  const ana = { type: "user", publicId: "usr_tech" };
  const { createdAt, updatedAt } = technician;
  const times = (updatedAt: unknown): Step => [
    ...(["GET practice-file?ids=usr_tech", 200, [{}, { createdAt, updatedAt }]] as const),
  ];
  practice("sets updatedAt if something changed, unless the line contains it", [
    [later],
    write({ ...ana, lastName: "Ruiz" }),
    times(updatedAt),
    write({ ...ana, createdAt: null, updatedAt: null }),
    times(updatedAt),
    write({ ...ana, lastName: "R" }),
    times(later),
    write({ ...ana, lastName: "S", updatedAt: "2025-05-05T05:05:05.005Z" }),
    times("2025-05-05T05:05:05.005Z"),
  ]);

  const oak = { ...technician, firstName: "Other" };
  practice(
    "does not change a record with the same id in another organization",
    [
      ["elsewhere: GET practice-file", 200, "$theirs"],
      write(oak),
      ["elsewhere: GET practice-file", 200, "$theirs"],
      everything(fullPractice.map((record) => (record.publicId === "usr_tech" ? oak : record))),
    ],
    { elsewhere: fullPractice },
  );

  const negative =
    '{"type":"organization","publicId":"$organization"}\n{"type":"encounter","publicId":"enc_1","units":-0}\n';
  practice("that says -0 says 0, so that it changes nothing a second time", [
    ...[1, 0].map((changed): Step => [
      "POST practice-file Content-Type: application/x-ndjson",
      negative,
      200,
      { changes: { encounter: { changed, unchanged: 1 - changed } } },
    ]),
  ]);
});

describe("child goals", () => {
  const [tap, soap] = skillGoal.childGoals as [Fields, Fields];
  const { type, treatmentPlanId } = skillGoal;
  const hands = (...childGoals: Fields[]): Fields => ({ ...skillGoal, childGoals });
  const deletedTap: Step = ["GET practice-file?ids=goal_z_tap", 200, [{}]];

  const added = { ...soap, publicId: "goal_new" };
  practice("are replaced by those of the line, in the order of its list", [
    write(hands(added, soap, tap)),
    stored(hands(added, soap, tap)),
    write(hands(soap)),
    stored(hands(soap)),
    deletedTap,
  ]);

  const own = exported({ ...tap, type, treatmentPlanId });
  practice("may become top goals", [write(own), stored(hands(soap), own)]);

  const partial = { type: "goal", publicId: "goal_hands", status: skillGoal.status };
  /** More lines than are written at a time. */
  const others = Array.from({ length: 600 }, (_, index) => ({
    ...{ ...ratingGoal, publicId: `goal_other_${index}` },
  }));
  const orders: Record<string, Fields[]> = {
    "the parent's line first": [partial, own],
    "the parent's line last": [own, partial],
    "the parent's line far before": [partial, ...others, own],
    "the parent's line far behind": [own, ...others, partial],
  };
  for (const [order, lines] of Object.entries(orders))
    practice(`with a line of their own leave a parent whose line has no child goals: ${order}`, [
      wrote(lines, "goal", { created: lines.length - 1, changed: 1, missing: 3 }),
      stored(hands(soap), own),
    ]);

  const { type: _, treatmentPlanId: __, ...handle } = hands();
  const parent = { ...hands(handle), publicId: "goal_parent" };
  const deletion = { type: "goal", publicId: "goal_hands", deleted: true };
  for (const between of [[], others])
    practice(`may be top goals before, ${between.length} lines above their parent's`, [
      wrote([deletion, ...between, parent], "goal", {
        ...{ created: between.length + 1, deleted: 1, missing: 3 },
      }),
      stored(parent),
      ["GET practice-file?ids=goal_hands", 200, [{}]],
    ]);

  practice("of other goals of the same patient move to the goal that names them", [
    wrote([{ ...parent, childGoals: [tap] }], "goal", { created: 1, missing: 4 }),
    stored(hands(soap), { ...parent, childGoals: [tap] }),
  ]);

  const issue = (path: Issue["path"], message: string): Issue => ({
    ...{ code: "custom", message, path, reason: expect.any(String) as never },
  });
  const refused = (lines: Fields[], ...issues: Issue[]): Step => [
    ...(["POST practice-file", lines, 400, whole(validationBody(...issues))] as const),
  ];
  const tops = ["goal_hands", "goal_rating"].map((publicId) => ({
    ...{ ...soap, publicId, childGoals: [] },
  }));
  practice("cannot be goals of their own, of any type", [
    ["GET practice-file", 200, "$file"],
    refused(
      [{ ...parent, childGoals: [tap, ...tops] }],
      ...[1, 2].map((index) =>
        issue(
          [2, "childGoals", index, "publicId"],
          `goal goal_parent: childGoals[${index}].publicId: is a goal of its own, not a child goal`,
        ),
      ),
    ),
    ["GET practice-file", 200, "$file"],
  ]);

  const another: Fields[] = [
    { type: "user", publicId: "usr_other", role: "PATIENT", firstName: "A", lastName: "B" },
    { type: "treatmentPlan", publicId: "tp_other", patientId: "usr_other" },
    { ...skillGoal, publicId: "goal_other", treatmentPlanId: "tp_other", childGoals: [] },
  ];
  const ofOther = { type: "goal", publicId: "goal_other", childGoals: [soap] };
  const left = { type: "goal", publicId: "goal_hands", childGoals: [tap] };
  practice("cannot be those of another patient, unless the file takes them away there", [
    write(...another),
    refused(
      [ofOther],
      issue(
        [2, "childGoals", 0, "publicId"],
        "goal goal_other: childGoals[0].publicId: is a child goal of another patient's goal",
      ),
    ),
    wrote([ofOther, left], "goal", { changed: 2, missing: 3 }),
    ["GET practice-file?ids=goal_other", 200, [{}, { childGoals: [whole(soap)] }]],
  ]);

  const taken = { ...soap, type: "goal", treatmentPlanId: "tp_other" };
  practice("cannot become goals of another patient, unless the file takes them away there", [
    write(...another),
    ["GET practice-file", 200, "$file"],
    refused(
      [taken],
      issue(
        [2, "publicId"],
        "goal goal_a_soap: publicId: is a child goal of another patient's goal",
      ),
    ),
    ["GET practice-file", 200, "$file"],
    wrote([taken, left], "goal", { created: 1, changed: 1, missing: 4 }),
  ]);

  practice("are not taken by a line that is refused", [
    refused(
      [
        { ...parent, childGoals: [soap] },
        { ...parent, publicId: "goal_second", childGoals: [soap] },
        { type: "goal", publicId: "goal_hands", childGoals: [tap, soap] },
      ],
      issue(
        [3, "childGoals", 0, "publicId"],
        "goal goal_second: childGoals[0].publicId: is in this file twice, also on line 2",
      ),
      issue(
        [4, "childGoals", 1, "publicId"],
        "goal goal_hands: childGoals[1].publicId: is in this file twice, also on line 3",
      ),
    ),
  ]);
});

describe("an absent field", () => {
  const user = { type: "user", publicId: "usr_new", firstName: "A", lastName: "B" };
  const newLead = {
    ...{ type: "intakeLead", publicId: "lead_new", clientId: "usr_kid", caregiverId: "usr_care" },
    relationship: "OTHER",
  };
  const times = (updatedAt: string): Step => [
    ...(["GET practice-file?ids=usr_new,lead_new", 200] as const),
    [{}, { createdAt: NOW, updatedAt }, { createdAt: NOW }],
  ];
  practice(
    "is the time of the import for a new user or lead; later only a user's updatedAt changes",
    [
      write({ ...user, role: "TECHNICIAN" }, newLead),
      times(NOW),
      [later],
      write({ ...user, lastName: "C" }, newLead),
      times(later),
    ],
  );

  const given: Fields[] = [
    { type: "specialization", publicId: "spec_1", name: "Feeding" },
    { type: "intakeStage", publicId: "stage_1", name: "Lead", position: 1 },
    { ...user, role: "PATIENT" },
    { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_new" },
    {
      ...{ type: "goal", publicId: "goal_1", treatmentPlanId: "tp_1", goalType: "rating" },
      title: "Calm",
    },
  ];
  const defaults: Fields[] = [
    ...[{ isActive: true }, { isActive: true }],
    {
      ...{ isActive: true, createdAt: NOW, updatedAt: NOW, shouldSendSMS: false },
      userStatus: "LEAD",
    },
    ...[{}, { status: "BASELINE", measurementType: "RATING" }],
  ];
  transcript([{ type: "organization", name: "Oak", timezone: null, weekStartsOn: null }, ...given])(
    "has the default of the documented table",
    [
      everything([
        exported({ type: "organization", name: "Oak", weekStartsOn: "SUNDAY" }),
        ...given.map((line, index) => exported({ ...line, ...defaults[index] })),
      ]),
    ],
  );

  practice("is null; an empty email or phoneNumber is null, too", [
    write(
      { ...technician, email: "", phoneNumber: "" },
      { type: "user", publicId: "usr_bcba", email: " " },
      { type: "user", publicId: "usr_kid", email: "  " },
    ),
    stored({ ...technician, email: null, phoneNumber: null }),
  ]);
});

describe("a value with several spellings", () => {
  practice("is normalized: trimmed names, instants in UTC, sorted lists without duplicates", [
    write({
      ...{ ...technician, firstName: "  Ana ", recertificationDate: "2026-12-31T02:00:00+02:00" },
      complianceCredentials: ["HIPAA", "CPR", "HIPAA"],
      locationIds: ["loc_north", "loc_main", "loc_north"],
    }),
    stored({
      ...{ ...technician, recertificationDate: "2026-12-31T00:00:00.000Z" },
      complianceCredentials: ["CPR", "HIPAA"],
      locationIds: ["loc_main", "loc_north"],
    }),
  ]);

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
