import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { writeInBulk } from "../../db/bulk.ts";
import { type Database, type Db, NO_ORGANIZATION } from "../../db/database.ts";
import { newOrganization, newSession } from "../support/factories.ts";
import { newDatabase } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";

const organizationId = "org_maple";

/** The statements that make the indexes and triggers. */
async function parts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select coalesce(sql, 'key') as text from sqlite_schema where type in ('index', 'trigger')
    order by type, name
  `.execute(db);
  expect(rows.length).toBeGreaterThan(0);
  return rows.map(({ text }) => text);
}

function read(database: Database): Promise<string[]> {
  return database.read(parts);
}

describe("a bulk", () => {
  test("makes the indexes and triggers of an empty table anew after the work", async () => {
    const database = await newDatabase();
    const before = await read(database);
    const { result: during, statements } = await statementsOf(() =>
      database.write(
        (trx) => writeInBulk(trx, { organizationId, coming: { sessions: 1 } }, () => parts(trx)),
        NO_ORGANIZATION,
      ),
    );
    const ofSessions = before.filter((sql) => / on sessions\b/.test(sql));
    expect(ofSessions).toHaveLength(11);
    expect(during).toEqual(before.filter((sql) => !ofSessions.includes(sql)));
    expect(statements.filter((sql) => ofSessions.includes(sql))).toEqual(ofSessions);
    expect(await read(database)).toEqual(before);
  });

  test("keeps those of a table that grows by half at the most", async () => {
    const database = await newDatabase();
    const organizationId = await newOrganization(database);
    for (let sessions = 0; sessions < 4; sessions++) await newSession(database, organizationId);
    const before = await read(database);
    const partsFor = (sessions: number) =>
      database.write(
        (trx) => writeInBulk(trx, { organizationId, coming: { sessions } }, () => parts(trx)),
        NO_ORGANIZATION,
      );
    expect(await partsFor(2)).toEqual(before);
    expect(await partsFor(3)).not.toEqual(before);
    expect(await read(database)).toEqual(before);
  });

  test("counts the sessions of a table that it makes anew", async () => {
    const database = await newDatabase();
    const organizationId = await newOrganization(database);
    for (let sessions = 0; sessions < 3; sessions++) await newSession(database, organizationId);
    const moveOne = (trx: Db) =>
      sql`
      update sessions set start_time = '2026-02-09T14:00:00.000Z'
      where public_id = (select min(public_id) from sessions)
    `.execute(trx);
    await database.write(
      (trx) => writeInBulk(trx, { organizationId, coming: { sessions: 3 } }, () => moveOne(trx)),
      { organizationId },
    );
    const counts = await database.read(async (db) => [
      ...(await db.selectFrom("session_counts").selectAll().orderBy("day").execute()),
    ]);
    expect(counts).toEqual([
      { organization_id: organizationId, day: "2026-02-09", sessions: 1 },
      { organization_id: organizationId, day: "2026-03-10", sessions: 2 },
    ] as never);
  });

  test("that fails leaves all as it was", async () => {
    const database = await newDatabase();
    const before = await read(database);
    const failing = database.write(
      (trx) =>
        writeInBulk(trx, { organizationId, coming: { sessions: 1, encounters: 1 } }, () =>
          Promise.reject(new Error("no")),
        ),
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
      (trx) => writeInBulk(trx, { organizationId, coming: {} }, () => cacheSize(trx)),
      NO_ORGANIZATION,
    );
    const after = await database.write(cacheSize, NO_ORGANIZATION);
    expect({ during, after }).toEqual({ during: -65_536, after: -2_000 });
  });
});
