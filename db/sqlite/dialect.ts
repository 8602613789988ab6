import {
  constants,
  Database as SqliteFile,
  type SQLQueryBindings,
  type Statement,
} from "bun:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type RawNode,
  SqliteQueryCompiler,
} from "kysely";
// The package's main file is CommonJS, for which Bun would load Kysely a second time.
import { BunSqliteDialect } from "kysely-bun-sqlite/dist/index.js";
import { chosen } from "../engine.ts";
import { Db, type Executor } from "../database.ts";

/** More than the service has statements. Optional filters multiply them, so a bound is needed. */
const STATEMENT_CACHE_SIZE = 512;

/**
 * A SQLite file that caches prepared statements. kysely-bun-sqlite prepares every query anew, which takes longer than
 * most of our queries. (`Database.query` caches only twenty statements.)
 */
export class CachingSqliteFile extends SqliteFile {
  readonly #statements = new Map<string, Statement>();
  /** Whether the file may be removed while it is open. */
  isRemovable = false;

  override prepare<Row, Bindings extends SQLQueryBindings | SQLQueryBindings[]>(text: string) {
    type Prepared = Statement<Row, Bindings extends any[] ? Bindings : [Bindings]>;
    const cached = this.#statements.get(text);
    if (cached !== undefined) return cached as Prepared;
    if (this.#statements.size === STATEMENT_CACHE_SIZE) this.#forgetStatements();
    const statement: Prepared = super.prepare<Row, Bindings>(text);
    this.#statements.set(text, statement);
    return statement;
  }

  /** Ends a statement whose rows were not all read: it would keep its snapshot open. */
  forget(text: string): void {
    this.#statements.get(text)?.finalize();
    this.#statements.delete(text);
  }

  /** Whether the path still leads to the opened file. Cheap enough for each write. */
  isInPlace(): boolean {
    if (this.isRemovable) return true;
    const moved = new Int32Array(2);
    this.fileControl(constants.SQLITE_FCNTL_HAS_MOVED, moved);
    return moved[0] === 0;
  }

  /** Finalizes statements first, so that SQLite can close the file completely and remove `-wal` and `-shm`. */
  override close(): void {
    this.#forgetStatements();
    super.close(true);
  }

  #forgetStatements(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
  }
}

/**
 * Kysely over one connection to a SQLite file. Transactions are begun and ended directly on the file, and their owner
 * has the connection exclusively. Kysely's own transactions and connection handling cost a dozen promises each.
 */
export function dbOver(file: CachingSqliteFile): Db {
  const dialect = new BunSqliteDialect({ database: file });
  const executor: Executor = {
    all: <Row>(text: string, values: readonly unknown[]) =>
      file.prepare<Row, never[]>(text).all(...(values.map(bindable) as never[])),
    add(text, values) {
      file.prepare<unknown, never[]>(text).run(...(values.map(bindable) as never[]));
    },
    added: async () => {},
  };
  return new Db("sqlite", executor, {
    createDriver: () => withOneConnection(dialect.createDriver(), file),
    createQueryCompiler: () => new Compiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  });
}

class Compiler extends SqliteQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(chosen(node, "sqlite"));
  }
}

/** Passes a list as one parameter, in the form that `isOneOf` reads. */
function bindable(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

function withOneConnection(driver: Driver, file: CachingSqliteFile): Driver {
  let connection: Promise<DatabaseConnection> | undefined;
  const open = async (): Promise<DatabaseConnection> => {
    const opened = await driver.acquireConnection();
    return {
      executeQuery: (query) => opened.executeQuery(query),
      streamQuery: (query, size = 1) => stream(file, query, size),
    };
  };
  const notSupported = async (): Promise<never> => {
    throw new Error("Transactions are those of Database.read and Database.write");
  };
  return {
    init: () => driver.init(),
    acquireConnection: () => (connection ??= open()),
    releaseConnection: async () => {},
    beginTransaction: notSupported,
    commitTransaction: notSupported,
    rollbackTransaction: notSupported,
    destroy: () => driver.destroy(),
  };
}

/** Streams the rows of a query in chunks; kysely-bun-sqlite can only read all at once. */
async function* stream<Row>(
  file: CachingSqliteFile,
  { sql, parameters }: Pick<CompiledQuery, "sql" | "parameters">,
  size: number,
): AsyncIterableIterator<QueryResult<Row>> {
  let rows: Row[] = [];
  const statement = file.prepare<Row, SQLQueryBindings[]>(sql);
  let isRead = false;
  try {
    for (const row of statement.iterate(...(parameters.map(bindable) as SQLQueryBindings[]))) {
      rows.push(row);
      if (rows.length < size) continue;
      yield { rows };
      rows = [];
    }
    isRead = true;
    yield { rows };
  } finally {
    if (!isRead) file.forget(sql);
  }
}
