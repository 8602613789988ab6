import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { Database as SqliteFile } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import { REFERENCE_TABLES } from "../../db/postgresql/citus.ts";
import { tables } from "../../db/tables.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { useEverything } from "../support/everything.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { newTestDatabaseUrl, onPostgresql } from "../support/postgresql/databases.ts";
import { isOfAllOrganizations, statementsOf } from "../support/statements.ts";

/** What holds for all that the program asks its database, over every command and every request. */

const folder = temporaryFolder();
const newUrl = (name: string) => (onPostgresql ? newTestDatabaseUrl() : join(folder, name));

/** What the current work holds, from the outermost to the innermost. */
const held = new AsyncLocalStorage<string[]>();
const nested: string[] = [];

/** The database, with a note of each read, snapshot or write that begins within another. */
function noting(database: OpenDatabase): OpenDatabase {
  const holding = (name: string) => {
    const names = [...(held.getStore() ?? []), name];
    if (names.length > 1) nested.push(names.join(" > "));
    return names;
  };
  return {
    ...database,
    read(work) {
      const names = holding("read");
      return database.read((db) => held.run(names, () => work(db)));
    },
    write(work, options) {
      const names = holding("write");
      return database.write((trx) => held.run(names, () => work(trx)), options);
    },
    openSnapshot() {
      holding("snapshot");
      return database.openSnapshot();
    },
  };
}

const url = await newUrl("caseload.db");
const database = await connect(url, "create");
await migrate(database, NOW as Instant);
const targetUrl = await newUrl("target.db");
const { statements } = await statementsOf(() =>
  useEverything({ database: noting(database), url, targetUrl, folder }),
);
await database.close();

/**
 * As many requests as there are connections would else wait for each other until they time out, and all others with
 * them.
 */
test("no command and no request takes a second connection while it holds one", () => {
  expect(nested).toEqual([]);
});

test("a read within a write is detected", async () => {
  const database = noting(await connect(join(folder, "nested.db"), "create"));
  await database.write((trx) => database.read(async () => trx), { organizationId: "" });
  await database.close();
  expect(nested.splice(0)).toEqual(["write > read"]);
});

/** The tables that a statement of SQLite scans, or searches by an index without the organization. */
function tablesWithoutOrganization(planner: SqliteFile, statement: string): string[] {
  const plan = planner.query<{ detail: string }, []>(`explain query plan ${statement}`).all();
  const steps = plan.map(({ detail }) => /^(?:SCAN|SEARCH) (\w+)(.*)/.exec(detail));
  return steps.flatMap((step) => {
    const [, name = "none", search = ""] = step ?? [];
    const aliased = new RegExp(`"?(\\w+)"? as "?${name}\\b`).exec(statement)?.[1] ?? "";
    const table = [name, aliased].find(isDistributed);
    const column = table === "organizations" ? "public_id" : "organization_id";
    return table === undefined || search.includes(`(${column}=?`) ? [] : [table];
  });
}

function isDistributed(table: string): boolean {
  return table in tables && !REFERENCE_TABLES.includes(table);
}

// Those of PostgreSQL are in `test/postgresql/distribution.test.ts`.
if (!onPostgresql)
  describe("statements name the organization of all rows that they read", () => {
    const planner = new SqliteFile(url);
    afterAll(() => planner.close(true));

    test("except for a few of operators", () => {
      const texts = [...new Set(statements)].filter((text) =>
        /^\s*(select|with|insert|update|delete)\b/.test(text),
      );
      expect(texts.length).toBeGreaterThan(500);
      // In plans of reads of own patients, expressions have the names of tables: see `limited.test.ts`.
      const ofTables = texts.filter((text) => !text.startsWith("with own_patients"));
      expect(ofTables.length).toBeLessThan(texts.length);
      const unnamed = ofTables.filter(
        (text) => tablesWithoutOrganization(planner, text).length > 0,
      );
      expect(unnamed.filter((text) => !isOfAllOrganizations(text))).toEqual([]);
    });

    test.each([
      ["select name from locations where public_id = ?", ["locations"]],
      ["select name from locations where organization_id = ? and public_id = ?", []],
      [
        'select 1 from users join locations as "place" on place.public_id = primary_location_id where users.organization_id = ?',
        ["locations"],
      ],
      [
        "select (select name from payors where public_id = 'pay_1') from users where organization_id = ?",
        ["payors"],
      ],
      ["update locations set name = ? where public_id = ?", ["locations"]],
      ["select public_id from organizations where public_id = ?", []],
    ])("those that do not are detected: %s", (text, unnamed) => {
      expect(tablesWithoutOrganization(planner, text)).toEqual(unnamed);
    });
  });
