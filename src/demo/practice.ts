import type { Database } from "../../db/database.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { toInstant } from "../lib/instant.ts";
import { linesOf } from "../practice-file/lines.ts";
import { importPractice } from "../practice-file/import-command.ts";
import type { PracticeRecord, UserRecord } from "../practice-file/model.ts";
import { authorizationPools, authorizations } from "./authorizations.ts";
import { demoDay } from "./calendar.ts";
import {
  type Clinic,
  DEFAULT_SEED,
  DEFAULT_SESSIONS,
  type DemoOptions,
  newClinic,
} from "./clinic.ts";
import { caregivers, intakeLeads, patients } from "./families.ts";
import { goals, treatmentPlans } from "./goals.ts";
import { locations, organization, referenceData } from "./organization.ts";
import { encounters, sessions } from "./sessions.ts";
import { staff } from "./staff.ts";

/**
 * Generates a synthetic practice as records of a practice file, in the order of an export: a behavior therapy clinic in
 * New York State, on the day `today`. All people are fictitious.
 *
 * Deterministic: the same options give the same records. There are at least as many sessions as requested, those of
 * whole care teams; the numbers of people, authorizations and goals follow from them. Records are generated one by one,
 * so that memory grows with the people and not with the sessions.
 *
 * @example
 * for (const record of demoPractice({ seed: 1, sessions: 2000, today })) console.log(record.type);
 */
export function* demoPractice(options: DemoOptions): Generator<PracticeRecord> {
  const clinic = newClinic(options);
  yield organization(options.seed);
  yield* locations(clinic.locations);
  yield* referenceData;
  yield* users(clinic);
  yield* authorizationPools(clinic);
  yield* authorizations(clinic);
  yield* sessions(clinic);
  yield* encounters(clinic);
  yield* intakeLeads(clinic);
  yield* treatmentPlans(clinic);
  yield* goals(clinic);
}

/** Users of all roles, ordered by id; ids begin with the kind of user. */
function users(clinic: Clinic): UserRecord[] {
  const all = [...staff(clinic), ...caregivers(clinic), ...patients(clinic)];
  return all.sort((a, b) => (a.publicId < b.publicId ? -1 : 1));
}

/** In characters. Fewer, larger pieces make writing a large practice faster. */
const PIECE = 64 * 1024;

/** The demo practice as practice file text, one record per line, in pieces of many lines. */
export function* demoFile(options: DemoOptions): Generator<string> {
  let piece = "";
  for (const record of demoPractice(options)) {
    piece += `${JSON.stringify(record)}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** The day of a demo practice; the default is that of `caseload demo`. */
export interface DemoChoice {
  today?: CalendarDate | undefined;
}

/**
 * Imports the demo practice as `caseload demo` would write it, for the day of `now` (epoch milliseconds) or the given
 * day, and returns the id of its organization. The database must not contain it yet: the practice of another day is not
 * a later state of the same practice.
 */
export async function seedDemo(
  database: Database,
  now: number,
  operator: string,
  { today = demoDay(now) }: DemoChoice = {},
): Promise<string> {
  const options = { seed: DEFAULT_SEED, sessions: DEFAULT_SESSIONS, today };
  const outcome = await importPractice(database, linesOf(bytesOf(demoFile(options))), {
    now: toInstant(now),
    operator,
  });
  if ("counts" in outcome) return outcome.organizationId;
  throw new Error(
    `The demo practice is no practice file:\n${outcome.mistakes.report("demo").join("\n")}`,
  );
}

async function* bytesOf(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield encoder.encode(piece);
}
