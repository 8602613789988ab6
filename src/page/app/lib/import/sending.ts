import { getAll, type Reading, readPractice, readRecords } from "../base/api.ts";
import { addDays, toInstant } from "../base/dates.ts";
import { deletionOf, type Line } from "../base/lines.ts";
import { readAll, writeLines } from "../base/write.ts";
import { systemClock } from "../../../../lib/clock.ts";
import type { Encounter, Session } from "../base/wire.ts";
import type { ImportLine, Stored } from "./practice.ts";
import { canUndo, MOST_READ } from "./size.ts";
import type { Asked } from "./asked.ts";

/** What the import asks the API, and what it sends: lines of a practice file, all sheets in one. */

const TYPES = ["location", "payor", "serviceLine", "nonBillableCode", "user", "authorization"];

/** How far from the days of its sessions what was delivered is looked for. */
const DAYS_AROUND = 31;

/** The records that sheets may mean, the sessions of their days and ids, and what was delivered. */
export async function readStored({ spans, ids }: Asked, reading?: Reading): Promise<Stored> {
  const [, ...lines] = await readPractice(TYPES, reading);
  const sessions: Line[] = [];
  const encounters: Line[] = [];
  for (const [startDate, endDate] of spans) {
    const around = {
      startDate: addDays(startDate, -DAYS_AROUND),
      endDate: addDays(endDate, DAYS_AROUND),
    };
    const [ofDays, delivered] = await Promise.all([
      getAll<Session>("sessions", { startDate, endDate }, reading),
      // On another day than its session, it would be delivered again.
      getAll<Encounter>("encounters", around, reading),
    ]);
    // As records, they have their authorizations; that takes a request for some hundred of them.
    const own = ofDays.map(({ publicId }) => publicId);
    const records = own.length <= MOST_READ ? await readRecords("session", own, reading) : ofDays;
    sessions.push(...records.map((session) => ({ ...session, type: "session" })));
    encounters.push(...delivered.map((encounter) => ({ type: "encounter", ...encounter })));
  }
  // Those that have moved from another day.
  const known = new Set(sessions.map(({ publicId }) => publicId));
  const others = ids.filter((id) => !known.has(id));
  for (const session of await readRecords("session", others, reading)) {
    const { publicId: sessionId } = session;
    sessions.push(session);
    const delivered = await getAll<Encounter>("encounters", { sessionId }, reading);
    encounters.push(...delivered.map((encounter) => ({ type: "encounter", ...encounter })));
  }
  return { lines, sessions, encounters };
}

/** What undoes an import: records as they were, and deletions of the new ones. */
interface ImportUndo {
  /** Written first: what was handed over is taken back, or its encounter could not be deleted. */
  takenBack: Line[];
  lines: Line[];
}

/** Undefined if it would be too much. */
export async function undoOf(lines: readonly ImportLine[]): Promise<ImportUndo | undefined> {
  if (!canUndo(lines)) return undefined;
  const before = await readAll(lines.filter(({ isNew }) => !isNew).map(({ line }) => line));
  const made = lines.filter(({ isNew }) => isNew).map(({ line }) => line);
  const takenBackAt = toInstant(systemClock.now());
  const takenBack = made.flatMap(({ type, publicId, billed }) =>
    Array.isArray(billed)
      ? [{ type, publicId, billed: billed.map((each: object) => ({ ...each, takenBackAt })) }]
      : [],
  );
  return { takenBack, lines: [...before, ...deletionOf(made)] };
}

/** @throws Failure if somebody has changed one of the records since. */
export async function undoImport(
  { takenBack, lines }: ImportUndo,
  sequence: number,
): Promise<void> {
  const isUndo = { isUndo: true };
  const since = takenBack.length === 0 ? sequence : await writeLines(takenBack, sequence, isUndo);
  await writeLines(lines, since, isUndo);
}
