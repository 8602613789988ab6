import type { Client, Pool, PoolClient } from "pg";
import type { Db, Snapshot, WriteOptions } from "../database.ts";
import { executorOf } from "../executor.ts";
import { GroupCommit, type Outcome, type Transactions } from "../group-commit.ts";
import { kyselyOver, send, sendAhead } from "./dialect.ts";
import {
  ConnectionLost,
  isLocked,
  isRolledBack,
  isToBeRepeated,
  isUniqueViolation,
} from "./errors.ts";

/** Takes a connection for some work. One that broke is not given to anybody again. */
export async function withClient<Result>(
  pool: Pool,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connected(pool);
  try {
    const result = await work(client as unknown as Client);
    client.release();
    return result;
  } catch (error) {
    client.release(!isUsable(client as unknown as Client, error));
    throw error;
  }
}

async function connected(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
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
  return inTransaction(pool, (client) => work(kyselyOver(client)), {
    begin: BEGIN_SNAPSHOT,
    commit: async (client) => sendAhead(client, "commit"),
  });
}

/** Opens a snapshot that keeps a connection until it is closed. */
export async function openSnapshot(pool: Pool): Promise<Snapshot> {
  const client = (await connected(pool)) as PoolClient & Client;
  sendAhead(client, BEGIN_SNAPSHOT);
  // Whoever takes what is read may be slow, and keeps nobody waiting.
  sendAhead(client, "set local idle_in_transaction_session_timeout = 0");
  let isOpen = true;
  return {
    db: kyselyOver(client),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      // One that broke, or is in the middle of a statement, is not given to anybody else.
      const ended = await send(client, "commit").then(
        () => true,
        () => false,
      );
      client.release(!ended);
    },
  };
}

/** Transactions that write an organization's data, one at a time on however many nodes. */
class OrganizationTransactions implements Transactions {
  readonly isLocked = isLocked;
  readonly isRolledBack = isRolledBack;
  readonly isToBeRepeated = isToBeRepeated;

  constructor(
    private readonly pool: Pool,
    private readonly organizationId: string,
  ) {}

  run<Result>(work: (trx: Db) => Promise<Result>): Promise<Result> {
    return inTransaction(this.pool, async (client) => {
      await lock(client, this.organizationId);
      return work(kyselyOver(client));
    });
  }

  async runInSavepoint(trx: Db, work: (trx: Db) => Promise<unknown>): Promise<Outcome> {
    const { all, added } = executorOf(trx);
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
  // It need not wait for what was added: where that has failed, nothing is left to commit.
  commit: async (client: Client): Promise<unknown> =>
    Promise.all([addedOn(client), send(client, "commit")]),
};

function addedOn(client: Client): Promise<void> {
  return executorOf(kyselyOver(client)).added();
}

/** Commits what `work` did, and resolves when the server says that it is durable, unless `commit` does otherwise. */
export function inTransaction<Result>(
  pool: Pool,
  work: (client: Client) => Promise<Result>,
  { begin, commit }: typeof WRITING = WRITING,
): Promise<Result> {
  return withClient(pool, async (client) => {
    sendAhead(client, begin);
    try {
      const result = await work(client);
      await commit(client);
      return result;
    } catch (error) {
      // Most of what is thrown is a refusal: a connection for each would cost more than the answer. One that is lost has
      // nothing to roll back, and cannot be used again.
      await addedOn(client).catch(() => {});
      if (!(error instanceof ConnectionLost)) await send(client, "rollback");
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
  return inTransaction(pool, async (client) => {
    await send(client, "set local statement_timeout = 0");
    await send(client, "set local lock_timeout = 0");
    // Of Citus, which has no other way to take our triggers; they keep to one organization's rows, and so to one server.
    await send(client, "set local citus.enable_unsafe_triggers = on");
    await send(client, "select pg_advisory_xact_lock($1)", [SCHEMA_LOCK]);
    return work(kyselyOver(client));
  });
}

/** How often a long write is run that is at odds with others. */
const ATTEMPTS = 3;

/** The writes of each organization in groups of their own, and long ones beside them. */
export class OrganizationWrites {
  readonly #groups = new Map<string, GroupCommit>();
  readonly #long = new Set<Promise<unknown>>();

  constructor(private readonly pool: Pool) {}

  write<Result>(
    work: (trx: Db) => Promise<Result>,
    { organizationId, patience, ahead }: WriteOptions,
  ): Promise<Result> {
    if (ahead !== undefined) return this.#writeLong(work, { organizationId, ahead });
    let group = this.#groups.get(organizationId);
    if (group === undefined) {
      group = new GroupCommit(new OrganizationTransactions(this.pool, organizationId));
      this.#groups.set(organizationId, group);
    }
    return group.write(work, patience);
  }

  #writeLong<Result>(
    work: (trx: Db) => Promise<Result>,
    options: Required<Pick<WriteOptions, "organizationId" | "ahead">>,
  ): Promise<Result> {
    const written = this.#writeAhead(work, options);
    this.#long.add(written);
    const ended = () => this.#long.delete(written);
    written.then(ended, ended);
    return written;
  }

  async #writeAhead<Result>(
    work: (trx: Db) => Promise<Result>,
    { organizationId, ahead }: Required<Pick<WriteOptions, "organizationId" | "ahead">>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await inTransaction(this.pool, async (client) => {
          await lockName(client, `ahead of ${organizationId}`);
          await ahead(kyselyOver(client));
          await lock(client, organizationId);
          return work(kyselyOver(client));
        });
      } catch (error) {
        // What another write has committed meanwhile is seen the next time.
        const isAtOdds = isToBeRepeated(error) || isUniqueViolation(error);
        if (!isAtOdds || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async finished(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.finished()));
    await Promise.allSettled(this.#long);
  }
}
