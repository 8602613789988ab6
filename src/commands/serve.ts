import { Command, Option } from "@commander-js/extra-typings";
import { hasTemporaryFolder } from "../buffered-body.ts";
import { printedHeads } from "../audit/repository.ts";
import {
  databaseUrl,
  DEMO_DATABASE,
  type KeyChoice,
  type PracticeFlags,
  requireCoherence,
  type ServerConfiguration,
  serverConfiguration,
  type ServerFlags,
} from "../config.ts";
import type { Log } from "../http/context.ts";
import { forgetExpiredResponses } from "../http/idempotency.ts";
import { StoppedClock } from "../lib/clock.ts";
import { epochMilliseconds, toInstant } from "../lib/instant.ts";
import { forgetDeletions, listOrganizationIds } from "../organizations/repository.ts";
import { RETENTION } from "../organizations/changes.ts";
import { forgetWrites } from "../organizations/write-repository.ts";
import { type RunningServer, startServer } from "../server.ts";
import { deleteExpiredAccess } from "../sign-in/repository.ts";
import {
  clockArgument,
  demoDateArgument,
  keyChoiceArgument,
  listArgument,
  positiveArgument,
  webhookUrlsArgument,
} from "./arguments.ts";
import type { CommandContext, WholeDatabaseContext } from "./context.ts";
import {
  NO_BACKUP,
  openDemo,
  openMigrated,
  openTemporary,
  placeOf,
  type TemporaryDatabase,
} from "./database.ts";
import { AUDIT_HEADS, jsonLog, textLog } from "./log.ts";
import type { ServedKeys, ServedPractice } from "./served-practice.ts";

export function command(context: CommandContext) {
  return new Command("serve")
    .description("bring the database up to date and answer requests until SIGTERM or SIGINT")
    .option("--port <number>", "port, 0 for a free one (or PORT; default: 3000)")
    .option("--host <address>", "address to listen on (or HOST; default: 127.0.0.1)")
    .option("--behind-proxy", "a proxy in front terminates TLS and sets X-Forwarded-For")
    .option(
      "--trusted-proxy <network>",
      "a trusted proxy besides this machine, such as 10.0.0.0/8; may be repeated (or TRUSTED_PROXIES)",
      listArgument,
    )
    .option(
      "--origin <url>",
      "where browsers open the page, such as https://caseload.example, for signing in with passkeys (or ORIGIN)",
    )
    .option("--tls-cert <file>", "certificate in PEM, to answer over HTTPS")
    .option("--tls-key <file>", "its private key in PEM")
    .option(
      "--key-rate-limit <number>",
      "allowed requests per minute and key; unlimited unless given",
      positiveArgument,
    )
    .option("--mcp", "with tools for agents at /mcp (Model Context Protocol)")
    .option(
      "--demo",
      "serve the demo practice, from demo.db unless a database is named; it is imported if the database has no organization yet",
    )
    .option("--no-backup", NO_BACKUP)
    .option("--date <date>", "day of the demo practice; today unless given", demoDateArgument)
    .option("--ephemeral", "for tests: a temporary database with the demo practice")
    .option("--import <file>", "with --ephemeral: import this practice file instead of the demo")
    .option(
      "--now <instant>",
      "with --ephemeral: a fixed time instead of the clock, moved by PUT /test/clock",
      clockArgument,
    )
    .option(
      "--key <role>",
      "with --ephemeral: create another key of this role, ROLE:read-only for one that only reads; may be repeated",
      keyChoiceArgument,
    )
    .option(
      "--webhook <url>",
      "with --ephemeral: call this endpoint after changes; may be repeated",
      webhookUrlsArgument,
    )
    .option("--json", "print organization, address and keys as one line of JSON")
    .addOption(
      new Option(
        "--log <form>",
        "json, or text for a person; text on a terminal, else json",
      ).choices(["json", "text"] as const),
    )
    .action(async (flags, { parent }) => {
      const configuration = serverConfiguration(flags, context.environment);
      const { database } = (parent?.opts() ?? {}) as { database?: string };
      requireCoherence(flags, database);
      const url = databaseUrl(database, context.environment, { isDemo: flags.demo === true });
      await serveUntilStopped({ ...context, url }, configuration, flags);
    });
}

