import { sql } from "kysely";
import type { Client, Pool } from "pg";
import { remembered } from "../../src/lib/remembered.ts";
import type { Db, Snapshot, WriteOptions } from "../database.ts";
import { GroupCommit, type Outcome, type Transactions } from "../group-commit.ts";
import { type Connection, send, sendAhead } from "./dialect.ts";
import { ConnectionLost, hasFailedBefore, isLocked, isRolledBack, isRetryable } from "./errors.ts";

type PooledConnection = Connection & { release(destroy?: boolean): void };

/**
 * When a connection of each pool was lost. Those that were made before are replaced when they are used next: after a
 * failover they lead to the server that was the primary.
 */
const losses = new WeakMap<Pool, number>();

async function connected(pool: Pool): Promise<PooledConnection> {
  for (;;) {
    const connection = await nextOf(pool);
    if (connection.madeAt >= (losses.get(pool) ?? 0)) return connection;
    connection.release(true);
  }
}

async function nextOf(pool: Pool): Promise<PooledConnection> {
  try {
    return (await pool.connect()) as unknown as PooledConnection;
  } catch (error) {
    throw new ConnectionLost(error);
  }
}

/** Ends the transaction. Returns the connection to the pool, or closes it if it is broken or has a pending statement. */
async function endAndRelease(
  connection: PooledConnection,
  statement: "commit" | "rollback",
): Promise<void> {
  const ended = await send(connection, statement).then(
    () => true,
    () => false,
  );
  connection.release(!ended);
}

const BEGIN_SNAPSHOT = "begin isolation level repeatable read, read only";

/** Runs `work` on one snapshot, on a connection of its own. Does not wait for the end of the transaction. */
export function readSnapshot<Result>(
  pool: Pool,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, ({ db }) => work(db), {
    begin: BEGIN_SNAPSHOT,
    commit: async (connection) => sendAhead(connection, "commit"),
  });
}

/** Opens a snapshot that occupies a connection until it is closed. */
export async function openSnapshot(pool: Pool): Promise<Snapshot> {
  const connection = await connected(pool);
  sendAhead(connection, BEGIN_SNAPSHOT);
  // The client that receives the data may be slow.
  sendAhead(connection, "set local idle_in_transaction_session_timeout = 0");
  let isOpen = true;
  return {
    db: connection.db,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await endAndRelease(connection, "commit");
    },
  };
}

/** The transactions of one group of writes. */
class ServerTransactions implements Transactions {
  readonly isLocked = isLocked;
  readonly isRolledBack = isRolledBack;
  readonly isRetryable = isRetryable;

  /** @param organizationId whose lock each transaction takes; undefined for audit rows, which have their own lock. */
  constructor(
    private readonly pool: Pool,
    private readonly organizationId: string | undefined,
  ) {}

  run<Result>(work: (trx: Db) => Promise<Result>): Promise<Result> {
    return inTransaction(this.pool, async (connection) => {
      if (this.organizationId !== undefined) await lock(connection, this.organizationId);
      return work(connection.db);
    });
  }

  async runInSavepoint(trx: Db, work: (trx: Db) => Promise<unknown>): Promise<Outcome> {
    const { all, added } = trx.executor;
    await all("savepoint one_write", []);
    try {
      const result = await work(trx);
      await added();
      await all("release one_write", []);
      return { result };
    } catch (error) {
      if (error instanceof ConnectionLost) throw error;
      const cause = await causeOf(error, trx);
      await all("rollback to one_write", []);
      await all("release one_write", []);
      return { error: cause };
    }
  }
}

const WRITING = {
  begin: "begin",
  // Added statements need not be awaited: if one has failed, the commit becomes a rollback.
  commit: async (connection: Connection): Promise<unknown> =>
    Promise.all([connection.db.executor.added(), send(connection, "commit")]),
};

