import { type Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from "pg";
import { whenAlone } from "../alone.ts";
import type { OpenDatabase } from "../database.ts";
import { DatabaseError } from "../errors.ts";
import { CarefulClient } from "./client.ts";
import { Connection, numberTypes } from "./dialect.ts";
import { hasCode, noChanges } from "./errors.ts";
import { Heartbeat } from "./heartbeat.ts";
import { creating, requireSession, requireSuitable } from "./inspection.ts";
import { changeSchema, openSnapshot, OrganizationWrites, readSnapshot } from "./transactions.ts";
import { ServerLock } from "./lock.ts";
import { type ConnectionSafety, parseServerUrl, type ServerAddress } from "./url.ts";

/** Default connections per node. More would only compete for the server's processors. */
const MAX_CONNECTIONS = 10;

/**
 * How long connections last that only read, in seconds. A server that is no primary any more would answer them for ever, and
 * not say so.
 */
const READING_LIFETIME = 8;

/** Additional connections for long snapshots, so that exports do not occupy those of requests. */
const MAX_SNAPSHOTS = 4;

/** Timeouts for the first connection, and for a statement on the server, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;
const STATEMENT_TIMEOUT = 20_000;
/** The client's timeout for a statement. Longer than the server's, so that it applies only if the server is silent. */
const ANSWER_TIMEOUT = 25_000;

/**
 * How long a request waits for one of the connections, in milliseconds. It may wait three times, for its key, its data
 * and its audit row, and must be answered before its client is disconnected for being idle.
 */
const POOL_TIMEOUT = 2_500;

/** How long a statement waits for a lock, and a transaction for its next statement, in milliseconds. */
const LOCK_TIMEOUT = 5_000;
const IDLE_TIMEOUT = 60_000;

/**
 * Connects to a PostgreSQL database.
 *
 * @throws DatabaseError with a one-line message, without the password: server unreachable or not answering, user or
 * password refused, unknown database, server too old, or unsuitable collation.
 */
export async function connectServer(
  url: string,
  safety?: ConnectionSafety,
  { maxConnections = MAX_CONNECTIONS, isOfThread = false } = {},
): Promise<OpenDatabase> {
  const address = parseServerUrl(url, safety);
  const config = await reachable(address, isOfThread ? undefined : requireSession);
  const heartbeat = new Heartbeat(config);
  const newPool = (options: PoolConfig) => newWatchedPool({ ...config, ...options }, heartbeat);
  const reading = { maxLifetimeSeconds: READING_LIFETIME };
  const pool = newPool({
    ...{ max: maxConnections, connectionTimeoutMillis: POOL_TIMEOUT },
    ...(isOfThread && reading),
  });
  // Schema changes, and waiting for those of other nodes, have no timeout.
  const schemaPool = newPool({ max: 1, query_timeout: 0 });
  const snapshotPool = newPool({ max: MAX_SNAPSHOTS, ...reading });
  const lock = new ServerLock(config, address.name);
  const writes = new OrganizationWrites(pool);
  heartbeat.start();
  return {
    engine: "postgresql",
    source: { url, safety },
    read: (work) => readSnapshot(pool, work),
    openSnapshot: () => openSnapshot(snapshotPool),
    write: (work, options) => writes.write(work, options),
    changeSchema: (work) => changeSchema(schemaPool, work),
    lock: (mode) => lock.take(mode),
    async alone(work, isNeeded) {
      const exclusive = new ServerLock(config, address.name);
      try {
        return await whenAlone(() => exclusive.take("exclusive"), work, isNeeded);
      } finally {
        await exclusive.release();
      }
    },
    file: undefined,
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      await writes.finished();
      await Promise.all([pool.end(), snapshotPool.end(), schemaPool.end(), lock.release()]);
      heartbeat.stop();
    },
  };
}

