import {
  constants,
  Database as SqliteFile,
  type SQLQueryBindings,
  type Statement,
} from "bun:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type RawNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { nextPiece } from "../../src/lib/turns.ts";
import { driverOver } from "../driver.ts";
import { chosen } from "../engine.ts";
import { Db, type Executor } from "../database.ts";

/** More than the service has statements. Optional filters multiply them, so a bound is needed. */
const STATEMENT_CACHE_SIZE = 512;

/**
 * A SQLite file that caches prepared statements: preparing a query takes longer than most of ours. (`Database.query`
 * caches only twenty statements.)
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
 *
 * @param isLong whether other work runs between the rows of a long result. Statements must then run one after the other.
 */
export function dbOver(file: CachingSqliteFile, { isLong = false } = {}): Db {
  const executor: Executor = {
    all: <Row>(text: string, values: readonly unknown[]) =>
      isLong
        ? allInPieces<Row>(file, { sql: text, parameters: values.map(bindable) })
        : file.prepare<Row, never[]>(text).all(...(values.map(bindable) as never[])),
    add(text, values) {
      file.prepare<unknown, never[]>(text).run(...(values.map(bindable) as never[]));
    },
    added: async () => {},
  };
  return new Db("sqlite", executor, {
    createDriver: () => driverOver(connectionOver(file, isLong)),
    createQueryCompiler: () => new Compiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
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

function connectionOver(file: CachingSqliteFile, isLong: boolean): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      if (isLong) return { rows: await allInPieces<Row>(file, query) };
      const statement = file.prepare<Row, SQLQueryBindings[]>(query.sql);
      const values = query.parameters as SQLQueryBindings[];
      if (statement.columnNames.length > 0) return { rows: statement.all(...values) };
      const { changes } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes) };
    },
    streamQuery: (query, size = 1) => stream(file, query, size),
  };
}

/** Streams the rows of a query in chunks. The event loop turns between them, since reading a file never waits. */
async function* stream<Row>(
  file: CachingSqliteFile,
  { sql, parameters }: Pick<CompiledQuery, "sql" | "parameters">,
  size: number,
): AsyncIterableIterator<QueryResult<Row>> {
  let rows: Row[] = [];
  const statement = file.prepare<Row, SQLQueryBindings[]>(sql);
  for (const row of statement.iterate(...(parameters.map(bindable) as SQLQueryBindings[]))) {
    rows.push(row);
    if (rows.length < size) continue;
    yield { rows };
    rows = [];
    await nextPiece();
  }
  yield { rows };
}

/** Rows of a long result that are read at a time. */
const ROWS_OF_PIECE = 500;

async function allInPieces<Row>(
  file: CachingSqliteFile,
  query: Pick<CompiledQuery, "sql" | "parameters">,
): Promise<Row[]> {
  const pieces: Row[][] = [];
  for await (const { rows } of stream<Row>(file, query, ROWS_OF_PIECE)) pieces.push(rows);
  return pieces.flat();
}
