import { CompiledQuery } from "kysely";
import { describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Database } from "../../db/database.ts";
import { exportCommand } from "../../src/commands/export.ts";
import { importCommand, openPracticeFile } from "../../src/commands/import.ts";
import { templateCommand } from "../../src/commands/template.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import { fillFolder } from "../../src/practice-file/csv/write.ts";
import { type RecordType, recordTypes } from "../../src/schema/record-types.ts";
import { captureOutput } from "../support/commands/practice.ts";
import { newDatabase, temporaryFolder, TestClock } from "../support/harness.ts";
import {
  billedEncounter,
  databaseOfFullPractice,
  fullPractice,
  skillGoal,
} from "../support/practice-file/full-practice.ts";
import {
  exportRecords,
  exportText,
  mustImport,
  recordOf,
} from "../support/practice-file/practice-file.ts";

const ORGANIZATION = "publicId,name\norg_maple,Maple\n";

async function* nothing(): AsyncGenerator<Uint8Array> {}

function folderOf(files: Record<string, string | Uint8Array>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Imports a folder and returns the messages, with `F` in place of its path. */
async function importFolder(
  database: Database,
  folder: string,
  { dryRun = false, ignoreColumns = false } = {},
) {
  const output = captureOutput();
  const context = { database, clock: new TestClock(), operator: "ana", output };
  const importing = async () =>
    importCommand(
      { ...context, terminal: new PassThrough() },
      openPracticeFile(folder, nothing(), ignoreColumns) as never,
      dryRun ? { dryRun } : {},
    );
  const refusal = await importing().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CommandError) return error.message;
      throw error;
    },
  );
  const short = (text: string) => text.replaceAll(folder, "F");
  return { said: output.said.map(short), refusal: refusal && short(refusal) };
}

async function exportFolder(database: Database) {
  const folder = join(temporaryFolder(), "csv");
  const output = captureOutput();
  const context = { database, clock: new TestClock(), operator: "ana", output };
  await exportCommand({ ...context, stdout: new PassThrough() }, "org_maple", { csv: folder });
  return { folder, said: output.said };
}

async function imported(files: Record<string, string | Uint8Array>) {
  const database = await newDatabase();
  const folder = folderOf({ "organization.csv": ORGANIZATION, ...files });
  const { said, refusal } = await importFolder(database, folder);
  if (refusal !== undefined) throw new Error([...said, refusal].join("\n"));
  return exportRecords(database, "org_maple");
}

async function refused(files: Record<string, string | Uint8Array>) {
  const folder = folderOf({ "organization.csv": ORGANIZATION, ...files });
  const { said, refusal } = await importFolder(await newDatabase(), folder);
  return [...said, refusal];
}

describe("export --csv", () => {
  test("writes every record type and field, so that an import gives the same practice", async () => {
    const database = await databaseOfFullPractice();
    const { folder, said } = await exportFolder(database);
    expect(said).toEqual([
      `Wrote org_maple into ${folder}, ${readdirSync(folder).length} files.`,
      "Sequence 1",
    ]);
    const other = await newDatabase();
    expect((await importFolder(other, folder)).refusal).toBeUndefined();
    expect(await exportText(other, "org_maple")).toBe(await exportText(database, "org_maple"));
  });

  test("creates a folder with mode 700 and files with mode 600, and overwrites nothing", async () => {
    const database = await databaseOfFullPractice();
    const { folder } = await exportFolder(database);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder))
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const rows = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["patient_ids", "target"])
        .where("route", "=", "export")
        .execute(),
    );
    expect(rows).toEqual([{ patient_ids: '"*"', target: folder }]);
    expect(templateCommand(captureOutput(), { csv: folder })).rejects.toThrow(
      `${folder} already exists; name a new folder, or an empty one.`,
    );
  });

  test("leaves no file and no new folder if it fails", async () => {
    const database = await newDatabase();
    const folder = join(temporaryFolder(), "csv");
    const output = captureOutput();
    const context = { database, clock: new TestClock(), operator: "ana", output };
    const stdout = new PassThrough();
    expect(exportCommand({ ...context, stdout }, "org_none", { csv: folder })).rejects.toThrow(
      "There is no organization org_none",
    );
    const empty = temporaryFolder();
    for (const path of [folder, empty]) {
      const seen: string[][] = [];
      const filling = fillFolder(path, async (writer) => {
        for (const record of fullPractice) writer.write(record.type as RecordType, record);
        seen.push(readdirSync(path).filter((name) => !name.endsWith(".unfinished")));
        throw new CommandError("The disk is gone");
      });
      expect(filling).rejects.toThrow("The disk is gone");
      await filling.catch(() => {});
      expect(seen).toEqual([[]]);
    }
    expect([existsSync(folder), readdirSync(empty)]).toEqual([false, []]);
  });

  test("reports a folder that cannot be written", async () => {
    const folder = join(temporaryFolder(), "none", "csv");
    expect(templateCommand(captureOutput(), { csv: folder })).rejects.toThrow(
      `Cannot write ${folder} (ENOENT): its folder must be writable and have room.`,
    );
  });

  test("reports values that a cell cannot represent", async () => {
    const database = await newDatabase();
    const [organization = {}] = fullPractice;
    const user = { type: "user", firstName: "A", lastName: "B" };
    await mustImport(database, [
      organization,
      { ...user, publicId: "usr_1", role: "CAREGIVER" },
      { ...user, publicId: "usr_2", role: "PATIENT", city: "", state: " NY" },
      { type: "location", publicId: "loc_1", name: " A" },
      {
        type: "intakeLead",
        publicId: "lead_1",
        clientId: "usr_2",
        caregiverId: "usr_1",
        relationship: "MOTHER",
        attribution: {},
      },
    ]);
    expect((await exportFolder(database)).said.slice(1)).toEqual([
      "Note: 2 empty texts or objects in nullable fields became empty cells, which an import reads as null.",
      "Note: 2 texts begin or end with white space, which an import removes from cells.",
      "Sequence 1",
    ]);
  });

  test("reports one file, and one value that a cell cannot represent", async () => {
    const database = await newDatabase();
    await mustImport(database, fullPractice.slice(0, 1));
    expect((await exportFolder(database)).said[0]).toEndWith(", 1 file.");
    await mustImport(database, [
      { ...fullPractice[0], name: "Maple " },
      {
        ...{ type: "user", publicId: "usr_1", role: "PATIENT" },
        firstName: "A",
        lastName: "B",
        city: "",
      },
    ]);
    expect((await exportFolder(database)).said.slice(1)).toEqual([
      "Note: 1 empty text or object in a nullable field became an empty cell, which an import reads as null.",
      "Note: 1 text begins or ends with white space, which an import removes from cells.",
      "Sequence 2",
    ]);
  });

  test("keeps texts that look like formulas, lists or quotes", async () => {
    const names = ["=1+1", "+1", "-1", "@a", 'a "b"', "a,b;c", "a\r\nb\nc", "[1]", "true", "7"];
    const [organization = {}] = fullPractice;
    const database = await newDatabase();
    await mustImport(database, [
      organization,
      ...names.map((name, index) => ({ type: "payor", publicId: `pay_${index}`, name })),
      {
        type: "user",
        publicId: "usr_1",
        role: "CLINICIAN",
        firstName: "A",
        lastName: "B",
        complianceCredentials: ["a;b", ""],
      },
      { type: "user", publicId: "usr_kid", role: "PATIENT", firstName: "A", lastName: "B" },
      { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_kid" },
      // An empty list that is required.
      { ...skillGoal, enabledOutcomes: [], childGoals: [] },
    ]);
    const other = await newDatabase();
    await importFolder(other, (await exportFolder(database)).folder);
    expect(await exportText(other, "org_maple")).toBe(await exportText(database, "org_maple"));
  });
});

