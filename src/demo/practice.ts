import type { Database } from "../../db/database.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { toInstant } from "../lib/instant.ts";
import { linesOf } from "../practice-file/lines.ts";
import { importPractice } from "../practice-file/import-command.ts";
import type { PracticeRecord } from "../practice-file/model.ts";
import { recordTypes } from "../schema/record-types.ts";
import { demoDay } from "./calendar.ts";
import { childrenIn, type Demo, numbered, staffIn, writtenRecords } from "./clinic.ts";
import { goals } from "./goals.ts";
import { appointments, encounters, sessions } from "./sessions.ts";

export const DEMO_ORGANIZATION = "org_maple";

/**
 * The clinic that is written down, laid over the weeks around a day, as records of a practice file in the order of an
 * export: a behavior therapy clinic in New York State. The same day gives the same records.
 */
export function demoPractice(demo: Demo, written = writtenRecords(demo.today)): PracticeRecord[] {
  const children = childrenIn(written);
  const all = appointments(demo, children, staffIn(written));
  const made = [
    ...sessions(all),
    ...encounters(demo.today, all),
    ...goals(demo.today, children, all),
  ];
  const byType = Map.groupBy([...written, ...made], ({ type }) => type);
  return recordTypes.flatMap((type) => byType.get(type) ?? []);
}

/** What each clinic has of its own, behind its id, and the part of an email address before `@`. */
const OWN =
  /("(?:usr|loc|auth|apool|apt|enc|lead|tp|goal|metric|behavior|trial|rating|interval|pcpay)_\w+|"email":"[^@"]+)(?=["@])/g;

/** A record of each clinic. Those behind the first have other ids: those of the third end in `_c000003`. */
export function* repeated(record: PracticeRecord, clinics: number, mark = "c"): Generator<string> {
  const parts = JSON.stringify(record).replaceAll(OWN, "$1\0").split("\0");
  yield parts.join("");
  if (parts.length === 1) return;
  for (let clinic = 2; clinic <= clinics; clinic += 1)
    yield parts.join(numbered(`_${mark}`, clinic));
}

/** The lines of a practice file with at least so many sessions: the clinic, as often as it takes. */
export function* demoLines(
  records: readonly PracticeRecord[],
  minSessions: number,
): Generator<string> {
  const ofClinic = records.filter(({ type }) => type === "session").length;
  const clinics = Math.max(1, Math.ceil(minSessions / ofClinic));
  for (const record of records) yield* repeated(record, clinics);
}

/** In characters. Fewer, larger pieces make writing a large practice faster. */
const PIECE = 64 * 1024;

/** The demo practice as practice file text, in pieces of many lines. */
export function* demoFile(today: CalendarDate, minSessions = 0): Generator<string> {
  let piece = "";
  for (const line of demoLines(demoPractice({ today }), minSessions)) {
    piece += `${line}\n`;
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
  const outcome = await importPractice(database, linesOf(bytesOf(demoFile(today))), {
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
