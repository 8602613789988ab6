import { type ClientConfig, Pool, type PoolConfig } from "pg";
import type { OpenDatabase } from "../database.ts";
import { DatabaseRefused } from "../errors.ts";
import { CarefulClient } from "./client.ts";
import { Connection, numberTypes } from "./dialect.ts";
import { hasCode } from "./errors.ts";
import { Heartbeat } from "./heartbeat.ts";
import { creating, requireSuitable } from "./inspection.ts";
import { Snapshots } from "./snapshots.ts";
import { changeSchema, openSnapshot, OrganizationWrites } from "./transactions.ts";
import { ServerLock } from "./lock.ts";
import { type ConnectionSafety, parseServerUrl, type ServerAddress } from "./url.ts";

/** Connections of a node: more would wait for the processors of the server. */
const MOST_CONNECTIONS = 10;

/** Connections for snapshots that stay open, so that exports leave those of requests alone. */
const MOST_SNAPSHOTS = 4;

/** How long a connection may take to come about, and a statement to be answered, in milliseconds. */
const CONNECTING_PATIENCE = 10_000;
const STATEMENT_PATIENCE = 20_000;
/** A server that has gone silent is given up a little later. */
const ANSWER_PATIENCE = 25_000;

/** How long a write waits for the organization's lock, and a transaction for its next statement, in milliseconds. */
const LOCK_PATIENCE = 5_000;
const IDLE_PATIENCE = 60_000;

/**
 * Connects to the database of a PostgreSQL server.
 *
 * @throws DatabaseRefused, in one line without the password: nobody there, nobody who answers, a user or password that
 * is not taken, no such database, too old a server, or a database with another collation.
 */
export async function connectServer(url: string, safety?: ConnectionSafety): Promise<OpenDatabase> {
  const address = parseServerUrl(url, safety);
  const config = await reachable(address);
  const heartbeat = new Heartbeat(config);
  const newPool = (options: PoolConfig) => newWatchedPool({ ...config, ...options }, heartbeat);
  const pool = newPool({ max: MOST_CONNECTIONS });
  // A change of the schema takes as long as it takes, and so does the wait for another node's.
  const patientPool = newPool({ max: 1, query_timeout: 0 });
  const snapshotPool = newPool({ max: MOST_SNAPSHOTS });
  const lock = new ServerLock(config, address.name);
  const writes = new OrganizationWrites(pool);
  const snapshots = new Snapshots(pool);
  heartbeat.start();
  return {
    engine: "postgresql",
    read: (work) => snapshots.read(work),
    openSnapshot: () => openSnapshot(snapshotPool),
    write: (work, options) => writes.write(work, options),
    changeSchema: (work) => changeSchema(patientPool, work),
    lock: (mode) => lock.take(mode),
    file: undefined,
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      await writes.finished();
      await snapshots.finished();
      await Promise.all([pool.end(), snapshotPool.end(), patientPool.end(), lock.release()]);
      heartbeat.stop();
    },
  };
}

/** One that breaks while it is used fails its statement; each is replaced when the next is needed. */
function newWatchedPool(config: PoolConfig, heartbeat: Heartbeat): Pool {
  class WatchedConnection extends Connection {
    constructor(config?: ClientConfig) {
      super(config);
      heartbeat.watch(this);
    }
  }
  const pool = new Pool({ ...config, Client: WatchedConnection });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** SQLSTATE codes of a connection that is refused. */
const WRONG_PASSWORD = ["28P01", "28000"];
const NO_SUCH_DATABASE = "3D000";
const NO_PASSWORD = "client password must be a string";
const NO_TLS = "The server does not support SSL connections";

/** How the server is reached, with TLS or without as the URL allows, after it was asked whether it suits. */
async function reachable(address: ServerAddress): Promise<ClientConfig> {
  let refusal: unknown;
  for (const ssl of address.tls) {
    const config = configOf(address, ssl);
    const client = new CarefulClient(config);
    client.on("error", () => {});
    try {
      await client.connect();
      const { durability } = await requireSuitable(client, address);
      // Whatever is set for the role, the database or the server while the program runs.
      const options = `${config.options} -c synchronous_commit=${durability}`;
      return { ...config, options };
    } catch (error) {
      if (error instanceof DatabaseRefused) throw error;
      // That it speaks no TLS is only told where it is all that is wrong.
      if (refusal === undefined || isWithoutTls(refusal)) refusal = error;
      if (!mayDifferWithoutTls(error)) break;
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new DatabaseRefused(sentenceOf(refusal, address), { cause: refusal });
}

function configOf(address: ServerAddress, ssl: ServerAddress["tls"][number]): ClientConfig {
  const { host, port, user, password, database } = address;
  return {
    host,
    port,
    database,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ssl,
    pipeline: true,
    types: numberTypes,
    application_name: "caseload",
    connectionTimeoutMillis: CONNECTING_PATIENCE,
    query_timeout: ANSWER_PATIENCE,
    statement_timeout: STATEMENT_PATIENCE,
    lock_timeout: LOCK_PATIENCE,
    idle_in_transaction_session_timeout: IDLE_PATIENCE,
    keepAlive: true,
    // A node whose machine is gone does not hold a lock for two hours.
    options: "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3",
  };
}

/** Whether another way to connect could succeed: the server speaks no TLS, or does not let in without. */
function mayDifferWithoutTls(error: unknown): boolean {
  return isWithoutTls(error) || hasCode(error, "28000");
}

function isWithoutTls(error: unknown): boolean {
  return (error as Error).message === NO_TLS;
}

/** What the driver says when it waits no longer: for a connection, or for an answer. */
const TIMEOUTS = ["timeout expired", "Query read timeout"];

function sentenceOf(error: unknown, { name, host, port, user, database }: ServerAddress): string {
  const { code, message } = error as { code?: string; message?: string };
  if (message?.endsWith(NO_PASSWORD) === true)
    return `PostgreSQL at ${host}:${port} asks for a password; give it by PGPASSWORD, ~/.pgpass or the URL.`;
  if (hasCode(error, ...WRONG_PASSWORD))
    return `PostgreSQL at ${host}:${port} does not let in ${user === undefined ? "a user without a name" : `the user ${user}`}; check user, password and pg_hba.conf.`;
  if (hasCode(error, NO_SUCH_DATABASE))
    return `PostgreSQL at ${host}:${port} has no database ${database}. Make it: ${creating(database)}`;
  if (isWithoutTls(error))
    return `PostgreSQL at ${host}:${port} speaks no TLS, which sslmode asks for.`;
  if (TIMEOUTS.includes(message ?? "") || code === "ETIMEDOUT")
    return `PostgreSQL at ${host}:${port} does not answer; see that it runs and can be reached from here.`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `The certificate of PostgreSQL at ${host}:${port} is another host's; connect by the name that is in it.`;
  if (/certificate|CERT|TLS|SSL/.test(`${code} ${message}`))
    return `The certificate of PostgreSQL at ${host}:${port} is not trusted; name its authority with sslrootcert.`;
  if (/^E[A-Z_]+$/.test(code ?? ""))
    return `There is no PostgreSQL at ${host}:${port} (${code}); start it, or check host and port.`;
  return `Cannot open ${name} (${code ?? "unknown reason"}); see the log of PostgreSQL.`;
}
