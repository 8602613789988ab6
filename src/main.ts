#!/usr/bin/env bun
import { Command, CommanderError, Option } from "commander";
import type { OpenDatabase } from "../db/database.ts";
import { remedy } from "../db/errors.ts";
import {
  beginningArgument,
  chainHeadsArgument,
  checksArgument,
  countArgument,
  dateArgument,
  deadlineArgument,
  durationArgument,
  instantArgument,
  listArgument,
  monthArgument,
  nameArgument,
  positiveArgument,
  recordTypesArgument,
  roleArgument,
  sequenceArgument,
  sessionsArgument,
  shareArgument,
  timeZoneArgument,
  webhookUrlArgument,
} from "./commands/arguments.ts";
import type { ConnectionSafety } from "../db/postgresql/url.ts";
import {
  openExisting,
  openMigrated,
  openTemporary,
  openToTry,
  placeOf,
} from "./commands/database.ts";
import type { ImportFlags } from "./commands/import.ts";
import { jsonLog, textLog } from "./commands/log.ts";
import { type Output, printableLines } from "./commands/output.ts";
import type { ServedPractice } from "./commands/served-practice.ts";
import {
  ConfigurationError,
  databaseUrl,
  localServerUrl,
  operatorOf,
  type PracticeFlags,
  requireCoherence,
  type ServerFlags,
  serverConfiguration,
} from "./config.ts";
import { DEFAULT_SEED, DEFAULT_SESSIONS } from "./demo/clinic.ts";
import { stoppedClock, systemClock } from "./lib/clock.ts";
import { epochMilliseconds } from "./lib/instant.ts";
import { CommandError } from "./lib/command-error.ts";
import { versionLine } from "./version.ts";

/**
 * The command line: parses arguments and calls one function of `commands/`. Commands are loaded on demand, since
 * loading all of them takes as long as starting a server.
 */

// Calendar arithmetic requires UTC (see `lib/calendar-date.ts`).
process.env.TZ = "UTC";

/** Delay of the usual compiling, in milliseconds: the program is built to compile less while it starts. */
const COMPILING_DELAY = 250;
setTimeout(() => Bun.unsafe.setJITPolicy(1), COMPILING_DELAY).unref();

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** How long a stopped server waits for the reader of its log, in milliseconds. */
const LOG_TIMEOUT = 1_000;

const clock = systemClock;
const operator = operatorOf(process.env);
const output: Output = {
  result: (line) => process.stdout.write(`${printableLines(line)}\n`),
  message: (line) => process.stderr.write(`${printableLines(line)}\n`),
};

// A log that cannot be written (full disk, reader gone) must not end the server.
process.stderr.on("error", () => {});

// A reader that stops reading, as `head` does, is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(DONE);
  output.message(
    `error: Cannot write to standard output (${error.code}); the output is incomplete.`,
  );
  process.exit(FAILED);
});

type ServeFlags = ServerFlags & PracticeFlags & { json?: boolean; log?: "json" | "text" };

const program = new Command("caseload")
  .description("A REST API for clinical practices, on one SQLite file or PostgreSQL.")
  .option("-V, --version", "print version, commit and platform")
  .on("option:version", () => {
    output.result(versionLine());
    throw new CommanderError(DONE, "commander.version", "");
  })
  .option("--database <url>", "a file, or a postgres: URL (or DATABASE_URL; default: caseload.db)")
  .option(
    "--insecure-database",
    "allow an sslmode that permits connections without TLS to PostgreSQL on another machine",
  );

