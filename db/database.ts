import { type Dialect, Kysely } from "kysely";
import type { Schema } from "./schema.ts";
import type { Spool } from "./spool.ts";

/** The two kinds of database that Caseload runs on. */
export type Engine = "sqlite" | "postgresql";

/** Executes compiled statements on the connection of a `Db`, without the detour through Kysely. */
export interface Executor {
  all<Row>(text: string, values: readonly unknown[]): Row[] | Promise<Row[]>;
  /**
   * Executes a statement that returns nothing, without waiting for a server's answer. A failure fails the
   * transaction, at its commit at the latest.
   */
  add(text: string, values: readonly unknown[]): void;
  /** Resolves when all statements that were added have finished; rejects if one has failed. */
  added(): Promise<void>;
}

/** What repositories take first: the snapshot of a read, or the transaction of a write. */
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
  /** Whose data are written: only one write of an organization runs at a time, on however many nodes. */
  organizationId: string;
  /**
   * Only adds rows to the audit trail: goes before other writes, and on PostgreSQL does not wait for the lock of the
   * organization, which a long write may hold.
   */
  isTrailOnly?: boolean;
  /**
   * Takes long: runs in a transaction of its own, so that no other write waits to be committed with it. Others wait for
   * it as long as they have patience.
   */
  isLong?: boolean;
  /**
   * How long the write waits for whoever holds the lock, in milliseconds; 5 seconds unless given. The error is then
   * one that `isLocked` tells.
   */
  patience?: number;
}

/** For what is no organization's, such as the audit row of a backup. */
export const NO_ORGANIZATION: WriteOptions = { organizationId: "" };

/** The data as they stood when they were first read through it. */
export interface Snapshot {
  db: Db;
  /** Idempotent. */
  close(): Promise<void>;
}

/** A database as features know it. */
export interface Database {
  readonly engine: Engine;
  /**
   * Runs `work` on one consistent snapshot of the data, which holds all that was written through this database before.
   * It never waits for a writer. `work` may be run a second time, where another read that shared its snapshot failed.
   */
  read<Result>(work: (db: Db) => Promise<Result>): Promise<Result>;
  /**
   * A snapshot beside all other reads, for what takes long. What is deleted or replaced meanwhile takes room until it
   * is closed, so whoever opens one sees to that.
   */
  openSnapshot(): Promise<Snapshot>;
  /**
   * Runs `work` in a transaction and resolves when its changes are durable. What throws inside is rolled
   * back whole. `work` awaits and changes nothing but the database: other requests' writes wait for it, and
   * it may be run a second time where the first was rolled back.
   */
  write<Result>(work: (trx: Db) => Promise<Result>, options: WriteOptions): Promise<Result>;
  /** What only a database in a file of this machine has; undefined for a server's. */
  readonly file: DatabaseFile | undefined;
  /** Waits for what is running, then closes the database. */
  close(): Promise<void>;
}

/** The files of an embedded database. */
export interface DatabaseFile {
  /** Holds rows of the audit trail while the database is locked. */
  readonly spool: Spool;
  /** Whether the disk needs an operator's attention: less than 256 MiB or 5 % of it is free. */
  isNearlyFull(): boolean;
  /**
   * Whether the files are still where they were opened. What is written to files that were removed or replaced is
   * lost with them, so writes are refused then.
   */
  isInPlace(): boolean;
  /**
   * Overwrites deleted and replaced data that the log still holds. Does nothing while a transaction needs it.
   *
   * @returns whether nothing is left.
   */
  emptyLog(): boolean;
}

/** How many connections to a server are in use and how many are not, and how many requests wait for one. */
export interface Connections {
  busy: number;
  idle: number;
  waiting: number;
}

/** A database as commands know it, which open it and keep its schema up to date. */
export interface OpenDatabase extends Database {
  /** Runs `work` in a transaction beside which nobody else's change of the schema runs. */
  changeSchema<Result>(work: (trx: Db) => Promise<Result>): Promise<Result>;
  /**
   * Locks the database until it is closed: `shared` as every server does, `exclusive` for what no server may run beside.
   * A file is locked by whoever has it open, so that commands count there, too.
   *
   * @throws DatabaseRefused where others hold the lock.
   */
  lock(mode: "shared" | "exclusive"): Promise<void>;
  /** Undefined where there is no server. */
  connections(): Connections | undefined;
}
