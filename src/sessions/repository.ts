import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf, rowCount, valuesOf } from "../../db/engine.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import type { SessionRow } from "../../db/schema.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { midnightsAround } from "../lib/midnights.ts";
import { type PageSlice, WALKED_ROWS } from "../lib/page.ts";
import { type Days, instantsOfDays } from "../schema/days.ts";
import type { InstantRange } from "../lib/time-zone.ts";
import { columnsFor } from "../schema/record-map.ts";
import { sessionMap } from "../schema/sessions.ts";
import {
  BillableSession,
  type Direction,
  NonBillableSession,
  type SessionStatus,
} from "./model.ts";

/**
 * The columns of the filters by a person or an authorization. These have few sessions and an index, so their pages and
 * totals are found row by row.
 */
const idColumns = {
  clientId: "client_id",
  technicianId: "technician_id",
  clinicianId: "clinician_id",
  authorizationId: "authorization_id",
} as const;

type IdFilter = keyof typeof idColumns;

const idFilters = Object.keys(idColumns) as IdFilter[];

/** Filter of sessions by people, authorization, statuses and days of start. */
export interface SessionFilter extends Days, Partial<Record<IdFilter, string>> {
  /** Not empty. Undefined for all statuses. */
  statuses?: readonly SessionStatus[] | undefined;
}

/** A page of sessions, and the total on all pages. */
export interface SessionRows {
  rows: ShownSessionRow[];
  total: number;
}

type SessionSlice = PageSlice & { direction: Direction };

/** What the total under each filter is counted in. A new filter does not compile until it is here. */
const countedIn: Record<keyof SessionFilter, "sessions" | "session_counts"> = {
  clientId: "sessions",
  technicianId: "sessions",
  clinicianId: "sessions",
  authorizationId: "sessions",
  statuses: "sessions",
  startDate: "session_counts",
  endDate: "session_counts",
  timezone: "session_counts",
};

const filtersOfRows = (Object.keys(countedIn) as (keyof SessionFilter)[]).filter(
  (name) => countedIn[name] === "sessions",
);

/** The columns that the API shows. */
const shownColumns = columnsFor(sessionMap, BillableSession, NonBillableSession);

export type ShownSessionRow = Pick<SessionRow, (typeof shownColumns)[number]>;

/** One page of an organization's sessions, ordered by start in a direction, then by ascending id. */
export async function listSessions(
  db: Db,
  organizationId: string,
  filter: SessionFilter,
  slice: SessionSlice,
): Promise<SessionRows> {
  // Both statements share one round trip to PostgreSQL.
  const [rows, total] = await Promise.all([
    startingSessions(db, organizationId, filter, slice),
    countSessions(db, organizationId, filter),
  ]);
  return { rows, total };
}

/**
 * `listSessions`, and before them the sessions that go on as the first day begins.
 *
 * @param filter has a `startDate`.
 */
export async function listSessionsGoingOn(
  db: Db,
  organizationId: string,
  filter: SessionFilter,
  { offset, pageSize, direction }: SessionSlice,
): Promise<SessionRows> {
  const { from, to: _, ...others } = matched(organizationId, filter);
  const values = { ...others, ...goingOnAt(from as Instant) };
  const [goingOn, starting] = await Promise.all([
    totalOf(countGoingOn(db, values)),
    countSessions(db, organizationId, filter),
  ]);
  const lists = [
    {
      total: goingOn,
      read: (slice: PageSlice) => pagesGoingOn[direction](db, { ...values, ...slice }),
    },
    {
      total: starting,
      read: (slice: PageSlice) =>
        startingSessions(db, organizationId, filter, { ...slice, direction }),
    },
  ];
  const rows: ShownSessionRow[] = [];
  let skipped = offset;
  for (const { total, read } of direction === "asc" ? lists : lists.toReversed()) {
    if (skipped < total && rows.length < pageSize)
      rows.push(...(await read({ offset: skipped, pageSize: pageSize - rows.length })));
    skipped = Math.max(0, skipped - total);
  }
  return { rows, total: goingOn + starting };
}

