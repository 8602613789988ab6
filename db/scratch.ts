import type { SQLQueryBindings } from "bun:sqlite";
import { CachingSqliteFile } from "./sqlite/dialect.ts";

/**
 * A private place for what a run gathers, of any size in little memory: tables in a temporary file that has no name,
 * that nobody else can open, and that is gone with the process. It is the same whatever database the run works on.
 */
export class Scratch {
  readonly #file = new CachingSqliteFile(":memory:");

  /** @param tables what makes the tables; they are found without a schema name. */
  constructor(tables: readonly string[]) {
    // In-memory databases stay in memory; an attached one without a name spills to a file.
    this.#file.run("attach database '' as scratch");
    this.#file.run("pragma scratch.journal_mode = off");
    for (const table of tables) this.#file.run(`create table scratch.${table}`);
  }

  all<Row>(text: string, ...parameters: SQLQueryBindings[]): Row[] {
    return this.#file.prepare<Row, SQLQueryBindings[]>(text).all(...parameters);
  }

  /** Runs a statement once for each list of parameters. */
  runEach(text: string, rows: readonly SQLQueryBindings[][]): void {
    const statement = this.#file.prepare<unknown, SQLQueryBindings[]>(text);
    this.#file.transaction(() => {
      for (const row of rows) statement.run(...row);
    })();
  }

  close(): void {
    this.#file.close();
  }
}