program
  .command("serve")
  .description("bring the database up to date and answer requests until SIGTERM or SIGINT")
  .option("--port <number>", "port, 0 for a free one (or PORT; default: 3000)")
  .option("--host <address>", "address to listen on (or HOST; default: 127.0.0.1)")
  .option("--behind-proxy", "a proxy in front terminates TLS and sets X-Forwarded-For")
  .option(
    "--trusted-proxy <network>",
    "a trusted proxy besides this machine, such as 10.0.0.0/8; may be repeated (or TRUSTED_PROXIES)",
    listArgument,
  )
  .option("--tls-cert <file>", "certificate in PEM, to answer over HTTPS")
  .option("--tls-key <file>", "its private key in PEM")
  .option(
    "--key-rate-limit <number>",
    "allowed requests per minute and key; unlimited unless given",
    positiveArgument,
  )
  .option("--demo", "import the demo practice if the database has no organization yet")
  .option(
    "--seed <number>",
    "seed of the demo practice; each seed makes another one",
    countArgument,
  )
  .option("--date <date>", "day of the demo practice; today unless given", dateArgument)
  .option("--ephemeral", "for tests: a temporary database with the demo practice")
  .option("--import <file>", "with --ephemeral: import this practice file instead of the demo")
  .option("--now <instant>", "with --ephemeral: a fixed time instead of the clock", instantArgument)
  .option("--json", "print key and port as one line of JSON")
  .addOption(
    new Option("--log <form>", "json, or text for a person; text on a terminal, else json").choices(
      ["json", "text"],
    ),
  )
  .action(async (flags: ServeFlags) => {
    const { serve } = await import("./commands/serve.ts");
    const configuration = serverConfiguration(flags, process.env);
    requireCoherence(flags, program.opts().database);
    const { ephemeral = false, json = false } = flags;
    const serverClock =
      flags.now === undefined ? clock : stoppedClock(epochMilliseconds(flags.now));
    const practice = await servedPractice(flags);
    const isForPerson = (flags.log ?? (process.stderr.isTTY ? "text" : "json")) === "text";
    const newLog = isForPerson ? textLog : jsonLog;
    const log = newLog((text, written) => process.stderr.write(text, written));
    const database = await (ephemeral
      ? openTemporary(serverClock, output)
      : openMigrated(url(), clock, output, safety()));
    const place = ephemeral ? "a temporary folder, removed at the end" : placeOf(url());
    // Installed before the address is printed: its reader may send the signal at once.
    const ended = terminationSignal(ephemeral);
    const server = await closingOnFailure(database, () =>
      serve({
        ...{ database, clock: serverClock, operator, log, output, configuration, practice, json },
        place: isForPerson ? place : undefined,
      }),
    );
    if (configuration.tls !== undefined) process.on("SIGHUP", () => server.reloadCertificate());
    const failure = await Promise.race([ended, server.failed]);
    await server.stop();
    await database.close();
    // A pipe that nobody reads would keep the process alive.
    setTimeout(() => process.exit(), LOG_TIMEOUT).unref();
    if (failure !== undefined) throw failure;
  });

program
  .command("demo")
  .description("write a demo practice as a practice file to standard output")
  .option("--sessions <number>", "how many sessions", countArgument, DEFAULT_SESSIONS)
  .option("--seed <number>", "each seed makes another practice", countArgument, DEFAULT_SEED)
  .option(
    "--date <date>",
    "the day around which it is generated; today in New York unless given",
    dateArgument,
  )
  .action(async (size) => {
    const { writeDemo } = await import("./commands/demo.ts");
    await writeDemo({ clock, stdout: process.stdout }, size);
  });

program
  .command("import <file>")
  .description(
    "import a practice file or a folder of CSV, completely or not at all; - is standard input",
  )
  .option("--dry-run", "check the file against the database without writing")
  .option(
    "--delete-missing <types>",
    "delete records of these types (separated by commas) that are missing from the file",
    recordTypesArgument,
  )
  .option("--delete-many", "allow deleting more than half of the records of a type")
  .action(async (path: string, flags: ImportFlags, command: Command) => {
    if (flags.deleteMany && flags.deleteMissing === undefined)
      command.error("error: --delete-many needs --delete-missing", { exitCode: WRONG_USAGE });
    const { importCommand, openPracticeFile } = await import("./commands/import.ts");
    const file = openPracticeFile(path, Bun.stdin.stream());
    const open = flags.dryRun ? openToTry : openMigrated;
    const database = await open(url(), clock, output, safety());
    const terminal = process.stderr;
    await closing(database, () =>
      importCommand({ database, clock, operator, output, terminal }, file, flags),
    );
  });

program
  .command("template")
  .description(
    "print a small example practice file; explanations of its lines go to standard error",
  )
  .option("--csv <folder>", "as CSV files in a new folder, with example rows")
  .action(async (flags: { csv?: string }) => {
    const { templateCommand } = await import("./commands/template.ts");
    await templateCommand(output, flags);
  });

