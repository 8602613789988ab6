import { Command } from "@commander-js/extra-typings";
import { demoDay } from "../demo/calendar.ts";
import { demoFile } from "../demo/practice.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { countArgument, demoDateArgument } from "./arguments.ts";
import type { CommandContext } from "./context.ts";
import { writePieces } from "./standard-output.ts";

export function command(context: CommandContext) {
  return new Command("demo")
    .description("write a demo practice as a practice file to standard output")
    .option(
      "--sessions <number>",
      "at least so many sessions: the clinic as often, under other ids",
      countArgument,
      1,
    )
    .option(
      "--date <date>",
      "the day around which it is generated; today in New York unless given",
      demoDateArgument,
    )
    .action((flags) => writeDemo(context, flags));
}

/** Writes the demo practice of a day (default: today) as a practice file. */
export async function writeDemo(
  { clock, stdout }: Pick<CommandContext, "clock" | "stdout">,
  { sessions, date }: { sessions: number; date?: CalendarDate },
): Promise<void> {
  await writePieces(demoFile(date ?? demoDay(clock.now()), sessions), stdout);
}
