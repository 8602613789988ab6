import { expect, test } from "bun:test";
import { join } from "node:path";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { reads, useEverything } from "../support/everything.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { parametersNotIn } from "../support/parameters.ts";
import { newTestDatabaseUrl, onPostgresql } from "../support/postgresql/databases.ts";
import { statementsOf } from "../support/statements.ts";

/**
 * The text of every statement that reads or writes rows, sorted, in a file per engine. A change of
 * SQL is then a diff that a reviewer reads. `UPDATE_QUERIES=1 bun test test/db/queries.test.ts`
 * rewrites SQLite's file, and `UPDATE_QUERIES=1 bun run test:postgresql test/db/queries.test.ts`
 * PostgreSQL's.
 */

const FILE = join(import.meta.dir, `queries.${onPostgresql ? "postgresql" : "sqlite"}.sql`);

const folder = temporaryFolder();
const newUrl = (name: string) => (onPostgresql ? newTestDatabaseUrl() : join(folder, name));

test("every parameter of a list is used by this test", () => {
  expect(parametersNotIn(reads)).toEqual([]);
});

test("the text of every statement is in the file", async () => {
  const url = await newUrl("caseload.db");
  const database = await connect(url, "create");
  await migrate(database, NOW as Instant);
  const targetUrl = await newUrl("target.db");
  const { statements } = await statementsOf(() =>
    useEverything({ database, url, targetUrl, folder }),
  );
  await database.close();
  const queries = statements
    .filter((text) => /^[\s(]*(select|with|insert|update|delete)\b/.test(text))
    .filter((text) => !text.includes("'usr_many_'") && !text.includes("'apt_many_'"));
  const text = `${[...new Set(queries.map(laidOut))].sort().join("\n\n")}\n`;
  if (process.env.UPDATE_QUERIES === "1") await Bun.write(FILE, text);
  expect(text).toBe(await Bun.file(FILE).text());
});

/**
 * A statement with its clauses on separate lines. The number of added rows is left out, since it
 * depends on the data.
 */
function laidOut(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(values \([^()]*\))(?:, \([^()]*\))+/g, "$1, …")
    .replaceAll(
      /(?<!distinct|delete) (?=(?:from|(?:inner |left |cross )?join|where|and|group by|having|union|order by|limit|set|values|on conflict|returning) )/g,
      "\n  ",
    );
}