/** Runs `work` and commits. By default resolves when the server confirms that the commit is durable. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (connection: Connection) => Promise<Result>,
  { begin, commit }: typeof WRITING = WRITING,
): Promise<Result> {
  const connection = await connected(pool);
  sendAhead(connection, begin);
  try {
    const result = await work(connection);
    await commit(connection);
    connection.release();
    return result;
  } catch (error) {
    const cause = await causeOf(error, connection.db);
    // Most errors are the caller's, and reconnecting for each is expensive, so a working connection is kept.
    if (cause instanceof ConnectionLost) {
      losses.set(pool, performance.now());
      connection.release(true);
    } else await endAndRelease(connection, "rollback");
    throw cause;
  }
}

/** Waits for added statements. If an error only says that the transaction has failed, one of them has the reason. */
async function causeOf(error: unknown, { executor }: Db): Promise<unknown> {
  const first = await executor.added().then(
    () => error,
    (failure: unknown) => failure,
  );
  return hasFailedBefore(error) ? first : error;
}

/**
 * How long one attempt waits for the organization's lock, in milliseconds. Attempts are repeated until the timeout of
 * each waiting write; a long one would keep those that arrive during it for longer than that.
 */
const LOCK_ATTEMPT = 500;

/**
 * Takes the organization's lock until the end of the transaction. It must be the first query, so that later ones see
 * the changes of the previous holder. An organization without a row, such as one about to be created, is locked by
 * its name with an advisory lock.
 */
async function lock(client: Client, organizationId: string): Promise<void> {
  sendAhead(client, `set local lock_timeout = ${LOCK_ATTEMPT}`);
  const { rows } = await send(
    client,
    "select 1 from organizations where public_id = $1 for no key update",
    [organizationId],
  );
  if (rows.length === 0) await lockName(client, organizationId);
  // Locks of later statements, such as that of the audit trail, are waited for as usual: they are not attempted again.
  sendAhead(client, "set local lock_timeout to default");
}

async function lockName(client: Client, name: string): Promise<void> {
  await send(client, "select pg_advisory_xact_lock(hashtextextended($1, 0))", [name]);
}

/** A unique number for the advisory lock. */
const SCHEMA_LOCK = 20260311;

/** Runs `work` in a transaction that excludes schema changes by other nodes. No timeouts apply. */
export function changeSchema<Result>(
  pool: Pool,
  work: (trx: Db) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, async (connection) => {
    await send(connection, "set local statement_timeout = 0");
    await send(connection, "set local lock_timeout = 0");
    // A copy of a large database reads its source for minutes.
    await send(connection, "set local idle_in_transaction_session_timeout = 0");
    // Citus requires this for triggers. Ours only touch rows of the same organization, and so of the same server.
    await send(connection, "set local citus.enable_unsafe_triggers = on");
    await send(connection, "select pg_advisory_xact_lock($1)", [SCHEMA_LOCK]);
    return work(connection.db);
  });
}

/**
 * Plans statements for any organization instead of the one that is written. By the statistics, one that has just come has
 * no rows, and reading all of them looks cheaper than looking up some. Citus cannot plan joins without the organization.
 */
function withGeneralPlans<Result>(work: (trx: Db) => Promise<Result>) {
  return async (trx: Db): Promise<Result> => {
    await sql`select set_config('plan_cache_mode', 'force_generic_plan', true)
      where not exists (select from pg_extension where extname = 'citus')`.execute(trx);
    return work(trx);
  };
}

/** Group commits per organization, and separate ones for audit rows that belong to no write. */
export class OrganizationWrites {
  readonly #groups = new Map<string, GroupCommit>();
  readonly #trails = new Map<string, GroupCommit>();

  constructor(private readonly pool: Pool) {}

  write<Result>(work: (trx: Db) => Promise<Result>, options: WriteOptions): Promise<Result> {
    const { organizationId, isTrailOnly = false } = options;
    const groups = isTrailOnly ? this.#trails : this.#groups;
    const locked = isTrailOnly ? undefined : organizationId;
    const group = remembered(
      groups,
      organizationId,
      () => new GroupCommit(new ServerTransactions(this.pool, locked)),
    );
    return group.write(options.isLong === true ? withGeneralPlans(work) : work, options);
  }

  async finished(): Promise<void> {
    const groups = [...this.#groups.values(), ...this.#trails.values()];
    await Promise.all(groups.map((group) => group.finished()));
  }
}
