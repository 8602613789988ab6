import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { remedy } from "../../db/errors.ts";
import { ConfigurationError, databaseUrl, operatorOf } from "../config.ts";
import { CommandError } from "../lib/command-error.ts";
import { versionLine } from "../version.ts";
import type { CommandContext } from "./context.ts";
import { type Output, printableLines, type Stream } from "./output.ts";

/**
 * The program: runs one command of this folder, and turns its end into an exit status. Each file declares its command's
 * flags and help beside its work. Only the command that is asked for is loaded, since loading all of them takes as long
 * as starting a server.
 */
const commands: Record<
  string,
  () => Promise<{ command(context: CommandContext): CommandUnknownOpts }>
> = {
  serve: () => import("./serve.ts"),
  demo: () => import("./demo.ts"),
  import: () => import("./import.ts"),
  begin: () => import("./begin.ts"),
  template: () => import("./template.ts"),
  export: () => import("./export.ts"),
  organizations: () => import("./organizations.ts"),
  get: () => import("./get.ts"),
  billing: () => import("./billing.ts"),
  migrate: () => import("./migrate.ts"),
  health: () => import("./health.ts"),
  openapi: () => import("./openapi.ts"),
  licenses: () => import("./licenses.ts"),
  backup: () => import("./backup.ts"),
  restore: () => import("./restore.ts"),
  copy: () => import("./copy.ts"),
  distribute: () => import("./distribute.ts"),
  doctor: () => import("./doctor.ts"),
  keys: () => import("./keys.ts"),
  invite: () => import("./invite.ts"),
  access: () => import("./access.ts"),
  calendars: () => import("./calendars.ts"),
  webhooks: () => import("./webhooks.ts"),
  audit: () => import("./audit.ts"),
};

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** What a process has for its command. */
export type Surroundings = Pick<CommandContext, "clock" | "environment" | "stdin" | "stdout"> & {
  stderr: Stream;
};

/** Results go to standard output and messages to standard error, each as a line. */
export function outputTo({ stdout, stderr }: Pick<Surroundings, "stdout" | "stderr">): Output {
  return {
    result: (line) => stdout.write(`${printableLines(line)}\n`),
    message: (line) => stderr.write(`${printableLines(line)}\n`),
  };
}

/** @returns the exit status: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runProgram(args: string[], surroundings: Surroundings): Promise<number> {
  const output = outputTo(surroundings);
  try {
    await run(args, surroundings, output);
    return DONE;
  } catch (error) {
    return exitStatus(error, output);
  }
}

async function run(
  args: string[],
  { stderr, ...surroundings }: Surroundings,
  output: Output,
): Promise<void> {
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
    ...surroundings,
    operator: operatorOf(surroundings.environment),
    output,
    url: databaseUrl(database, surroundings.environment),
    safety: { isInsecure: insecureDatabase },
    terminal: stderr,
  };
  // All of them for help, and for what may be a misspelled name.
  for (const each of load === undefined ? Object.values(commands) : [load])
    program.addCommand((await each()).command(context));
  for (const each of [program, ...program.commands.flatMap((one) => [one, ...one.commands])])
    each
      .exitOverride()
      .configureHelp({ showGlobalOptions: true })
      .configureOutput({
        writeOut: (text) => surroundings.stdout.write(text),
        writeErr: (text) => stderr.write(text),
      });
  await program.parseAsync(args, { from: "user" });
}

function exitStatus(error: unknown, output: Output): number {
  // Commander has printed its own message. Requested help or version is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
  output.message(`error: ${messageOf(error)}`);
  return error instanceof ConfigurationError ? WRONG_USAGE : FAILED;
}

/** What was wrong, and what to do. Messages of unexpected errors are not shown: they may contain data. */
function messageOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof CommandError) return error.message;
  const whatToDo = remedy(error);
  if (whatToDo !== undefined) return `The database cannot be used now: ${whatToDo}.`;
  const { name, code, path }: Partial<NodeJS.ErrnoException> =
    error instanceof Error ? error : { name: "unknown" };
  // Most often the file of another user of the operating system.
  if (path !== undefined)
    return `Cannot use ${path} (${code}): check its name, its folder, and whether this user may use them.`;
  return `Unexpected failure (${name}${code === undefined ? "" : `, ${code}`}). Run "caseload doctor", and report it if it happens again.`;
}
