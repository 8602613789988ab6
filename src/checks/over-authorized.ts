import type { Db } from "../../db/database.ts";
import { type DateRange, later } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import type { PracticeCalendar } from "../utilization/calendar.ts";
import {
  type Counted,
  countedRecords,
  countSubjects,
  type RecordCounter,
  readRecords,
} from "../utilization/counting.ts";
import { committedUnits, countingPeriodFinder, periodGrid } from "../utilization/counts.ts";
import { knownFrequency } from "../utilization/periods.ts";
import type { Subject } from "../utilization/subject.ts";
import { countsAsScheduled, unitsOver } from "../utilization/units.ts";
import { checks } from "./checks.ts";
import { byStart, type Finding } from "./findings.ts";

/** The check of units over authorized ones, by period (checks.md, table). */

interface Request {
  organizationId: string;
  window: DateRange;
  calendar: PracticeCalendar;
}

/** A subject with periods over their limits, and these alone in its grid. */
interface OverSubject extends Counted {
  subject: Subject;
  timezone: TimeZone;
  authorized: number;
  /** Committed units by period. */
  committed: number[];
}

/**
 * Finds periods that overlap the window and are over their limit. Records of all subjects are counted while they are
 * streamed; their ids are kept only of subjects with such a period.
 */
export async function findOverAuthorized(
  db: Db,
  request: Request,
  subjects: readonly Subject[],
): Promise<Finding[]> {
  const over = await listOver(db, subjects, request);
  const records = await listRecords(db, request.organizationId, over);
  return over.flatMap((one) => findingsOf(one, request.window, records));
}

async function listOver(
  db: Db,
  subjects: readonly Subject[],
  { organizationId, window, calendar }: Request,
): Promise<OverSubject[]> {
  const limited = subjects.flatMap((subject) => {
    const { members, term, unitsAuthorized: authorized } = subject;
    if (term === undefined || authorized === null) return [];
    const timezone = calendar.timeZoneOf(subject.patientTimeZone);
    const periods = calendar.periodsIn(knownFrequency(subject.unitFrequency), term, window);
    const grid = periodGrid(periods, window, timezone);
    return [{ subject, members, timezone, authorized, grid }];
  });
  const counters = await countSubjects(db, organizationId, limited);
  return limited.flatMap(({ grid, ...rest }, index) => {
    const { authorized, timezone } = rest;
    const over = (counters[index]?.total() ?? [])
      .map(({ startDate, endDate, ...units }) => ({
        period: { startDate, endDate },
        committed: committedUnits(units),
      }))
      .filter(({ committed }) => unitsOver(committed, authorized) > 0);
    if (over.length === 0) return [];
    const periods = over.map(({ period }) => period);
    return [
      {
        ...rest,
        grid: periodGrid(periods, grid.window, timezone),
        committed: over.map(({ committed }) => committed),
      },
    ];
  });
}

interface NamedRecord {
  publicId: string;
  authorizationId: string;
  startTime: Instant;
}

interface Records {
  encounters: Map<string, NamedRecord[]>;
  openSessions: Map<string, NamedRecord[]>;
}

/** Reads the records that can count in the periods of some subjects, by authorization. */
async function listRecords(
  db: Db,
  organizationId: string,
  subjects: readonly OverSubject[],
): Promise<Records> {
  const records: Records = { encounters: new Map(), openSessions: new Map() };
  const lists: RecordCounter = {
    addEncounter: (one) => addTo(records.encounters, one),
    addSession: (one) =>
      one.isOpen === 1 && countsAsScheduled(one.status) && addTo(records.openSessions, one),
  };
  await readRecords(
    db,
    organizationId,
    subjects.flatMap((subject) => countedRecords(subject, [lists])),
  );
  return records;
}

function addTo(
  records: Map<string, NamedRecord[]>,
  { publicId, authorizationId, startTime }: NamedRecord,
): void {
  const list = records.get(authorizationId) ?? [];
  if (list.push({ publicId, authorizationId, startTime }) === 1) records.set(authorizationId, list);
}

function findingsOf(
  { subject, members, timezone, grid, authorized, committed }: OverSubject,
  window: DateRange,
  records: Records,
): Finding[] {
  const placeOf = countingPeriodFinder(grid, members);
  const idsByPeriod = (from: Map<string, NamedRecord[]>) => {
    const own = members.flatMap(({ publicId }) => from.get(publicId) ?? []).toSorted(byStart);
    return Map.groupBy(own, placeOf);
  };
  const encounters = idsByPeriod(records.encounters);
  const sessions = idsByPeriod(records.openSessions);
  const idsOf = (found: readonly NamedRecord[] = []) => found.map(({ publicId }) => publicId);
  const isPool = subject.kind === "POOL";
  return grid.periods.map((period, index) => {
    const units = committed[index] ?? 0;
    const excess = unitsOver(units, authorized);
    return {
      check: "OVER_AUTHORIZED",
      date: later(period.startDate, window.startDate),
      timezone,
      patientId: subject.patientId,
      providerId: null,
      sessionIds: idsOf(sessions.get(index)),
      encounterIds: idsOf(encounters.get(index)),
      authorizationId: isPool ? null : subject.publicId,
      poolId: subject.poolId,
      payorId: subject.payorId,
      authorizationStartDate: subject.term?.startDate ?? null,
      authorizationEndDate: subject.term?.endDate ?? null,
      units: excess,
      message: checks.OVER_AUTHORIZED.message({ period, committed: units, authorized, excess }),
    };
  });
}
