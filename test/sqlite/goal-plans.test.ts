import { expect, test } from "bun:test";
import { sql } from "kysely";
import { statementsOf, withoutBoundaries } from "../support/statements.ts";
import { goalTypes, publicIdOf, step } from "../support/goals/bodies.ts";
import { newPractice } from "../support/goals/practice.ts";

/** Goals are read and written by their keys, with a number of statements that does not grow. */

const { database, bodyOf, create, update, remove } = await newPractice();

const alone = bodyOf("opportunity");
const family = bodyOf("opportunity", {
  childGoals: [step("a", { childGoals: [step("b", { childGoals: [step("c")] })] }), step("d")],
});

test("a goal with children and grandchildren is read with the same statements as one without", async () => {
  const [few, many] = [publicIdOf(await create(alone)), publicIdOf(await create(family))];
  const ofFew = await statementsOf(() => update(few, {}));
  const ofMany = await statementsOf(() => update(many, {}));
  expect(withoutBoundaries(ofMany.statements)).toEqual(withoutBoundaries(ofFew.statements));
});

test("no statement scans the organization's goals", async () => {
  const { statements } = await statementsOf(async () => {
    for (const type of goalTypes) {
      const id = publicIdOf(await create(bodyOf(type)));
      await update(id, { status: "MASTERED", baselineMetric: { value: 1 } });
      await remove(id);
    }
    await update(publicIdOf(await create(family)), { childGoals: [step("e")] });
  });
  // A deletion scans what a selection with the same condition would scan.
  const reads = statements.map((text) =>
    text
      .replaceAll(/\s+/g, " ")
      .trim()
      .replace(/^delete/, "select 1"),
  );
  const ofGoals = new Set(reads.filter((text) => /^(select|with).*(goal|_id" in)/.test(text)));
  const plans = await Promise.all([...ofGoals].map(planOf));
  const searches = plans.flat().filter((step) => /^(SCAN|SEARCH)/.test(step));
  // Lists of ids are scanned as a whole.
  const costly = searches.filter(
    (step) => !/^SCAN json_each\b|\(organization_id=\? AND /.test(step),
  );
  expect(ofGoals.size).toBeGreaterThan(6);
  expect(costly).toEqual([]);
});

async function planOf(statement: string): Promise<string[]> {
  const explain = sql<{
    detail: string;
  }>`explain query plan ${sql.raw(statement.replaceAll("?", "null"))}`;
  const { rows } = await database.read((db) => explain.execute(db));
  return rows.map((row) => row.detail);
}
