import type { SQLQueryBindings } from "bun:sqlite";
import { CachingSqliteFile } from "./sqlite/dialect.ts";

/** Rows for a table of a scratch. */
export interface ScratchRows {
  table: string;
  columns: readonly string[];
  /** Those of one row after those of the other. */
  values: readonly unknown[];
}

const ROWS_PER_STATEMENT = [64, 8, 1];

/** How many of the rows that are left go into the next statement of SQLite: few numbers, so that there are few texts. */
export function rowsForStatement(left: number): number {
  return ROWS_PER_STATEMENT.find((rows) => rows <= left) ?? 1;
}

/**
 * A private place for what a run gathers, of any size in little memory: tables in a temporary file that has no name,
 * that nobody else can open, and that is gone with the process. Its tables are named with `scratch.` before them.
 */
export class Scratch {
  /** @param file the connection that it is part of. From one to a SQLite database, rows move there within SQLite. */
  constructor(readonly file = new CachingSqliteFile(":memory:")) {
    // In-memory databases stay in memory; an attached one without a name spills to a file.
    file.run("attach database '' as scratch");
    file.run("pragma scratch.journal_mode = off");
  }

  /** @param columns which take values of any type, with their constraints. */
  createTable(table: string, columns: readonly string[]): void {
    this.file.run(`create table scratch.${table} (${columns.join(", ")})`);
  }

  all<Row>(text: string, ...parameters: SQLQueryBindings[]): Row[] {
    return this.file.prepare<Row, SQLQueryBindings[]>(text).all(...parameters);
  }

  /** Rows as lists of their values. */
  values(text: string, ...parameters: SQLQueryBindings[]): unknown[][] {
    return this.file.prepare<unknown, SQLQueryBindings[]>(text).values(...parameters);
  }

  insert(...rowsOfTables: readonly ScratchRows[]): void {
    this.file.transaction(() => {
      for (const rows of rowsOfTables) this.#insert(rows);
    })();
  }

  #insert({ table, columns, values }: ScratchRows): void {
    const row = `(${columns.map(() => "?").join(", ")})`;
    for (let start = 0; start < values.length;) {
      const size = rowsForStatement((values.length - start) / columns.length);
      const rows = Array.from({ length: size }, () => row).join(", ");
      const text = `insert into scratch.${table} (${columns.join(", ")}) values ${rows}`;
      const end = start + size * columns.length;
      const parameters = values.slice(start, end) as SQLQueryBindings[];
      this.file.prepare<unknown, SQLQueryBindings[]>(text).run(...parameters);
      start = end;
    }
  }

  close(): void {
    this.file.close();
  }
}
