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
import { gridsOf } from "../utilization/grids.ts";
import {
  committedUnits,
  countingPeriodFinder,
  type EncounterRecord,
  periodGrid,
  type SessionRecord,
} from "../utilization/unit-counter.ts";
import type { Subject } from "../utilization/subject.ts";
import { countsAsScheduled, unitsOver } from "../utilization/units.ts";
import { checks } from "./checks.ts";
import { byStart, type Finding, type Sink } from "./findings.ts";

/** The check of units over authorized ones, by period (docs/checks.md). */

interface Request {
  organizationId: string;
  window: DateRange;
  /** The days of the window that are looked at. */
  days: DateRange;
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
 * Finds periods that overlap the days and are over their limit. Records of all subjects are counted while they are
 * streamed; their ids are read only of subjects with a finding that is kept.
 */
export async function findOverAuthorized(
  db: Db,
  request: Request,
  subjects: readonly Subject[],
  sink: Sink,
): Promise<void> {
  const over = await listOver(db, subjects, request);
  const found = over.flatMap((subject) =>
    subject.grid.periods.map((period, index) => ({
      ...{ subject, period, index, check: "OVER_AUTHORIZED" as const },
      date: later(period.startDate, request.window.startDate),
    })),
  );
  const kept = new Set(found.flatMap((each) => (sink.keeps(each) ? each.subject : [])));
  const recordsOf = new Map([...kept].map((subject) => [subject, new RecordsByPeriod(subject)]));
  const records = [...recordsOf].flatMap(([subject, counter]) =>
    countedRecords(subject, [counter]),
  );
  await readRecords(db, request.organizationId, records);
  for (const each of found) {
    const { subject, check, date } = each;
    const { patientId, payorId } = subject.subject;
    const make = () => findingOf(each, recordsOf.get(subject));
    sink.add({ check, date, patientId, providerId: null, payorId, make });
  }
}

async function listOver(
  db: Db,
  subjects: readonly Subject[],
  { organizationId, days, calendar }: Request,
): Promise<OverSubject[]> {
  const limited: (Counted & Pick<OverSubject, "subject" | "timezone" | "authorized">)[] = [];
  const gridOf = gridsOf(calendar, days);
  for (const subject of subjects) {
    const { members, unitsAuthorized: authorized } = subject;
    const grid = gridOf(subject);
    if (grid === undefined || authorized === null) continue;
    const timezone = calendar.timeZoneOf(subject.patientTimeZone);
    limited.push({ subject, members, timezone, authorized, grid });
  }
  const counters = await countSubjects(db, organizationId, limited);
  return limited.flatMap(({ grid, ...rest }, index) => {
    const { authorized, timezone } = rest;
    const counter = counters[index];
    if (counter === undefined || counter.isEmpty) return [];
    const over = counter
      .total()
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
  startTime: Instant;
}

/** The records that count in each period of a subject. */
class RecordsByPeriod implements RecordCounter {
  readonly encounters = new Map<number, NamedRecord[]>();
  readonly openSessions = new Map<number, NamedRecord[]>();
  readonly #placeOf: ReturnType<typeof countingPeriodFinder>;

  constructor({ grid, members }: Counted) {
    this.#placeOf = countingPeriodFinder(grid, members);
  }

  addEncounter(encounter: EncounterRecord & NamedRecord): void {
    this.#add(this.encounters, encounter);
  }

  addSession(session: SessionRecord & NamedRecord): void {
    if (session.isOpen === 1 && countsAsScheduled(session.status))
      this.#add(this.openSessions, session);
  }

  #add(
    periods: Map<number, NamedRecord[]>,
    record: NamedRecord & { authorizationId: string },
  ): void {
    const place = this.#placeOf(record);
    if (place === undefined) return;
    const { publicId, startTime } = record;
    const records = periods.get(place);
    if (records === undefined) periods.set(place, [{ publicId, startTime }]);
    else records.push({ publicId, startTime });
  }
}

function idsOf(records: readonly NamedRecord[] = []): string[] {
  return records.toSorted(byStart).map(({ publicId }) => publicId);
}

function findingOf(
  {
    subject: { subject, timezone, authorized, committed },
    ...found
  }: { subject: OverSubject; period: DateRange; index: number } & Pick<Finding, "check" | "date">,
  records: RecordsByPeriod | undefined,
): Finding {
  const { period, index, check, date } = found;
  const isPool = subject.kind === "POOL";
  const units = committed[index] ?? 0;
  const excess = unitsOver(units, authorized);
  return {
    ...{ check, date, timezone },
    patientId: subject.patientId,
    providerId: null,
    sessionIds: idsOf(records?.openSessions.get(index)),
    encounterIds: idsOf(records?.encounters.get(index)),
    authorizationId: isPool ? null : subject.publicId,
    poolId: subject.poolId,
    payorId: subject.payorId,
    authorizationStartDate: subject.term?.startDate ?? null,
    authorizationEndDate: subject.term?.endDate ?? null,
    units: excess,
    message: checks.OVER_AUTHORIZED.message({ period, committed: units, authorized, excess }),
  };
}
