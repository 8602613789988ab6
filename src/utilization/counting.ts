import type { Db } from "../../db/database.ts";
import { pieces } from "../lib/pieces.ts";
import {
  type CountedAuthorization,
  countedStarts,
  type EncounterRecord,
  type PeriodGrid,
  type SessionRecord,
  UnitCounter,
} from "./unit-counter.ts";
import { type RecordSpan, streamEncounters, streamSessions } from "./repository.ts";

/** Takes the records of authorizations, in any order, such as to count their units. */
export interface RecordCounter {
  addEncounter(encounter: EncounterRecord & { publicId: string }): void;
  addSession(session: SessionRecord & { publicId: string }): void;
}

/** An authorization whose records are read, and what takes them. */
export interface RecordsOf {
  authorizationId: string;
  /** Disjoint ranges of time. */
  spans: readonly Omit<RecordSpan, "authorizationId">[];
  counters: readonly RecordCounter[];
}

/** How records are read. */
export interface Reading {
  /** Whether sessions are read, and whether it is looked up which of them are open. Default: `WITH_OPEN`. */
  sessions?: "NONE" | "WITHOUT_OPEN" | "WITH_OPEN";
  /** Called now and then, with the number of records read so far. */
  progress?: ((records: number) => void) | undefined;
}

/** Reads records with one statement for all encounters and one for all sessions, of any status. */
export async function readRecords(
  db: Db,
  organizationId: string,
  authorizations: readonly RecordsOf[],
  { sessions = "WITH_OPEN", progress }: Reading = {},
): Promise<void> {
  let records = 0;
  const countersOf = new Map(
    authorizations.map(({ authorizationId, counters }) => [authorizationId, counters]),
  );
  const spans = authorizations.flatMap(({ authorizationId, spans }) =>
    spans.map(({ from, to }) => ({ authorizationId, from, to })),
  );
  if (spans.length === 0) return;
  for await (const encounters of streamEncounters(db, { organizationId, spans })) {
    progress?.((records += encounters.length));
    for (const one of encounters)
      for (const counter of countersOf.get(one.authorizationId) ?? []) counter.addEncounter(one);
  }
  if (sessions === "NONE") return;
  const readsOpen = sessions === "WITH_OPEN";
  for await (const some of streamSessions(db, { organizationId, spans, readsOpen })) {
    progress?.((records += some.length));
    for (const one of some)
      for (const counter of countersOf.get(one.authorizationId) ?? []) counter.addSession(one);
  }
}

/** Authorizations whose records are read together, so that memory does not grow with the practice. */
const AUTHORIZATIONS_AT_A_TIME = 500;

/**
 * Splits a list of subjects, or of ids of authorizations, into batches.
 *
 * @param sizeOf the number of authorizations of a subject.
 */
export function inBatches<Subject>(
  subjects: readonly Subject[],
  sizeOf?: (subject: Subject) => number,
): Iterable<readonly Subject[]> {
  return pieces(subjects, AUTHORIZATIONS_AT_A_TIME, sizeOf);
}

/** Authorizations, and the periods in which their units are counted. */
export interface Counted {
  members: readonly CountedAuthorization[];
  grid: PeriodGrid;
}

/**
 * Counts the units of several subjects.
 *
 * Rows are counted here and not in SQL: for many members and short periods there are almost as many sums as rows, so
 * aggregation in the database would hardly reduce what it returns.
 *
 * @param reading without open sessions, no units are open.
 * @returns a counter for each, in the same order.
 */
export async function countSubjects(
  db: Db,
  organizationId: string,
  subjects: readonly Counted[],
  reading?: Reading,
): Promise<UnitCounter[]> {
  const counters = subjects.map(({ grid, members }) => new UnitCounter(grid, members));
  const records = subjects.flatMap((subject, index) =>
    countedRecords(subject, [counters[index] as UnitCounter]),
  );
  await readRecords(db, organizationId, records, reading);
  return counters;
}

/** The records that count in the periods. */
export function countedRecords(
  { members, grid }: Counted,
  counters: readonly RecordCounter[],
): RecordsOf[] {
  return members.map(({ publicId, dates }) => {
    const starts = countedStarts(grid, dates);
    const isNever = starts === undefined || starts.from > starts.to;
    return { authorizationId: publicId, spans: isNever ? [] : [starts], counters };
  });
}
