import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import { prepared } from "../../db/prepared.ts";
import { newLocation, newOrganization } from "../support/factories.ts";
import { newDatabase } from "../support/harness.ts";
import { onPostgresql } from "../support/postgresql/databases.ts";
import { statementsOf } from "../support/statements.ts";

/**
 * Queries whose SQL is compiled once. The results are the same as if they were compiled for each
 * set of values.
 */

const database = await newDatabase();
const organizationId = await newOrganization(database);
for (const name of ["Attic", "Barn", "Cellar"])
  await newLocation(database, organizationId, { public_id: `loc_${name}`, name });

interface Wanted {
  organizationId: string;
  name?: string | undefined;
  ids?: string[] | undefined;
}

let built = 0;

const namesOf = prepared((db, { organizationId, name, ids }: Wanted) => {
  built += 1;
  let query = db
    .selectFrom("locations")
    .select("name")
    .where("organization_id", "=", organizationId);
  if (name !== undefined) query = query.where("name", "=", name);
  if (ids !== undefined) query = query.where(isOneOf("public_id", ids));
  return query.orderBy("name");
});

async function names(wanted: Omit<Wanted, "organizationId">): Promise<string[]> {
  const rows = await database.read((db) => namesOf(db, { organizationId, ...wanted }));
  return rows.map((row) => row.name);
}

test("each combination of present values is compiled once, whatever the values", async () => {
  built = 0;
  expect(await names({})).toEqual(["Attic", "Barn", "Cellar"]);
  expect(await names({ name: "Barn" })).toEqual(["Barn"]);
  expect(await names({ name: "Attic" })).toEqual(["Attic"]);
  expect(await names({ name: undefined })).toEqual(["Attic", "Barn", "Cellar"]);
  expect(await names({ ids: ["loc_Cellar", "loc_Barn"] })).toEqual(["Barn", "Cellar"]);
  expect(await names({ ids: [] })).toEqual([]);
  expect(await names({ name: "Barn", ids: ["loc_Attic"] })).toEqual([]);
  expect(await names({ ids: ["loc_Attic"], name: "Attic" })).toEqual(["Attic"]);
  expect(built).toBe(5);
});

test("an execution is one statement whose text contains no values", async () => {
  const { statements } = await statementsOf(() => names({ name: "Barn", ids: ["loc_Barn"] }));
  expect(statements.slice(1, -1)).toEqual([
    onPostgresql
      ? 'select "name" from "locations" where "organization_id" = $1 and "name" = $2' +
        ' and "public_id" = any($3) order by "name"'
      : 'select "name" from "locations" where "organization_id" = ? and "name" = ?' +
        ' and "public_id" in (select value from json_each(?)) order by "name"',
  ]);
});

test("constants in the query are kept", async () => {
  const barns = prepared((db, { organizationId }: Wanted) =>
    db
      .selectFrom("locations")
      .select("name")
      .where("name", "=", "Barn")
      .where("organization_id", "=", organizationId),
  );
  expect(await database.read((db) => barns(db, { organizationId }))).toEqual([{ name: "Barn" }]);
});

test("a query may be raw SQL, and may write", async () => {
  const rename = prepared(
    (_, { name, id }: { name: string; id: string }) =>
      sql`update locations set name = ${name} where public_id = ${id} and organization_id <> ''`,
  );
  expect(
    await database.write((trx) => rename(trx, { id: "loc_Attic", name: "Loft" }), {
      organizationId,
    }),
  ).toEqual([]);
  expect(await names({ ids: ["loc_Attic"] })).toEqual(["Loft"]);
  await database.write((trx) => rename(trx, { name: "Attic", id: "loc_Attic" }), {
    organizationId,
  });
  expect(await names({ ids: ["loc_Attic"] })).toEqual(["Attic"]);
});

describe("errors", () => {
  test("computing with a value while the query is compiled throws", async () => {
    const greet = prepared(
      (_, { name }: { name: string }) => sql<{ text: string }>`select ${`Hello ${name}`} as text`,
    );
    const greeting = database.read((db) => greet(db, { name: "Ana" }));
    expect(await greeting.catch((error: unknown) => error)).toEqual(
      new TypeError("The parameter name has no value where its query is built"),
    );
  });

  test("a violated constraint rejects the promise", async () => {
    const insert = prepared(
      (trx: Db, row: { organization_id: string; public_id: string; name: string }) =>
        trx.insertInto("locations").values(row),
    );
    const row = { organization_id: organizationId, public_id: "loc_Barn", name: "Barn" };
    const error = await database
      .write((trx) => insert(trx, row), { organizationId })
      .catch((error: unknown) => error);
    expect(isUniqueViolation(error)).toBe(true);
  });
});
