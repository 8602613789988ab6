import type { Database } from "../../db/connect.ts";
import { toInstant } from "../lib/instant.ts";
import { importPractice } from "../practice-file/import.ts";
import { demoDay } from "./calendar.ts";
import { DEFAULT_SEED, DEFAULT_SESSIONS } from "./clinic.ts";
import { demoFile } from "./file.ts";
import { organizationId } from "./reference-data.ts";

export const DEMO_ORGANIZATION_ID = organizationId(DEFAULT_SEED);

/**
 * Imports the demo practice as `caseload demo` would write it, around `now` (epoch milliseconds), and returns the id
 * of its organization. It is for a database that does not have it yet: the practice of another day is no later
 * state of this one.
 */
export async function seedDemo(database: Database, now: number): Promise<string> {
  const options = { seed: DEFAULT_SEED, sessions: DEFAULT_SESSIONS, today: demoDay(now) };
  const outcome = await importPractice(database, bytesOf(demoFile(options)), {
    now: toInstant(now),
  });
  if ("organizationId" in outcome) return outcome.organizationId;
  throw new Error(
    `The demo practice is no practice file:\n${outcome.badLines.report("demo").join("\n")}`,
  );
}

async function* bytesOf(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield encoder.encode(piece);
}
