import type { Database } from "../db/database.ts";
import type { Log } from "./http/context.ts";
import type { Clock } from "./lib/clock.ts";
import { toInstant } from "./lib/instant.ts";
import { Refused } from "./lib/refused.ts";

/** How often it is looked whether the database is still there, in milliseconds. */
const WATCHING_INTERVAL = 250;

/** How long a server whose database is gone says so before it ends, in milliseconds. */
const OUTAGE_TIME = 3_000;

const DATABASE_LOST =
  "The database file was removed or replaced while the server had it open; nothing can be read or written safely.";

/** Looks whether the database is still where it was opened; where it is not, all is over. */
export class Outage {
  /** Why nothing can be answered any more; undefined while all is well. */
  reason: string | undefined;
  readonly #end = Promise.withResolvers<Refused>();
  /** Resolves with the reason when it has been said for a while. */
  readonly ended = this.#end.promise;
  #watch: Timer | undefined;

  constructor(private readonly dependencies: { database: Database; clock: Clock; log: Log }) {}

  watch(): void {
    this.#watch = setInterval(() => this.#look(), WATCHING_INTERVAL);
  }

  stopWatching(): void {
    clearInterval(this.#watch);
  }

  #look(): void {
    const { database, clock, log } = this.dependencies;
    if (database.file?.isInPlace() ?? true) return;
    this.stopWatching();
    this.reason = DATABASE_LOST;
    log({ time: toInstant(clock.now()), level: "error", message: DATABASE_LOST });
    saveLog(database);
    setTimeout(() => {
      saveLog(database);
      this.#end.resolve(new Refused(DATABASE_LOST));
    }, OUTAGE_TIME);
  }
}

/**
 * A file that was only moved gets all that was committed, and what lies in its place is kept from a log that is not
 * its own.
 */
function saveLog(database: Database): void {
  try {
    database.file?.emptyLog();
  } catch {
    // The log stays beside where the file was, and nothing is created there as long as it does.
  }
}
