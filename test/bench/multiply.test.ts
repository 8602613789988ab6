import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { multiply } from "../../bench/multiply.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { seedDemo } from "../../src/demo/practice.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { NOW, temporaryFolder, TestClock } from "../support/harness.ts";

test("an organization is multiplied with its counts and all that rows refer to", async () => {
  const path = join(temporaryFolder(), "multiplied.db");
  const database = connectFile(path, "create");
  await migrate(database, NOW as Instant);
  await seedDemo(database, new TestClock().now(), "ana");
  await database.close();
  const before = totalsOf(path);

  await multiply(path, "org_maple", 3);

  const after = totalsOf(path);
  expect(after).toEqual({
    users: before.users * 3,
    countedUsers: before.users * 3,
    sessions: before.sessions * 3,
    countedSessions: before.sessions * 3,
  });
  const file = new Database(path, { readonly: true });
  expect(file.query("pragma foreign_key_check").all()).toEqual([]);
  file.close();
});

function totalsOf(path: string) {
  const file = new Database(path, { readonly: true });
  const total = (query: string): number => Object.values(file.query(query).get() as object)[0];
  const totals = {
    users: total("select count(*) from users"),
    countedUsers: total("select sum(users) from user_month_counts"),
    sessions: total("select count(*) from sessions"),
    countedSessions: total("select sum(sessions) from session_month_counts"),
  };
  file.close();
  return totals;
}
