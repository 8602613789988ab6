import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RawNode,
} from "kysely";
import type { Client } from "pg";
import type { Db } from "../database.ts";
import { chosen } from "../engine.ts";
import { setExecutor } from "../executor.ts";
import type { Schema } from "../schema.ts";
import { asServerError } from "./errors.ts";
import { type Result, Wire } from "./wire.ts";

const wires = new WeakMap<Client, Wire>();

/** Takes over a connection that pg has made; `patience` is that of `Wire`. */
export function takeOver(client: Client, patience: number): void {
  wires.set(client, new Wire(client, patience));
}

function wireOf(client: Client): Wire {
  const wire = wires.get(client);
  if (wire === undefined) throw new TypeError("It is no connection that was taken over");
  return wire;
}

/** Whether the connection works and has no transaction open. */
export function isIdle(client: Client): boolean {
  return wireOf(client).isIdle;
}

/**
 * Sends a statement; several may be under way on one connection, which answers them in order.
 *
 * @param isKept whether the connection keeps it, as it does but for what searches: that is planned anew for its terms, as
 * what finds at once what many have looks through everybody for what nobody has.
 * @throws ConnectionLost, or the server's own error.
 */
export async function send<Row extends object>(
  client: Client,
  text: string,
  values: readonly unknown[] = [],
  isKept = !text.includes(" like $"),
): Promise<Result<Row>> {
  try {
    return await wireOf(client).execute<Row>(text, values, isKept);
  } catch (error) {
    throw asServerError(error);
  }
}

/** Sends what need not be waited for: what follows on the connection fails where it does. */
export function sendAhead(client: Client, text: string): void {
  send(client, text).catch(() => {});
}

const databases = new WeakMap<Client, Db>();

/** Kysely over one connection. Transactions are those of `Database.read` and `Database.write`. */
export function kyselyOver(client: Client): Db {
  const known = databases.get(client);
  if (known !== undefined) return known;
  const db = new Kysely<Schema>({
    dialect: {
      createDriver: () => driverOf(client),
      createQueryCompiler: () => new Compiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  });
  setExecutor(db, {
    engine: "postgresql",
    all: async (text, values) => (await send(client, text, values)).rows as never[],
  });
  databases.set(client, db);
  return db;
}

class Compiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(chosen(node, "postgresql"));
  }
}

function driverOf(client: Client): Driver {
  /** How many are open; one that was left in the middle ends with its transaction. */
  let cursors = 0;
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, rowCount } = await send(client, sql, parameters);
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount) };
    },
    async *streamQuery<Row>({ sql, parameters }: CompiledQuery, size = 1) {
      const cursor = `rows_${cursors}`;
      cursors += 1;
      // None is kept: the next cursor of the name has other columns.
      const ask = (text: string, values: readonly unknown[] = []) =>
        send<object>(client, text, values, false);
      try {
        await ask(`declare ${cursor} no scroll cursor for ${sql}`, parameters);
        for (;;) {
          const { rows } = await ask(`fetch ${size} from ${cursor}`);
          if (rows.length > 0) yield { rows: rows as Row[] };
          if (rows.length < size) break;
        }
        await ask(`close ${cursor}`);
      } finally {
        cursors -= 1;
      }
    },
  };
  const refuse = async (): Promise<never> => {
    throw new Error("Transactions are those of Database.read and Database.write");
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  };
}
