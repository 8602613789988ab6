import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { connect } from "../../db/connect.ts";
import type { Db, OpenDatabase } from "../../db/database.ts";
import { NO_ORGANIZATION } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { NOW } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/** Each read has its own snapshot. A snapshot that stays open uses a connection of another pool. */

const server = await newTestServer();
const url = await newDatabaseUrl(server.url, "snapshots", "template0");

let database: OpenDatabase;
let otherNode: OpenDatabase;

beforeAll(async () => {
  [database, otherNode] = await Promise.all([connect(url, "existing"), connect(url, "existing")]);
  await migrate(database, NOW as Instant);
  await otherNode.changeSchema(async (trx) => {
    await sql`create table notes (text text)`.execute(trx);
  });
});

afterAll(async () => {
  await Promise.all([database.close(), otherNode.close()]);
  await server.remove();
});

async function valueOf(db: Db, expression: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(
    db,
  );
  return rows[0]?.value;
}

const read = (expression: string) => database.read((db) => valueOf(db, expression));
/** The connections of both nodes, by process id of the server. */
async function connections(): Promise<unknown[]> {
  const ofDatabase = "array(select pid from pg_stat_activity where datname = current_database())";
  return (await read(ofDatabase)) as unknown[];
}

const NOTES = "(select count(*) from notes)";

function note(): Promise<void> {
  return otherNode.write(async (trx) => {
    await sql`insert into notes values ('a')`.execute(trx);
  }, NO_ORGANIZATION);
}

test("a read sees what another node committed before it, and keeps its snapshot", async () => {
  const before = Number(await read(NOTES));
  const [held, later] = await database.read(async (db) => {
    const first = await valueOf(db, NOTES);
    await note();
    return [[first, await valueOf(db, NOTES)], await read(NOTES)];
  });
  expect(held).toEqual([before, before]);
  expect(later).toBe(before + 1);
});

test("other reads do not wait for a long read", async () => {
  const ended = Promise.withResolvers<void>();
  const long = database.read(async (db) => {
    await ended.promise;
    return valueOf(db, "1");
  });
  // The second read is of the same turn of the event loop, the third of a later one.
  expect(await read("2")).toBe(2);
  expect(await read("3")).toBe(3);
  ended.resolve();
  expect(await long).toBe(1);
});

test("a failing statement rejects its own read only, and closes no connection", async () => {
  const connected = await connections();
  const outcomes = await Promise.allSettled([
    database.read(async (db) => [await valueOf(db, "1"), await valueOf(db, "2")]),
    read("1 / 0"),
    database.read(async () => {
      throw new RangeError("not allowed");
    }),
    read("3"),
  ]);
  expect(outcomes).toEqual([
    { status: "fulfilled", value: [1, 2] },
    { status: "rejected", reason: expect.objectContaining({ code: "22012" }) },
    { status: "rejected", reason: new RangeError("not allowed") },
    { status: "fulfilled", value: 3 },
  ]);
  expect(await connections()).toEqual(expect.arrayContaining(connected));
});

test("streams of one read, consecutive and nested, have their own columns", async () => {
  const stream = (db: Db, columns: string) =>
    db
      .selectFrom(sql`(select ${sql.raw(columns)} from generate_series(1, 3) as n)`.as("rows"))
      .selectAll()
      .stream(2);
  const read = await database.read(async (db) => {
    const rows: unknown[] = [];
    for await (const row of stream(db, "n as one")) rows.push(row);
    for await (const row of stream(db, "n as two, 'a' as text")) {
      rows.push(row);
      for await (const inner of stream(db, "n as three")) rows.push(inner);
    }
    return rows;
  });
  const ofThree = [1, 2, 3].map((three) => ({ three }));
  expect(read).toEqual([
    ...[1, 2, 3].map((one) => ({ one })),
    ...[1, 2, 3].flatMap((two) => [{ two, text: "a" }, ...ofThree]),
  ]);
});

test("more concurrent reads than connections all succeed", async () => {
  const ended = Promise.withResolvers<void>();
  const reads: Promise<unknown>[] = [];
  for (let number = 1; number <= 30; number += 1) {
    reads.push(
      database.read(async (db) => {
        await ended.promise;
        return valueOf(db, String(number));
      }),
    );
    await Bun.sleep(1);
  }
  ended.resolve();
  expect(await Promise.all(reads)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
});

test("open snapshots take no connections from reads and writes", async () => {
  const taken = await Promise.all(Array.from({ length: 4 }, () => database.openSnapshot()));
  const waiting = database.openSnapshot();
  try {
    expect(await Promise.all(Array.from({ length: 30 }, () => read("1")))).toEqual(
      Array.from({ length: 30 }, () => 1),
    );
    await note();
    expect(Bun.peek.status(waiting)).toBe("pending");
  } finally {
    await taken[0]?.close();
    for (const snapshot of [...taken, await waiting]) await snapshot.close();
  }
});

test("close waits for running reads", async () => {
  const node = await connect(url, "existing");
  const read = node.read(async (db) => {
    await Bun.sleep(20);
    return valueOf(db, "1");
  });
  await node.close();
  expect(await read).toBe(1);
});