program
  .command("export <organization>")
  .description("write an organization as a practice file to standard output")
  .option(
    "--after <number>",
    "only what changed after this sequence of an earlier export",
    sequenceArgument,
  )
  .option("--csv <folder>", "as CSV files in a new or empty folder")
  .action(async (organization: string, flags: { csv?: string; after?: number }) => {
    const { exportCommand } = await import("./commands/export.ts");
    await withDatabase((database) =>
      exportCommand(
        { database, clock, operator, stdout: process.stdout, output },
        organization,
        flags,
      ),
    );
  });

program
  .command("organizations")
  .description("list the organizations of the database")
  .command("list")
  .description("list their ids, names and counts")
  .option("--json", "as JSON")
  .action(async ({ json }) => {
    const { listOrganizationsCommand } = await import("./commands/organizations.ts");
    await withDatabase((database) => listOrganizationsCommand({ database, output }, { json }));
  });

program
  .command("utilization [id]")
  .description("print the units of an authorization or pool by period, an overview, or a what-if")
  .option("--organization <id>", "needed if several organizations have the id")
  .option("--timezone <zone>", "IANA time zone; the patient's unless given", timeZoneArgument)
  .option("--start <date>", "first day of the window", dateArgument)
  .option("--end <date>", "last day of the window", dateArgument)
  .option("--explain", "list every session and encounter, and why it counts or not")
  .addOption(
    new Option("--overview", "all current authorizations and pools, highest share first").conflicts(
      [...["start", "end", "explain", "add", "cancel"]],
    ),
  )
  .option("--date <date>", "with --overview: the day; today unless given", dateArgument)
  .option("--min-share <number>", "with --overview: minimum share, such as 0.85", shareArgument)
  .addOption(
    new Option("--add <start/end>", "what if this session were booked; may be repeated")
      .argParser(sessionsArgument)
      .conflicts(["start", "end", "explain"]),
  )
  .addOption(
    new Option("--cancel <session>", "what if this session were cancelled; may be repeated")
      .argParser(listArgument)
      .conflicts(["start", "end", "explain"]),
  )
  .option("--json", "as JSON")
  .action(async (publicId: string | undefined, flags, command: Command) => {
    const { overviewCommand } = await import("./commands/utilization-overview.ts");
    const { whatIfCommand } = await import("./commands/utilization-what-if.ts");
    const { utilizationCommand } = await import("./commands/utilization.ts");
    const { organization: organizationId, timezone, start, end, explain, json, ...rest } = flags;
    const { overview = false, date, minShare, add, cancel } = rest;
    if (overview !== (publicId === undefined))
      command.error("error: give either an id or --overview", { exitCode: WRONG_USAGE });
    if (!overview && (date !== undefined || minShare !== undefined))
      command.error("error: --date and --min-share go with --overview", { exitCode: WRONG_USAGE });
    const common = { organizationId, timezone, json, width: process.stdout.columns };
    await withDatabase((database) => {
      const dependencies = { database, clock, operator, output };
      if (publicId === undefined)
        return overviewCommand(dependencies, { ...common, date, minShare });
      if (add !== undefined || cancel !== undefined)
        return whatIfCommand(dependencies, {
          publicId,
          organizationId,
          timezone,
          add,
          cancel,
          json,
        });
      const window = { startDate: start, endDate: end };
      return utilizationCommand(dependencies, { ...common, publicId, ...window, explain });
    });
  });

program
  .command("checks")
  .description(
    "print what needs attention: sessions outside their authorization, exceeded units, …",
  )
  .option("--organization <id>", "needed if there are several organizations")
  .option("--start <date>", "first day; 28 days before today unless given", dateArgument)
  .option("--end <date>", "last day; 28 days after today unless given", dateArgument)
  .option("--check <name>", "only this check, or several separated by commas", checksArgument)
  .option("--patient <id>", "only findings about this patient")
  .option("--json", "as JSON")
  .option("--fail", "exit with status 1 if there are findings")
  .action(async ({ organization, start, end, check, patient, json, fail }) => {
    const { checksCommand } = await import("./commands/checks.ts");
    await withDatabase((database) =>
      checksCommand(
        { database, clock, operator, output },
        {
          ...{ organizationId: organization, startDate: start, endDate: end },
          ...{ checks: check, patientId: patient, json, fail },
        },
      ),
    );
  });

