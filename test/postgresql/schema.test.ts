import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/** The tables of both engines have the same columns, of corresponding types. */

const server = await newTestServer();
afterAll(() => server.remove());

const types: Record<string, string> = { TEXT: "text", INTEGER: "int8", REAL: "float8" };

async function columnsOf(database: OpenDatabase): Promise<string[]> {
  await migrate(database, NOW as Instant);
  const tables = await database.read((db) => db.introspection.getTables());
  await database.close();
  return tables
    .filter(({ name }) => !name.startsWith("sqlite_"))
    .flatMap(({ name, columns }) =>
      columns.map(
        ({ name: column, dataType, isNullable }) =>
          `${name}.${column} ${types[dataType.toUpperCase()] ?? dataType}${isNullable ? "" : " not null"}`,
      ),
    )
    .sort();
}

test("both engines have the same tables, with the same columns", async () => {
  const file = await connect(join(temporaryFolder(), "caseload.db"), "create");
  const url = await newDatabaseUrl(server.url, "caseload", "template0");
  expect(await columnsOf(await connect(url, "existing"))).toEqual(await columnsOf(file));
});
