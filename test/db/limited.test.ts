import { describe, expect, test } from "bun:test";
import { CompiledQuery } from "kysely";
import { limited, limitedTables, limitedTo } from "../../db/limited.ts";
import { tables } from "../../db/tables.ts";
import { newOrganization, newPatient, newUser } from "../support/factories.ts";
import { newDatabase } from "../support/harness.ts";
import { onPostgresql } from "../support/postgresql/databases.ts";

/** A database as far as it is about somebody's own patients. */

const database = await newDatabase();
const organization = await newOrganization(database);
const technician = await newUser(database, organization);
await newPatient(database, organization);

const own = { organizationId: organization, userId: technician, patientIds: [] };

test("every table that is about a patient is limited", () => {
  const aboutPatients = Object.entries(tables)
    .filter(([, { columns }]) =>
      ["patient_id", "client_id", "treatment_plan_id"].some((name) => name in columns),
    )
    .map(([name]) => name);
  expect(limitedTables as string[]).toEqual(expect.arrayContaining(aboutPatients));
  // These are about patients, too.
  expect(limitedTables).toEqual(expect.arrayContaining(["users", "encounters", "session_counts"]));
});

test("every table within the expressions is read with its organization", () => {
  const { sql } = limited({ sql: "select 1", parameters: [] }, "sqlite", []);
  const places = [...sql.matchAll(/ main\.(\w+)(?: as session)?\s+where (\S+ = \S+)/g)];
  expect(places).toHaveLength(sql.split(" main.").length - 1);
  for (const [, , condition = ""] of places)
    expect(condition).toMatch(/^(session\.)?organization_id = \?1$/);
});

describe("a statement reads the limited tables", () => {
  const ids = (rows: { public_id: string }[]) => rows.map((row) => row.public_id);

  test("of Kysely, also with expressions of its own, one of them recursive", async () => {
    await database.read(async (db) => {
      const seen = limitedTo(db, own);
      const users = seen.selectFrom("users").select("public_id");
      expect(ids(await users.execute())).toEqual([technician]);
      const some = seen
        .with("some", () => users)
        .selectFrom("some")
        .select("public_id");
      expect(ids(await some.execute())).toEqual([technician]);
      const all = seen
        .withRecursive("tree(public_id)", (cte) =>
          cte
            .selectFrom("users")
            .select("public_id")
            .union(cte.selectFrom("tree").select("public_id")),
        )
        .selectFrom("tree")
        .select("public_id");
      expect(ids(await all.execute())).toEqual([technician]);
    });
  });

  test("of a prepared query, and of a stream", async () => {
    await database.read(async (db) => {
      const seen = limitedTo(db, own);
      const query = seen.selectFrom("users").select("public_id").where("is_active", "=", 1);
      const { sql, parameters } = query.compile();
      const rows = await seen.executor.all<{ public_id: string }>(sql, parameters);
      expect(ids(rows)).toEqual([technician]);
      const streamed = [];
      for await (const row of query.stream()) streamed.push(row);
      expect(ids(streamed)).toEqual([technician]);
    });
  });
});

describe("a statement that is not known to write is refused, instead of reading everything:", () => {
  test.each([
    "/* of the index */ select * from users",
    "-- all\nselect * from users",
    "(select * from users) union all select * from users",
    "explain select * from users",
    "explain query plan select * from users",
    "values (1)",
    "table users",
    "copy users to stdout",
    "pragma table_info(users)",
    "selec\u00adt * from users",
    "",
  ])("%p", async (sql) => {
    await database.read(async (db) => {
      const seen = limitedTo(db, own);
      await expect((async () => seen.executeQuery(CompiledQuery.raw(sql)))()).rejects.toThrow(
        "A limited statement begins with",
      );
      await expect((async () => seen.executor.all(sql, []))()).rejects.toThrow(TypeError);
    });
  });

  test.each(["insert into users", "  update users", "DELETE from users"])("not %p …", (start) => {
    const statement = { sql: `${start} …`, parameters: [] };
    expect(limited(statement, "sqlite", [])).toEqual(statement);
  });
});

test.skipIf(onPostgresql)(
  "the sessions of some authorizations are looked up by these, and not by all own patients for each",
  async () => {
    const plan = async (sql: string) => {
      const own = [organization, technician, JSON.stringify(["usr_a", "usr_b"])];
      const statement = limited({ sql, parameters: [] }, "sqlite", own);
      const text = `explain query plan ${statement.sql}`;
      const rows = await database.read(async (db) =>
        db.executor.all<{ detail: string }>(text, [...statement.parameters]),
      );
      return rows.map(({ detail }) => detail).filter((detail) => /sessions?_by_/.test(detail));
    };
    const spans = `(select value from json_each('["auth_1","auth_2"]')) as span`;
    const byAuthorization = await plan(
      `select session.public_id from ${spans} cross join sessions as session
      where session.organization_id = '${organization}' and session.authorization_id = span.value`,
    );
    expect(byAuthorization[0]).toContain("(organization_id=? AND authorization_id=?)");
    // Others are found by their patients.
    const byPatient = await plan(
      `select public_id from sessions where organization_id = '${organization}' and start_time > '2026'`,
    );
    expect(byPatient[0]).toContain("(organization_id=? AND client_id=?");
  },
);
