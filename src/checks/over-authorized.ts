import type { Db } from "../../db/database.ts";
import { type DateRange, later } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import {
  type CountedAuthorization,
  countingPeriodFinder,
  countUnits,
  periodGrid,
} from "../utilization/counts.ts";
import type { OverviewCalendar } from "../utilization/overview-calendar.ts";
import { subjectOf } from "../utilization/overview-entries.ts";
import {
  listCurrentSubjects,
  streamLimitedSubjects,
  type SubjectAuthorization,
} from "../utilization/overview-repository.ts";
import { isEmpty, overlap } from "../utilization/periods.ts";
import { listNamedEncounters, listOpenSessions } from "../utilization/repository.ts";
import { countsAsScheduled, sumOfUnits, unitsOver } from "../utilization/units.ts";
import { checks } from "./checks.ts";
import { byStart, type Finding } from "./findings.ts";

/** The check of units over authorized ones, by period (checks.md, table). */

interface Request {
  organizationId: string;
  window: DateRange;
  calendar: OverviewCalendar;
  patientId?: string | undefined;
  providerId?: string | undefined;
}

/** A period over its limit. */
interface OverPeriod extends DateRange {
  committed: number;
  authorized: number;
}

/** A subject with periods over their limits. */
interface OverSubject {
  first: SubjectAuthorization;
  term: DateRange;
  members: CountedAuthorization[];
  timezone: TimeZone;
  periods: OverPeriod[];
}

/**
 * Finds periods that overlap the window and are over their limit. Records of all subjects are counted while they are
 * streamed; the individual records are queried only for subjects with such a period.
 */
export async function findOverAuthorized(db: Db, request: Request): Promise<Finding[]> {
  const { organizationId, window, calendar, patientId, providerId } = request;
  // These findings have no provider.
  if (providerId !== undefined) return [];
  const { startDate: from, endDate: to } = window;
  const current = await listCurrentSubjects(db, { organizationId, patientId, from, to });
  if (current.length === 0) return [];
  const ids = current.flatMap(({ authorizationIds }) => authorizationIds);
  const ranges = calendar.recordRanges(current, [from, to]);
  const subjects: OverSubject[] = [];
  for await (const authorizations of streamLimitedSubjects(db, organizationId, ids, ranges)) {
    const subject = overSubject(authorizations, window, calendar);
    if (subject.periods.length > 0) subjects.push(subject);
  }
  const records = await listRecords(db, organizationId, subjects);
  return subjects.flatMap((subject) => findingsOf(subject, window, records));
}

function overSubject(
  authorizations: readonly SubjectAuthorization[],
  window: DateRange,
  calendar: OverviewCalendar,
): OverSubject {
  const { first, members, term, timezone, unitFrequency, unitsAuthorized } = subjectOf(
    authorizations,
    calendar,
  );
  if (unitsAuthorized === null) return { first, term, members, timezone, periods: [] };

  const periods = calendar
    .periodsIn(unitFrequency, window)
    .map((period) => overlap(period, term))
    .filter((period) => !isEmpty(overlap(period, window)));
  const { total } = countUnits(
    periodGrid(periods, window, timezone),
    members,
    authorizations.flatMap(({ encounters }) => encounters),
    authorizations.flatMap(({ openSessions }) => openSessions),
  );
  const counted = total.map(({ unitsUtilized, unitsScheduled, ...dates }) => ({
    ...dates,
    committed: sumOfUnits(unitsUtilized, unitsScheduled),
    authorized: unitsAuthorized,
  }));
  const isOver = ({ committed }: OverPeriod) => unitsOver(committed, unitsAuthorized) > 0;
  return { first, term, members, timezone, periods: counted.filter(isOver) };
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
  const spans = subjects.flatMap(({ periods, timezone }) => {
    const { span } = periodGrid(periods, periods[0] as DateRange, timezone);
    return span === undefined ? [] : [span];
  });
  const [from] = spans.map((span) => span.from).toSorted();
  const to = spans
    .map((span) => span.to)
    .toSorted()
    .at(-1);
  if (from === undefined || to === undefined)
    return { encounters: new Map(), openSessions: new Map() };
  const authorizationIds = subjects.flatMap(({ members }) =>
    members.map(({ publicId }) => publicId),
  );
  const asked = { organizationId, authorizationIds, from, to };
  const open = await listOpenSessions(db, asked);
  return {
    encounters: byAuthorization(await listNamedEncounters(db, asked)),
    openSessions: byAuthorization(open.filter(({ status }) => countsAsScheduled(status))),
  };
}

function byAuthorization(records: readonly NamedRecord[]): Map<string, NamedRecord[]> {
  return Map.groupBy(records, ({ authorizationId }) => authorizationId);
}

function findingsOf(
  { first, term, members, timezone, periods }: OverSubject,
  window: DateRange,
  records: Records,
): Finding[] {
  const grid = periodGrid(periods, window, timezone);
  const placeOf = countingPeriodFinder(grid, members);
  const idsByPeriod = (from: Map<string, NamedRecord[]>) => {
    const own = members.flatMap(({ publicId }) => from.get(publicId) ?? []).toSorted(byStart);
    return Map.groupBy(own, placeOf);
  };
  const encounters = idsByPeriod(records.encounters);
  const sessions = idsByPeriod(records.openSessions);
  const idsOf = (found: readonly NamedRecord[] = []) => found.map(({ publicId }) => publicId);
  const isPool = first.subject === "POOL";
  return periods.map((period, index) => {
    const excess = unitsOver(period.committed, period.authorized);
    return {
      check: "OVER_AUTHORIZED",
      date: later(period.startDate, window.startDate),
      timezone,
      patientId: first.patientId,
      providerId: null,
      sessionIds: idsOf(sessions.get(index)),
      encounterIds: idsOf(encounters.get(index)),
      authorizationId: isPool ? null : first.subjectId,
      poolId: isPool ? first.subjectId : null,
      payorId: first.payorId,
      authorizationStartDate: term.startDate,
      authorizationEndDate: term.endDate,
      units: excess,
      message: checks.OVER_AUTHORIZED.message({
        period,
        committed: period.committed,
        authorized: period.authorized,
        excess,
      }),
    };
  });
}
