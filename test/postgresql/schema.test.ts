import { afterAll, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { NOW } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";
import { linesOfList, linesOfPostgresql } from "../support/tables.ts";

/** PostgreSQL has the tables of db/tables.ts, like SQLite (`test/sqlite/schema.test.ts`). */

const server = await newTestServer();
afterAll(() => server.remove());

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