test("template --csv creates a folder that can be imported, with two rows in every file except organization.csv", async () => {
  const folder = join(temporaryFolder(), "csv");
  const output = captureOutput();
  await templateCommand(output, { csv: folder });
  const explained = output.said
    .slice(0, -1)
    .flatMap((line) => line.split(": ")[0]?.split(", ") ?? []);
  expect(explained.sort()).toEqual(readdirSync(folder).sort());
  const { said, refusal } = await importFolder(await newDatabase(), folder);
  expect(refusal).toBeUndefined();
  expect(said[0]).toBe("Imported into org_example:");
  expect(said).toContain("location           2        0        0          0        0");
  for (const name of readdirSync(folder)) {
    const rows = readFileSync(join(folder, name), "utf8").split("\r\n").length - 2;
    if (name === "organization.csv") expect(rows).toBe(1);
    else expect(rows).toBeGreaterThanOrEqual(2);
  }
  // Those of users are three, since payors and credentials are lists of objects.
  expect(readdirSync(folder)).toHaveLength(recordTypes.length + 2);
});

describe("import of a folder of CSV", () => {
  const location = { type: "location", publicId: "loc_1", name: "Main" };

  test("accepts commas and semicolons, LF and CRLF, a byte order mark, and empty rows and columns", async () => {
    for (const text of [
      "publicId,name\nloc_1,Main\n",
      ",,\npublicId,name,,\nloc_1,Main,,\n",
      "\ufeffpublicId;name\r\nloc_1;Main\r\n",
      '"name","publicId"\r\n\r\n,\r\n"Main","loc_1"',
    ])
      expect((await imported({ "location.csv": text }))[1]).toEqual(location);
  });

  test("accepts quotes and line breaks in cells", async () => {
    const text = 'publicId;name\r\nloc_1;"The ""Main""; a, b\r\nclinic"\r\n';
    expect((await imported({ "location.csv": text }))[1]).toEqual({
      ...location,
      name: 'The "Main"; a, b\r\nclinic',
    });
  });

  test("accepts lists with semicolons, TRUE as spreadsheets write it, and a user's entries in their own files", async () => {
    const records = await imported({
      "location.csv": "publicId,name\nloc_1,Main\nloc_2,North\n",
      "payor.csv": "publicId,name\npay_1,Acme\n",
      "user.csv":
        "publicId,role,firstName,lastName,isActive,locationIds,npiNumber\nusr_1,PATIENT,A,B,TRUE,loc_1; loc_2,\n",
      "user.payors.csv":
        "publicId,payorId,priority,relationshipToPatient,insuredBirthDate,insuredAddress.city,memberId,groupId,planHolder,effectiveStartDate\n" +
        'usr_1,pay_1,PRIMARY,SELF,1990-01-01,Albany,M,"",P,2026-01-01\n',
    });
    expect(records.at(-1)).toMatchObject({
      publicId: "usr_1",
      isActive: true,
      locationIds: ["loc_1", "loc_2"],
      payors: [{ payorId: "pay_1", insuredAddress: { city: "Albany" }, groupId: null }],
    });
  });

  test("reports invalid cells by file, row and column with their values, and writes nothing", async () => {
    const database = await newDatabase();
    const folder = folderOf({
      "organization.csv": ORGANIZATION,
      "location.csv": 'publicId,name\nloc_1,"two\nlines"\nloc_1,Again\nloc_2,\n',
      "serviceLine.csv": "publicId,name,billingUnitMinutes\nsvc_1,A,many\nsvc_2,B,\n",
      "specialization.csv": "publicId,name,isActive\nspec_1,A,1\nspec_2,A,true,more\n",
      "user.csv":
        "publicId,role,firstName,lastName,email,caregiverId\nusr_1,PATIENT,A,B,a@b.c,\nusr_2,CLINICIAN,A,B,,usr_1\nusr_3,CAREGIVER,A,B,A@b.c,\n",
      "user.credentials.csv":
        "publicId,credentialType,practiceArea,credentialNumber,expiresAt,credentialStatus\n" +
        "usr_4,A,B,C,2028-01-01T00:00:00Z,D\nusr_2,A,B,C,soon,D\n",
    });
    const { said, refusal } = await importFolder(database, folder);
    expect(said).toEqual([
      'F/location.csv:3: location loc_1: publicId: "loc_1" is in this file twice, first on F/location.csv:2',
      "F/location.csv:4: location loc_2: name: is required",
      'F/serviceLine.csv:2: serviceLine svc_1: billingUnitMinutes: "many" must be a whole number',
      'F/specialization.csv:2: specialization spec_1: isActive: "1" must be yes or no',
      "F/specialization.csv:3: has more cells than the header",
      'F/user.credentials.csv:3: user usr_2: expiresAt: "soon" must be a time, such as 2026-10-01 15:30 or 10/1/2026 3:30 PM',
      "F/user.csv:3: user usr_2: caregiverId: is no field of this record",
      'F/user.csv:4: user usr_3: email: "A@b.c" is also the email of usr_1 on F/user.csv:2',
      "F/user.credentials.csv:2: publicId: is no user of user.csv",
      'In a cell, separate several ids with ";". Write yes or no, decimals with a point, dates as 2026-03-01 or 3/1/2026, and times as 2026-03-01 14:30 or 3/1/2026 2:30 PM.',
    ]);
    expect(refusal).toBe("F has 8 lines with mistakes. Nothing was written.");
    expect(
      await database.read((db) => db.selectFrom("organizations").selectAll().execute()),
    ).toEqual([]);
  });

  test("writes nothing with --dry-run", async () => {
    const database = await newDatabase();
    const folder = folderOf({ "organization.csv": ORGANIZATION });
    expect(await importFolder(database, folder, { dryRun: true })).toEqual({
      said: [
        "F can be imported into org_maple; this was a dry run, and nothing was written:",
        "type          created  changed  unchanged  deleted  missing",
        "organization  1        0        0          0        0",
      ],
      refusal: undefined,
    });
    expect(
      await database.read((db) => db.selectFrom("organizations").selectAll().execute()),
    ).toEqual([]);
  });

  test("refuses unknown files and columns, each once", async () => {
    expect(await refused({ "clients.csv": "" })).toEqual([
      expect.stringMatching(
        /^F\/clients\.csv is of no record type; the files are organization\.csv, /,
      ),
    ]);
    expect(await refused({ "location.csv": "publicId,nam\nloc_1,Main\n" })).toEqual([
      'F/location.csv:1: "nam" is no field; the columns are publicId, name, deleted. --ignore-columns leaves it out.',
    ]);
    const files = {
      "location.csv": "Clinic Name,name,,Street\nA,B,C,D\n",
      "payor.csv": "name,name,note\n",
    };
    expect((await refused(files)).flatMap((text) => text?.split("\n"))).toEqual([
      'F/location.csv:1: "Clinic Name", a column without a heading, "Street" are no fields; the columns are publicId, name, deleted. --ignore-columns leaves them out.',
      'F/payor.csv:1: "note" is no field; the columns are publicId, name, deleted. --ignore-columns leaves it out.',
      'F/payor.csv:1: "name" occurs twice in the header.',
    ]);
  });

  test("leaves out unknown columns with --ignore-columns, and notes which", async () => {
    const folder = folderOf({
      "organization.csv": ORGANIZATION,
      "location.csv": "Clinic,publicId,name,Clinic\nA,loc_1,Main,B\n",
    });
    const database = await newDatabase();
    const { said } = await importFolder(database, folder, { ignoreColumns: true });
    expect(said).toContain('Note: Left out of location.csv: "Clinic", "Clinic".');
    expect((await exportRecords(database, "org_maple"))[1]).toEqual(location);
  });

  test("refuses files that are not CSV or not UTF-8", async () => {
    expect(await refused({ "location.csv": "" })).toEqual(["F/location.csv has no header."]);
    expect(await refused({ "location.csv": 'publicId,name\nloc_1,a"b\n' })).toEqual([
      'F/location.csv:2: The row cannot be read as CSV: a cell contains a quotation mark; put the cell in quotation marks, and write "" for each one in it.',
    ]);
    expect(await refused({ "location.csv": 'publicId,name\nloc_1,"a"b\n' })).toEqual([
      'F/location.csv:2: The row cannot be read as CSV: there is text after a closing quotation mark; write "" for a quotation mark within a cell.',
    ]);
    expect(await refused({ "location.csv": 'publicId,name\nloc_1,"a\n' })).toEqual([
      "F/location.csv:2: The row cannot be read as CSV: a quotation mark is not closed.",
    ]);
    expect(
      await refused({ "location.csv": `publicId,name\nloc_1,"${"a,b\n".repeat(9e6)}` }),
    ).toEqual([
      "F/location.csv:2: The row cannot be read as CSV: it is longer than 32 MiB; a quotation mark may not be closed.",
    ]);
    expect(
      await refused({ "location.csv": Buffer.from("publicId,name\nl,M\xe9\n", "latin1") }),
    ).toEqual(['F/location.csv:2: The row is not valid UTF-8; save it as "CSV UTF-8".']);
  });

  test("refuses a long file without a line break quickly", async () => {
    expect(await refused({ "location.csv": "x".repeat(1_000_000) })).toEqual([
      `F/location.csv:1: "${"x".repeat(40)}…" is no field; the columns are publicId, name, deleted. --ignore-columns leaves it out.`,
    ]);
  });

  test("refuses a file that was probably meant to be read", async () => {
    for (const name of ["location.csv.txt", "location.tsv", "location"])
      expect(await refused({ [name]: "publicId,name\n" })).toEqual([
        `F/${name} is not a CSV file. Save it as "CSV UTF-8" under the name location.csv, or remove it.`,
      ]);
    const folder = folderOf({ "organization.csv.txt": "publicId,name\n" });
    expect((await importFolder(await newDatabase(), folder)).refusal).toBe(
      'F/organization.csv.txt is not a CSV file. Save it as "CSV UTF-8" under the name organization.csv, or remove it.',
    );
    expect(await refused({ "Location.csv.txt": "" })).toEqual([
      'F/Location.csv.txt is not a CSV file. Save it as "CSV UTF-8" under the name location.csv, or remove it.',
    ]);
    const both = { "location.csv": "publicId,name\n", "location.csv.bak": "", "notes.txt": "" };
    expect(await imported(both)).toHaveLength(1);
  });

  test("refuses an unreadable file", async () => {
    const folder = folderOf({ "organization.csv": ORGANIZATION });
    mkdirSync(join(folder, "location.csv"));
    const { refusal } = await importFolder(await newDatabase(), folder);
    expect(refusal).toBe(
      "Cannot read F/location.csv (EISDIR); check that it is a file, and its permissions.",
    );
  });

  test("requires organization.csv with a row", async () => {
    expect(await refused({ "organization.csv": "publicId,name\n" })).toEqual([
      "F/organization.csv has no row.",
    ]);
    const folder = temporaryFolder();
    mkdirSync(join(folder, "csv"));
    expect(await importFolder(await newDatabase(), join(folder, "csv"))).toEqual({
      said: [],
      refusal: "F has no organization.csv; every practice has one.",
    });
  });
});

