import { describe, expect, test } from "bun:test";
import { issueKey } from "../support/factories.ts";
import { newDatabase, NOW } from "../support/harness.ts";
import { fullPractice, organization, session } from "../support/practice-file/full-practice.ts";
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
import { databaseOfFullPractice, refused } from "../support/practice-file/refusals.ts";

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
    for (const table of ["intake_lead_labels", "skill_trials", "goal_metrics"] as const) {
      const rows = await database.read((db) => db.selectFrom(table).selectAll().execute());
      expect(JSON.stringify(rows)).not.toMatch(/lead_1|goal_hands|goal_handle/);
    }
  });

  test("of all records except the organization leaves only the organization", async () => {
    const database = await databaseOfFullPractice();
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
});

describe("a deletion is refused", async () => {
  const database = await databaseOfFullPractice();
  refused(database, [
    [
      "if a record refers to it",
      deletion(byId("apt_1")),
      "session apt_1: deleted: is named by encounter enc_1",
    ],
    [
      "if several records refer to it in several fields",
      deletion(byId("auth_1")),
      "authorization auth_1: deleted: is named by session apt_1 and 1 other",
    ],
    [
      "if records of several types refer to it",
      deletion(byId("loc_main")),
      "location loc_main: deleted: is named by user usr_bcba and 6 others",
    ],
    [
      "if an entry of a list refers to it",
      deletion(byId("lbl_web")),
      "intakeLabel lbl_web: deleted: is named by intakeLead lead_1",
    ],
    [
      "with another field",
      { ...deletion(session), title: "x" },
      "session apt_1: title: is no field of a line that deletes its record",
    ],
    [
      "with deleted: false",
      { ...deletion(session), deleted: false },
      "session apt_1: deleted: must be true, or be left out",
    ],
  ]);

  test("of the organization", async () => {
    expect(await importFile(database, [{ ...own, deleted: true }])).toEqual({
      report: [
        "f:1: organization org_maple: deleted: is not possible: an organization is not deleted so",
      ],
    });
  });

  test("in a file with another line of the same id", async () => {
    expect(await importFile(database, [own, session, deletion(session)])).toEqual({
      report: ['f:3: session apt_1: publicId: "apt_1" is in this file twice, first on line 2'],
    });
  });

  test("of a record that another line of the file names", async () => {
    const file = [own, { ...session, locationId: "loc_north" }, deletion(byId("loc_north"))];
    expect(await importFile(database, file)).toEqual({
      report: [
        expect.stringMatching(
          /^f:3: location loc_north: deleted: is named by user usr_admin and \d others$/,
        ),
      ],
    });
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

  test("are not deleted if they are more than half, unless --delete-many is given", async () => {
    const database = await withSessions();
    const kept = [...fullPractice.filter(({ type }) => type === "session"), ...sessions.slice(8)];
    const options = { deleteMissing: ["session"] as const };
    await expect(importAll(database, [own, ...kept], options)).rejects.toThrow(
      "--delete-missing session would delete 8 of 14, more than half; give --delete-many where that is meant. Nothing was written.",
    );
    await expect(
      importAll(database, [own, deletion(session)], { ...options, deleteMany: true }),
    ).rejects.toThrow(
      "The file has no session, so that --delete-missing session would delete all of them. Nothing was written.",
    );
    const outcome = importAll(database, [own, ...kept], { ...options, deleteMany: true });
    expect(await tallyOf(outcome, "session")).toMatchObject({ deleted: 8, missing: 0 });
  });
});
