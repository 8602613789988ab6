import { afterAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { runProgram } from "../support/commands/program.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";
import { linesOfList, linesOfPostgresql } from "../support/tables.ts";

/** PostgreSQL has the tables of db/tables.ts, like SQLite (`test/sqlite/schema.test.ts`). */

const server = await newTestServer();
afterAll(() => server.remove());

test("a table that has changed without a step is refused on opening", async () => {
  const url = await newDatabaseUrl(server.url, "changed", "template0");
  const database = await connect(url, "existing");
  await migrate(database, NOW as Instant);
  await database.changeSchema(async (trx) => {
    await sql`alter table sessions drop column over_midnight`.execute(trx);
    await sql`alter table goals add column metric text`.execute(trx);
  });
  const message =
    "The database has other tables than this version of Caseload (sessions.over_midnight is missing, goals.metric is unknown). Export its practices with the version that made it, and import them into a new database.";
  await expect(migrate(database, NOW as Instant)).rejects.toThrow(message);
  await database.close();
  const { status, stderr } = await runProgram(["organizations", "list"], {
    ...{ cwd: temporaryFolder(), env: { DATABASE_URL: url } },
  });
  expect([status, stderr]).toEqual([1, `error: ${message}\n`]);
}, 30_000);

test("the catalogue has the tables, columns, keys, references, checks and indexes of db/tables.ts", async () => {
  const database = await connect(
    await newDatabaseUrl(server.url, "caseload", "template0"),
    "existing",
  );
  await migrate(database, NOW as Instant);
  const lines = await database.read(linesOfPostgresql);
  await database.close();
  expect(lines).toEqual(linesOfList());
});
