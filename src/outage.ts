import type { Database } from "../db/database.ts";
import type { Log } from "./http/context.ts";
import type { Clock } from "./lib/clock.ts";
import { toInstant } from "./lib/instant.ts";
import { CommandError } from "./lib/command-error.ts";

/** How often the database's presence is checked, in milliseconds. */
const WATCHING_INTERVAL = 250;

/** How long a server with a lost database keeps responding with the reason before it ends, in milliseconds. */
const OUTAGE_TIME = 3_000;

const DATABASE_LOST =
  "The database file was removed or replaced while the server had it open; nothing can be read or written safely.";

/** Watches whether the database file is still in place. If it is not, the server has to end. */
export class Outage {
  /** The reason why requests can no longer be answered; undefined in normal operation. */
  reason: string | undefined;
  readonly #end = Promise.withResolvers<CommandError>();
  /** Resolves with the reason, after requests have been answered with it for a while. */
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
      this.#end.resolve(new CommandError(DATABASE_LOST));
    }, OUTAGE_TIME);
  }
}

/**
 * Writes committed data to the file if it was only moved, and prevents the log from being applied to another file in
 * its place.
 */
function saveLog(database: Database): void {
  try {
    database.file?.emptyLog();
  } catch {
    // The log remains next to the original path; while it exists, no database is created there.
  }
}
