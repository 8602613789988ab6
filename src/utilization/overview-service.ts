import type { Db } from "../../db/database.ts";
import type { CalendarDate, DateRange } from "../lib/calendar-date.ts";
import { compare } from "../lib/compare.ts";
import type { Instant } from "../lib/instant.ts";
import type { PageSlice } from "../lib/page.ts";
import { instantsOf, type TimeZone } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { PracticeCalendar } from "./calendar.ts";
import { type Counted, countSubjects, inBatches, readRecords, type RecordsOf } from "./counting.ts";
import { committedUnits, periodGrid, UnitCounter } from "./unit-counter.ts";
import type { OverviewSort, UtilizationEntry } from "./models/overview.ts";
import { LaterPeriods } from "./later-periods.ts";
import { isEmpty, knownFrequency, overlap, type UnitFrequency } from "./periods.ts";
import { type CurrentSubject, listCurrentSubjects, listSubjects } from "./repository.ts";
import { shownPeriod } from "./service.ts";
import { elapsedShare, shareOf } from "./shares.ts";
import type { Subject } from "./subject.ts";
import { unitsLeft } from "./units.ts";

export interface OverviewRequest {
  organizationId: string;
  now: Instant;
  /** The periods that include this day are shown. Default: today, in the time zone of each entry. */
  date?: CalendarDate | undefined;
  timezone?: TimeZone | undefined;
  patientId?: string | undefined;
  payorId?: string | undefined;
  minShare?: number | undefined;
  maxShare?: number | undefined;
  sort: OverviewSort;
  page: PageSlice;
}

export interface Overview {
  entries: UtilizationEntry[];
  /** On all pages. */
  totalCount: number;
}

/** The sort keys of a subject. */
interface RankedSubject extends Pick<
  CurrentSubject,
  "kind" | "publicId" | "endDate" | "authorizationIds"
> {
  /** Absent unless shares are requested. */
  share?: number | null;
}

/** A subject with its period of the overview's day. */
interface SubjectOfDay extends Counted {
  subject: Subject;
  term: DateRange;
  timezone: TimeZone;
  unitFrequency: UnitFrequency;
  date: CalendarDate;
  period: DateRange;
}

/**
 * One page of the authorizations and pools of an organization that are current on a day, with their periods of that day.
 *
 * All current subjects are read in one statement and sorted in memory. If shares are needed for sorting or filtering,
 * the records of all subjects are read as well, those of some at a time; they are counted as everywhere else, which is
 * as fast as summing in SQL.
 */
export async function readOverview(db: Db, request: OverviewRequest): Promise<Overview> {
  const { organizationId, patientId, payorId, page } = request;
  const calendar = new PracticeCalendar(request, await getOrganization(db, organizationId));
  const patientIds = patientId === undefined ? undefined : [patientId];
  const possible = { organizationId, patientIds, payorId, ...calendar.possibleDays() };
  const subjects = await listCurrentSubjects(db, possible);
  const current = subjects.filter((subject) => calendar.isCurrent(subject));

  const ranked: readonly RankedSubject[] = dependsOnShares(request)
    ? await withShares(db, current, calendar, request)
    : current;
  const sorted = ranked.toSorted(orders[request.sort]);
  const keys = sorted.slice(page.offset, page.offset + page.pageSize);
  const entries = new Map<string, UtilizationEntry>();
  for (const some of inBatches(keys, sizeOf)) {
    const shown = await subjectsOfDay(db, organizationId, some, calendar);
    for (const [key, entry] of await listEntries(db, organizationId, shown, calendar))
      entries.set(key, entry);
  }
  return {
    entries: keys.flatMap((key) => entries.get(keyText(key)) ?? []),
    totalCount: ranked.length,
  };
}

function sizeOf({ authorizationIds }: Pick<CurrentSubject, "authorizationIds">): number {
  return authorizationIds.length;
}

function dependsOnShares({ sort, minShare, maxShare }: OverviewRequest): boolean {
  const isFiltered = minShare !== undefined || maxShare !== undefined;
  return isFiltered || sort === "share" || sort === "-share";
}

function keyText({ kind, publicId }: Pick<RankedSubject, "kind" | "publicId">): string {
  return `${kind} ${publicId}`;
}

/** The subjects of some keys, unordered. */
async function subjectsOfDay(
  db: Db,
  organizationId: string,
  keys: readonly Pick<RankedSubject, "authorizationIds">[],
  calendar: PracticeCalendar,
): Promise<SubjectOfDay[]> {
  const ids = keys.flatMap(({ authorizationIds }) => authorizationIds);
  const subjects = await listSubjects(db, organizationId, ids);
  return subjects.map((subject) => {
    const { members, term } = subject;
    if (term === undefined) throw new Error("A current subject has an authorization");
    const timezone = calendar.timeZoneOf(subject.patientTimeZone);
    const unitFrequency = knownFrequency(subject.unitFrequency);
    const date = calendar.dateIn(timezone);
    const period = calendar.periodOn(unitFrequency, term, date);
    const grid = periodGrid([period], period, timezone);
    return { subject, members, term, timezone, unitFrequency, date, period, grid };
  });
}

