import { Database as SqliteFile } from "bun:sqlite";
import { expect } from "bun:test";
import { join } from "node:path";
import type { OpenDatabase } from "../../../db/database.ts";
import { connectFile } from "../../../db/sqlite/connect.ts";
import type { Output } from "../../../src/commands/output.ts";
import { newOrganization } from "../factories.ts";
import { makeFile, temporaryFolder, TestClock, type TestService } from "../harness.ts";

/** A practice in its own folder, for tests of commands on whole databases. */

/** An output that records what a command writes. */
export interface CapturedOutput extends Output {
  results: string[];
  said: string[];
}

export function captureOutput(): CapturedOutput {
  const results: string[] = [];
  const said: string[] = [];
  return {
    results,
    said,
    result: (line) => results.push(line),
    message: (line) => said.push(line),
  };
}

/** The operating system user who runs commands in tests. */
export const OPERATOR = "ana";

/** Commands that print reports, in a service's database. */
export function newReports({ database, clock }: TestService) {
  const { results, ...output } = captureOutput();
  const context = { database, clock, operator: OPERATOR, output };
  return {
    results,
    /** What a command prints. */
    async printed(command: (given: typeof context) => Promise<unknown>): Promise<string[]> {
      results.length = 0;
      await command(context);
      return [...results];
    },
    /** The last entry of the audit trail: its route, patients and target. */
    async lastEntry(organizationId: string) {
      const row = await database.read((db) =>
        db
          .selectFrom("audit_entries")
          .select(["method", "route", "operator", "patient_ids", "target"])
          .where("organization_id", "=", organizationId)
          .orderBy("sequence", "desc")
          .executeTakeFirstOrThrow(),
      );
      expect([row.method, row.operator]).toEqual(["COMMAND", OPERATOR]);
      return [row.route, row.patient_ids, row.target];
    },
  };
}

/** A folder with a closed database of one organization, and the context of commands. */
export async function newPractice(organization = "org_maple") {
  const cwd = temporaryFolder();
  const url = join(cwd, "caseload.db");
  await makeDatabase(url, organization);
  return {
    cwd,
    url,
    organization,
    clock: new TestClock(),
    operator: OPERATOR,
    output: captureOutput(),
  };
}

/** Creates a database with one organization, and closes it. */
export async function makeDatabase(path: string, organization: string): Promise<void> {
  await makeFile(path);
  await onDatabase(path, (database) => newOrganization(database, { public_id: organization }));
}

/** Opens a database, runs `work`, and closes it. */
export async function onDatabase<Result>(
  path: string,
  work: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const database = connectFile(path, "existing");
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** All rows of all tables, including shadow tables of virtual tables. */
export function contentsOf(path: string): Record<string, unknown[]> {
  const file = new SqliteFile(path, { readwrite: true });
  const tables = file
    .query(
      "select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow')",
    )
    .all();
  const contents = tables.map((table): [string, unknown[]] => {
    const { name } = table as { name: string };
    return [name, file.query(`select * from "${name}"`).all()];
  });
  file.close(true);
  return Object.fromEntries(contents);
}
