import { describe, expect, test } from "bun:test";
import { newDatabase } from "../support/harness.ts";
import { fullPractice, organization, session } from "../support/practice-file/full-practice.ts";
import {
  exportText,
  type Fields,
  fileOf,
  importFile,
  mustImport,
} from "../support/practice-file/practice-file.ts";

/** Rules for a whole file: its first line, references between lines, and all-or-nothing imports. */

const location = (index: number): Fields => ({
  type: "location",
  publicId: `loc_${index}`,
  name: "Clinic",
});
const badLocation = (index: number): Fields => ({ ...location(index), name: "" });
const TOO_SHORT = "name: must not be empty";

async function organizations(database: Awaited<ReturnType<typeof newDatabase>>) {
  return database.read((db) => db.selectFrom("organizations").select("public_id").execute());
}

describe("the first line", () => {
  const refusal = "type: must be organization on the first line: all other records belong to it";

  test("must be the organization", async () => {
    const database = await newDatabase();
    expect(await importFile(database, "")).toEqual({ report: [`f:1: ${refusal}`] });
    expect(await importFile(database, "\n \n")).toEqual({ report: [`f:1: ${refusal}`] });
    expect(await importFile(database, [location(1), organization])).toEqual({
      report: [`f:1: location loc_1: ${refusal}`],
    });
    expect(await importFile(database, `\n{\n`)).toEqual({ report: ["f:2: is not valid JSON"] });
  });

  test("may follow blank lines, and creates a new organization", async () => {
    const database = await newDatabase();
    await mustImport(database, `\n\n${fileOf([organization])}`);
    expect(await exportText(database, "org_maple")).toBe(fileOf([organization]));
  });

  test("determines the organization even if other fields are invalid", async () => {
    const database = await newDatabase();
    const file = [
      { ...organization, timezone: "US/Nowhere", weekStartsOn: "Monday" },
      badLocation(1),
    ];
    expect(await importFile(database, file)).toEqual({
      report: [
        'f:1: organization org_maple: timezone: "US/Nowhere" must be a time zone, such as America/New_York',
        'f:1: organization org_maple: weekStartsOn: "Monday" is no weekStartsOn: SUNDAY, MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY',
        `f:2: location loc_1: ${TOO_SHORT}`,
      ],
    });
  });

  test("ends the import if its id is invalid", async () => {
    const database = await newDatabase();
    const file = [{ type: "organization", publicId: "org maple", name: "" }, badLocation(1)];
    expect(await importFile(database, file)).toEqual({
      report: [
        'f:1: organization: publicId: "org maple" must be an id of 1 to 128 letters, digits, underscores or hyphens',
        "f:1: organization: name: must not be empty",
      ],
    });
  });
});

describe("records", () => {
  test("may be in any order after the first line, and may name records of later lines", async () => {
    const database = await newDatabase();
    const [first, ...rest] = fullPractice;
    await mustImport(database, [first as Fields, ...rest.reverse()]);
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });

  test("of the same type must have unique ids; records of different types may have the same id", async () => {
    const database = await newDatabase();
    const child = (publicId: string): Fields => {
      const goals = fullPractice.find((record) => record.publicId === "goal_hands")?.childGoals;
      return { ...(goals as Fields[])[1], publicId };
    };
    const plan = [
      { type: "user", publicId: "same", role: "PATIENT", firstName: "A", lastName: "B" },
      { type: "treatmentPlan", publicId: "same", patientId: "same" },
      { type: "location", publicId: "same", name: "Same" },
    ];
    const hands = {
      ...fullPractice.find((record) => record.publicId === "goal_hands"),
      treatmentPlanId: "same",
    };
    expect(
      await importFile(database, [
        organization,
        ...plan,
        { ...hands, childGoals: [child("goal_1"), child("goal_1"), child("goal_hands")] },
        { ...hands, publicId: "goal_1", childGoals: [] },
        { type: "location", publicId: "same", name: "Again" },
      ]),
    ).toEqual({
      report: [
        'f:5: goal goal_hands: childGoals[0].publicId: "goal_1" is in this file twice, also on line 6',
        'f:5: goal goal_hands: childGoals[1].publicId: "goal_1" is in this file twice, also on line 6',
        'f:5: goal goal_hands: childGoals[2].publicId: "goal_hands" is in this file twice, also on line 5',
        'f:7: location same: publicId: "same" is in this file twice, first on line 4',
      ],
    });
  });
});

