import { describe, expect, test } from "bun:test";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import {
  fullPractice,
  organization,
  session,
  skillGoal,
} from "../support/practice-file/full-practice.ts";
import {
  type Fields,
  fileOf,
  importAll,
  type ImportTestOptions,
  mustImport,
} from "../support/practice-file/practice-file.ts";
import { newDatabase } from "../support/harness.ts";

/** `changes=true` lists what an import does with each record. */

const own = { type: "organization", publicId: "org_maple" };

async function changesOf(file: readonly Fields[], options: ImportTestOptions = {}) {
  const database = await newDatabase();
  await mustImport(database, fullPractice);
  const outcome = await importAll(database, file, { ...options, listsChanges: true });
  if ("mistakes" in outcome) throw new Error(outcome.mistakes.report("f").join("\n"));
  return (outcome.changes ?? []).map(({ line, publicId, change, fields }): unknown[] => [
    line,
    publicId,
    change,
    ...fields,
  ]);
}

describe("the changes of an import", () => {
  test("are in the order of the file, with the fields in the order of exports", async () => {
    expect(
      await changesOf([
        { ...own, weekStartsOn: "SUNDAY" },
        {
          ...session,
          endTime: "2026-01-08T16:30:00.000Z",
          status: "DECLINED",
          title: session.title,
        },
        { type: "encounter", publicId: "enc_1", deleted: true },
        { type: "encounter", publicId: "enc_none", deleted: true },
        { type: "location", publicId: "loc_new", name: "New" },
        { type: "location", publicId: "loc_main" },
        { type: "user", publicId: "usr_tech", firstName: "Ann" },
        { type: "user", publicId: "usr_kid", city: null, updatedAt: "2026-05-01T00:00:00.000Z" },
      ]),
    ).toEqual([
      [1, "org_maple", "CHANGED", "weekStartsOn"],
      [2, session.publicId, "CHANGED", "status", "endTime"],
      [3, "enc_1", "DELETED"],
      [5, "loc_new", "CREATED"],
      [7, "usr_tech", "CHANGED", "firstName"],
      [8, "usr_kid", "CHANGED", "updatedAt", "city"],
    ]);
  });

  test("name the fields that go with the kind of a record", async () => {
    const [line] = await changesOf([
      own,
      { type: "goal", publicId: "goal_behavior", goalType: "rating", title: "Calm" },
    ]);
    expect(line?.slice(0, 5)).toEqual([2, "goal_behavior", "CHANGED", "goalType", "title"]);
    expect(line).toContain("goalStatement");
  });

  test("have goals that lose a child, and records without a line at the end", async () => {
    const [tap] = skillGoal.childGoals as [Fields];
    expect(
      await changesOf([
        own,
        { type: "goal", publicId: "goal_hands" },
        { ...skillGoal, publicId: "goal_new", childGoals: [tap] },
      ]),
    ).toEqual([
      [2, "goal_hands", "CHANGED", "childGoals"],
      [3, "goal_new", "CREATED"],
    ]);
    expect(
      await changesOf(
        [
          own,
          ...fullPractice.filter(
            ({ type, publicId }) => type === "encounter" && publicId !== "enc_2",
          ),
        ],
        {
          deleteMissing: ["encounter"],
        },
      ),
    ).toEqual([[undefined, "enc_2", "DELETED"]]);
  });

  test("are the first 500 in a response, with the number of all", async () => {
    const service = await newService();
    await mustImport(service.database, [organization]);
    const key = await newApiKey(service.database, "org_maple");
    const locations = Array.from({ length: 600 }, (_, index) => ({
      ...{ type: "location", publicId: `loc_${index}`, name: "L" },
    }));
    const { body } = await service.call("POST /api/v1/practice-file?changes=true&dryRun=true", {
      key,
      headers: { "Content-Type": "application/x-ndjson" },
      raw: fileOf([own, ...locations]),
    });
    const { records, recordsTotal } = body as { records: Fields[]; recordsTotal: number };
    expect([records.length, recordsTotal]).toEqual([500, 600]);
    expect(records[0]).toEqual({
      ...{ line: 2, type: "location", publicId: "loc_0", change: "CREATED", fields: [] },
    });
  });
});
