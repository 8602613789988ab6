import { Database as SqliteFile } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newLocation, newOrganization } from "../support/factories.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";

/** `read` and `close` of a SQLite database. */

const path = join(temporaryFolder(), "caseload.db");
const database = connectFile(path, "create");
afterAll(() => database.close());
await migrate(database, NOW as Instant);
const organization = await newOrganization(database);

async function countLocations(db: Db): Promise<number> {
  const rows = await db.selectFrom("locations").select("public_id").execute();
  return rows.length;
}

test("a read sees one snapshot, whatever is written meanwhile", async () => {
  const counts = await database.read(async (db) => {
    const before = await countLocations(db);
    await newLocation(database, organization);
    return [before, await countLocations(db)];
  });
  expect(counts).toEqual([0, 0]);
  expect(await database.read(countLocations)).toBe(1);
});

test("a read does not wait for a running write", async () => {
  let isWriting = true;
  const write = database.write(
    async () => {
      while (isWriting) await Bun.sleep(1);
    },
    { organizationId: organization },
  );
  expect(await database.read(countLocations)).toBe(1);
  isWriting = false;
  await write;
});

test("a read cannot write", async () => {
  const write = database.read((db) => db.deleteFrom("locations").execute());
  expect(await write.catch((error: { code: string }) => error.code)).toBe("SQLITE_READONLY");
});

test("a read that throws ends its snapshot, and the next one sees new data", async () => {
  const failing = database.read(async (db) => {
    await countLocations(db);
    throw new RangeError("refused by the test");
  });
  expect(await failing.catch((error: unknown) => error)).toEqual(
    new RangeError("refused by the test"),
  );
  await newLocation(database, organization);
  expect(await database.read(countLocations)).toBe(2);
});

test("reads of one turn of the event loop share a snapshot, which a write ends", async () => {
  const { result, statements } = await statementsOf(async () => {
    const before = await Promise.all([
      database.read(countLocations),
      database.read(countLocations),
    ]);
    await newLocation(database, organization);
    return [...before, await database.read(countLocations)];
  });
  expect(result).toEqual([2, 2, 3]);
  const isBoundary = (text: string) => /^(begin|commit)/.test(text);
  expect(statements.filter(isBoundary)).toEqual([
    ...["begin deferred", "commit"],
    ...["begin immediate", "commit"],
    ...["begin deferred", "commit"],
  ]);
});

test("the next turn of the event loop sees what another process has committed", async () => {
  expect(await database.read(countLocations)).toBe(3);
  const other = new SqliteFile(path);
  other.run("update locations set name = 'Renamed'");
  other.close();
  await new Promise((resolve) => setImmediate(resolve));
  const names = await database.read((db) => db.selectFrom("locations").select("name").execute());
  expect(names).toEqual(Array(3).fill({ name: "Renamed" }));
});

test("the write-ahead log stays small during many reads", async () => {
  const file = join(temporaryFolder(), "steady.db");
  const steady = connectFile(file, "create");
  await migrate(steady, NOW as Instant);
  const organizationId = await newOrganization(steady);
  const name = "n".repeat(200_000);
  const reader = (async () => {
    for (let turn = 0; turn < 600; turn++) {
      await steady.read(countLocations);
      await new Promise((resolve) => setImmediate(resolve));
      await steady.read(countLocations);
    }
  })();
  for (let count = 0; count < 150; count++) await newLocation(steady, organizationId, { name });
  await reader;
  // 30 MB were written. SQLite restarts the log when it has about 4 MB.
  expect(statSync(`${file}-wal`).size).toBeLessThan(10_000_000);
  await steady.read(countLocations);
  expect(steady.file?.emptyLog()).toBe(true);
  await steady.close();
});

test("more statements than the cache holds work, also repeatedly", async () => {
  const number = (index: number) =>
    database.read(async (db) => (await sql`select ${sql.raw(`${index}`)} as n`.execute(db)).rows);
  for (let index = 0; index < 600; index++) await number(index);
  expect(await Promise.all([number(0), number(599)])).toEqual([[{ n: 0 }], [{ n: 599 }]]);
});

test("close waits for earlier reads and writes", async () => {
  const closing = connectFile(join(temporaryFolder(), "closing.db"), "create");
  await migrate(closing, NOW as Instant);
  const write = newOrganization(closing, { public_id: "org_1" });
  const running = closing.read(async (db) => {
    await Bun.sleep(5);
    return countLocations(db);
  });
  const waiting = closing.read(countLocations);
  await closing.close();
  expect(await Promise.all([write, running, waiting])).toEqual(["org_1", 0, 0]);
});

test("a closed database is one file, without -wal and -shm", async () => {
  const path = join(temporaryFolder(), "closed.db");
  const closing = connectFile(path, "create");
  await migrate(closing, NOW as Instant);
  expect(existsSync(`${path}-wal`)).toBe(true);
  await closing.close();
  expect([path, `${path}-wal`, `${path}-shm`].map((file) => existsSync(file))).toEqual([
    true,
    false,
    false,
  ]);
});

test.each([
  ["journal_mode", "wal"],
  ["synchronous", 2],
  ["foreign_keys", 1],
  ["secure_delete", 1],
  ["trusted_schema", 0],
])("both connections have pragma %s = %p", async (name, value) => {
  const pragma = sql<Record<string, unknown>>`pragma ${sql.raw(name)}`;
  const [read, written] = await Promise.all([
    database.read((db) => pragma.execute(db)),
    database.write((trx) => pragma.execute(trx), { organizationId: organization }),
  ]);
  expect([read.rows, written.rows]).toEqual([[{ [name]: value }], [{ [name]: value }]]);
});