describe("importing a folder of CSV over an existing practice", () => {
  const zoned = "publicId,timezone\norg_maple,America/New_York\n";
  const own = "publicId\norg_maple\n";

  /** Imports a folder over the full practice and returns a record. */
  async function over(files: Record<string, string>, publicId: string) {
    const database = await databaseOfFullPractice();
    const { said, refusal } = await importFolder(
      database,
      folderOf({ "organization.csv": own, ...files }),
    );
    if (refusal !== undefined) return { said: said.slice(0, -1) };
    const records = await exportRecords(database, "org_maple");
    return records.find((record) => record.publicId === publicId);
  }

  test("keeps fields without a column, and clears fields with an empty cell", async () => {
    const user = "publicId,city,state\nusr_kid,,MA\n";
    expect(await over({ "user.csv": user }, "usr_kid")).toMatchObject({
      city: null,
      state: "MA",
      firstName: "Leo",
      timezone: "America/New_York",
      payors: [{ payorId: "pay_birch" }, { payorId: "pay_acme" }],
    });
  });

  test("accepts what was handed over of an encounter in the columns of exports before 1.0.0", async () => {
    const encounters = [
      "publicId,authorizationId,startTime,units,billed.batch,billed.at,billed.line",
      "enc_8,auth_1,2026-01-09 09:00,1,,,",
      'enc_9,auth_1,2026-01-09 09:00,1,W2,2026-01-12 10:00,"{""units"":1}"',
    ].join("\n");
    const files = { "encounter.csv": encounters };
    const given = { batch: "W2", at: "2026-01-12T15:00:00.000Z" };
    expect([await over(files, "enc_8"), await over(files, "enc_9")]).toMatchObject([
      { billed: [] },
      { billed: [{ ...given, takenBackAt: null, line: { units: 1 } }] },
    ]);
  });

  test("ignores an empty cell in a field that the record's variant does not have", async () => {
    const users = "publicId,city,npiNumber,careTeamTechnicianIds\nusr_tech,,7,\n";
    expect(await over({ "user.csv": users }, "usr_tech")).toMatchObject({ npiNumber: "7" });
    const sessions = "publicId,title,nonBillableCode,services\napt_1,Renamed,,svc_97153\n";
    expect(await over({ "session.csv": sessions }, "apt_1")).toMatchObject({ title: "Renamed" });
  });

  test("gives users exactly the entries of a list that has a file", async () => {
    const users = "publicId\nusr_kid\nusr_kid2\nusr_tech\n";
    const entries =
      "publicId,payorId,priority,relationshipToPatient,insuredBirthDate,insuredAddress.city,memberId,planHolder,effectiveStartDate\n" +
      "usr_kid,pay_acme,PRIMARY,SELF,4/2/2019,Salem,M,P,1/1/2026\n";
    const user = await over({ "user.csv": users, "user.payors.csv": entries }, "usr_kid");
    expect(user).toMatchObject({
      payors: [
        {
          payorId: "pay_acme",
          insuredBirthDate: "2019-04-02",
          effectiveStartDate: "2026-01-01",
          insuredAddress: { city: "Salem", state: null },
        },
      ],
      city: "Burlington",
    });
    const [header = ""] = entries.split("\n");
    expect(
      await over({ "user.csv": users, "user.payors.csv": `${header}\n` }, "usr_kid"),
    ).toMatchObject({ payors: [] });
  });

  test("deletes the record of a row with deleted, ignoring its other cells", async () => {
    const rows = "publicId,deleted,units\nenc_1,yes,many\nenc_2,no,3\n";
    expect(await over({ "encounter.csv": rows }, "enc_1")).toBeUndefined();
    expect(await over({ "encounter.csv": rows }, "enc_2")).toMatchObject({ units: 3 });
    expect(await over({ "encounter.csv": "publicId,deleted\nenc_1,maybe\n" }, "enc_1")).toEqual({
      said: [expect.stringMatching(/encounter enc_1: deleted: "maybe" must be yes or no$/)],
    });
  });

  test("leaves the entries of a user with the id of another record that is deleted", async () => {
    const files = {
      "location.csv": "publicId,deleted\nusr_tech,yes\n",
      "user.csv": "publicId\nusr_tech\n",
      "user.credentials.csv":
        "publicId,credentialType,practiceArea,credentialNumber,expiresAt,credentialStatus\n" +
        "usr_tech,RBT,ABA,RBT-2,2028-03-01T00:00:00Z,active\n",
    };
    expect(await over(files, "usr_tech")).toMatchObject({
      credentials: [{ credentialNumber: "RBT-2" }],
    });
  });

  test("takes the last day of a credential until its end in the practice's zone", async () => {
    const files = {
      "user.csv": "publicId,recertificationDate\nusr_tech,1-Feb-28\n",
      "user.credentials.csv":
        "publicId,credentialType,practiceArea,credentialNumber,expiresAt,credentialStatus\n" +
        "usr_tech,RBT,ABA,RBT-2,3/1/2028,active\n",
    };
    expect(await over(files, "usr_tech")).toMatchObject({
      recertificationDate: "2028-02-02T04:59:59.999Z",
      credentials: [{ expiresAt: "2028-03-02T04:59:59.999Z" }],
    });
  });

  test("trims cells, and accepts yes, no and enumerations in any letter case", async () => {
    const row =
      "publicId,status,isSupervision,isClientPresent,placeOfService\n apt_1 , Patient no-show ,YES, No ,temporary lodging\n";
    expect(await over({ "session.csv": row }, "apt_1")).toMatchObject({
      status: "PATIENT_NO_SHOW",
      isSupervision: true,
      isClientPresent: false,
      placeOfService: "TEMPORARY_LODGING",
    });
  });

  test("accepts the words that tell a record's variant in any letter case, too", async () => {
    const users = "publicId,role,firstName,lastName\nusr_new,Billing manager,Bo,Lee\n";
    expect(await over({ "user.csv": users }, "usr_new")).toMatchObject({ role: "BILLING_MANAGER" });
    const goals = "publicId,goalType,title,status\ngoal_behavior,Rating,Calm,on hold\n";
    expect(await over({ "goal.csv": goals }, "goal_behavior")).toMatchObject({
      goalType: "rating",
      status: "ON_HOLD",
    });
  });

  test.each([
    ["2026-10-01 15:30", "2026-10-01T19:30:00.000Z"],
    ["2026-10-01T15:30:00", "2026-10-01T19:30:00.000Z"],
    ["10/1/2026 3:30 PM", "2026-10-01T19:30:00.000Z"],
    ["10/1/2026 3:30:05 PM", "2026-10-01T19:30:05.000Z"],
    ["10/1/2026 15:30", "2026-10-01T19:30:00.000Z"],
    ["10/1/2026 12:05 am", "2026-10-01T04:05:00.000Z"],
    ["10/1/2026 12:05 PM", "2026-10-01T16:05:00.000Z"],
    ["2026-10-01 15:30Z", "2026-10-01T15:30:00.000Z"],
    ["2026-10-01T15:30:00.125+02:00", "2026-10-01T13:30:00.125Z"],
    ["2026-11-01 01:30-05:00", "2026-11-01T06:30:00.000Z"],
    ["2026-10-01 15:30:00 UTC", "2026-10-01T15:30:00.000Z"],
    ["2026-10-01 15:30:00 -0400", "2026-10-01T19:30:00.000Z"],
    ["2026/10/1 15:30", "2026-10-01T19:30:00.000Z"],
    ["11/1/2026 1:30 AM -04:00", "2026-11-01T05:30:00.000Z"],
    ["10/1/26 3:30 PM", "2026-10-01T19:30:00.000Z"],
    ["10/1/75 3:30 PM", "2075-10-01T19:30:00.000Z"],
    ["1-Oct-26 15:30", "2026-10-01T19:30:00.000Z"],
    ["Oct 1, 2026 3:30 PM", "2026-10-01T19:30:00.000Z"],
    ["October 1, 2026, 3:30PM", "2026-10-01T19:30:00.000Z"],
  ])("converts %s to %s", async (cell, startTime) => {
    const rows = `publicId,startTime\nenc_2,"${cell}"\n`;
    expect(await over({ "encounter.csv": rows }, "enc_2")).toMatchObject({ startTime });
  });

  test.each([
    ["2026-10-01", "is a date without a time of day, such as 2026-10-01 15:30"],
    ["10/1/2026", "is a date without a time of day, such as 2026-10-01 15:30"],
    ["10/1/126 3:30 PM", "must be a time, such as 2026-10-01 15:30 or 10/1/2026 3:30 PM"],
    ["11-Dez-26 3:30 PM", "must be a time, such as 2026-10-01 15:30 or 10/1/2026 3:30 PM"],
    ["Feb 30, 2026 3:30 PM", "must be a time, such as 2026-10-01 15:30 or 10/1/2026 3:30 PM"],
    ["10/1/2026 13:30 PM", "must be a time, such as 2026-10-01 15:30 or 10/1/2026 3:30 PM"],
    ["31/1/2026 3:30", "must be a time, such as 2026-10-01 15:30 or 10/1/2026 3:30 PM"],
    [
      "2026-03-08 02:30",
      "does not exist in America/New_York, because the clocks go forward: add an offset",
    ],
    [
      "11/1/2026 1:30 AM",
      "occurs twice in America/New_York, because the clocks go back: add -04:00 or -05:00",
    ],
  ])("refuses %s as a time: it %s", async (cell, message) => {
    const rows = `publicId,startTime\nenc_2,"${cell}"\n`;
    expect(await over({ "encounter.csv": rows }, "enc_2")).toEqual({
      said: [expect.stringMatching(`encounter.csv:2: encounter enc_2: startTime: "${cell}" `)],
    });
    const { said = [] } = (await over({ "encounter.csv": rows }, "enc_2")) as { said: string[] };
    expect(said[0]).toEndWith(message);
  });

  test("reads times in the time zone of organization.csv or the stored one, and refuses them without a zone", async () => {
    const rows = "publicId,startTime\nenc_2,2026-10-01 15:30\n";
    const folder = (organization: string) => ({
      "organization.csv": organization,
      "encounter.csv": rows,
    });
    expect(await over(folder(zoned), "enc_2")).toMatchObject({
      startTime: "2026-10-01T19:30:00.000Z",
    });
    expect(
      await over(folder("publicId,timezone\norg_maple,America/Chicago\n"), "enc_2"),
    ).toMatchObject({ startTime: "2026-10-01T20:30:00.000Z" });
    const { said = [] } = (await over(folder("publicId,timezone\norg_maple,\n"), "enc_2")) as {
      said: string[];
    };
    expect(said[0]).toEndWith(
      "is a local time, but the practice has no timezone: add one to organization.csv, or add Z or an offset to the time",
    );
  });

  // The clock of the tests is at 2026-03-11.
  test.each([
    ["4/2/2019", "2019-04-02"],
    ["4/2/2019 0:00", "2019-04-02"],
    ["4/2/2019 12:00:00 AM", "2019-04-02"],
    ["2019-04-02 00:00:00.000", "2019-04-02"],
    ["2019-04-02T00:00:00Z", "2019-04-02"],
    ["4/2/19 0:00", "2019-04-02"],
    ["4/2/2019 0:01", undefined],
    ["4/2/2019 12:00 PM", undefined],
    ["2019-04-02T00:00:00-05:00", undefined],
    ["4/2/19", "2019-04-02"],
    ["3/11/26", "2026-03-11"],
    ["3/12/26", "1926-03-12"],
    ["2/29/28", "1928-02-29"],
    ["2/29/27", undefined],
    ["11-Dec-98", "1998-12-11"],
    ["11 dec 2018", "2018-12-11"],
    ["Dec 11, 2018", "2018-12-11"],
    ["Sept 1, 2018", "2018-09-01"],
    ["December 11 18", "2018-12-11"],
    ["1/2/2019 0:00", "2019-01-02"],
    ["31/1/2019", "has the day before the month: write the dates of the file as"],
    ["Feb 30, 2019", undefined],
  ])("reads %s as the birth date %s", async (cell, birthDate) => {
    const users = `publicId,birthDate\nusr_kid,"${cell}"\n`;
    expect(await over({ "user.csv": users }, "usr_kid")).toMatchObject(
      birthDate === undefined
        ? { said: [expect.stringContaining("must be a date that exists")] }
        : birthDate.startsWith("has ")
          ? { said: [expect.stringContaining(birthDate)] }
          : { birthDate },
    );
  });

  test("notes years of two digits, which are of this century but for births", async () => {
    const files = {
      "organization.csv": zoned,
      "user.csv": "publicId,birthDate\nusr_kid,4/2/99\n",
      "authorization.csv":
        "publicId,authorizationDate,authorizationExpirationDate\nauth_1,1/7/26,7-Jul-99\n",
    };
    const database = await databaseOfFullPractice();
    const { said } = await importFolder(database, folderOf(files));
    expect(said).toContain("Note: 3 years have two digits, read as 1999 to 2099.");
    expect(await recordOf(database, "auth_1")).toMatchObject({
      authorizationDate: "2026-01-07",
      authorizationExpirationDate: "2099-07-07",
    });
  });

  test("notes cells that a spreadsheet has probably spoilt, and changes none of them", async () => {
    const users = [
      "publicId,firstName,city,state,postalCode,phoneNumber,internalRecordId",
      "usr_kid,JosÃ©,n/a,MA,2134,5055550112.0,5.1856E+09",
    ];
    const database = await databaseOfFullPractice();
    const files = { "organization.csv": zoned, "user.csv": users.join("\n") };
    const { said } = await importFolder(database, folderOf(files));
    expect(said.filter((line) => line.startsWith("Note: user.csv"))).toEqual([
      "Note: user.csv, firstName: wrong letters (row 2).",
      "Note: user.csv, city: stands for nothing (row 2).",
      "Note: user.csv, postalCode: ZIP code that lost its zero (row 2).",
      "Note: user.csv, phoneNumber: number with .0 (row 2).",
      "Note: user.csv, internalRecordId: shortened number (row 2).",
    ]);
    expect(await recordOf(database, "usr_kid")).toMatchObject({
      ...{ firstName: "JosÃ©", city: "n/a", postalCode: "2134" },
      ...{ phoneNumber: "5055550112.0", internalRecordId: "5.1856E+09" },
    });
  });

  test("refuses an error of a formula in any column", async () => {
    const users = "publicId,city,birthDate\nusr_kid,#N/A,#REF!\n";
    expect(await over({ "user.csv": users }, "usr_kid")).toMatchObject({
      said: [
        'F/user.csv:2: user usr_kid: city: "#N/A" is an error of a formula',
        'F/user.csv:2: user usr_kid: birthDate: "#REF!" is an error of a formula',
      ],
    });
  });

  describe("session.csv with date, start and end", () => {
    const office = (row: string, header = "publicId,date,start,end") =>
      over({ "session.csv": `${header}\n${row}\n` }, "apt_1");

    test.each([
      ["apt_1,10/1/2026,9:30 AM,11:00", "2026-10-01T13:30:00.000Z", "2026-10-01T15:00:00.000Z"],
      ["apt_1,1-Oct-26,09:30,9:30", "2026-10-01T13:30:00.000Z", "2026-10-01T13:30:00.000Z"],
      [
        "apt_1,11/1/2026,1:30 AM -04:00,1:30-05:00",
        "2026-11-01T05:30:00.000Z",
        "2026-11-01T06:30:00.000Z",
      ],
    ])("reads %s", async (row, startTime, endTime) => {
      expect(await office(row)).toMatchObject({ startTime, endTime });
    });

    test.each([
      ["apt_1,10/1/2026,9:30 AM,9:00 AM", "end: ", "is before startTime"],
      [
        "apt_1,10/1/2026,half,9:00 AM",
        'start: "half"',
        "must be a time of day, such as 9:30 AM or 15:30",
      ],
      ["apt_1,10/1/2026,9:00,", "end:", "must be a time of day, such as 9:30 AM or 15:30"],
      [
        "apt_1,11/1/2026,1:30,3:00",
        'start: "1:30"',
        "occurs twice in America/New_York, because the clocks go back: add -04:00 or -05:00",
      ],
      [
        "apt_1,10/32/2026,9:30 AM,9:00 AM",
        'date: "10/32/2026"',
        "must be a date that exists, such as 2026-10-01 or 10/1/2026",
      ],
      [
        "apt_1,,9:30 AM,9:00 AM",
        "date:",
        "must be a date that exists, such as 2026-10-01 or 10/1/2026",
      ],
      ["apt_1,,,", "start:", "is required"],
    ])("refuses %s at %s", async (row, column, message) => {
      const { said = [] } = (await office(row)) as { said: string[] };
      expect(said[0]).toStartWith(`F/session.csv:2: session apt_1: ${column}`);
      expect(said[0]).toEndWith(message);
      expect(said).toHaveLength(row === "apt_1,,," ? 2 : 1);
    });

    test.each(["publicId,date,start", "publicId,start", "publicId,date,start,end,startTime"])(
      "refuses a header with %s",
      async (header) => {
        const folder = folderOf({ "organization.csv": zoned, "session.csv": `${header}\n` });
        const { refusal } = await importFolder(await newDatabase(), folder);
        expect(refusal?.split("\n")).toContain(
          'F/session.csv:1: "start" stands only with all of date, start and end, without startTime and endTime.',
        );
      },
    );

    test("takes no notice of them in a row that deletes", async () => {
      const header = "publicId,date,start,end,deleted";
      expect(await office("apt_4,x,y,z,yes", header)).not.toHaveProperty("said");
    });
  });

  test("accepts an office's words for missed and cancelled sessions", async () => {
    for (const [word, status] of [
      ["No show", "PATIENT_NO_SHOW"],
      ["no-show", "PATIENT_NO_SHOW"],
      ["Cancelled", "DECLINED"],
      ["canceled", "DECLINED"],
    ])
      expect(
        await over({ "session.csv": `publicId,status\napt_1,${word}\n` }, "apt_1"),
      ).toMatchObject({ status });
  });

  test("accepts commas between thousands", async () => {
    const rows = (cell: string) => ({
      "authorization.csv": `publicId,authorizedUnitsQuantity\nauth_1,"${cell}"\n`,
    });
    for (const [cell, number] of [
      ["1,200", 1200],
      ["1,234,567.5", 1234567.5],
    ] as const)
      expect(await over(rows(cell), "auth_1")).toMatchObject({ authorizedUnitsQuantity: number });
    for (const cell of ["1,20", "12,00.5", ",200", "1200,000"])
      expect(await over(rows(cell), "auth_1")).toEqual({
        said: [expect.stringContaining(`"${cell}" must be a number`)],
      });
  });

  test("matches the word of a goal's kind where only the stored record tells the kind", async () => {
    for (const [id, word] of [
      ["goal_interval", "Interval"],
      ["goal_rating", "rating"],
    ])
      expect(
        await over(
          { "goal.csv": `publicId,measurementType,title\n${id},${word},Calm\n` },
          String(id),
        ),
      ).toMatchObject({ measurementType: String(word).toUpperCase(), title: "Calm" });
  });

  test("reports an invalid time zone, and no local times because of it", async () => {
    const files = {
      "organization.csv": "publicId,timezone\norg_maple,Pacific Time\n",
      "encounter.csv": "publicId,startTime\nenc_2,2026-10-01 15:30\n",
    };
    const { said = [] } = (await over(files, "enc_2")) as { said: string[] };
    expect(said).toEqual([expect.stringContaining('timezone: "Pacific Time" must be')]);
  });

  test("reports the entries of a user who cannot have any, in their file", async () => {
    const files = { "user.payors.csv": "publicId,payorId\nusr_tech,pay_acme\n" };
    const users = { "user.csv": "publicId,firstName\nusr_tech,Ana\n" };
    const { said = [] } = (await over({ ...users, ...files }, "")) as { said: string[] };
    expect(said).toEqual([
      ...Array.from({ length: 7 }, () => expect.stringContaining("is required")),
      "F/user.payors.csv:2: user usr_tech: payors: is no field of this record",
    ]);
  });

  test("tells empty quotes in a required field from an empty cell, also without the column of the variant", async () => {
    const file = { "session.csv": 'publicId,title\napt_1,""\n' };
    expect(await over(file, "apt_1")).toMatchObject({ title: "" });
  });

  test("ignores empty quotes in a field that the record's variant does not have", async () => {
    const file = {
      "goal.csv":
        '"publicId","status","goalStatement","title"\n"goal_rating","MASTERED","","Calm"\n',
    };
    expect(await over(file, "goal_rating")).toMatchObject({ status: "MASTERED", title: "Calm" });
  });

  test("accepts tabs, and a first line that declares the delimiter", async () => {
    const text = ["publicId\tname\nloc_main\tA, b; c\n", "sep=;\npublicId;name\nloc_main;A, b\n"];
    expect(await over({ "location.csv": text[0] as string }, "loc_main")).toMatchObject({
      name: "A, b; c",
    });
    expect(await over({ "location.csv": text[1] as string }, "loc_main")).toMatchObject({
      name: "A, b",
    });
    const below = { "location.csv": "\r\npublicId;name\r\nloc_main;A, b\r\n" };
    expect(await over(below, "loc_main")).toMatchObject({ name: "A, b" });
  });

  test("ignores semicolons without a text between them", async () => {
    const file = { "user.csv": "publicId,complianceCredentials\nusr_bcba,HIPAA;CPR ;;\n" };
    expect(await over(file, "usr_bcba")).toMatchObject({ complianceCredentials: ["CPR", "HIPAA"] });
  });

  test("reads a folder whose name ends like that of a file", async () => {
    const folder = join(folderOf({}), "practice.csv");
    cpSync(folderOf({ "organization.csv": ORGANIZATION }), folder, { recursive: true });
    expect((await importFolder(await newDatabase(), folder)).refusal).toBeUndefined();
  });

  test("explains how to save a workbook as CSV", () => {
    const file = join(folderOf({ "practice.xlsx": "" }), "practice.xlsx");
    expect(() => openPracticeFile(file, nothing())).toThrow(
      `${file} is a workbook. Save each sheet as "CSV UTF-8" under the name of its type, such as session.csv, and name their folder.`,
    );
    const folder = folderOf({ "practice.ods": "" });
    expect(() => openPracticeFile(folder, nothing())).toThrow(
      `${folder} has a workbook, practice.ods, and no organization.csv; save each sheet as "CSV UTF-8" under the name of its type, such as session.csv.`,
    );
    const besideTables = folderOf({ "organization.csv": own, "session.xlsx": "" });
    expect(() => openPracticeFile(besideTables, nothing())).toThrow(
      `${besideTables}/session.xlsx is a workbook. Save its sheet as "CSV UTF-8" under the name session.csv.`,
    );
  });

  test("an export writes local times, with an offset if a time is ambiguous, and UTC before year 1", async () => {
    const database = await newDatabase();
    const encounter = { type: "encounter", authorizationId: "auth_1", units: 1 };
    await mustImport(database, [
      ...fullPractice,
      { ...encounter, publicId: "enc_3", startTime: "2026-11-01T06:30:00.000Z" },
      { ...encounter, publicId: "enc_4", startTime: "2026-11-02T06:30:00.000Z" },
    ]);
    // As an earlier version took it.
    const early =
      "update encounters set start_time = '0001-01-01T00:00:00.000Z' where public_id = 'enc_4'";
    await database.write((trx) => trx.executeQuery(CompiledQuery.raw(early)), {
      organizationId: "org_maple",
    });
    const { folder } = await exportFolder(database);
    const rows = readFileSync(join(folder, "encounter.csv"), "utf8").split("\r\n");
    const billed = JSON.stringify(billedEncounter.billed).replaceAll('"', '""');
    expect(rows).toEqual([
      "publicId,authorizationId,sessionId,startTime,units,billed",
      "enc_1,auth_1,apt_1,2026-01-08 09:00,7.25,",
      `enc_2,auth_2,,2026-01-09 09:00,0.5,"${billed}"`,
      "enc_3,auth_1,,2026-11-01 01:30-05:00,1,",
      "enc_4,auth_1,,0001-01-01 00:00Z,1,",
      "",
    ]);
    expect(readFileSync(join(folder, "user.csv"), "utf8")).toContain("2025-01-01 22:04:05.006");
  });
});

test("template --csv has local times of the practice", async () => {
  const folder = join(temporaryFolder(), "csv");
  await templateCommand(captureOutput(), { csv: folder });
  const [, row] = readFileSync(join(folder, "session.csv"), "utf8").split("\r\n");
  expect(row).toContain("2026-03-02 09:00,2026-03-02 11:00");
});