/** A broken connection fails its current statement, and is replaced on demand. */
function newWatchedPool(config: PoolConfig, heartbeat: Heartbeat): Pool {
  class WatchedConnection extends Connection {
    /** Fails at once while the server is silent, so that those who wait for a connection do not fail one by one. */
    override connect(): Promise<Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<Client> | void {
      if (callback === undefined) return super.connect();
      if (heartbeat.isSilent)
        return process.nextTick(callback, new Error("The server does not answer"));
      heartbeat.watch(this);
      return super.connect(callback);
    }
  }
  const pool = new Pool({ ...config, Client: WatchedConnection, verify: requireChanges });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * Refuses a new connection to a server that takes no changes: during a failover, a name can still lead to the one that was
 * the primary, and what it shows is old.
 */
function requireChanges(client: PoolClient, done: (error?: Error) => void): void {
  client
    .query<{ transaction_read_only: string }>("show transaction_read_only")
    .then(({ rows: [row] }) => done(row?.transaction_read_only === "on" ? noChanges() : undefined))
    .catch(done);
}

/** SQLSTATE codes of failed authentication. */
const WRONG_PASSWORD = ["28P01", "28000"];
const NO_SUCH_DATABASE = "3D000";
/** Why a server that was reached lets nobody in, and what to do. */
const CLOSED: Record<string, string> = {
  "42501": "the user may not use it: grant connect",
  "53300": "no connection is left for it: raise the limit, or stop other programs",
  "57P03": "PostgreSQL is starting or stopping: try again",
};
const NO_PASSWORD = "client password must be a string";
const NO_TLS = "The server does not support SSL connections";

/**
 * Finds a working way to connect, with or without TLS as the URL allows, and checks that the server is suitable.
 *
 * @param check of a connection, besides.
 */
async function reachable(
  address: ServerAddress,
  check?: (client: Client, second: () => Client) => Promise<void>,
): Promise<ClientConfig> {
  let firstError: unknown;
  for (const ssl of address.tls) {
    const config = configOf(address, ssl);
    const client = new CarefulClient(config);
    client.on("error", () => {});
    try {
      await client.connect();
      const { durability } = await requireSuitable(client, address);
      await check?.(client, () => new CarefulClient(config));
      // Set per connection, so that settings of the role, the database or the server have no effect: acknowledged
      // writes are durable, and numbers are read with all of their digits.
      const options = `${config.options} -c synchronous_commit=${durability} -c extra_float_digits=1`;
      return { ...config, options };
    } catch (error) {
      if (error instanceof DatabaseError) throw error;
      // Missing TLS support is reported only if no other reason is known.
      if (firstError === undefined || isWithoutTls(firstError)) firstError = error;
      if (!mayDifferWithoutTls(error)) break;
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new DatabaseError(messageFor(firstError, address), { cause: firstError });
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
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: ANSWER_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: LOCK_TIMEOUT,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT,
    keepAlive: true,
    // Keepalives, so that the server soon drops connections, and locks, of a node whose machine is gone.
    options: "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3",
  };
}

/** Whether connecting without TLS, or with it, could succeed: the server lacks TLS, or requires it. */
function mayDifferWithoutTls(error: unknown): boolean {
  return isWithoutTls(error) || hasCode(error, "28000");
}

function isWithoutTls(error: unknown): boolean {
  return (error as Error).message === NO_TLS;
}

/** The driver's messages for timeouts of connections and responses. */
const TIMEOUTS = ["timeout expired", "Query read timeout"];

function messageFor(error: unknown, { name, host, port, user, database }: ServerAddress): string {
  const { code, message } = error as { code?: string; message?: string };
  if (message?.endsWith(NO_PASSWORD) === true)
    return `PostgreSQL at ${host}:${port} asks for a password; set PGPASSWORD, or put it into ~/.pgpass or the URL.`;
  if (hasCode(error, ...WRONG_PASSWORD))
    return `PostgreSQL at ${host}:${port} does not let in ${user === undefined ? "a user without a name" : `the user ${user}`}; check user, password and pg_hba.conf.`;
  if (hasCode(error, NO_SUCH_DATABASE))
    return `PostgreSQL at ${host}:${port} has no database ${database}. Create it: ${creating(database)}`;
  if (isWithoutTls(error))
    return `PostgreSQL at ${host}:${port} speaks no TLS, which sslmode asks for.`;
  if (TIMEOUTS.includes(message ?? "") || code === "ETIMEDOUT")
    return `PostgreSQL at ${host}:${port} does not answer; see that it runs and can be reached from here.`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `The certificate of PostgreSQL at ${host}:${port} is another host's; connect by the name that is in it.`;
  if (/certificate|CERT|TLS|SSL/.test(`${code} ${message}`))
    return `The certificate of PostgreSQL at ${host}:${port} is not trusted; name its authority with sslrootcert.`;
  if (/^E[A-Z_]+$/.test(code ?? ""))
    return `Cannot reach PostgreSQL at ${host}:${port} (${code}); start it, or check host and port.`;
  const closed = CLOSED[code ?? ""];
  if (closed !== undefined) return `Cannot open ${name}: ${closed}.`;
  const whose =
    code?.startsWith("08") === true ? "of the pooler, or of PostgreSQL" : "of PostgreSQL";
  return `Cannot open ${name} (${code ?? "unknown reason"}); see the log ${whose}.`;
}
