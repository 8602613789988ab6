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
import { keyOfPractice, type ServedPractice } from "./served-practice.ts";

export interface ServeOptions {
  database: OpenDatabase;
  clock: Clock;
  /** The operating system's user who started it. */
  operator: string;
  log: Log;
  output: Output;
  configuration: ServerConfiguration;
  /** What is put into a database without an organization, and gets a key that is printed; undefined for nothing. */
  practice?: ServedPractice | undefined;
  /** Where the data are, in words for a person at a terminal; undefined where nobody looks. */
  place?: string | undefined;
  /** Prints the key and the port as one line of JSON, and nothing else, on standard output. */
  json?: boolean;
}

/** How often old answers to retries, and deletions, are forgotten, in milliseconds. */
const CLEANING_INTERVAL = 60 * 60 * 1000;

/** How long deletions are known to whoever follows, in milliseconds: 400 days (practice file, Changed since). */
const DELETIONS_KEPT = 400 * 24 * 60 * 60 * 1000;

/** How often the log is told where the chains of the audit trail end, in milliseconds. */
const HEADS_INTERVAL = 60 * 60 * 1000;

/** How often the database's log is emptied, in milliseconds: what was deleted stays in it until then. */
const EMPTYING_INTERVAL = 60 * 1000;

/** How long after the start all of that is done for the first time, in milliseconds: whoever waits for answers comes first. */
const STARTING_TIME = 1_000;

/** Starts the server and says where it answers; the caller stops it. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { configuration, database, practice } = options;
  await database.lock("shared");
  const key = practice && (await keyOfPractice(options, practice));
  const server = startServer(configuration, options);
  introduce(server, key, options);
  const timers = [
    setTimeout(() => {
      forgetOld(options);
      logHeads(options);
    }, STARTING_TIME),
    setInterval(() => forgetOld(options), CLEANING_INTERVAL),
    setInterval(() => logHeads(options), HEADS_INTERVAL),
    setInterval(() => emptyLog(options), EMPTYING_INTERVAL),
  ];
  return {
    ...server,
    async stop() {
      timers.forEach(clearTimeout);
      await server.stop();
    },
  };
}

/** The key comes last: on a terminal it stays in sight until the first request. */
function introduce(
  { url, port }: RunningServer,
  key: string | undefined,
  { output, place, practice, json }: ServeOptions,
): void {
  if (json) return output.result(JSON.stringify({ key, port }));
  output.result(`Caseload answers at ${url}`);
  if (place !== undefined) output.words(`The data are in ${place}.`);
  if (key === undefined) {
    if (place !== undefined) output.words('"caseload keys create" makes a key.');
    return;
  }
  output.words(`Open ${url}/ in a browser, and paste the key there.`);
  output.result(`curl -H "Authorization: Bearer ${key}" "${url}/api/v1/users?pageSize=2"`);
  const whose = practice !== undefined && "source" in practice ? "imported" : "demo";
  output.result(`ADMIN key of the ${whose} practice: ${key}`);
}

/** Forgets old answers and deletions. Nobody waits for it, since another program may hold the lock. */
async function forgetOld({ database, clock, log }: ServeOptions): Promise<void> {
  const now = clock.now();
  const time = toInstant(now);
  try {
    for (const organizationId of await database.read(listOrganizationIds))
      await database.write(
        async (trx) => {
          await forgetExpiredAnswers(trx, organizationId, time);
          await forgetDeletions(trx, organizationId, toInstant(now - DELETIONS_KEPT));
        },
        { organizationId },
      );
  } catch {
    const message = "old answers and deletions were not forgotten; tried again in an hour";
    log({ time, level: "error", message });
  }
}

/** A log that is kept elsewhere then proves that nobody has rewritten the chains since. */
function logHeads({ database, clock, log }: ServeOptions): void {
  const logged = (heads: string[]): void => {
    if (heads.length > 0)
      log({ time: toInstant(clock.now()), level: "info", message: AUDIT_HEADS, heads });
  };
  database.read(printedHeads).then(logged, () => {
    const time = toInstant(clock.now());
    log({ time, level: "error", message: "audit heads were not read; tried again in an hour" });
  });
}

/** Where it cannot be now, because of a long read or a full disk, it will be in a minute. */
function emptyLog({ database, clock, log }: ServeOptions): void {
  try {
    database.file?.emptyLog();
  } catch {
    const time = toInstant(clock.now());
    log({
      time,
      level: "error",
      message: "the database's log was not emptied; tried again in a minute",
    });
  }
}