type ServeFlags = ServerFlags &
  PracticeFlags & {
    json?: boolean;
    log?: "json" | "text";
    backup?: boolean;
  };

/** How long a stopped server waits for the reader of its log, in milliseconds. */
const LOG_TIMEOUT = 1_000;

/** Serves until the process is told to stop, or the server fails. */
async function serveUntilStopped(
  surroundings: CommandContext,
  configuration: ServerConfiguration,
  flags: ServeFlags,
): Promise<void> {
  const { url, terminal } = surroundings;
  const { ephemeral = false, json = false, now, demo = false, backup } = flags;
  const stoppedClock = now && new StoppedClock(epochMilliseconds(now));
  const context = { ...surroundings, clock: stoppedClock ?? surroundings.clock };
  const practice = await servedPractice(flags, context);
  const isForPerson = (flags.log ?? (terminal.isTTY ? "text" : "json")) === "text";
  const log = (isForPerson ? textLog : jsonLog)((text, written) => terminal.write(text, written));
  // A database that was named is never moved aside.
  const isOwnDemo = demo && url === DEMO_DATABASE;
  const open = isOwnDemo ? openDemo : openMigrated;
  const temporary = ephemeral ? await openTemporary(context) : undefined;
  const database = temporary ?? (await open({ ...context, backup }));
  const place = ephemeral ? "a temporary folder, removed at the end" : placeOf(url);
  // Installed before the address is printed: its reader may send the signal at once.
  const isForTerminal = terminal.isTTY === true && configuration.tls === undefined;
  const end = terminationSignal(ephemeral || isForTerminal);
  const server = await serve({
    ...{ ...context, database, log, configuration, practice, json, stoppedClock, temporary },
    ...{ moreKeys: flags.key, webhooks: flags.webhook },
    place: isForPerson ? place : undefined,
  }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  if (configuration.tls !== undefined) process.on("SIGHUP", () => server.reloadCertificate());
  const failure = await Promise.race([end, server.failed]);
  await server.stop();
  await database.close();
  // A pipe that nobody reads would keep the process alive.
  setTimeout(() => process.exit(), LOG_TIMEOUT).unref();
  if (failure !== undefined) throw failure;
}

/**
 * @param onHangUp whether SIGHUP counts as such a signal, as when the terminal is closed. Otherwise it does nothing by
 * itself: service managers send it for "reload".
 */
function terminationSignal(onHangUp: boolean): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
    process.on("SIGHUP", () => onHangUp && resolve());
  });
}

/** Determined before a database is created. */
async function servedPractice(
  flags: ServeFlags,
  { stdin }: CommandContext,
): Promise<ServedPractice | undefined> {
  if (flags.import !== undefined) {
    const { openPracticeFile } = await import("./import.ts");
    return { source: openPracticeFile(flags.import, stdin.stream()) };
  }
  if (!flags.demo && !flags.ephemeral) return undefined;
  return { demo: { today: flags.date } };
}

export interface ServeOptions extends WholeDatabaseContext {
  log: Log;
  configuration: ServerConfiguration;
  /** The practice to import into a database without organizations, and to create and print a key for. */
  practice?: ServedPractice | undefined;
  /** More keys to create and print. */
  moreKeys?: readonly KeyChoice[] | undefined;
  /** The endpoints that are called after changes. */
  webhooks?: readonly string[] | undefined;
  /** The clock, if clients may move it. */
  stoppedClock?: StoppedClock | undefined;
  /** The database, if it is one for tests. */
  temporary?: TemporaryDatabase | undefined;
  /** The location of the data, for a person at a terminal; undefined if not on a terminal. */
  place?: string | undefined;
  /** Print only organization, address and keys, as one line of JSON, on standard output. */
  json?: boolean;
}

/** Interval of deleting what has expired, in milliseconds. */
const CLEANING_INTERVAL = 60 * 60 * 1000;

/** Interval of logging the heads of the audit chains, in milliseconds. */
const HEADS_INTERVAL = 60 * 60 * 1000;

/** Interval of emptying the database's write-ahead log, in milliseconds. Deleted data remains in it until then. */
const LOG_EMPTYING_INTERVAL = 60 * 1000;

/** The delay before these tasks first run, in milliseconds, so that they do not slow down the first requests. */
const STARTING_TIME = 1_000;

