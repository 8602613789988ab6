import type { OpenDatabase } from "../../db/database.ts";
import { printedHeads } from "../audit/repository.ts";
import type { ServerConfiguration } from "../config.ts";
import type { Log } from "../http/context.ts";
import { forgetExpiredAnswers } from "../http/idempotency.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { forgetDeletions, listOrganizationIds } from "../organizations/repository.ts";
import { type RunningServer, startServer } from "../server.ts";
import { AUDIT_HEADS } from "./log.ts";
import type { Output } from "./output.ts";
import type { ServedPractice } from "./served-practice.ts";

export interface ServeOptions {
  database: OpenDatabase;
  clock: Clock;
  /** The operating system user who runs the server. */
  operator: string;
  log: Log;
  output: Output;
  configuration: ServerConfiguration;
  /** The practice to import into a database without organizations, and to create and print a key for. */
  practice?: ServedPractice | undefined;
  /** The location of the data, for a person at a terminal; undefined if not on a terminal. */
  place?: string | undefined;
  /** Print only the key and the port, as one line of JSON, on standard output. */
  json?: boolean;
}

/** Interval of deleting expired stored responses and deletions, in milliseconds. */
const CLEANING_INTERVAL = 60 * 60 * 1000;

/**
 * How long deletions are kept for exports of changes, in milliseconds: 400 days (practice-file.md, "Changed since").
 */
const DELETION_RETENTION = 400 * 24 * 60 * 60 * 1000;

/** Interval of logging the heads of the audit chains, in milliseconds. */
const HEADS_INTERVAL = 60 * 60 * 1000;

/** Interval of emptying the database's write-ahead log, in milliseconds. Deleted data remains in it until then. */
const LOG_EMPTYING_INTERVAL = 60 * 1000;

/** The delay before these tasks first run, in milliseconds, so that they do not slow down the first requests. */
const STARTING_TIME = 1_000;

/** Starts the server and prints its address. The caller stops it. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { configuration, database, practice } = options;
  await database.lock("shared");
  const key = practice && (await keyFor(practice, options));
  const server = startServer(configuration, options);
  printAddress(server, key, options);
  const timers = [
    setTimeout(() => {
      deleteExpired(options);
      logHeads(options);
    }, STARTING_TIME),
    setInterval(() => deleteExpired(options), CLEANING_INTERVAL),
    setInterval(() => logHeads(options), HEADS_INTERVAL),
    setInterval(() => emptyLog(options), LOG_EMPTYING_INTERVAL),
  ];
  return {
    ...server,
    async stop() {
      timers.forEach(clearTimeout);
      await server.stop();
    },
  };
}

async function keyFor(
  practice: ServedPractice,
  options: ServeOptions,
): Promise<string | undefined> {
  // Loaded on demand: importing practice files takes a quarter of the start.
  const { keyOfPractice } = await import("./served-practice.ts");
  return keyOfPractice(options, practice);
}

/** The key comes last, so that on a terminal it stays visible until the first request is logged. */
function printAddress(
  { url, port }: RunningServer,
  key: string | undefined,
  { output, place, practice, json }: ServeOptions,
): void {
  if (json) return output.result(JSON.stringify({ key, port }));
  output.result(`Caseload answers at ${url}`);
  if (place !== undefined) output.message(`The data are in ${place}.`);
  if (key === undefined) {
    // If the demo was refused, that message already gave this advice.
    if (place !== undefined && practice === undefined)
      output.message('Create a key with "caseload keys create".');
    return;
  }
  output.message(`Open ${url}/ in a browser and sign in with the key.`);
  output.result(`curl -H "Authorization: Bearer ${key}" "${url}/api/v1/users?pageSize=2"`);
  const whose = practice !== undefined && "source" in practice ? "imported" : "demo";
  output.result(`ADMIN key of the ${whose} practice: ${key}`);
}

/** Deletes expired stored responses and deletions. Not awaited: another program may hold the lock. */
async function deleteExpired({ database, clock, log }: ServeOptions): Promise<void> {
  const now = clock.now();
  const time = toInstant(now);
  try {
    for (const organizationId of await database.read(listOrganizationIds))
      await database.write(
        async (trx) => {
          await forgetExpiredAnswers(trx, organizationId, time);
          await forgetDeletions(trx, organizationId, toInstant(now - DELETION_RETENTION));
        },
        { organizationId },
      );
  } catch {
    const message = "expired answers and deletions were not removed; will be retried in an hour";
    log({ time, level: "error", message });
  }
}

/** With a log that is kept elsewhere, the heads prove that the chains were not rewritten later. */
function logHeads({ database, clock, log }: ServeOptions): void {
  const logged = (heads: string[]): void => {
    if (heads.length > 0)
      log({ time: toInstant(clock.now()), level: "info", message: AUDIT_HEADS, heads });
  };
  database.read(printedHeads).then(logged, () => {
    const time = toInstant(clock.now());
    log({ time, level: "error", message: "audit heads were not read; will be retried in an hour" });
  });
}

/** If it fails because of a long read or a full disk, it is repeated after a minute. */
function emptyLog({ database, clock, log }: ServeOptions): void {
  try {
    database.file?.emptyLog();
  } catch {
    const time = toInstant(clock.now());
    log({
      time,
      level: "error",
      message: "the write-ahead log was not emptied; will be retried in a minute",
    });
  }
}
