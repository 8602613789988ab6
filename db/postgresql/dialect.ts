import type { Socket } from "node:net";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RawNode,
} from "kysely";
import { Client, type CustomTypesConfig, types } from "pg";
import { Db, type Executor } from "../database.ts";
import { chosen } from "../engine.ts";
import { CarefulClient } from "./client.ts";
import { asServerError } from "./errors.ts";

/** More than the service has statements; each connection keeps the plan of every one. */
const MOST_NAMES = 1_000;

/**
 * How often a statement is planned anew before it is prepared. A plan that is made while a table has a few rows looks
 * through all of it, and is kept until PostgreSQL has analyzed the table, which takes minutes where much was copied: pages
 * came at a third of their speed meanwhile, since the audit trail grows with each.
 */
const TIMES_UNPREPARED = 100;

/** What each statement is called, and how often it has been sent, until that is often enough. */
const statements = new Map<string, { name: string; times: number }>();

/**
 * The name under which a connection prepares a statement once. One that searches is planned anew for its terms: what
 * finds at once what many have looks through everybody for what nobody has.
 */
function nameOf(text: string): string | undefined {
  let statement = statements.get(text);
  if (statement === undefined) {
    if (statements.size === MOST_NAMES || text.includes(" like $")) return undefined;
    statement = { name: `caseload_${statements.size}`, times: 0 };
    statements.set(text, statement);
  }
  if (statement.times === TIMES_UNPREPARED) return statement.name;
  statement.times += 1;
  return undefined;
}

/** Counts (`bigint`) and sums (`numeric`) as numbers, which hold all that there can be; others as pg has them. */
const BIGINT = 20;
const NUMERIC = 1700;

export const numberTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === BIGINT || oid === NUMERIC
      ? Number
      : types.getTypeParser(oid, format as "text")) as CustomTypesConfig["getTypeParser"],
};

/**
 * Sends a statement; several may be under way on one connection, which answers them in order.
 *
 * @throws ConnectionLost, or the server's own error.
 */
export async function send<Row extends object>(
  client: Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: Row[]; rowCount: number | null }> {
  const name = nameOf(text);
  try {
    return await client.query<Row>({
      text,
      values: values as unknown[],
      ...(name !== undefined && { name }),
    });
  } catch (error) {
    throw asServerError(error);
  }
}

/** Sends what need not be waited for: what follows on the connection fails where it does. */
export function sendAhead(client: Client, text: string): void {
  send(client, text).catch(() => {});
}

/** A connection to the server, with Kysely over it. Transactions are those of `Database.read` and `Database.write`. */
export class Connection extends CarefulClient {
  readonly db = new Db("postgresql", executorOf(this), {
    createDriver: () => driverOf(this),
    createQueryCompiler: () => new Compiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  });

  /** Ends the connection without a word to the server; what waits for its answers fails. */
  cut(): void {
    (this as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }
}

function executorOf(client: Client): Executor {
  const adding: Promise<unknown>[] = [];
  return {
    all: async (text, values) => (await send(client, text, values)).rows as never[],
    add(text, values) {
      const added = send(client, text, values);
      // Whoever waits for it hears of it.
      added.catch(() => {});
      adding.push(added);
    },
    async added() {
      await Promise.all(adding.splice(0));
    },
  };
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
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
    },
    async *streamQuery<Row>({ sql, parameters }: CompiledQuery, size = 1) {
      const cursor = `rows_${cursors}`;
      cursors += 1;
      try {
        await send(client, `declare ${cursor} no scroll cursor for ${sql}`, parameters);
        for (;;) {
          const { rows } = await send(client, `fetch ${size} from ${cursor}`);
          if (rows.length > 0) yield { rows: rows as Row[] };
          if (rows.length < size) break;
        }
        await send(client, `close ${cursor}`);
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
