import { expect, test } from "bun:test";
import type { Database } from "../../../db/database.ts";
import { newDatabase } from "../harness.ts";
import { fullPractice, organization } from "./full-practice.ts";
import { exportText, type Fields, fileOf, importAll, mustImport } from "./practice-file.ts";

/**
 * Tables of what a line is refused for, and how the report calls it. Each case is a file of two lines, the
 * organization and a bad one, on top of the full practice.
 */

export type Refusal = [what: string, line: Fields | string, ...reports: string[]];

/** A database with the full practice. */
export async function databaseOfFullPractice(): Promise<Database> {
  const database = await newDatabase();
  await mustImport(database, fullPractice);
  return database;
}

/**
 * Declares a test for each refusal, and one that none of them left anything behind. Reports are as a request is
 * answered, without the value that is refused.
 */
export function refused(database: Database, refusals: Refusal[]): void {
  test.each(refusals)("%s", async (_, line, ...reports) => {
    const text = typeof line === "string" ? line : JSON.stringify(line);
    const outcome = await importAll(database, `${JSON.stringify(organization)}\n${text}\n`);
    const issues = "mistakes" in outcome ? outcome.mistakes.issues() : [];
    expect(issues.map(({ message }) => message)).toEqual(reports);
    expect(new Set(issues.map(({ path }) => path[0]))).toEqual(new Set([2]));
  });

  test("leaving nothing behind", async () => {
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });
}

/** A record without some fields. */
export function without({ ...record }: Fields, ...fields: string[]): Fields {
  for (const field of fields) delete record[field];
  return record;
}

/** What a field is refused for that is no id. */
export const NO_ID = "must be an id of 1 to 128 letters, digits, underscores or hyphens";
