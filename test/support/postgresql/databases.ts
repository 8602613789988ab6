import { Client } from "pg";

/** Databases on the PostgreSQL server of the test run, copied from a migrated template. */

let made = 0;

/** Whether the tests run on PostgreSQL. */
export const onPostgresql = process.env.TEST_DATABASE_TEMPLATE !== undefined;

/** The URL of a new, migrated, empty database on the server of the run. */
export function newTestDatabaseUrl(): Promise<string> {
  const { TEST_DATABASE_URL = "", TEST_DATABASE_TEMPLATE = "" } = process.env;
  made += 1;
  return newDatabaseUrl(
    TEST_DATABASE_URL,
    `caseload_test_${process.pid}_${made}`,
    TEST_DATABASE_TEMPLATE,
  );
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

/** Executes a statement outside a transaction. */
export async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
