import { sql } from "kysely";
import type { Client } from "pg";
import type { Db } from "../database.ts";
import { DatabaseError } from "../errors.ts";
import type { ServerAddress } from "./url.ts";

/** The oldest version that is tested. */
const MIN_VERSION = 15;

/** Collations that order texts by code point, like SQLite and this program. */
const COLLATIONS = ["C", "POSIX", "C.UTF-8", "C.utf8"];

interface ServerRow {
  version: number;
  synchronous_commit: string;
  encoding: string;
  /** A row of pg_database, whose columns vary between versions. */
  database: {
    datcollate: string;
    /** `c`: libc, `i`: ICU, `b`: built in. */
    datlocprovider: string;
    datlocale?: string | null;
  };
}

/** The statement that creates a suitable database. */
export function creating(database: string): string {
  return `create database "${database.replaceAll('"', '""')}" template template0 encoding 'UTF8' locale 'C.UTF-8';`;
}

/**
 * Checks that a server is durable and orders texts like the API.
 *
 * @returns the value of `synchronous_commit` that makes it durable.
 * @throws DatabaseError with advice for the operator.
 */
export async function requireSuitable(
  client: Client,
  { database }: ServerAddress,
): Promise<{ durability: string }> {
  const { rows } = await client.query<ServerRow>(
    `select current_setting('server_version_num')::integer / 10000 as version,
      current_setting('synchronous_commit') as synchronous_commit,
      pg_encoding_to_char(encoding) as encoding,
      to_jsonb(pg_database) as database
      from pg_database where datname = current_database()`,
  );
  const [server] = rows as [ServerRow];
  const problem = problemOf(server, database);
  if (problem !== undefined) throw new DatabaseError(problem);
  return { durability: server.synchronous_commit };
}

/** What a pooler must be set to. */
const IN_TRANSACTION_MODE =
  "The connection leads through a pooler that gives each transaction another one, which loses prepared statements and timeouts: set pool_mode = session for this database, or connect to PostgreSQL itself.";

const WITHOUT_TIMEOUTS =
  "The connection leads through a pooler that keeps statement_timeout back: have it pass it on, or set statement_timeout = '20s', lock_timeout = '5s' and idle_in_transaction_session_timeout = '60s' for the user (alter role … set).";

/**
 * Checks that a connection is one session of the server, and has the timeouts that were asked for, as it is not behind
 * a pooler in transaction mode.
 *
 * @param second a client for another connection.
 * @throws DatabaseError with advice for the operator.
 */
export async function requireSession(client: Client, second: () => Client): Promise<void> {
  const session = async () => {
    const { rows } = await client.query<{ timeout: string; pid: number }>(
      "select current_setting('statement_timeout') as timeout, pg_backend_pid() as pid",
    );
    return rows[0];
  };
  const before = await session();
  const other = second();
  other.on("error", () => {});
  try {
    await other.connect();
    await other.query("begin");
    const after = await session();
    if (before?.pid !== after?.pid) throw new DatabaseError(IN_TRANSACTION_MODE);
    if (before?.timeout === "0") throw new DatabaseError(WITHOUT_TIMEOUTS);
  } finally {
    await other.end().catch(() => {});
  }
}

function problemOf(server: ServerRow, database: string): string | undefined {
  if (server.version < MIN_VERSION)
    return `PostgreSQL ${server.version} is too old; Caseload needs ${MIN_VERSION} or later.`;
  if (server.encoding !== "UTF8" || !COLLATIONS.includes(collationOf(server)))
    return `The database ${database} has the collation ${collationOf(server)} (${server.encoding}), but Caseload needs C or C.UTF-8 in UTF8. Create another one: ${creating(`${database}_c`)}`;
  if (["off", "local"].includes(server.synchronous_commit))
    return `PostgreSQL may lose what it has acknowledged: set synchronous_commit = on.`;
  return undefined;
}

function collationOf({ database }: ServerRow): string {
  switch (database.datlocprovider) {
    case "c":
      return database.datcollate;
    case "b":
      return database.datlocale ?? database.datcollate;
    default:
      // With ICU, datcollate is not used.
      return "of ICU";
  }
}

/** Information on the server for `caseload doctor`. */
export async function readServer(db: Db): Promise<{ version: string; fsync: string }> {
  const { rows } = await sql<{ version: string; fsync: string }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync
  `.execute(db);
  return rows[0] ?? { version: "", fsync: "" };
}

/** The TLS version of the current connection; null without TLS. */
export async function readTlsVersion(db: Db): Promise<string | null> {
  const { rows } = await sql<{ version: string | null }>`
    select version from pg_stat_ssl where pid = pg_backend_pid()
  `.execute(db);
  return rows[0]?.version ?? null;
}