/** A page of the sessions that start on the days. */
async function startingSessions(
  db: Db,
  organizationId: string,
  filter: SessionFilter,
  { direction, ...page }: SessionSlice,
): Promise<ShownSessionRow[]> {
  const values = { ...matched(organizationId, filter), ...page };
  const pageOf = pages[direction];
  if (isOfFew(filter)) return pageOf.sessions(db, values);
  if (filter.statuses !== undefined) return pageOf.ids(db, values);
  if (page.offset < WALKED_ROWS) return pageOf.sessions(db, values);
  const isAscending = direction === "asc";
  const edge = isAscending ? values.from : values.to;
  const skipped = await (isAscending ? countBefore : countAfter)(db, organizationId, edge);
  const first = edge && utcDay(edge);
  const start = await findDay(db, { organizationId, direction, first }, skipped + page.offset);
  if (start === undefined) return [];
  return pageOf.ids(db, {
    ...values,
    ...(isAscending ? { from: firstInstant(start.day) } : { to: lastInstant(start.day) }),
    offset: start.offset,
  });
}

type MatchedPage = Matched & PageSlice;

/**
 * The statements of pages by direction. The indexes are in ascending order; read backwards, only sessions with equal
 * starts have to be sorted.
 */
const pages = {
  asc: {
    sessions: prepared((db, page: MatchedPage) => selectPage(db, page, "asc")),
    ids: prepared((db, page: MatchedPage) => selectPageOfIds(db, page, "asc")),
  },
  desc: {
    sessions: prepared((db, page: MatchedPage) => selectPage(db, page, "desc")),
    ids: prepared((db, page: MatchedPage) => selectPageOfIds(db, page, "desc")),
  },
};

function selectPage(db: Db, { pageSize, offset, ...matched }: MatchedPage, direction: Direction) {
  const query = selectMatching(db, matched)
    .select(shownColumns)
    .orderBy("start_time", direction)
    .orderBy("public_id");
  return isOfFew(matched)
    ? query.limit(pageSize).offset(offset)
    : query.limit(rowCount(pageSize)).offset(rowCount(offset));
}

/**
 * A page of sessions, found by its ids: the rows before it are not read, but an index, or those of several statuses,
 * which the engines merge.
 */
function selectPageOfIds(
  db: Db,
  { pageSize, offset, ...matched }: MatchedPage,
  direction: Direction,
) {
  const all = selectWithin(db, matched).select(["public_id as id", "start_time as start"]);
  const [first = all, ...others] = statusesIn(matched).map((status) =>
    all.where("status", "=", status),
  );
  const page = others
    .reduce((query, ofStatus) => query.unionAll(ofStatus), first)
    .orderBy("start", direction)
    .orderBy("id")
    .limit(pageSize)
    .offset(offset);
  return db
    .selectFrom(page.as("page"))
    .crossJoin("sessions")
    .where("sessions.organization_id", "=", matched.organizationId)
    .whereRef("sessions.public_id", "=", "page.id")
    .select(shownColumns)
    .orderBy("start_time", direction)
    .orderBy("public_id");
}

/** Counts the sessions that match the filter and start on its days. */
export async function countSessions(
  db: Db,
  organizationId: string,
  filter: SessionFilter,
): Promise<number> {
  const values = matched(organizationId, filter);
  const { from, to } = values;
  if (isCountedInRows(filter)) return totalOf(countRows(db, values));
  if (from !== undefined && to !== undefined && from > to) return 0;
  const days = { startDate: from && utcDay(from), endDate: to && utcDay(to) };
  const [total, before, after] = await Promise.all([
    totalOf(sumDays(db, { organizationId, ...days })),
    countBefore(db, organizationId, from),
    countAfter(db, organizationId, to),
  ]);
  return total - before - after;
}

/** Counts the sessions that start on the UTC day of an instant, before it; 0 for the day's first instant. */
async function countBefore(db: Db, organizationId: string, instant?: Instant): Promise<number> {
  const first = instant && firstInstant(utcDay(instant));
  if (instant === undefined || instant === first) return 0;
  const to = toInstant(epochMilliseconds(instant) - 1);
  return totalOf(countRows(db, { organizationId, from: first, to }));
}

