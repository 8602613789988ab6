import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";
import type { Scratch } from "./scratch.ts";
import type { Spool } from "./spool.ts";

/** What repositories take first: the snapshot of a read, or the transaction of a write. */
export type Db = Kysely<Schema>;

export interface WriteOptions {
  /** Whose data are written: only one write of an organization runs at a time, on however many nodes. */
  organizationId: string;
  /**
   * How long the write waits for whoever holds the lock, in milliseconds; 5 seconds unless given. The error is then
   * one that `isLocked` tells.
   */
  patience?: number;
  /**
   * What comes first in the transaction, takes long, and touches no row that another write could touch. On PostgreSQL it
   * runs before the lock is taken, beside all other writes but those that have such a part, too. It may be run again.
   */
  ahead?: (trx: Db) => Promise<void>;
  /** A scratch of this database, from which the write moves rows. */
  scratch?: Scratch;
}

/** For what is no organization's, such as the audit row of a backup. */
export const NO_ORGANIZATION: WriteOptions = { organizationId: "" };

/** The data as they stood when they were first read through it. */
export interface Snapshot {
  db: Db;
  /** Once is enough, and more do no harm. */
  close(): Promise<void>;
}

/** A database as features know it. */
export interface Database {
  /**
   * Runs `work` on one consistent snapshot of the data, which holds all that was written through this database before.
   * It never waits for a writer. `work` may be run a second time, where another read that shared its snapshot has failed.
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
  /** A private place for rows that are gathered for a write; whoever opens one closes it. */
  openScratch(): Scratch;
  /** Whether the disk, where it is this machine's, needs an operator's attention: below 256 MiB, or 5 % of it. */
  isNearlyFull(): boolean;
  /** Where to put what cannot wait while the database takes nothing; undefined for one that has no place for it. */
  spool: Spool | undefined;
  /** Waits for what is running, then closes the database. */
  close(): Promise<void>;
}

/** How many connections to a server do something or nothing, and how many wait for one. */
export interface Connections {
  busy: number;
  idle: number;
  waiting: number;
}

/** A database as those know it who open it, keep its schema up to date and look after it. */
export interface OpenDatabase extends Database {
  /** Runs `work` in a transaction beside which nobody else's change of the schema runs. */
  changeSchema<Result>(work: (trx: Db) => Promise<Result>): Promise<Result>;
  /**
   * Overwrites what was deleted or replaced and is still stored somewhere, as far as the engine keeps such. Does
   * nothing while a transaction needs it.
   *
   * @returns whether nothing is left.
   */
  emptyLog(): boolean;
  /**
   * Whether the files, where there are any, are still where they were opened. What is written to files that were
   * removed or replaced is lost with them, so writes are refused then.
   */
  isInPlace(): boolean;
  /** Undefined where there is no server. */
  connections(): Connections | undefined;
}
