import { Client, type QueryResult, type QueryResultRow } from "pg";
import { NO_HASH, tables } from "../../../db/tables.ts";

/** Databases on the PostgreSQL server of the test run, copied from a migrated template. */

let made = 0;

/** Empty databases that tests have given back: to empty one takes a hundredth of the time of a copy. */
const unused: string[] = [];

/** Whether the tests run on PostgreSQL. */
export const onPostgresql = process.env.TEST_DATABASE_TEMPLATE !== undefined;

/** The state of a new copy. */
let original: string | undefined;

/** The URL of a migrated, empty database on the server of the run. */
export async function newTestDatabaseUrl(): Promise<string> {
  const url = unused.pop();
  if (url !== undefined) return url;
  const { TEST_DATABASE_URL = "", TEST_DATABASE_TEMPLATE = "" } = process.env;
  made += 1;
  const name = `${TEST_DATABASE_TEMPLATE}_${process.pid}_${made}`;
  const copy = await newDatabaseUrl(TEST_DATABASE_URL, name, TEST_DATABASE_TEMPLATE);
  original ??= await stateOf(copy);
  return copy;
}

/** Takes a database back to which nobody is connected. Others get it if it can be made what it was. */
export async function returnDatabase(url: string): Promise<void> {
  // It fails where a test has left a connection with a lock, or dropped a table.
  const state = await stateOf(url, EMPTY).catch(() => undefined);
  if (state !== undefined && state === original) unused.push(url);
  else await dropDatabase(url);
}

/** Removes rows, as on a replica: no trigger and no foreign key looks at them. */
const EMPTY = `
  set lock_timeout = '1s'; set session_replication_role = replica;
  ${Object.keys(tables)
    .filter((table) => !["schema_migrations", "versions", "audit_heads"].includes(table))
    .map((table) => `delete from ${table};`)
    .join("")}
  delete from audit_heads where organization_id <> '';
  update audit_heads set sequence = 0, hash = '${NO_HASH}', anchor_sequence = 0, anchor_hash = '${NO_HASH}';`;

/** What tests can change beside: the schema, settings, rows of the template; and whether there is much of them left. */
const STATE = `
  select md5(string_agg(part, ',' order by part)) as state from (
    select concat(relname, relkind, reloptions) as part from pg_class where relnamespace = 'public'::regnamespace
    union all select concat(attrelid::regclass, attname, attnum, atttypid, attnotnull, attisdropped)
      from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace
    union all select concat(tgrelid::regclass, tgname, tgenabled) from pg_trigger
    union all select concat(conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    union all select concat(proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
    union all select concat(sequencename, last_value) from pg_sequences
    union all select setconfig::text from pg_db_role_setting
    union all select schema_migrations::text from schema_migrations
    union all select audit_heads::text from audit_heads
    union all select 'large' where pg_database_size(current_database()) > 14e6
  ) as parts`;

async function stateOf(url: string, first = "select"): Promise<string | undefined> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(first);
    return (await client.query<{ state: string }>(STATE)).rows[0]?.state;
  } finally {
    await client.end();
  }
}

/** Copies a database; returns the URL of the copy. */
export async function newDatabaseUrl(
  serverUrl: string,
  name: string,
  template: string,
): Promise<string> {
  await execute(serverUrl, `drop database if exists ${name} with (force)`);
  await execute(
    serverUrl,
    template === "template0"
      ? `create database ${name} template template0 encoding 'UTF8' locale 'C'`
      : `create database ${name} template ${template}`,
  );
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = "/postgres";
  await execute(server.href, `drop database if exists ${name} with (force)`);
}

/** Drops the template of a run, and its copies. */
export async function dropCopies(serverUrl: string, template: string): Promise<void> {
  const { rows } = await execute<{ name: string }>(
    serverUrl,
    `select datname as name from pg_database where starts_with(datname, '${template}')`,
  );
  for (const { name } of rows) await execute(serverUrl, `drop database ${name} with (force)`);
}

/** Executes a statement outside a transaction. */
export async function execute<Row extends QueryResultRow>(
  url: string,
  statement: string,
): Promise<QueryResult<Row>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Row>(statement);
  } finally {
    await client.end();
  }
}
