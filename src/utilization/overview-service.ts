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
  countLiveSubjects,
  listLiveSubjects,
  listShownAuthorizations,
  listTimeZones,
  streamSubjects,
  type SubjectAuthorization,
  type SubjectKey,
} from "./overview-repository.ts";
import { Ranking } from "./ranking.ts";

export interface OverviewRequest {
  organizationId: string;
  now: Instant;
  /** The day whose periods are shown; today in the zone of each entry unless given. */
  date?: CalendarDate | undefined;
  timezone?: TimeZone | undefined;
  patientId?: string | undefined;
  minShare?: number | undefined;
  maxShare?: number | undefined;
  sort: OverviewSort;
  page: PageSlice;
}

export interface Overview {
  entries: UtilizationEntry[];
  /** Of all pages. */
  totalCount: number;
}

/**
 * One page of the authorizations and pools of an organization that live on a day, with their periods of that day.
 *
 * In the order of their ends an index finds them, and nothing is read but what is shown. Where shares decide, the
 * records of all live ones are read in one statement and counted as they come, so that they are counted by the same
 * functions as everywhere; to let SQL add them up instead would take as long.
 */
export async function readOverview(db: Db, request: OverviewRequest): Promise<Overview> {
  const { organizationId, patientId, sort, page } = request;
  const calendar = new OverviewCalendar(request, await getOrganization(db, organizationId));
  const subjects = { organizationId, patientId };
  const byShares = dependsOnShares(request);
  const day = calendar.commonDay();
  // Where the records of all are read, it pays to know from which zones: a period in those of one country is a day
  // or two shorter than in all there are.
  const days =
    day && !byShares
      ? [day]
      : calendar.daysOf(await listTimeZones(db, { ...subjects, ...calendar.possibleDays() }));
  const ranges = calendar.recordRanges(days);
  const live = { ...subjects, days };

  const { keys, totalCount } = byShares
    ? await rankSubjects(streamSubjects(db, live, ranges), calendar, request)
    : {
        keys: await listLiveSubjects(db, live, sort === "endDate" ? "asc" : "desc", page),
        totalCount: await countLiveSubjects(db, live),
      };
  const ids = keys.map(({ subjectId }) => subjectId);
  const shown = await listShownAuthorizations(db, organizationId, ids, ranges);
  const bySubject = Map.groupBy(shown, keyText);
  return {
    entries: keys.map((key) => entryOf(bySubject.get(keyText(key)) ?? [], calendar)),
    totalCount,
  };
}

function dependsOnShares({ sort, minShare, maxShare }: OverviewRequest): boolean {
  const isFiltered = minShare !== undefined || maxShare !== undefined;
  return isFiltered || sort === "share" || sort === "-share";
}

function keyText({ subject, subjectId }: SubjectKey): string {
  return `${subject} ${subjectId}`;
}

/** The page of those that pass the filter of shares, and how many these are. */
async function rankSubjects(
  subjects: AsyncIterable<SubjectAuthorization[]>,
  calendar: OverviewCalendar,
  request: OverviewRequest,
): Promise<{ keys: SubjectKey[]; totalCount: number }> {
  const { offset, pageSize } = request.page;
  const ranking = new Ranking<RankedSubject>(offset + pageSize, orders[request.sort]);
  let totalCount = 0;
  for await (const authorizations of subjects) {
    const ranked = rankedOf(authorizations, calendar);
    if (!passes(ranked.share, request)) continue;
    totalCount += 1;
    ranking.add(ranked);
  }
  return { keys: ranking.first().slice(offset), totalCount };
}

function passes(share: number | null, { minShare, maxShare }: OverviewRequest): boolean {
  if (minShare === undefined && maxShare === undefined) return true;
  return share !== null && share >= (minShare ?? 0) && share <= (maxShare ?? Infinity);
}

type Order = (a: RankedSubject, b: RankedSubject) => number;

const byShare: Order = (a, b) => compare(a.share ?? 0, b.share ?? 0);
const byEnd: Order = (a, b) => compare(a.endDate, b.endDate);
const byId: Order = (a, b) => compare(a.subjectId, b.subjectId) || compare(a.subject, b.subject);
/** Those without a share come last, whatever the direction. */
const withoutShareLast: Order = (a, b) =>
  compare(Number(a.share === null), Number(b.share === null));

const orders: Record<OverviewSort, Order> = {
  share: (a, b) => withoutShareLast(a, b) || byShare(a, b) || byId(a, b),
  "-share": (a, b) => withoutShareLast(a, b) || byShare(b, a) || byId(a, b),
  endDate: (a, b) => byEnd(a, b) || byId(a, b),
  "-endDate": (a, b) => byEnd(b, a) || byId(a, b),
};

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
