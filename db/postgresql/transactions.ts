import type { Client, Pool } from "pg";
import type { Db, Snapshot, WriteOptions } from "../database.ts";
import { GroupCommit, type Outcome, type Transactions } from "../group-commit.ts";
import { type Connection, send, sendAhead } from "./dialect.ts";
import {
  ConnectionLost,
  isLocked,
  isRolledBack,
  isToBeRepeated,
  isUniqueViolation,
} from "./errors.ts";

/** A connection that a pool has lent. */
type Lent = Connection & { release(destroy?: boolean): void };

/** Lends a connection to some work. One that broke is not lent again. */
export async function withConnection<Result>(
  pool: Pool,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connected(pool);
  try {
    const result = await work(connection);
    connection.release();
    return result;
  } catch (error) {
    connection.release(!isUsable(connection, error));
    throw error;
  }
}

async function connected(pool: Pool): Promise<Lent> {
  try {
    return (await pool.connect()) as unknown as Lent;
  } catch (error) {
    throw new ConnectionLost(error);
  }
}

/** Whether the connection works and has no transaction open. */
function isUsable(client: Client, error: unknown): boolean {
  return !(error instanceof ConnectionLost) && client.getTransactionStatus() === "I";
}

export const BEGIN_SNAPSHOT = "begin isolation level repeatable read, read only";

/** Runs `work` on one snapshot of the data, whose end need not be waited for. */
export function readSnapshot<Result>(
  pool: Pool,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, ({ db }) => work(db), {
    begin: BEGIN_SNAPSHOT,
    commit: async (connection) => sendAhead(connection, "commit"),
  });
}

/** Opens a snapshot that keeps a connection until it is closed. */
export async function openSnapshot(pool: Pool): Promise<Snapshot> {
  const connection = await connected(pool);
  sendAhead(connection, BEGIN_SNAPSHOT);
  // Whoever takes what is read may be slow.
  sendAhead(connection, "set local idle_in_transaction_session_timeout = 0");
  let isOpen = true;
  return {
    db: connection.db,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      // One that broke, or is in the middle of a statement, is not lent again.
      const ended = await send(connection, "commit").then(
        () => true,
        () => false,
      );
      connection.release(!ended);
    },
  };
}

/** The transactions of one group of writes. */
class ServerTransactions implements Transactions {
  readonly isLocked = isLocked;
  readonly isRolledBack = isRolledBack;
  readonly isToBeRepeated = isToBeRepeated;

  /** @param organizationId whose lock each transaction takes; undefined for rows of the audit trail, which has its own. */
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
      await added().catch(() => {});
      await all("rollback to one_write", []);
      await all("release one_write", []);
      return { error };
    }
  }
}

const WRITING = {
  begin: "begin",
  // The commit need not wait for the statements that were added: where one has failed, nothing is left to commit.
  commit: async (connection: Connection): Promise<unknown> =>
    Promise.all([connection.db.executor.added(), send(connection, "commit")]),
};

/** Commits what `work` did, and resolves when the server says that it is durable, unless `commit` does otherwise. */
export function inTransaction<Result>(
  pool: Pool,
  work: (connection: Connection) => Promise<Result>,
  { begin, commit }: typeof WRITING = WRITING,
): Promise<Result> {
  return withConnection(pool, async (connection) => {
    sendAhead(connection, begin);
    try {
      const result = await work(connection);
      await commit(connection);
      return result;
    } catch (error) {
      // Most of what is thrown is a refusal: a new connection for each would cost more than the answer. A connection
      // that is lost has nothing to roll back, and cannot be used again.
      await connection.db.executor.added().catch(() => {});
      if (!(error instanceof ConnectionLost)) await send(connection, "rollback");
      throw error;
    }
  });
}

/**
 * Waits for the organization's turn, which lasts until the transaction ends. It comes before all else, so that what
 * is read after it is what the one before has left. What has no row, such as an organization that is about to be
 * made, is locked by its name.
 */
async function lock(client: Client, organizationId: string): Promise<void> {
  const { rows } = await send(
    client,
    "select 1 from organizations where public_id = $1 for no key update",
    [organizationId],
  );
  if (rows.length === 0) await lockName(client, organizationId);
}

async function lockName(client: Client, name: string): Promise<void> {
  await send(client, "select pg_advisory_xact_lock(hashtextextended($1, 0))", [name]);
}

/** A number of our own among the server's advisory locks. */
const SCHEMA_LOCK = 20260311;

/** Runs `work` in a transaction beside which no other node changes the schema; it may take as long as it takes. */
export function changeSchema<Result>(
  pool: Pool,
  work: (trx: Db) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, async (connection) => {
    await send(connection, "set local statement_timeout = 0");
    await send(connection, "set local lock_timeout = 0");
    // Of Citus, which has no other way to take our triggers; they keep to one organization's rows, and so to one server.
    await send(connection, "set local citus.enable_unsafe_triggers = on");
    await send(connection, "select pg_advisory_xact_lock($1)", [SCHEMA_LOCK]);
    return work(connection.db);
  });
}

/** The writes of each organization in groups of their own, and so the rows of its audit trail that belong to no write. */
export class OrganizationWrites {
  readonly #groups = new Map<string, GroupCommit>();
  readonly #trails = new Map<string, GroupCommit>();

  constructor(private readonly pool: Pool) {}

  write<Result>(work: (trx: Db) => Promise<Result>, options: WriteOptions): Promise<Result> {
    const { organizationId, isTrailOnly = false } = options;
    const groups = isTrailOnly ? this.#trails : this.#groups;
    let group = groups.get(organizationId);
    if (group === undefined) {
      const locked = isTrailOnly ? undefined : organizationId;
      group = new GroupCommit(new ServerTransactions(this.pool, locked));
      groups.set(organizationId, group);
    }
    return group.write(work, options);
  }

  async finished(): Promise<void> {
    const groups = [...this.#groups.values(), ...this.#trails.values()];
    await Promise.all(groups.map((group) => group.finished()));
  }
}
