import { type Dialect, Kysely } from "kysely";
import type { ConnectionSafety } from "./postgresql/url.ts";
import type { Schema } from "./schema.ts";
import type { Spool } from "./spool.ts";

/** The supported database engines. */
export type Engine = "sqlite" | "postgresql";

/** Executes compiled statements on the connection of a `Db`, bypassing Kysely. */
export interface Executor {
  all<Row>(text: string, values: readonly unknown[]): Row[] | Promise<Row[]>;
  /**
   * Executes a statement without result rows, and does not wait for the server. An error fails the transaction, at the
   * latest at its commit.
   */
  add(text: string, values: readonly unknown[]): void;
  /** Resolves when all pending statements have finished; rejects if one has failed. */
  added(): Promise<void>;
}

/** The first argument of repository functions: the snapshot of a read, or the transaction of a write. */
export class Db extends Kysely<Schema> {
  constructor(
    readonly engine: Engine,
    readonly executor: Executor,
    dialect: Dialect,
  ) {
    super({ dialect });
  }
}

export interface WriteOptions {
  /** The organization that is written. Writes of one organization run one at a time, across all nodes. */
  organizationId: string;
  /**
   * For writes that only add audit rows. They run before other writes and, on PostgreSQL, do not wait for the
   * organization's lock, which a long write may hold.
   */
  isTrailOnly?: boolean;
  /**
   * For long writes. They get their own transaction, so that no other write waits to be committed with them. Other
   * writes wait up to their lock timeout.
   */
  isLong?: boolean;
  /**
   * How long to wait for the lock, in milliseconds. Default: 10 seconds. After it, `isLocked` is true for the error.
   */
  lockTimeout?: number;
}

/** For writes without an organization, such as the audit row of a backup. */
export const NO_ORGANIZATION: WriteOptions = { organizationId: "" };

/** The data as of the first read through `db`. */
export interface Snapshot {
  db: Db;
  /** Idempotent. */
  close(): Promise<void>;
}

/** A database, as used by features. */
export interface Database {
  readonly engine: Engine;
  /**
   * Runs `work` on one consistent snapshot, which contains all earlier writes through this database. Never waits for
   * writers.
   */
  read<Result>(work: (db: Db) => Promise<Result>): Promise<Result>;
  /**
   * Opens a separate snapshot, for long-running reads. While it is open, the database cannot reclaim the space of
   * deleted and replaced rows, so close it soon.
   */
  openSnapshot(): Promise<Snapshot>;
  /**
   * Runs `work` in a transaction, and resolves when its changes are durable. If `work` throws, its changes are rolled
   * back. `work` must await nothing but the database, since other writes wait for it, and must have no side effects,
   * since it may run a second time after a rollback.
   */
  write<Result>(work: (trx: Db) => Promise<Result>, options: WriteOptions): Promise<Result>;
  /** Operations on the files of an embedded database; undefined for a server. */
  readonly file: DatabaseFile | undefined;
  /** Waits for running work, then closes the database. */
  close(): Promise<void>;
}

/** The files of an embedded database. */
export interface DatabaseFile {
  /** Holds audit rows while the database is locked. */
  readonly spool: Spool;
  /** Whether the disk needs an operator's attention: less than 256 MiB or 5 % of it is free. */
  isNearlyFull(): boolean;
  /**
   * Whether the files are still where they were opened. Writes to removed or replaced files would be lost, so they are
   * refused.
   */
  isInPlace(): boolean;
  /**
   * Allows writes after the files were removed. The system then discards the data when the process ends, even if it is
   * killed. `openSnapshot` no longer works.
   */
  allowRemoval(): void;
  /**
   * Overwrites deleted and replaced data in the write-ahead log. Does nothing while a transaction needs the log.
   *
   * @returns whether the log is now empty.
   */
  emptyLog(): boolean;
}

/** The numbers of used and unused connections to a server, and of requests that wait for one. */
export interface Connections {
  busy: number;
  idle: number;
  waiting: number;
}

/** How another thread opens the same database. */
export interface DatabaseSource {
  url: string;
  safety?: ConnectionSafety | undefined;
}

/** A database, as used by commands, which open and migrate it. */
export interface OpenDatabase extends Database {
  readonly source: DatabaseSource;
  /** Runs `work` in a transaction that excludes other schema changes. */
  changeSchema<Result>(work: (trx: Db) => Promise<Result>): Promise<Result>;
  /**
   * Locks the database until it is closed: `shared` for servers, `exclusive` for operations that require that no server
   * is running. Opening a file already locks it, so for files commands count, too.
   *
   * @throws DatabaseError if others hold the lock.
   */
  lock(mode: "shared" | "exclusive"): Promise<void>;
  /**
   * Runs `work` while no other program has a file open, and no server a server's database. Waits 10 s for others that are
   * starting, too, as long as it is needed.
   *
   * @returns undefined if it was no longer needed, since another program has done it.
   * @throws DatabaseError if others keep it open.
   */
  alone<Result>(
    work: () => Promise<Result>,
    isNeeded: () => Promise<boolean>,
  ): Promise<Result | undefined>;
  /** Undefined without a server. */
  connections(): Connections | undefined;
}