/** Counts the sessions that start on the UTC day of an instant, after it; 0 for the day's last instant. */
async function countAfter(db: Db, organizationId: string, instant?: Instant): Promise<number> {
  const last = instant && lastInstant(utcDay(instant));
  if (instant === undefined || instant === last) return 0;
  const from = toInstant(epochMilliseconds(instant) + 1);
  return totalOf(countRows(db, { organizationId, from, to: last }));
}

async function totalOf(rows: Promise<{ total: number | null }[]>): Promise<number> {
  const [row] = await rows;
  return row?.total ?? 0;
}

/** Whether the filter names a person or an authorization. */
function isOfFew(filter: Partial<Record<IdFilter, unknown>>): boolean {
  return idFilters.some((name) => filter[name] !== undefined);
}

/** Whether the counters per day do not have the total. */
function isCountedInRows(filter: SessionFilter): boolean {
  return filtersOfRows.some((name) => filter[name] !== undefined);
}

/** One session of the organization. */
export const findSession = preparedFirst(
  (db, { organizationId, publicId }: { organizationId: string; publicId: string }) =>
    db
      .selectFrom("sessions")
      .select(shownColumns)
      .where("organization_id", "=", organizationId)
      .where("public_id", "=", publicId),
);

/** The patients of authorizations. */
export async function patientsOfAuthorizations(
  db: Db,
  organizationId: string,
  authorizationIds: readonly string[],
): Promise<string[]> {
  if (authorizationIds.length === 0) return [];
  const rows = await db
    .selectFrom("authorizations")
    .select("patient_id")
    .distinct()
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", authorizationIds))
    .execute();
  return rows.map((row) => row.patient_id);
}

/** Parameters of the conditions. */
interface Matched extends Partial<Record<IdFilter, string | undefined>> {
  organizationId: string;
  from?: Instant | undefined;
  to?: Instant | undefined;
  /** The statuses, one parameter each. */
  [status: `status${number}`]: string;
}

function matched(organizationId: string, filter: SessionFilter): Matched {
  const matched: Matched = { organizationId, ...instantsOfDays(filter) };
  for (const name of idFilters) matched[name] = filter[name];
  filter.statuses?.forEach((status, index) => {
    matched[`status${index}`] = status;
  });
  return matched;
}

function statusesIn(matched: Matched): string[] {
  const statuses: string[] = [];
  for (let index = 0, status; (status = matched[`status${index}`]) !== undefined; index += 1)
    statuses.push(status);
  return statuses;
}

function utcDay(instant: Instant): CalendarDate {
  return instant.slice(0, "2026-03-11".length) as CalendarDate;
}

function firstInstant(day: CalendarDate): Instant {
  return `${day}T00:00:00.000Z` as Instant;
}

function lastInstant(day: CalendarDate): Instant {
  return `${day}T23:59:59.999Z` as Instant;
}

function selectMatching(db: Db, matched: Matched) {
  let query = selectWithin(db, matched);
  for (const condition of conditionsOf(matched)) query = query.where(condition);
  return query;
}

/** The conditions on people, authorization and statuses. */
function conditionsOf(matched: Matched): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  for (const name of idFilters) {
    const id = matched[name];
    if (id !== undefined) conditions.push(sql`${sql.ref(idColumns[name])} = ${id}`);
  }
  const statuses = statusesIn(matched);
  if (statuses.length > 0) conditions.push(sql`${sql.ref("status")} in (${sql.join(statuses)})`);
  return conditions;
}

function selectWithin(db: Db, { organizationId, from, to }: Matched) {
  let query = db.selectFrom("sessions").where("organization_id", "=", organizationId);
  if (from !== undefined) query = query.where("start_time", ">=", from);
  if (to !== undefined) query = query.where("start_time", "<=", to);
  return query;
}

const countRows = prepared((db, matched: Matched) =>
  selectMatching(db, matched).select((select) => select.fn.countAll<number>().as("total")),
);

const countGoingOn = prepared((db, matched: MatchedGoingOn) =>
  selectMatchingGoingOn(db, matched).select((select) => select.fn.countAll<number>().as("total")),
);

