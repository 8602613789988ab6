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
 * The text of every statement that reads or writes rows, sorted, in a file for each engine, so that a change of SQL is
 * a difference that somebody reads. `UPDATE_QUERIES=1 bun test test/db/queries.test.ts` writes the file anew, and
 * `UPDATE_QUERIES=1 bun run test:postgresql test/db/queries.test.ts` the other.
 */

const FILE = join(import.meta.dir, `queries.${onPostgresql ? "postgresql" : "sqlite"}.sql`);

const folder = temporaryFolder();
const newUrl = (name: string) => (onPostgresql ? newTestDatabaseUrl() : join(folder, name));

test("every parameter of a read is used", () => {
  expect(parametersNotIn(reads)).toEqual([]);
});

test("every query's text is the one in the file", async () => {
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

/** A statement with its clauses on lines of their own. How many rows it adds depends on how many there were to add. */
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
