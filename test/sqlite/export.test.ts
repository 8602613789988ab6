import { describe, expect, test } from "bun:test";
import type { OpenDatabase } from "../../db/database.ts";
import { exportStream } from "../../src/practice-file/export.ts";
import { newDatabase } from "../support/harness.ts";
import { fullPractice, organization } from "../support/practice-file/full-practice.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";

/** The snapshot of a streamed export keeps what was replaced in the log, until it is closed. */

async function reading(patience?: number) {
  const database = (await newDatabase()) as OpenDatabase;
  await mustImport(database, fullPractice);
  const reader = (await exportStream(database, "org_maple", patience)).getReader();
  await reader.read();
  await mustImport(database, [
    organization,
    { type: "location", publicId: "loc_new", name: "New" },
  ]);
  return { database, reader };
}

describe("the log can be emptied", () => {
  test("when the reader has left", async () => {
    const { database, reader } = await reading();
    expect(database.file?.emptyLog()).toBe(false);
    await reader.cancel();
    expect(database.file?.emptyLog()).toBe(true);
  });

  test("when all has been read", async () => {
    const { database, reader } = await reading();
    while (!(await reader.read()).done);
    expect(database.file?.emptyLog()).toBe(true);
  });

  test("when the reader has taken nothing for too long", async () => {
    const { database, reader } = await reading(1_000);
    await Bun.sleep(1_500);
    expect(database.file?.emptyLog()).toBe(true);
    await expect(reader.read()).rejects.toThrow("was not taken");
  });
});
