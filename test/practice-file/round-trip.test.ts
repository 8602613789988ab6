import { describe, expect, test } from "bun:test";
import { newDatabase } from "../support/harness.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import {
  exportText,
  fileOf,
  importFile,
  mustImport,
} from "../support/practice-file/practice-file.ts";

describe("a practice file with every record type and field", () => {
  test("is imported, with the number of records by type", async () => {
    const outcome = await importFile(await newDatabase(), fullPractice);
    const counts = Object.fromEntries(
      Object.entries(Object.groupBy(fullPractice, (record) => String(record.type))).map(
        ([type, records]) => [type, records?.length],
      ),
    );
    expect(outcome).toEqual({ counts } as never);
  });

  test("is exported byte for byte as it was imported", async () => {
    const database = await newDatabase();
    await mustImport(database, fullPractice);
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });
});