describe("a file with an invalid line", () => {
  test("writes nothing, neither into a new nor into an existing organization", async () => {
    const database = await newDatabase();
    expect(await importFile(database, [...fullPractice, badLocation(1)])).toEqual({
      report: [`f:${fullPractice.length + 1}: location loc_1: ${TOO_SHORT}`],
    });
    expect(await organizations(database)).toEqual([]);

    await mustImport(database, fullPractice);
    const file = [{ ...organization, name: "Other" }, location(1), badLocation(2)];
    expect(await importFile(database, file)).toEqual({
      report: [`f:3: location loc_2: ${TOO_SHORT}`],
    });
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });

  test("has no further errors for lines that refer to the invalid one", async () => {
    const database = await newDatabase();
    const bad = new Set(["loc_main", "usr_care", "usr_tech", "auth_1"]);
    const file = fullPractice.map((record) =>
      bad.has(String(record.publicId)) ? { ...record, note: "x" } : record,
    );
    const lineOf = (id: string) => file.findIndex((record) => record.publicId === id) + 1;
    expect(await importFile(database, file)).toEqual({
      report: [
        `f:${lineOf("loc_main")}: location loc_main: note: is no field of this record`,
        `f:${lineOf("usr_care")}: user usr_care: note: is no field of this record`,
        `f:${lineOf("usr_tech")}: user usr_tech: note: is no field of this record`,
        `f:${lineOf("auth_1")}: authorization auth_1: note: is no field of this record`,
      ],
    });
  });

  test("that repeats an id still reports errors of lines that refer to it", async () => {
    const technician = {
      type: "user",
      publicId: "usr_tech",
      role: "TECHNICIAN",
      firstName: "Ana",
      lastName: "Ruiz",
    };
    const plan = { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_tech" };
    const file = [organization, technician, technician, plan];
    expect(await importFile(await newDatabase(), file)).toEqual({
      report: [
        'f:3: user usr_tech: publicId: "usr_tech" is in this file twice, first on line 2',
        'f:4: treatmentPlan tp_1: patientId: "usr_tech" has the role TECHNICIAN, and must have PATIENT',
      ],
    });
  });

  test("is read to the end: every error is reported in the order of lines, including those found at the end", async () => {
    const database = await newDatabase();
    const file = [
      organization,
      {
        type: "user",
        publicId: "usr_kid",
        role: "PATIENT",
        firstName: "A",
        lastName: "B",
        caregiverId: "usr_care",
      },
      badLocation(1),
      { type: "user", publicId: "usr_care", role: "ADMIN", firstName: "A", lastName: "B" },
    ];
    expect(await importFile(database, `${fileOf(file)}x\n`)).toEqual({
      report: [
        'f:2: user usr_kid: caregiverId: "usr_care" has the role ADMIN, and must have CAREGIVER',
        `f:3: location loc_1: ${TOO_SHORT}`,
        "f:5: is not valid JSON",
      ],
    });
  });

  test("reports three errors of each kind, and the number of the others", async () => {
    const database = await newDatabase();
    const bad = Array.from({ length: 250 }, (_, index) => badLocation(index));
    const visit = { ...session, publicId: "apt_new" };
    const report = (line: number) => `f:${line}: location loc_${line - 2}: ${TOO_SHORT}`;
    expect(await importFile(database, [organization, ...bad.slice(0, 3)])).toEqual({
      report: [report(2), report(3), report(4)],
    });
    expect(await importFile(database, [organization, ...bad, { ...visit, title: 5 }])).toEqual({
      report: [
        report(2),
        report(3),
        report(4),
        'f:252: session apt_new: title: "5" must be text',
        `f: 247 more: location: ${TOO_SHORT}`,
      ],
    });
  });

  test("reports at most a hundred lines with different errors", async () => {
    const database = await newDatabase();
    const bad = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...location(index), [`field${index}`]: 1 }));
    const report = (line: number) =>
      `f:${line}: location loc_${line - 2}: field${line - 2}: is no field of this record`;
    for (const count of [99, 100, 101, 250])
      expect(await importFile(database, [organization, ...bad(count)])).toEqual({
        report: Array.from({ length: Math.min(count, 100) }, (_, index) => report(index + 2)),
      });
  });
});

describe("a line with many errors", () => {
  test("of one kind reports three of them, wherever in a list they are", async () => {
    const unknown = Array.from({ length: 50 }, (_, index) => `loc_${index}`);
    const user = { type: "user", publicId: "usr_1", firstName: "A", lastName: "B" };
    const admin = { ...user, role: "ADMIN", locationIds: unknown };
    const reported = unknown
      .slice(0, 3)
      .map(
        (id, index) =>
          `f:2: user usr_1: locationIds[${index}]: "${id}" is no location of the file or the database`,
      );
    expect(await importFile(await newDatabase(), [organization, admin])).toEqual({
      report: [
        ...reported,
        "f: 47 more: user: locationIds[]: is no location of the file or the database",
      ],
    });
  });

  test("reports at most fifty errors", async () => {
    const unknown = Array.from({ length: 60 }, (_, index) => [`field${index}`, 1] as const);
    const record = { ...location(1), ...Object.fromEntries(unknown) };
    const { report } = (await importFile(await newDatabase(), [organization, record])) as {
      report: string[];
    };
    expect(report).toHaveLength(50);
  });
});

describe("a dry run", () => {
  test("reports what an import reports, and writes nothing", async () => {
    const database = await newDatabase();
    const dryRun = { dryRun: true };
    const outcome = await importFile(database, fullPractice, dryRun);
    expect(await organizations(database)).toEqual([]);
    expect(outcome).toEqual(await importFile(database, fullPractice));

    const changed = [
      { ...organization, name: "Other" },
      { ...session, title: "Other" },
    ];
    expect(await importFile(database, changed, dryRun)).toEqual({
      counts: { organization: 1, session: 1 },
    });
    const unfit = [organization, { ...session, authorizationId: null }];
    expect(await importFile(database, unfit, dryRun)).toEqual(await importFile(database, unfit));
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });
});

describe("the audit trail", () => {
  test("records an import, but not one that wrote nothing", async () => {
    const database = await newDatabase();
    await importFile(database, fullPractice, { dryRun: true });
    await importFile(database, [organization, badLocation(1)]);
    await mustImport(database, fullPractice);
    const rows = await database.read((db) =>
      db.selectFrom("audit_entries").select(["organization_id", "method", "route"]).execute(),
    );
    expect(rows).toEqual([{ organization_id: "org_maple", method: "COMMAND", route: "import" }]);
  });
});
