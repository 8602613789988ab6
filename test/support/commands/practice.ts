import { Database as SqliteFile } from "bun:sqlite";
import { join } from "node:path";
import type { OpenDatabase } from "../../../db/database.ts";
import { connectFile } from "../../../db/sqlite/connect.ts";
import { migrate } from "../../../db/migrate.ts";
import type { Output } from "../../../src/commands/output.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import { newOrganization } from "../factories.ts";
import { NOW, temporaryFolder, TestClock } from "../harness.ts";

/** What commands on whole databases are tested with: a practice in a folder of its own. */

/** An output that keeps what a command writes. */
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
    words: (line) => said.push(line),
  };
}

/** The operating system's user who gives the commands of tests. */
export const OPERATOR = "ana";

/** A folder with a database of one organization, closed, and what a command is given. */
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

/** Makes a database of one organization, closed. */
export async function makeDatabase(path: string, organization: string): Promise<void> {
  await onDatabase(
    path,
    async (database) => {
      await migrate(database, NOW as Instant);
      await newOrganization(database, { public_id: organization });
    },
    "create",
  );
}

/** Does some work on a database that is open for it alone. */
export async function onDatabase<Result>(
  path: string,
  work: (database: OpenDatabase) => Promise<Result>,
  mode: "create" | "existing" = "existing",
): Promise<Result> {
  const database = connectFile(path, mode);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Every row of every table, those that virtual tables keep included. */
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