program
  .command("delivery")
  .description("print the units delivered in a month, by authorization")
  .option("--organization <id>", "needed if there are several organizations")
  .addOption(
    new Option("--month <month>", "such as 2027-01; last month unless given")
      .argParser(monthArgument)
      .conflicts(["start", "end"]),
  )
  .option("--start <date>", "first day", dateArgument)
  .option("--end <date>", "last day", dateArgument)
  .option("--payor <id>", "only this payor's authorizations")
  .option("--json", "as JSON")
  .addOption(new Option("--csv", "as CSV, for a spreadsheet").conflicts("json"))
  .action(async ({ organization, month, start, end, payor, json, csv }) => {
    const { deliveryCommand } = await import("./commands/delivery.ts");
    const format = json ? "json" : csv ? "csv" : undefined;
    const window = month ?? { startDate: start, endDate: end };
    await withDatabase((database) =>
      deliveryCommand(
        { database, clock, operator, output },
        { organizationId: organization, ...window, payorId: payor, format },
      ),
    );
  });

program
  .command("migrate")
  .description("bring the database up to date")
  .action(async () => {
    const { migrateDatabase } = await import("./commands/migrate.ts");
    await migrateDatabase({ url: url(), safety: safety(), clock, operator, output });
  });

program
  .command("health")
  .description("check the health of a server and its database: one line, exit status 0 or 1")
  .option("--url <url>", "its address (default: http://127.0.0.1:PORT)")
  .action(async ({ url: address = localServerUrl(process.env) }) => {
    const { healthCommand } = await import("./commands/health.ts");
    await healthCommand({ output }, address);
  });

program
  .command("licenses")
  .description("print the licenses of all packages in the program")
  .action(async () => {
    const { licensesCommand } = await import("./commands/licenses.ts");
    await licensesCommand({ stdout: process.stdout });
  });

program
  .command("backup [file]")
  .description("write a verified copy of the database to a new file; servers may be running")
  .option("--encrypt-to <recipient>", "encrypt it to an age1… key; may be repeated", listArgument)
  .addOption(
    new Option(
      "--new-identity <file>",
      "instead of a backup, create the secret key that decrypts backups, and print its recipient",
    ).conflicts("encryptTo"),
  )
  .action(async (file: string | undefined, { encryptTo: recipients, newIdentity }, command) => {
    if (file !== undefined && newIdentity !== undefined)
      command.error("error: give either a file or --new-identity", { exitCode: WRONG_USAGE });
    if (file === undefined) {
      if (newIdentity === undefined)
        command.error("error: missing required argument 'file'", { exitCode: WRONG_USAGE });
      const { newIdentityCommand } = await import("./commands/identity.ts");
      return newIdentityCommand({ clock, output }, newIdentity);
    }
    const { backUpCommand } = await import("./commands/backup.ts");
    await withDatabase((database) =>
      backUpCommand(
        { database, url: url(), clock, operator, output },
        { target: file, recipients },
      ),
    );
  });

program
  .command("restore <file>")
  .description("replace the database by a backup, and keep the old one; no server may be running")
  .option("--identity <file>", "the age identity that decrypts an encrypted backup")
  .action(async (file: string, { identity: identityFile }) => {
    const { restoreCommand } = await import("./commands/restore.ts");
    await restoreCommand({ url: url(), clock, operator, output }, { file, identityFile });
  });

program
  .command("copy <target>")
  .description(
    "copy everything into an empty database, such as a postgres: URL, and verify the copy; no server may be running",
  )
  .action(async (target: string) => {
    const { copyCommand } = await import("./commands/copy.ts");
    await withDatabase((database) =>
      copyCommand({ database, safety: safety(), clock, operator, output }, target),
    );
  });

program
  .command("distribute")
  .description(
    "experimental: on the coordinator of Citus, after migrate, spread the organizations over its servers",
  )
  .action(async () => {
    const { distributeCommand } = await import("./commands/distribute.ts");
    await withDatabase((database) => distributeCommand({ database, clock, operator, output }));
  });

program
  .command("doctor")
  .description("check the installation; print ok or what to do for each check")
  .option("--json", "as JSON")
  .action(async ({ json }) => {
    const { doctorCommand } = await import("./commands/doctor.ts");
    await doctorCommand({ url: url(), safety: safety(), clock, operator, output }, { json });
  });

