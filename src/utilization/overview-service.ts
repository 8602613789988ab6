import type { Db } from "../../db/database.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { PageSlice } from "../lib/page.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import type { OverviewSort, UtilizationEntry } from "./models/overview.ts";
import { OverviewCalendar } from "./overview-calendar.ts";
import { entryOf, type RankedSubject, rankedOf } from "./overview-entries.ts";
import {
  listCurrentSubjects,
  listShownAuthorizations,
  type CurrentSubject,
  streamSubjects,
  type SubjectAuthorization,
  type SubjectKey,
} from "./overview-repository.ts";

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

/**
 * One page of the authorizations and pools of an organization that are current on a day, with their periods of that day.
 *
 * All current subjects are read in one statement and sorted in memory. If shares are needed for sorting or filtering, a
 * second statement streams the records of all subjects; they are counted by the same functions as everywhere else,
 * which is as fast as summing in SQL.
 */
export async function readOverview(db: Db, request: OverviewRequest): Promise<Overview> {
  const { organizationId, patientId, payorId, page } = request;
  const calendar = new OverviewCalendar(request, await getOrganization(db, organizationId));
  const possible = { organizationId, patientId, payorId, ...calendar.possibleDays() };
  const subjects = await listCurrentSubjects(db, possible);
  const current = subjects.filter((subject) => calendar.isCurrent(subject));
  if (current.length === 0) return { entries: [], totalCount: 0 };
  const ranges = calendar.recordRanges(current);

  const ranked: readonly RankedSubject[] = dependsOnShares(request)
    ? await withShares(
        streamSubjects(db, organizationId, authorizationsOf(current), ranges),
        calendar,
        request,
      )
    : current;
  const keys = ranked
    .toSorted(orders[request.sort])
    .slice(page.offset, page.offset + page.pageSize);
  const isShown = new Set(keys.map(keyText));
  const shown = await listShownAuthorizations(
    db,
    organizationId,
    authorizationsOf(current.filter((subject) => isShown.has(keyText(subject)))),
    ranges,
  );
  const bySubject = Map.groupBy(shown, keyText);
  return {
    entries: keys.map((key) => entryOf(bySubject.get(keyText(key)) ?? [], calendar)),
    totalCount: ranked.length,
  };
}

function dependsOnShares({ sort, minShare, maxShare }: OverviewRequest): boolean {
  const isFiltered = minShare !== undefined || maxShare !== undefined;
  return isFiltered || sort === "share" || sort === "-share";
}

function authorizationsOf(subjects: readonly CurrentSubject[]): string[] {
  return subjects.flatMap(({ authorizationIds }) => authorizationIds);
}

function keyText({ subject, subjectId }: SubjectKey): string {
  return `${subject} ${subjectId}`;
}

/** Adds shares, and removes subjects that do not match the filter of shares. */
async function withShares(
  subjects: AsyncIterable<SubjectAuthorization[]>,
  calendar: OverviewCalendar,
  request: OverviewRequest,
): Promise<RankedSubject[]> {
  const ranked: RankedSubject[] = [];
  for await (const authorizations of subjects) {
    const one = rankedOf(authorizations, calendar);
    if (passes(one.share, request)) ranked.push(one);
  }
  return ranked;
}

function passes(
  share: number | null | undefined,
  { minShare, maxShare }: OverviewRequest,
): boolean {
  if (minShare === undefined && maxShare === undefined) return true;
  return share != null && share >= (minShare ?? 0) && share <= (maxShare ?? Infinity);
}

type Order = (a: RankedSubject, b: RankedSubject) => number;

const byShare: Order = (a, b) => compare(a.share ?? 0, b.share ?? 0);
const byEnd: Order = (a, b) => compare(a.endDate, b.endDate);
const byId: Order = (a, b) => compare(a.subjectId, b.subjectId) || compare(a.subject, b.subject);
/** Subjects without a share are last in both directions. */
const withoutShareLast: Order = (a, b) => compare(Number(a.share == null), Number(b.share == null));

const orders: Record<OverviewSort, Order> = {
  share: (a, b) => withoutShareLast(a, b) || byShare(a, b) || byId(a, b),
  "-share": (a, b) => withoutShareLast(a, b) || byShare(b, a) || byId(a, b),
  endDate: (a, b) => byEnd(a, b) || byId(a, b),
  "-endDate": (a, b) => byEnd(b, a) || byId(a, b),
};

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
