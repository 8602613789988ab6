#!/usr/bin/env bun
import { outputTo, runProgram } from "./commands/program.ts";
import { systemClock } from "./lib/clock.ts";

/** The process: its clock, environment and streams for the program, whose exit status becomes its own. */

// Calendar arithmetic requires UTC (see `lib/calendar-date.ts`).
process.env.TZ = "UTC";

/** Delay of the usual compiling, in milliseconds: the program is built to compile less while it starts. */
const COMPILING_DELAY = 250;
setTimeout(() => Bun.unsafe.setJITPolicy(1), COMPILING_DELAY).unref();

// A log that cannot be written (full disk, reader gone) must not end the server.
process.stderr.on("error", () => {});

// A reader that stops reading, as `head` does, is not an error: the command goes on, to its own exit status.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  outputTo(process).message(
    `error: Cannot write to standard output (${error.code}); the output is incomplete.`,
  );
  process.exit(1);
});

process.exitCode = await runProgram(process.argv.slice(2), {
  clock: systemClock,
  environment: process.env,
  stdin: Bun.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