const keys = program.command("keys").description("create, list, rotate and revoke API keys");

keys
  .command("create")
  .description("create a key and print it, once")
  .requiredOption("--organization <id>", "the organization of the key")
  .option("--role <role>", "the role of the key", roleArgument)
  .option("--user <id>", "the user to whom the key belongs, with that user's role")
  .requiredOption("--name <text>", "what the key is for", nameArgument)
  .option("--expires <date>", "a date (the end of that UTC day) or an instant", deadlineArgument)
  .option("--read-only", "the key may only read, whatever its role")
  .action(async (flags, command: Command) => {
    const { createKeyCommand } = await import("./commands/keys.ts");
    const { organization, role, user, name, expires, readOnly } = flags;
    if ((role === undefined) === (user === undefined))
      command.error("error: give either --role or --user", { exitCode: WRONG_USAGE });
    const holder = role === undefined ? { userId: user } : { role };
    const key = {
      ...{ organizationId: organization, holder, name },
      ...{ expiresAt: expires ?? null, isReadOnly: readOnly === true },
    };
    await withDatabase((database) => createKeyCommand({ database, clock, operator, output }, key));
  });

keys
  .command("list")
  .description("list keys, without the secrets")
  .option("--organization <id>", "only the keys of one organization")
  .option("--json", "as JSON")
  .action(async ({ organization, json }) => {
    const { listKeysCommand } = await import("./commands/keys.ts");
    await withDatabase((database) =>
      listKeysCommand(
        { database, clock, operator, output },
        { organizationId: organization, json },
      ),
    );
  });

keys
  .command("rotate <key-id>")
  .description("create a key's successor and print it; the old key stays valid for the overlap")
  .addOption(
    new Option("--overlap <duration>", "such as 30m, 24h or 7d")
      .argParser(durationArgument)
      .default(durationArgument("24h"), "24h"),
  )
  .action(async (id: string, { overlap }) => {
    const { rotateKeyCommand } = await import("./commands/keys.ts");
    await withDatabase((database) =>
      rotateKeyCommand({ database, clock, operator, output }, id, overlap),
    );
  });

keys
  .command("revoke <key-id>")
  .description("revoke a key immediately")
  .action(async (id: string) => {
    const { revokeKeyCommand } = await import("./commands/keys.ts");
    await withDatabase((database) => revokeKeyCommand({ database, clock, operator, output }, id));
  });

const webhooks = program.command("webhooks").description("notify other systems of changes");

webhooks
  .command("add")
  .argument("<url>", "the URL to call", webhookUrlArgument)
  .description("add an endpoint, https: or of this machine, and print its secret, once")
  .requiredOption("--organization <id>", "the organization whose changes are reported")
  .requiredOption("--name <text>", "what the endpoint is for", nameArgument)
  .action(async (address: string, { organization: organizationId, name }) => {
    const { addWebhookCommand } = await import("./commands/webhooks.ts");
    await withDatabase((database) =>
      addWebhookCommand(
        { database, clock, operator, output },
        { organizationId, name, url: address },
      ),
    );
  });

webhooks
  .command("list")
  .description("list the endpoints with their state, without their secrets")
  .option("--json", "as JSON")
  .action(async ({ json }) => {
    const { listWebhooksCommand } = await import("./commands/webhooks.ts");
    await withDatabase((database) =>
      listWebhooksCommand({ database, clock, operator, output }, { json }),
    );
  });

webhooks
  .command("remove <id>")
  .description("remove an endpoint")
  .action(async (id: string) => {
    const { removeWebhookCommand } = await import("./commands/webhooks.ts");
    await withDatabase((database) =>
      removeWebhookCommand({ database, clock, operator, output }, id),
    );
  });

webhooks
  .command("test <id>")
  .description("call an endpoint once; fails unless it acknowledges the call")
  .action(async (id: string) => {
    const { testWebhookCommand } = await import("./commands/webhooks.ts");
    await withDatabase((database) => testWebhookCommand({ database, clock, operator, output }, id));
  });

const audit = program.command("audit").description("read, verify and archive the audit trail");

