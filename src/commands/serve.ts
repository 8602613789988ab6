import type { OpenDatabase } from "../../db/database.ts";
import { createKey } from "../access/api-keys.ts";
import { recordCommand } from "../audit/recording.ts";
import { printedHeads } from "../audit/repository.ts";
import type { ServerConfiguration } from "../config.ts";
import type { Log } from "../http/exchange.ts";
import { forgetExpiredAnswers } from "../http/idempotency.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { listOrganizationIds } from "../organizations/repository.ts";
import { type RunningServer, startServer } from "../server.ts";
import type { Output } from "./output.ts";

export interface ServeOptions {
  database: OpenDatabase;
  clock: Clock;
  /** The operating system's user who started it. */
  operator: string;
  log: Log;
  output: Output;
  configuration: ServerConfiguration;
  /** Makes the demo practice where there is no organization yet, and prints a key of it. */
  demo: boolean;
}

/** How often answers that are kept for retries are looked through for old ones, in milliseconds. */
const CLEANING_INTERVAL = 60 * 60 * 1000;

/** How often the log is told where the chains of the audit trail end, in milliseconds. */
const HEADS_INTERVAL = 60 * 60 * 1000;

/** How often the database's log is emptied, in milliseconds: what was deleted stays in it until then. */
const EMPTYING_INTERVAL = 60 * 1000;

/** How long after the start all of that is done for the first time, in milliseconds: whoever waits for answers comes first. */
const STARTING_TIME = 1_000;

/** Starts the server and says where it answers; the caller stops it. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { configuration, output } = options;
  const key = options.demo ? await demoKey(options) : undefined;
  const server = startServer(configuration, options);
  output.result(`Caseload answers at ${server.url}`);
  if (key !== undefined) {
    output.result(`ADMIN key of the demo practice: ${key}`);
    output.result(`curl -H "Authorization: Bearer ${key}" "${server.url}/api/v1/users?pageSize=2"`);
    output.words(`Open ${server.url}/ in a browser, and paste the key there.`);
  }
  const timers = [
    setTimeout(() => {
      forgetOldAnswers(options);
      logHeads(options);
    }, STARTING_TIME),
    setInterval(() => forgetOldAnswers(options), CLEANING_INTERVAL),
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

/** Nobody waits for it, since another program may hold the lock. */
async function forgetOldAnswers({ database, clock, log }: ServeOptions): Promise<void> {
  const time = toInstant(clock.now());
  try {
    for (const organizationId of await database.read(listOrganizationIds))
      await database.write((trx) => forgetExpiredAnswers(trx, organizationId, time), {
        organizationId,
      });
  } catch {
    const message = "old answers were not forgotten; tried again in an hour";
    log({ time, level: "error", message });
  }
}

/** A log that is kept elsewhere then proves that nobody has rewritten the chains since. */
function logHeads({ database, clock, log }: ServeOptions): void {
  const logged = (heads: string[]): void => {
    if (heads.length > 0)
      log({ time: toInstant(clock.now()), level: "info", message: "audit heads", heads });
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

/**
 * A new ADMIN key of the demo practice, which is made first where there is no organization at all. A key is
 * not stored, so each start makes its own. Undefined where the database is a real practice's.
 */
async function demoKey({
  database,
  clock,
  operator,
  output,
}: ServeOptions): Promise<string | undefined> {
  const { DEMO_ORGANIZATION_ID, seedDemo } = await import("../demo/practice.ts");
  const existing = await database.read(listOrganizationIds);
  if (existing.some((id) => id !== DEMO_ORGANIZATION_ID)) {
    output.words(
      'The database has a practice already, so there is no demo. Make a key with "caseload keys create".',
    );
    return undefined;
  }
  if (existing.length === 0) await seedDemo(database, clock.now(), operator);
  const organizationId = DEMO_ORGANIZATION_ID;
  const time = toInstant(clock.now());
  const key = { organizationId, holder: { role: "ADMIN" }, name: "demo", expiresAt: null } as const;
  return database.write(
    async (trx) => {
      const issued = await createKey(trx, key, time);
      await recordCommand(trx, {
        organizationId,
        command: "serve --demo",
        operator,
        keyId: issued.id,
        time,
      });
      return issued.key;
    },
    { organizationId },
  );
}
