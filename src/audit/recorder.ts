import type { Database, Db } from "../../db/connect.ts";
import { isTemporary } from "../../db/errors.ts";
import type { AuditEntry } from "./chain.ts";
import { recordEntries } from "./recording.ts";

/** How long an answer waits for its row while another program holds the lock, in milliseconds. */
const LOCK_PATIENCE = 1_000;

/** How long after a failure the rows that wait are tried again, in milliseconds. */
const RETRY_INTERVAL = 500;

/** Rows that may wait in memory, and those of them that are written together. */
const MOST_LATE = 10_000;
const BATCH = 500;

/** Why a row is not durable yet. */
export interface Delay {
  /** The failure of the database. */
  cause: unknown;
  /** Whether the row will be written later; otherwise too many wait already. */
  isQueued: boolean;
}

/**
 * Writes the rows of requests that change nothing; that of a change is part of its transaction. An answer leaves
 * when its row is durable.
 *
 * The practice must be able to read also while the disk is full or a long import has the lock. Then rows wait in
 * memory, answers no longer wait for them, and as soon as the database takes them they are appended in their
 * order.
 */
export class AuditRecorder {
  /** Rows that wait for the next group of writes. */
  #next: { entries: AuditEntry[]; written: Promise<void> } | undefined;
  readonly #late: AuditEntry[] = [];
  #cause: unknown;
  #timer: Timer | undefined;
  #appending: Promise<void> | undefined;

  constructor(private readonly database: Database) {}

  /**
   * Writes a row, together with those of concurrent requests. Rejects with a failure that is not temporary.
   *
   * @returns undefined when the row is durable, else why it is not.
   */
  async record(entry: AuditEntry): Promise<Delay | undefined> {
    if (this.#late.length > 0) return this.#delay(entry);
    try {
      await this.#append(entry);
      return undefined;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      this.#cause = error;
      return this.#delay(entry);
    }
  }

  /** Tries once more to write what waits, and gives how many rows were not written after all. */
  async finish(): Promise<number> {
    clearTimeout(this.#timer);
    await this.#appending;
    await this.#appendLate();
    clearTimeout(this.#timer);
    return this.#late.length;
  }

  /**
   * Resolves when the row is durable. The rows that are recorded before the next group of writes begins are one
   * write of it: of the 42 µs that a row cost, 25 went into its own place in the group and its own way to the head and
   * back.
   */
  #append(entry: AuditEntry): Promise<void> {
    if (this.#next === undefined) {
      const entries: AuditEntry[] = [];
      const closed = () => {
        if (this.#next?.entries === entries) this.#next = undefined;
      };
      const append = (trx: Db) => {
        closed();
        return recordEntries(trx, entries);
      };
      const written = this.database.write(append, LOCK_PATIENCE).finally(closed);
      this.#next = { entries, written };
    }
    this.#next.entries.push(entry);
    return this.#next.written;
  }

  #delay(entry: AuditEntry): Delay {
    const isQueued = this.#late.length < MOST_LATE;
    if (isQueued) this.#late.push(entry);
    this.#retryLater();
    return { cause: this.#cause, isQueued };
  }

  #retryLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#appending = this.#appendLate();
    }, RETRY_INTERVAL).unref();
  }

  async #appendLate(): Promise<void> {
    try {
      while (this.#late.length > 0) {
        const batch = this.#late.slice(0, BATCH);
        await this.database.write((trx) => recordEntries(trx, batch));
        this.#late.splice(0, batch.length);
      }
      this.#timer = undefined;
    } catch (error) {
      this.#cause = error;
      this.#timer = undefined;
      if (isTemporary(error)) this.#retryLater();
    }
  }
}
