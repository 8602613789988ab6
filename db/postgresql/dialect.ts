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

/** Limit of named statements; more than the service has. Each connection caches the plan of every one. */
const MAX_STATEMENT_NAMES = 2_000;

/**
 * Number of executions before a statement is prepared. A generic plan made while a table is nearly empty scans all of
 * it, and is kept until PostgreSQL analyzes the table. After a large copy that can take minutes, during which pages are
 * slow.
 */
const TIMES_UNPREPARED = 100;

/** The name of each statement, with the number of executions before it is prepared. */
const statements = new Map<string, { name: string; times: number }>();

/**
 * The name under which a connection prepares a statement. Searches are not prepared: the best plan depends on how
 * common the terms are.
 */
function nameOf(text: string): string | undefined {
  let statement = statements.get(text);
  if (statement === undefined) {
    if (statements.size === MAX_STATEMENT_NAMES || text.includes(" like $")) return undefined;
    statement = { name: `caseload_${statements.size}`, times: 0 };
    statements.set(text, statement);
  }
  if (statement.times === TIMES_UNPREPARED) return statement.name;
  statement.times += 1;
  return undefined;
}

/** Parse counts (`bigint`) and sums (`numeric`) as numbers, which are exact for all possible values. */
const BIGINT = 20;
const NUMERIC = 1700;

export const numberTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === BIGINT || oid === NUMERIC
      ? Number
      : types.getTypeParser(oid, format as "text")) as CustomTypesConfig["getTypeParser"],
};

/**
 * Executes a statement. Several can be pending on one connection; the server answers them in order.
 *
 * @throws ConnectionLost, or the server's error.
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

/** Sends a statement without waiting. If it fails, later statements of the connection fail. */
export function sendAhead(client: Client, text: string): void {
  send(client, text).catch(() => {});
}

/** A connection to the server, wrapped in Kysely. Transactions are managed by `Database.read` and `Database.write`. */
export class Connection extends CarefulClient {
  /** On the `performance` clock. */
  readonly madeAt = performance.now();
  readonly db = new Db("postgresql", executorOf(this), {
    createDriver: () => driverOf(this),
    createQueryCompiler: () => new Compiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  });

  /** Closes the connection immediately. Pending statements fail. */
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
      // Errors are reported to the caller that awaits `added()`; this avoids an unhandled rejection.
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
  /** The number of cursors, for unique names. Unfinished cursors end with their transaction. */
  let cursors = 0;
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, rowCount } = await send(client, sql, parameters);
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
    },
    async *streamQuery<Row>({ sql, parameters }: CompiledQuery, size = 1) {
      const cursor = `rows_${cursors}`;
      cursors += 1;
      const fetchRows = () => {
        const response = send(client, `fetch ${size} from ${cursor}`);
        // Reported where it is awaited, unless nobody wants more rows.
        response.catch(() => {});
        return response;
      };
      try {
        await send(client, `declare ${cursor} no scroll cursor for ${sql}`, parameters);
        for (let next = fetchRows(), isOver = false; !isOver;) {
          const { rows } = await next;
          isOver = rows.length < size;
          // The server reads the next rows while these are worked on.
          if (!isOver) next = fetchRows();
          if (rows.length > 0) yield { rows: rows as Row[] };
        }
        await send(client, `close ${cursor}`);
      } finally {
        cursors -= 1;
      }
    },
  };
  const notSupported = async (): Promise<never> => {
    throw new Error("Transactions are those of Database.read and Database.write");
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: notSupported,
    commitTransaction: notSupported,
    rollbackTransaction: notSupported,
    destroy: async () => {},
  };
}
