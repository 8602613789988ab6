import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newLocation, newOrganization } from "../factories.ts";
import { NOW, newDatabase, temporaryFolder } from "../harness.ts";

/** `read` and `close` of a database. */

const database = await newDatabase();
const organization = await newOrganization(database);

async function countLocations(db: Db): Promise<number> {
  const rows = await db.selectFrom("locations").select("public_id").execute();
  return rows.length;
}

test("a read sees one snapshot, whatever is written while it runs", async () => {
  const counts = await database.read(async (db) => {
    const before = await countLocations(db);
    await newLocation(database, organization);
    return [before, await countLocations(db)];
  });
  expect(counts).toEqual([0, 0]);
  expect(await database.read(countLocations)).toBe(1);
});

test("a read does not wait for a write that is running", async () => {
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

test("a read that throws ends its snapshot, and the next one sees what is new", async () => {
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

test("more statements than the cache holds are made, and made again", async () => {
  const number = (index: number) =>
    database.read(async (db) => (await sql`select ${sql.raw(`${index}`)} as n`.execute(db)).rows);
  for (let index = 0; index < 600; index++) await number(index);
  expect(await Promise.all([number(0), number(599)])).toEqual([[{ n: 0 }], [{ n: 599 }]]);
});

test("close waits for the reads and writes that were asked for before", async () => {
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