const pagesGoingOn = {
  asc: prepared((db, page: MatchedGoingOn & PageSlice) => selectPageGoingOn(db, page, "asc")),
  desc: prepared((db, page: MatchedGoingOn & PageSlice) => selectPageGoingOn(db, page, "desc")),
};

type MatchedGoingOn = Matched & GoingOn;

function selectPageGoingOn(
  db: Db,
  { pageSize, offset, ...matched }: MatchedGoingOn & PageSlice,
  direction: Direction,
) {
  return selectMatchingGoingOn(db, matched)
    .select(shownColumns)
    .orderBy("start_time", direction)
    .orderBy("public_id")
    .limit(pageSize)
    .offset(offset);
}

interface CountedDays {
  organizationId: string;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  afterDate?: CalendarDate | undefined;
  beforeDate?: CalendarDate | undefined;
}

/** Sums the counters per day, since counting all sessions of an organization is slow. */
const sumDays = prepared((db, days: CountedDays) =>
  selectDays(db, days).select((select) => select.fn.sum<number | null>("sessions").as("total")),
);

/** Days of counters that are read at a time, since most pages begin within the first few hundred days. */
const COUNTED_DAYS = 128;

/**
 * Finds the day on which a page begins, and the offset of the page within it, by the counters per day instead of
 * skipping all rows before the page. Undefined if the offset is past the last session.
 *
 * @param list `first` is the first day of the list in its direction.
 */
async function findDay(
  db: Db,
  list: { organizationId: string; direction: Direction; first: CalendarDate | undefined },
  offset: number,
): Promise<{ day: CalendarDate; offset: number } | undefined> {
  const { organizationId, direction, first } = list;
  const isAscending = direction === "asc";
  let rest = offset;
  let next: CountedDays = {
    organizationId,
    ...(isAscending ? { startDate: first } : { endDate: first }),
  };
  for (;;) {
    const days = await countedDays[direction](db, next);
    for (const { day, sessions } of days) {
      if (rest < sessions) return { day, offset: rest };
      rest -= sessions;
    }
    const last = days.at(-1);
    if (last === undefined) return undefined;
    next = {
      organizationId,
      ...(isAscending ? { afterDate: last.day } : { beforeDate: last.day }),
    };
  }
}

const countedDays = {
  asc: prepared((db, days: CountedDays) => selectCountedDays(db, days, "asc")),
  desc: prepared((db, days: CountedDays) => selectCountedDays(db, days, "desc")),
};

function selectCountedDays(db: Db, days: CountedDays, direction: Direction) {
  return selectDays(db, days)
    .select(["day", "sessions"])
    .orderBy("day", direction)
    .limit(COUNTED_DAYS);
}

function selectDays(
  db: Db,
  { organizationId, startDate, endDate, afterDate, beforeDate }: CountedDays,
) {
  let query = db.selectFrom("session_counts").where("organization_id", "=", organizationId);
  if (startDate !== undefined) query = query.where("day", ">=", startDate);
  if (endDate !== undefined) query = query.where("day", "<=", endDate);
  if (afterDate !== undefined) query = query.where("day", ">", afterDate);
  if (beforeDate !== undefined) query = query.where("day", "<", beforeDate);
  return query;
}

/** Where what goes on at an instant is found. */
interface GoingOn {
  at: Instant;
  firstOfDay: Instant;
  upTo: readonly number[];
  after: readonly number[];
}

function goingOnAt(at: Instant): GoingOn {
  return { at, firstOfDay: firstInstant(utcDay(at)), ...midnightsAround(at) };
}

/**
 * What a report on a span of time reads of the sessions, as one query after the other: those that start before it and go
 * on as it begins, and those that start in it.
 *
 * @param people only the sessions in which one of them takes part.
 */
export function sessionsOfSpan(
  db: Db,
  organizationId: string,
  span: InstantRange,
  people?: readonly string[],
) {
  const goingOn = sessionsGoingOn(db, organizationId, span.from);
  if (people === undefined) return [goingOn, sessionsIn(db, organizationId, span)];
  const isOfPeople = sql<SqlBool>`(${sql.join(
    peopleColumns.map((column) => isOneOf(`sessions.${column}`, people)),
    sql` or `,
  )})`;
  return [goingOn.where(isOfPeople), sessionsOfPeople(db, organizationId, span, people)];
}

