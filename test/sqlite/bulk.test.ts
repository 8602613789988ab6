import { describe, expect, test } from "bun:test";
import { writeInBulk } from "../../db/bulk.ts";
import { type Database, type Db, NO_ORGANIZATION } from "../../db/database.ts";
import { newOrganization, newSession } from "../factories.ts";
import { newDatabase } from "../harness.ts";
import { statementsOf } from "../statements.ts";

async function indexes(db: Db): Promise<string[]> {
  const found = await db.introspection.getTables();
  expect(found.length).toBeGreaterThan(0);
  const rows = await db
    .selectFrom("sqlite_schema" as never)
    .select(["sql" as never])
    .where("type" as never, "=", "index" as never)
    .orderBy("name" as never)
    .execute();
  return rows.map((row) => (row as { sql: string | null }).sql ?? "key");
}

function read(database: Database): Promise<string[]> {
  return database.read(indexes);
}

describe("a bulk", () => {
  test("makes the indexes of an empty table anew after the work", async () => {
    const database = await newDatabase();
    const before = await read(database);
    const { result: during, statements } = await statementsOf(() =>
      database.write(
        (trx) => writeInBulk(trx, { sessions: 1 }, () => indexes(trx)),
        NO_ORGANIZATION,
      ),
    );
    const ofSessions = before.filter((sql) => / on sessions\b/.test(sql));
    expect(ofSessions).toHaveLength(5);
    expect(during).toEqual(before.filter((sql) => !ofSessions.includes(sql)));
    expect(statements.filter((sql) => ofSessions.includes(sql))).toEqual(ofSessions);
    expect(await read(database)).toEqual(before);
  });

  test("keeps the indexes of a table that grows by half at the most", async () => {
    const database = await newDatabase();
    const organizationId = await newOrganization(database);
    for (let sessions = 0; sessions < 4; sessions++) await newSession(database, organizationId);
    const before = await read(database);
    const indexesFor = (sessions: number) =>
      database.write((trx) => writeInBulk(trx, { sessions }, () => indexes(trx)), NO_ORGANIZATION);
    expect(await indexesFor(2)).toEqual(before);
    expect(await indexesFor(3)).not.toEqual(before);
    expect(await read(database)).toEqual(before);
  });

  test("that fails leaves all as it was", async () => {
    const database = await newDatabase();
    const before = await read(database);
    const failing = database.write(
      (trx) =>
        writeInBulk(trx, { sessions: 1, encounters: 1 }, () => Promise.reject(new Error("no"))),
      NO_ORGANIZATION,
    );
    await expect(failing).rejects.toThrow("no");
    expect(await read(database)).toEqual(before);
  });

  test("has room in memory for its time only", async () => {
    const database = await newDatabase();
    const cacheSize = async (db: Db) => {
      const { rows } = await db.executeQuery<{ cache_size: number }>({
        sql: "pragma cache_size",
        parameters: [],
        query: { kind: "RawNode" },
        queryId: { queryId: "cache" },
      } as never);
      return rows[0]?.cache_size;
    };
    const during = await database.write(
      (trx) => writeInBulk(trx, {}, () => cacheSize(trx)),
      NO_ORGANIZATION,
    );
    const after = await database.write(cacheSize, NO_ORGANIZATION);
    expect({ during, after }).toEqual({ during: -65_536, after: -2_000 });
  });
});
