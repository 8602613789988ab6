import { expect, test } from "bun:test";
import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { streamRows } from "../../db/rows.ts";
import { newOrganization } from "../support/factories.ts";
import { newDatabase } from "../support/harness.ts";

/** Rows that are read in batches. */

const NUMBERS = sql<{ n: number }>`
  with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10000) select n from numbers
`;

const numbers = (db: Db) => streamRows(db, { compile: () => NUMBERS.compile(db) });
const organizations = async (db: Db) =>
  (await db.selectFrom("organizations").select("public_id").execute()).length;

test("all are read", async () => {
  const database = await newDatabase();
  const batches = await database.read((db) => Array.fromAsync(numbers(db)));
  expect(batches.flat().map(({ n }) => n)).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1));
});

test.each([
  ["stops", () => {}],
  [
    "fails",
    () => {
      throw new Error("broken");
    },
  ],
])("who %s in between keeps no snapshot open", async (_, end) => {
  const database = await newDatabase();
  await database
    .read(async (db) => {
      await organizations(db);
      for await (const _batch of numbers(db)) {
        end();
        break;
      }
    })
    .catch(() => {});
  await newOrganization(database);
  expect(await database.read(organizations)).toBe(1);
  expect(database.file?.emptyLog()).toBe(true);
});
