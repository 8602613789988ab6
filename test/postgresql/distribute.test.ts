import { afterAll, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { REFERENCE_TABLES } from "../../db/postgresql/citus.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { runProgram } from "../support/commands/program.ts";
import { newOrganization } from "../support/factories.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { execute, newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/**
 * `distribute` with Citus. Citus is not installed here. Stand-ins for its functions record their
 * calls, and check that a table is distributed after those to which it refers. They do not show the
 * effect on Citus.
 */

const server = await newTestServer();
afterAll(() => server.remove());
const cwd = temporaryFolder();

const distribute = (url: string) => runProgram(["distribute"], { cwd, env: { DATABASE_URL: url } });

const STAND_INS = [
  // An extension that is not installed cannot be created, but a superuser can insert it into the
  // catalogue.
  `set allow_system_table_mods = on;
    insert into pg_extension select 99999, 'citus', oid, 'pg_catalog'::regnamespace, false, '13.2-1'
    from pg_roles where rolname = current_user;
    create table pg_catalog.pg_dist_partition (logicalrelid regclass, method text, of text)`,
  `create function citus_is_coordinator() returns boolean language sql as 'select true'`,
  `create function create_reference_table(name regclass) returns void language sql as
    'insert into pg_dist_partition values (name, ''whole'', null)'`,
  `create function create_distributed_table(name regclass, by text, colocate_with text default '')
    returns void language plpgsql as $$ begin
      if exists (
        select 1 from pg_constraint where contype = 'f' and conrelid = name and confrelid <> name
          and confrelid not in (select logicalrelid from pg_dist_partition)
      ) then raise 'a table to which % refers is not distributed', name; end if;
      insert into pg_dist_partition values (name, by, colocate_with);
    end $$`,
  `create function truncate_local_data_after_distributing_table(name regclass) returns void
    language sql as 'select 1'`,
];

async function newMigrated(name: string) {
  const url = await newDatabaseUrl(server.url, name, "template0");
  const database = await connect(url, "existing");
  await migrate(database, NOW as Instant);
  return { url, database };
}

test("tables are distributed once, each after those that it refers to", async () => {
  const { url, database } = await newMigrated("coordinator");
  for (const statement of STAND_INS) await execute(url, statement);
  const tables = (await database.read((db) => db.introspection.getTables())).map(
    ({ name }) => name,
  );
  await database.close();

  const first = await distribute(url);
  expect([first.status, first.stderr]).toEqual([
    0,
    "The tables are distributed; all rows of an organization are on one server. This is experimental.\n",
  ]);
  const distributed = first.stdout.trimEnd().split("\n");
  expect(distributed.toSorted()).toEqual(tables.toSorted());
  expect(distributed.slice(0, 2)).toEqual(["organizations", "audit_entries"]);
  await execute(
    url,
    `do $$ begin
      assert (select count(*) from pg_dist_partition where method = 'whole') = ${REFERENCE_TABLES.length};
      assert (select method from pg_dist_partition where logicalrelid = 'organizations'::regclass) = 'public_id';
      assert (select count(*) from pg_dist_partition
        where method = 'organization_id' and of = 'organizations') = ${tables.length - REFERENCE_TABLES.length - 1};
    end $$`,
  );

  const second = await distribute(url);
  expect(second).toEqual({
    status: 0,
    stdout: "",
    stderr: "The tables are distributed already.\n",
  });
}, 60_000);

const refusalOf = async (url: string) => {
  const { status, stdout, stderr } = await distribute(url);
  expect([status, stdout]).toEqual([1, ""]);
  return stderr;
};

test("a database with organizations is refused, because their rows would run the triggers again", async () => {
  const { url, database } = await newMigrated("taken");
  await newOrganization(database);
  await database.close();
  for (const statement of STAND_INS) await execute(url, statement);
  expect(await refusalOf(url)).toBe(
    "error: The database has organizations already; distribute an empty one, and copy this one into it.\n",
  );
}, 60_000);

test("a worker is refused", async () => {
  const { url, database } = await newMigrated("worker");
  await database.close();
  for (const statement of STAND_INS)
    await execute(url, statement.replace("select true", "select false"));
  expect(await refusalOf(url)).toBe(
    "error: The database is a worker of Citus; give the coordinator's URL.\n",
  );
}, 60_000);

test("a database without Citus, and a SQLite file, are refused", async () => {
  const { url, database } = await newMigrated("plain");
  await database.close();
  expect(await refusalOf(url)).toBe(
    'error: The database has no Citus; install it, and "create extension citus" in the databases of the coordinator and its workers.\n',
  );
  const file = { cwd, env: { DATABASE_URL: "caseload.db" } };
  await runProgram(["migrate"], file);
  expect(await refusalOf("caseload.db")).toBe(
    "error: Only PostgreSQL with Citus can be distributed; copy the file into it, and give its URL.\n",
  );
}, 60_000);
