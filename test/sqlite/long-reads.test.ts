import { expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "kysely";
import type { Db, OpenDatabase } from "../../db/database.ts";
import { streamRows } from "../../db/rows.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newOrganization } from "../support/factories.ts";
import { newDatabase, NOW, temporaryFolder } from "../support/harness.ts";

/** Reads with `isLong`: they do not delay other reads, and few run at once. */

const NUMBERS = sql<{ n: number }>`
  with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10000) select n from numbers
`;

async function readNumbers(db: Db): Promise<number> {
  let rows = 0;
  for await (const batch of streamRows(db, { compile: () => NUMBERS.compile(db) }))
    rows += batch.length;
  return rows;
}

const readNothing = async () => {};

test("other reads run between the batches of a long one", async () => {
  const database = await newDatabase();
  const order: string[] = [];
  const long = database.read(readNumbers, { isLong: true }).then((rows) => order.push(`${rows}`));
  await database.read(readNothing).then(() => order.push("read"));
  await long;
  expect(order).toEqual(["read", "10000"]);
});

test("a long read sees one snapshot, with everything written before it", async () => {
  const database = await newDatabase();
  const count = async (db: Db) =>
    (await db.selectFrom("organizations").select("public_id").execute()).length;
  await newOrganization(database);
  const counts = await database.read(
    async (db) => {
      const before = await count(db);
      await newOrganization(database);
      return [before, await count(db)];
    },
    { isLong: true },
  );
  expect(counts).toEqual([1, 1]);
  expect(await database.read(count, { isLong: true })).toBe(2);
});

test("two run at once, and others when one has ended or failed", async () => {
  const database = await newDatabase();
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const reads = ["a", "b", "c", "d"].map((name) =>
    database.read(
      async () => {
        running.push(name);
        await new Promise<void>((end) => ends.push(end));
        if (name === "a") throw new Error("failed");
      },
      { isLong: true },
    ),
  );
  const settled = Promise.allSettled(reads);
  await Bun.sleep(1);
  expect(running).toEqual(["a", "b"]);
  ends.shift()?.();
  await Bun.sleep(1);
  expect(running).toEqual(["a", "b", "c"]);
  for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
    end();
    await Bun.sleep(1);
  }
  expect((await settled).map(({ status }) => status)).toEqual([
    "rejected",
    ...Array.from({ length: 3 }, () => "fulfilled" as const),
  ]);
});

test("closing waits for them", async () => {
  const database: OpenDatabase = connectFile(join(temporaryFolder(), "caseload.db"), "create");
  await migrate(database, NOW as Instant);
  const long = database.read(readNumbers, { isLong: true });
  await database.close();
  expect(await long).toBe(10_000);
});
