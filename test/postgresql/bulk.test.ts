import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { bulkWriter } from "../../db/bulk-writer.ts";
import { connect } from "../../db/connect.ts";
import type { Db } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newOrganization, newTreatmentPlan, newUser } from "../support/factories.ts";
import { NOW } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

const server = await newTestServer();
const database = await connect(await newDatabaseUrl(server.url, "bulk", "template0"), "existing");
await migrate(database, NOW as Instant);
afterAll(async () => {
  await database.close();
  await server.remove();
});

const PIECES = 10;
const ROWS = 200;

test("a reference is looked up by its key, also in tables that were empty a moment ago", async () => {
  const organizationId = await newOrganization(database);
  const plan = await newTreatmentPlan(database, organizationId);
  const numbers = Array.from({ length: PIECES * ROWS }, (_, index) => String(index));
  const pieces = (row: (number: string) => unknown[]) =>
    Array.from({ length: PIECES }, (_, index) =>
      numbers.slice(index * ROWS, (index + 1) * ROWS).map(row),
    );
  const goal = {
    treatment_plan_id: plan,
    order_among_siblings: 0,
    type: "rating",
    status: "FUTURE",
  };
  const read = await database.write(
    async (trx) => {
      const writer = bulkWriter(trx, organizationId);
      const columns = ["public_id", ...Object.keys(goal)];
      for (const values of pieces((number) => [`goal_${number}`, ...Object.values(goal)]))
        await writer.insert({ table: "goals", columns, values });
      for (const values of pieces((number) => [`goal_${number}`, number, NOW, 1]))
        await writer.insert({
          table: "rating_instances",
          columns: ["goal_id", "public_id", "happened_at", "value"],
          values,
        });
      const { rows } = await sql<{ read: number }>`
        select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables
        where relname = 'goals'
      `.execute(trx);
      return rows[0]?.read ?? 0;
    },
    { organizationId },
  );
  expect(read).toBeGreaterThanOrEqual(numbers.length);
  expect(read).toBeLessThan(2 * numbers.length);
});

describe("what runs ahead of the organization's lock", () => {
  /** Puts a user like another into the organization of that one. */
  async function addLike(trx: Db, userId: string, changes: Record<string, string | null>) {
    const row = await trx
      .selectFrom("users")
      .selectAll()
      .where("public_id", "=", userId)
      .executeTakeFirstOrThrow();
    await trx
      .insertInto("users")
      .values({ ...row, email: null, email_key: null, ...changes })
      .execute();
  }

  test("is run again where another write was faster, and then sees it", async () => {
    const organizationId = await newOrganization(database);
    const first = await newUser(database, organizationId);
    const email = { email: "ana@maple.example", email_key: "ana@maple.example" };
    const holders = (db: Db) =>
      db
        .selectFrom("users")
        .select("public_id")
        .where("organization_id", "=", organizationId)
        .where("email_key", "=", email.email_key)
        .execute();
    const found: number[] = [];
    await database.write(() => Promise.resolve(), {
      organizationId,
      async ahead(trx) {
        const { length } = await holders(trx);
        found.push(length);
        if (length > 0) return;
        await newUser(database, organizationId, email);
        await addLike(trx, first, { public_id: "usr_late", ...email });
      },
    });
    expect(found).toEqual([0, 1]);
    expect(await database.read(holders)).toHaveLength(1);
  });
});
