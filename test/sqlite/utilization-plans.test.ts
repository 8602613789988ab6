import { expect, test } from "bun:test";
import { sql } from "kysely";
import { newDatabase } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";
import { newSmallPractice } from "../support/utilization/small-practice.ts";

test("utilization reads an authorization's records from covering indexes, limited to the span of the periods", async () => {
  const { read } = await newSmallPractice();
  const { statements } = await statementsOf(() => read("apool_1"));
  // In a separate database, because a connection keeps its snapshot after an EXPLAIN.
  const plans = await (
    await newDatabase()
  ).read(async (db) => {
    const details: string[] = [];
    for (const text of statements.filter((one) => /cross join "(encounters|sessions)"/.test(one))) {
      const query = `explain query plan ${text.replaceAll("?", "'x'")}`;
      const { rows } = await sql.raw<{ detail: string }>(query).execute(db);
      details.push(...rows.map(({ detail }) => detail));
    }
    return details;
  });
  expect(plans).toEqual([
    "SCAN json_each VIRTUAL TABLE INDEX 1:",
    "SEARCH encounter USING COVERING INDEX encounters_by_authorization (organization_id=? AND authorization_id=? AND start_time>? AND start_time<?)",
    "SCAN json_each VIRTUAL TABLE INDEX 1:",
    "SEARCH session USING COVERING INDEX sessions_by_authorization (organization_id=? AND authorization_id=? AND start_time>? AND start_time<?)",
    "CORRELATED SCALAR SUBQUERY 1",
    "SEARCH encounter USING COVERING INDEX encounters_by_session (organization_id=? AND session_id=?)",
  ]);
});