/** Adds shares, and removes subjects that do not match the filter of shares. */
async function withShares(
  db: Db,
  current: readonly CurrentSubject[],
  calendar: PracticeCalendar,
  request: OverviewRequest,
): Promise<RankedSubject[]> {
  const { organizationId } = request;
  const ranked: RankedSubject[] = [];
  for (const some of inBatches(current, sizeOf)) {
    const subjects = await subjectsOfDay(db, organizationId, some, calendar);
    const withLimit = subjects.filter(({ subject }) => (subject.unitsAuthorized ?? 0) > 0);
    const counters = await countSubjects(db, organizationId, withLimit);
    const shares = new Map(
      withLimit.map(({ subject }, index) => {
        const [period] = (counters[index] as UnitCounter).total();
        const units = period === undefined ? 0 : committedUnits(period);
        return [keyText(subject), shareOf(units, subject.unitsAuthorized)];
      }),
    );
    for (const { kind, publicId, endDate, authorizationIds } of some) {
      const share = shares.get(keyText({ kind, publicId })) ?? null;
      if (passes(share, request)) ranked.push({ kind, publicId, endDate, authorizationIds, share });
    }
  }
  return ranked;
}

function passes(share: number | null, { minShare, maxShare }: OverviewRequest): boolean {
  if (minShare === undefined && maxShare === undefined) return true;
  return share !== null && share >= (minShare ?? 0) && share <= (maxShare ?? Infinity);
}

type Order = (a: RankedSubject, b: RankedSubject) => number;

const byShare: Order = (a, b) => compare(a.share ?? 0, b.share ?? 0);
const byEnd: Order = (a, b) => compare(a.endDate, b.endDate);
const byId: Order = (a, b) => compare(a.publicId, b.publicId) || compare(a.kind, b.kind);
/** Subjects without a share are last in both directions. */
const withoutShareLast: Order = (a, b) => compare(Number(a.share == null), Number(b.share == null));

const orders: Record<OverviewSort, Order> = {
  share: (a, b) => withoutShareLast(a, b) || byShare(a, b) || byId(a, b),
  "-share": (a, b) => withoutShareLast(a, b) || byShare(b, a) || byId(a, b),
  endDate: (a, b) => byEnd(a, b) || byId(a, b),
  "-endDate": (a, b) => byEnd(b, a) || byId(a, b),
};

/** The entries of some subjects, by key. */
async function listEntries(
  db: Db,
  organizationId: string,
  subjects: readonly SubjectOfDay[],
  calendar: PracticeCalendar,
): Promise<Map<string, UtilizationEntry>> {
  const counted = subjects.map((one) => {
    const { members, grid, timezone, unitFrequency, term, period } = one;
    return {
      of: one,
      counter: new UnitCounter(grid, members),
      later: new LaterPeriods({
        ...{ members, timezone, after: period.endDate },
        periodOn: (date) => calendar.periodOn(unitFrequency, term, date),
      }),
    };
  });
  const records = counted.flatMap(({ of, counter, later }): RecordsOf[] =>
    of.members.map(({ publicId, dates }) => {
      // Without a limit, no later period is over it.
      const rest =
        of.subject.unitsAuthorized === null
          ? of.period
          : { ...of.period, ...{ endDate: of.term.endDate } };
      const days = overlap(rest, dates);
      return {
        authorizationId: publicId,
        spans: isEmpty(days) ? [] : [instantsOf(days, of.timezone)],
        counters: [counter, later],
      };
    }),
  );
  await readRecords(db, organizationId, records);
  return new Map(
    counted.map(({ of, counter, later }) => [
      keyText(of.subject),
      entryOf(of, counter, later.firstOver(of.subject.unitsAuthorized)),
    ]),
  );
}

function entryOf(
  { subject, term, timezone, unitFrequency, date }: SubjectOfDay,
  counter: UnitCounter,
  overFrom: CalendarDate | null,
): UtilizationEntry {
  const { kind, members, unitsAuthorized } = subject;
  const [period] = counter.total();
  const [first] = members;
  if (period === undefined || first === undefined) throw new Error("An entry has a period");
  const unitsCommitted = committedUnits(period);
  const own = kind === "AUTHORIZATION" ? first : undefined;
  return {
    subject: kind,
    publicId: subject.publicId,
    patientId: subject.patientId,
    patientFirstName: subject.patientFirstName,
    patientLastName: subject.patientLastName,
    authorizationNumber: own?.authorizationNumber ?? null,
    authorizationStatus: own?.authorizationStatus ?? null,
    serviceLinePublicId: own?.serviceLineId ?? null,
    payorId: subject.payorId,
    payorName: subject.payorName,
    ...term,
    timezone,
    unitFrequency,
    period: shownPeriod(period),
    unitsAuthorized,
    unitsOpen: period.unitsOpen,
    unitsCommitted,
    unitsLeft: unitsLeft(unitsCommitted, unitsAuthorized),
    services: members
      .toSorted((a, b) => compare(a.publicId, b.publicId))
      .map(({ publicId, serviceLineId, serviceLineName }) => ({
        authorizationId: publicId,
        serviceLinePublicId: serviceLineId,
        serviceLineName,
      })),
    overFrom,
    share: shareOf(unitsCommitted, unitsAuthorized),
    elapsedShare: elapsedShare(period, date),
  };
}