audit
  .command("list")
  .description("list who did what, when, and to whose data")
  .option("--patient <id>", "only rows about this patient")
  .option("--key <id>", "only rows of this key")
  .option("--from <date>", "from this UTC date or instant on", beginningArgument)
  .option("--to <date>", "to this UTC date, included, or instant", deadlineArgument)
  .option("--names", "add the current names of keys and people")
  .option("--json", "one JSON object per line")
  .action(async ({ patient, key, from, to, names, json }) => {
    const { listAuditCommand } = await import("./commands/audit.ts");
    await withDatabase((database) =>
      listAuditCommand(
        { database, clock, operator, output },
        { patientId: patient, keyId: key, from, to, names, json },
      ),
    );
  });

audit
  .command("archive <file>")
  .description("move the oldest rows of each chain to a new private file")
  .requiredOption("--before <date>", "rows before this UTC date or instant", beginningArgument)
  .action(async (file: string, { before }) => {
    const { archiveAuditCommand } = await import("./commands/audit-archive.ts");
    await withDatabase((database) =>
      archiveAuditCommand({ database, clock, operator, output }, { file, before }),
    );
  });

audit
  .command("verify [file]")
  .description(
    "verify that no row was edited, removed or inserted, in the trail or an archive, and print the heads of the chains",
  )
  .option("--head <head>", "a head that was printed earlier; may be repeated", chainHeadsArgument)
  .option("--json", "as JSON")
  .action(async (file: string | undefined, { head: knownHeads = new Map(), json }) => {
    const { verifyArchiveCommand } = await import("./commands/audit-archive.ts");
    const { verifyAuditCommand } = await import("./commands/audit.ts");
    await (file === undefined
      ? withDatabase((database) => verifyAuditCommand({ database, output }, { knownHeads, json }))
      : verifyArchiveCommand({ output }, { file, knownHeads, json }));
  });

process.exitCode = await run(process.argv);

function url(): string {
  return databaseUrl(program.opts().database, process.env);
}

/** Options of the connection to a database server. */
function safety(): ConnectionSafety {
  return { isInsecure: program.opts().insecureDatabase };
}

/** Opens a database that must exist, runs a command on it, and closes it. */
async function withDatabase(command: (database: OpenDatabase) => Promise<unknown>): Promise<void> {
  const database = await openExisting(url(), safety());
  await closing(database, () => command(database));
}

async function closing(database: OpenDatabase, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } finally {
    await database.close();
  }
}

async function closingOnFailure<Result>(
  database: OpenDatabase,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** @param onHangUp whether closing the terminal counts as such a signal. */
function terminationSignal(onHangUp: boolean): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
    if (onHangUp) process.once("SIGHUP", () => resolve());
  });
}

/** Determined before a database is created. */
async function servedPractice(flags: ServeFlags): Promise<ServedPractice | undefined> {
  if (flags.import !== undefined) {
    const { openPracticeFile } = await import("./commands/import.ts");
    return { source: openPracticeFile(flags.import, Bun.stdin.stream()) };
  }
  if (!flags.demo && !flags.ephemeral) return undefined;
  return { demo: { seed: flags.seed, today: flags.date } };
}

/** Runs the command line. Returns the exit status: 0 done, 1 refused or failed, 2 wrong usage. */
async function run(argv: string[]): Promise<number> {
  for (const command of [program, ...program.commands.flatMap((c) => [c, ...c.commands])])
    command.exitOverride().configureHelp({ showGlobalOptions: true });
  try {
    await program.parseAsync(argv);
    return DONE;
  } catch (error) {
    return exitStatus(error);
  }
}

function exitStatus(error: unknown): number {
  // Commander has printed its own message. Requested help or version is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
  if (error instanceof ConfigurationError) {
    output.message(`error: ${error.message}`);
    return WRONG_USAGE;
  }
  const whatToDo = remedy(error);
  if (error instanceof CommandError) output.message(`error: ${error.message}`);
  else if (whatToDo !== undefined)
    output.message(`error: The database cannot be used now: ${whatToDo}.`);
  else {
    const name = error instanceof Error ? error.name : "unknown";
    const code = (error as { code?: string }).code;
    output.message(
      `error: Unexpected failure (${name}${code === undefined ? "" : `, ${code}`}). Run "caseload doctor", and report it if it happens again.`,
    );
  }
  return FAILED;
}
