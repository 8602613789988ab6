import type { Writable } from "node:stream";
import { demoDay } from "../demo/calendar.ts";
import { demoFile } from "../demo/practice.ts";
import type { Clock } from "../lib/clock.ts";
import { writePieces } from "./standard-output.ts";

/** Writes the demo practice as a practice file. */
export async function writeDemo(
  { clock, stdout }: { clock: Clock; stdout: Writable },
  { seed, sessions }: { seed: number; sessions: number },
): Promise<void> {
  await writePieces(demoFile({ seed, sessions, today: demoDay(clock.now()) }), stdout);
}
