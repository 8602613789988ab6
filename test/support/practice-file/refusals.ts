import { expect, test } from "bun:test";
import type { Database } from "../../../db/database.ts";
import { newApiKey } from "../factories.ts";
import { newDatabase, TestService } from "../harness.ts";
import { fullPractice, organization } from "./full-practice.ts";
import { exportText, type Fields, fileOf, importAll, mustImport } from "./practice-file.ts";

/**
 * Declares tests for invalid lines and their error messages. Each case is a file of two lines, the organization and an
 * invalid one, imported over the full practice.
 */

export type Refusal = [what: string, line: Fields | string, ...reports: string[]];

/** A database with the full practice. */
export async function databaseOfFullPractice(): Promise<Database> {
  const database = await newDatabase();
  await mustImport(database, fullPractice);
  return database;
}

/**
 * Declares a test for each invalid line, as a command and over HTTP, and one that checks that nothing was stored.
 * Messages are those of the API, without the refused value.
 */
export function refused(database: Database, refusals: Refusal[]): void {
  const service = new TestService(database);

  test.each(refusals)("%s", async (_, line, ...reports) => {
    const text = typeof line === "string" ? line : JSON.stringify(line);
    const file = `${JSON.stringify(organization)}\n${text}\n`;
    const outcome = await importAll(database, file);
    const issues = "mistakes" in outcome ? outcome.mistakes.issues() : [];
    expect(issues.map(({ message }) => message)).toEqual(reports);
    expect(new Set(issues.map(({ path }) => path[0]))).toEqual(new Set([2]));

    const { status, body } = await service.call("POST /api/v1/practice-file", {
      key: await newApiKey(database, "org_maple"),
      headers: { "Content-Type": "application/x-ndjson" },
      raw: file,
    });
    expect([status, body]).toEqual([
      400,
      { message: "Validation Error", statusCode: 400, validationErrors: issues },
    ]);
  });

  test("nothing was stored", async () => {
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });
}

/** A record without some fields. */
export function without({ ...record }: Fields, ...fields: string[]): Fields {
  for (const field of fields) delete record[field];
  return record;
}

/** The message for an invalid id. */
export const NO_ID = "must be an id of 1 to 128 letters, digits, underscores or hyphens";
