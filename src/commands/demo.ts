import type { Writable } from "node:stream";
import { demoDay } from "../demo/calendar.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { demoFile } from "../demo/practice.ts";
import type { Clock } from "../lib/clock.ts";
import { writePieces } from "./standard-output.ts";

/** Writes the demo practice of a day (default: today) as a practice file. */
export async function writeDemo(
  { clock, stdout }: { clock: Clock; stdout: Writable },
  { seed, sessions, date }: { seed: number; sessions: number; date?: CalendarDate },
): Promise<void> {
  await writePieces(demoFile({ seed, sessions, today: date ?? demoDay(clock.now()) }), stdout);
}