/** Starts the server and prints its address. The caller stops it. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { configuration, database, practice, stoppedClock, temporary } = options;
  await database.lock("shared");
  if (stoppedClock !== undefined) stoppedClock.whenMoved = () => deleteExpired(options);
  const keys = practice && (await keysFor(practice, options));
  await temporary?.keep();
  const server = startServer(configuration, {
    ...options,
    temporary: temporary && { clock: stoppedClock, putBack: temporary.putBack },
  });
  printAddress(server, keys, options);
  if (!hasTemporaryFolder())
    warn(
      options,
      "the temporary folder takes no file; responses above 1 MiB are refused; set TMPDIR",
    );
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

async function keysFor(
  practice: ServedPractice,
  options: ServeOptions,
): Promise<ServedKeys | undefined> {
  // Loaded on demand: importing practice files takes a quarter of the start.
  const { keysOfPractice } = await import("./served-practice.ts");
  return keysOfPractice(options, practice, options);
}

/** The key comes last, so that on a terminal it stays visible until the first request is logged. */
function printAddress(
  { url, port, origin }: RunningServer,
  { organizationId, key, keys = [], webhooks = [] }: Partial<ServedKeys> = {},
  { output, place, practice, json }: ServeOptions,
): void {
  const called = webhooks.length > 0 && { webhooks };
  if (json)
    return output.result(JSON.stringify({ organizationId, url, key, port, keys, ...called }));
  // One write: a program may close the pipe behind the first line that it waits for.
  const signIn = origin === undefined ? "" : `\nPeople sign in with passkeys at ${origin}/`;
  output.result(`Caseload answers at ${url}${signIn}`);
  if (place !== undefined) output.message(`The data are in ${place}.`);
  if (key === undefined) {
    // If the demo was refused, that message already gave this advice.
    if (place !== undefined && practice === undefined)
      output.message(
        'Invite people with "caseload invite", and create keys for programs with "caseload keys create".',
      );
    return;
  }
  output.message(`Open ${url}/ in a browser and sign in with the key.`);
  output.result(`curl -H "Authorization: Bearer ${key}" "${url}/api/v1/users?pageSize=2"`);
  for (const { role, readOnly, key } of keys)
    output.result(`${role} key${readOnly ? ", which only reads" : ""}: ${key}`);
  for (const webhook of webhooks)
    output.result(`Webhook ${webhook.id} of ${webhook.url}: ${webhook.secret}`);
  const whose = practice !== undefined && "source" in practice ? "imported" : "demo";
  output.result(`ADMIN key of the ${whose} practice: ${key}`);
}

/** Deletes expired stored responses, invitations, sign-ins and deletions. Not awaited: another program may hold the lock. */
async function deleteExpired(options: ServeOptions): Promise<void> {
  const { database, clock } = options;
  const now = clock.now();
  const time = toInstant(now);
  try {
    for (const organizationId of await database.read(listOrganizationIds))
      await database.write(
        async (trx) => {
          await forgetExpiredResponses(trx, organizationId, time);
          await deleteExpiredAccess(trx, organizationId, time);
          const before = toInstant(now - RETENTION);
          await forgetDeletions(trx, organizationId, before);
          await forgetWrites(trx, organizationId, before);
        },
        { organizationId },
      );
  } catch {
    warn(options, "expired answers and deletions were not removed; will be retried in an hour");
  }
}

/** With a log that is kept elsewhere, the heads prove that the chains were not rewritten later. */
function logHeads(options: ServeOptions): void {
  const { database, clock, log } = options;
  const logged = (heads: string[]): void => {
    if (heads.length > 0)
      log({ time: toInstant(clock.now()), level: "info", message: AUDIT_HEADS, heads });
  };
  database
    .read(printedHeads)
    .then(logged, () => warn(options, "audit heads were not read; will be retried in an hour"));
}

/** If it fails because of a long read or a full disk, it is repeated after a minute. */
function emptyLog(options: ServeOptions): void {
  try {
    options.database.file?.emptyLog();
  } catch {
    warn(options, "the write-ahead log was not emptied; will be retried in a minute");
  }
}

function warn({ clock, log }: ServeOptions, message: string): void {
  log({ time: toInstant(clock.now()), level: "error", message });
}