/** Who takes part in a session. */
const peopleColumns = ["client_id", "technician_id", "clinician_id"] as const;

function sessionsOfPeople(
  db: Db,
  organizationId: string,
  span: InstantRange,
  people: readonly string[],
) {
  return db
    .selectFrom(idsOfPeople(db, organizationId, span, people).as("of_people"))
    .crossJoin("sessions")
    .where("sessions.organization_id", "=", organizationId)
    .whereRef("sessions.public_id", "=", "of_people.id")
    .selectAll("sessions");
}

/** Each way to take part has an index, in which each person is looked up. */
function idsOfPeople(
  db: Db,
  organizationId: string,
  { from, to }: InstantRange,
  people: readonly string[],
) {
  const of = (column: (typeof peopleColumns)[number]) =>
    db
      .selectFrom(valuesOf(people).as("person"))
      .crossJoin("sessions")
      .where("sessions.organization_id", "=", organizationId)
      .whereRef(`sessions.${column}`, "=", "person.value")
      .where("start_time", ">=", from)
      .where("start_time", "<=", to)
      .select("public_id as id");
  const ids = of("client_id").unionAll(of("technician_id")).unionAll(of("clinician_id"));
  return db.selectFrom(ids.as("each")).select("each.id").distinct();
}

/** Whether some people have more sessions in a span than that. */
export async function haveMoreSessions(
  db: Db,
  organizationId: string,
  { people, span, most }: { people: readonly string[]; span: InstantRange; most: number },
): Promise<boolean> {
  const ids = idsOfPeople(db, organizationId, span, people).limit(most + 1);
  const { total } = await db
    .selectFrom(ids.as("of_people"))
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total) > most;
}

/** The sessions that start in a span. */
export function sessionsIn(db: Db, organizationId: string, span: InstantRange) {
  return selectWithin(db, { organizationId, ...span }).selectAll("sessions");
}

/** The sessions that start before an instant and end after it, however long they last. */
export function sessionsGoingOn(db: Db, organizationId: string, instant: Instant) {
  return selectGoingOn(db, { organizationId, ...goingOnAt(instant) }).selectAll("sessions");
}

function selectMatchingGoingOn(db: Db, matched: MatchedGoingOn) {
  let query = selectGoingOn(db, matched);
  for (const condition of conditionsOf(matched)) query = query.where(condition);
  return query;
}

/**
 * Each of the three parts is a range of an index, which has no other sessions but, in the last, those that have ended by
 * then on the same day.
 */
function selectGoingOn(
  db: Db,
  { organizationId, at, firstOfDay, upTo, after }: GoingOn & { organizationId: string },
) {
  const all = selectWithin(db, { organizationId }).select("public_id as id");
  const ids = all
    .where(isOneOf("over_midnight", upTo))
    .where("end_time", ">", at)
    .unionAll(all.where(isOneOf("over_midnight", after)).where("start_time", "<", at))
    .unionAll(
      all
        .where("over_midnight", "is", null)
        .where("start_time", ">=", firstOfDay)
        .where("start_time", "<", at)
        .where("end_time", ">", at),
    );
  return db
    .selectFrom(ids.as("going_on"))
    .crossJoin("sessions")
    .where("sessions.organization_id", "=", organizationId)
    .whereRef("sessions.public_id", "=", "going_on.id");
}

/** The number of encounters with units of a row `session`; null if it has none at all. */
export function countOfDeliveries(organizationId: string): RawBuilder<number | null> {
  return sql<number | null>`(
    select sum(case when encounter.units > 0 then 1 else 0 end) from encounters as encounter
    where encounter.organization_id = ${organizationId} and encounter.session_id = session.public_id
  )`;
}

/** The number of encounters of a row `session`. They have its authorization, so its index can be used. */
export function countOfEncounters(organizationId: string): RawBuilder<number> {
  return sql<number>`(
    select count(*) from encounters as encounter
    where encounter.organization_id = ${organizationId} and encounter.session_id = session.public_id
  )`;
}
