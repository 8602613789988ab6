import type { Db } from "./database.ts";
import type { Engine } from "./engine.ts";

/** Executes a statement's text on the connection of a `Db`, past Kysely. */
export interface Executor {
  engine: Engine;
  all<Row>(text: string, values: readonly unknown[]): Row[] | Promise<Row[]>;
  /**
   * Executes a statement that changes something and gives nothing, without a wait for a server's answer. Where it fails, the
   * transaction does, when it is to be committed at the latest.
   */
  add(text: string, values: readonly unknown[]): void;
  /** Resolves when all that was added is done; rejects where it is not. */
  added(): Promise<void>;
}

const executors = new WeakMap<Db, Executor>();

export function setExecutor(db: Db, executor: Executor): void {
  executors.set(db, executor);
}

/** What executes the statements of a read or a write. */
export function executorOf(db: Db): Executor {
  const executor = executors.get(db);
  if (executor === undefined) throw new TypeError("It is no Db of Database.read or Database.write");
  return executor;
}
