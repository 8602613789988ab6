#!/usr/bin/env bun
import { Command, CommanderError } from "commander";
import { remedy } from "../db/errors.ts";
import type { CommandContext } from "./commands/context.ts";
import { type Output, printableLines } from "./commands/output.ts";
import { ConfigurationError, databaseUrl, operatorOf } from "./config.ts";
import { systemClock } from "./lib/clock.ts";
import { CommandError } from "./lib/command-error.ts";
import { versionLine } from "./version.ts";

/**
 * The command line: runs one command of `commands/`, and turns its end into an exit status. Each file there declares
 * its command's flags and help beside its work. Only the command that is asked for is loaded, since loading all of them
 * takes as long as starting a server.
 */
const commands: Record<string, () => Promise<{ command(context: CommandContext): Command }>> = {
  serve: () => import("./commands/serve.ts"),
  demo: () => import("./commands/demo.ts"),
  import: () => import("./commands/import.ts"),
  template: () => import("./commands/template.ts"),
  export: () => import("./commands/export.ts"),
  organizations: () => import("./commands/organizations.ts"),
  utilization: () => import("./commands/utilization.ts"),
  checks: () => import("./commands/checks.ts"),
  delivery: () => import("./commands/delivery.ts"),
  supervision: () => import("./commands/supervision.ts"),
  migrate: () => import("./commands/migrate.ts"),
  health: () => import("./commands/health.ts"),
  openapi: () => import("./commands/openapi.ts"),
  licenses: () => import("./commands/licenses.ts"),
  backup: () => import("./commands/backup.ts"),
  restore: () => import("./commands/restore.ts"),
  copy: () => import("./commands/copy.ts"),
  distribute: () => import("./commands/distribute.ts"),
  doctor: () => import("./commands/doctor.ts"),
  keys: () => import("./commands/keys.ts"),
  invite: () => import("./commands/invite.ts"),
  access: () => import("./commands/access.ts"),
  calendars: () => import("./commands/calendars.ts"),
  webhooks: () => import("./commands/webhooks.ts"),
  audit: () => import("./commands/audit.ts"),
};

// Calendar arithmetic requires UTC (see `lib/calendar-date.ts`).
process.env.TZ = "UTC";

/** Delay of the usual compiling, in milliseconds: the program is built to compile less while it starts. */
const COMPILING_DELAY = 250;
setTimeout(() => Bun.unsafe.setJITPolicy(1), COMPILING_DELAY).unref();

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

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

process.exitCode = await run(process.argv.slice(2)).then(() => DONE, exitStatus);

async function run(args: string[]): Promise<void> {
  const program = new Command("caseload")
    .description("A REST API for clinical practices, on one SQLite file or PostgreSQL.")
    .option("-V, --version", "print version, commit and platform")
    .on("option:version", () => {
      output.result(versionLine());
      throw new CommanderError(DONE, "commander.version", "");
    })
    .option(
      "--database <url>",
      "a file, or a postgres: URL (or DATABASE_URL; default: caseload.db)",
    )
    .option(
      "--insecure-database",
      "allow an sslmode that permits connections without TLS to PostgreSQL on another machine",
    )
    .exitOverride();
  const [name = ""] = program.parseOptions(args).operands;
  const load = commands[name];
  const { database, insecureDatabase } = program.opts();
  const context: CommandContext = {
    clock: systemClock,
    operator: operatorOf(process.env),
    output,
    url: databaseUrl(database, process.env),
    safety: { isInsecure: insecureDatabase },
    environment: process.env,
    stdin: Bun.stdin,
    stdout: process.stdout,
    terminal: process.stderr,
  };
  // All of them for help, and for what may be a misspelled name.
  for (const each of load === undefined ? Object.values(commands) : [load])
    program.addCommand((await each()).command(context));
  for (const each of [program, ...program.commands.flatMap((one) => [one, ...one.commands])])
    each.exitOverride().configureHelp({ showGlobalOptions: true });
  await program.parseAsync(args, { from: "user" });
}

/** The exit status after an error, which it prints: 0 done, 1 refused or failed, 2 wrong usage. */
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
