import { describe, expect, test } from "bun:test";
import type { Database } from "../../db/database.ts";
import {
  fullPractice,
  organization,
  databaseOfFullPractice,
} from "../support/practice-file/full-practice.ts";
import { type Fields, importFile, mustImport } from "../support/practice-file/practice-file.ts";

/**
 * The sequence of an organization's writes. Each write takes the next number, and each record
 * stores the number of its last change.
 */

const own: Fields = { type: "organization", publicId: "org_maple" };

async function sequenceOf(database: Database): Promise<number> {
  const { sequence } = await database.read((db) =>
    db
      .selectFrom("organizations")
      .select("sequence")
      .where("public_id", "=", "org_maple")
      .executeTakeFirstOrThrow(),
  );
  return sequence;
}

/** The ids of the records that a write changed, in order. */
async function changedBy(database: Database, sequence: number): Promise<string[]> {
  const ids: string[] = [];
  for (const table of ["locations", "users", "sessions", "intake_leads", "goals"] as const) {
    const rows = await database.read((db) =>
      db
        .selectFrom(table as "goals")
        .selectAll()
        .where("organization_id", "=", "org_maple")
        .where("sequence", "=", sequence)
        .orderBy("public_id")
        .execute(),
    );
    ids.push(...rows.map(({ public_id }) => public_id));
  }
  return ids;
}

function deletions(database: Database) {
  return database.read((db) =>
    db
      .selectFrom("deletions")
      .select(["type", "public_id", "sequence"])
      .orderBy("public_id")
      .execute(),
  );
}

describe("an import", () => {
  test("takes one sequence number for all its changes, and none without changes", async () => {
    const database = await databaseOfFullPractice();
    expect(await sequenceOf(database)).toBe(1);
    await mustImport(database, fullPractice);
    await mustImport(database, [own]);
    await importFile(database, [own, { type: "location", publicId: "loc_9", name: "" }]);
    await importFile(database, [organization, { type: "location", publicId: "l", name: "A" }], {
      dryRun: true,
    });
    expect(await sequenceOf(database)).toBe(1);
    await mustImport(database, [
      own,
      { type: "location", publicId: "loc_main", name: "Renamed" },
      { type: "location", publicId: "loc_north", name: "North clinic" },
      { type: "user", publicId: "usr_kid", clinicianIds: ["usr_bcba"] },
      { type: "intakeLead", publicId: "lead_1", labelIds: [] },
    ]);
    expect(await sequenceOf(database)).toBe(2);
    expect(await changedBy(database, 2)).toEqual(["loc_main", "usr_kid", "lead_1"]);
    await mustImport(database, [{ ...own, name: "Renamed" }]);
    expect([await sequenceOf(database), await changedBy(database, 3)]).toEqual([3, []]);
  });

  test("stores deletions until the records are created again", async () => {
    const database = await databaseOfFullPractice();
    const gone = { type: "session", publicId: "apt_4", deleted: true };
    await mustImport(database, [own, gone, { ...gone, publicId: "apt_none" }]);
    expect(await deletions(database)).toEqual([
      { type: "session", public_id: "apt_4", sequence: 2 },
    ]);
    await mustImport(database, [own, gone]);
    expect(await sequenceOf(database)).toBe(2);
    await mustImport(
      database,
      fullPractice.filter(({ type, publicId }) => type === "organization" || publicId === "apt_4"),
    );
    expect([await deletions(database), await sequenceOf(database)]).toEqual([[], 3]);
  });

  test("marks a goal that loses a child, and deletes the mark of one that becomes a child", async () => {
    const database = await databaseOfFullPractice();
    const [hands] = fullPractice.filter(({ publicId }) => publicId === "goal_hands") as [Fields];
    const [tap] = hands.childGoals as [Fields];
    const { treatmentPlanId } = hands;
    await mustImport(database, [own, { type: "goal", treatmentPlanId, ...tap }]);
    expect(await changedBy(database, 2)).toEqual(["goal_hands", "goal_z_tap"]);
    const { type: _, treatmentPlanId: __, ...child } = hands;
    await mustImport(database, [
      own,
      { type: "goal", publicId: "goal_z_tap", childGoals: [{ ...child, childGoals: [] }] },
      { type: "goal", publicId: "goal_hands", deleted: true },
    ]);
    expect(await changedBy(database, 3)).toEqual(["goal_z_tap"]);
    expect(await deletions(database)).toEqual([
      { type: "goal", public_id: "goal_hands", sequence: 3 },
    ]);
  });
});
