import type { Db } from "../../db/database.ts";
import { rowCount } from "../../db/engine.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import type { SessionRow } from "../../db/schema.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { type PageSlice, skipGroups, WALKED_ROWS } from "../lib/page.ts";
import { columnsFor } from "../schema/record-map.ts";
import { sessionMap } from "../schema/sessions.ts";
import { BillableSession, NonBillableSession } from "./model.ts";

/** Sessions of these people, and of an authorization, that start on UTC days from `startDate` to `endDate`, both included. */
export interface SessionFilter {
  clientId?: string;
  technicianId?: string;
  clinicianId?: string;
  authorizationId?: string;
  startDate?: CalendarDate;
  endDate?: CalendarDate;
}

/** The columns of a session that the API shows. */
const shownColumns = columnsFor(sessionMap, BillableSession, NonBillableSession);

export type ShownSessionRow = Pick<SessionRow, (typeof shownColumns)[number]>;

/** One page of an organization's sessions by start, then id. */
export async function listSessions(
  db: Db,
  organizationId: string,
  filter: SessionFilter,
  page: PageSlice,
): Promise<ShownSessionRow[]> {
  const values = { ...matched(organizationId, filter), ...page };
  if (page.offset < WALKED_ROWS || isOfFew(filter)) return pageOfSessions(db, values);
  const start = await findDay(db, organizationId, filter.startDate, page.offset);
  if (start === undefined) return [];
  return pageOfSessions(db, {
    ...values,
    from: firstInstant(start.group.day),
    offset: start.offset,
  });
}

const pageOfSessions = prepared((db, { pageSize, offset, ...matched }: Matched & PageSlice) => {
  const query = selectMatching(db, matched)
    .select(shownColumns)
    .orderBy("start_time")
    .orderBy("public_id");
  return isOfFew(matched)
    ? query.limit(pageSize).offset(offset)
    : query.limit(rowCount(pageSize)).offset(rowCount(offset));
});

/** How many sessions pass the filter. */
export async function countSessions(
  db: Db,
  organizationId: string,
  filter: SessionFilter,
): Promise<number> {
  const { startDate, endDate } = filter;
  const isWithinDays = startDate !== undefined || endDate !== undefined;
  const [{ total } = { total: null }] = isOfFew(filter)
    ? await countRows(db, matched(organizationId, filter))
    : isWithinDays
      ? await sumDays(db, { organizationId, startDate, endDate })
      : await sumMonths(db, { organizationId });
  return total ?? 0;
}

/** A person or an authorization has few sessions, and an index: they are counted, and walked over, as they stand. */
function isOfFew({
  clientId,
  technicianId,
  clinicianId,
  authorizationId,
}: Pick<Matched, "clientId" | "technicianId" | "clinicianId" | "authorizationId">): boolean {
  return [clientId, technicianId, clinicianId, authorizationId].some((id) => id !== undefined);
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

/** What rows are compared with. */
interface Matched {
  organizationId: string;
  clientId?: string | undefined;
  technicianId?: string | undefined;
  clinicianId?: string | undefined;
  authorizationId?: string | undefined;
  from?: Instant | undefined;
  to?: Instant | undefined;
}

function matched(organizationId: string, filter: SessionFilter): Matched {
  const { startDate, endDate, clientId, technicianId, clinicianId, authorizationId } = filter;
  // Instants are text of one width, so they compare with the first and last of a day as they stand.
  return {
    organizationId,
    clientId,
    technicianId,
    clinicianId,
    authorizationId,
    from: startDate && firstInstant(startDate),
    to: endDate && (`${endDate}T23:59:59.999Z` as Instant),
  };
}

function firstInstant(day: CalendarDate): Instant {
  return `${day}T00:00:00.000Z` as Instant;
}

function selectMatching(db: Db, matched: Matched) {
  const { organizationId, clientId, technicianId, clinicianId, authorizationId, from, to } =
    matched;
  let query = db.selectFrom("sessions").where("organization_id", "=", organizationId);
  if (clientId !== undefined) query = query.where("client_id", "=", clientId);
  if (technicianId !== undefined) query = query.where("technician_id", "=", technicianId);
  if (clinicianId !== undefined) query = query.where("clinician_id", "=", clinicianId);
  if (authorizationId !== undefined) query = query.where("authorization_id", "=", authorizationId);
  if (from !== undefined) query = query.where("start_time", ">=", from);
  if (to !== undefined) query = query.where("start_time", "<=", to);
  return query;
}

const countRows = prepared((db, matched: Matched) =>
  selectMatching(db, matched).select((select) => select.fn.countAll<number>().as("total")),
);

interface Days {
  organizationId: string;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
}

/** The organization has many sessions, so their number is kept by day. */
const sumDays = prepared((db, days: Days) =>
  selectDays(db, days).select((select) => select.fn.sum<number | null>("sessions").as("total")),
);

/** The sum of some hundred months, where that of their days would take a third of a page's time. */
const sumMonths = prepared((db, { organizationId }: { organizationId: string }) =>
  db
    .selectFrom("session_month_counts")
    .where("organization_id", "=", organizationId)
    .select((select) => select.fn.sum<number | null>("sessions").as("total")),
);

/**
 * The day on which so many sessions that start on `startDate` or later have been passed over. To walk over 250,000
 * of them would take 8 ms.
 */
async function findDay(
  db: Db,
  organizationId: string,
  startDate: CalendarDate | undefined,
  offset: number,
) {
  if (startDate !== undefined)
    return skipGroups(await daysOf(db, { organizationId, startDate }), offset);
  const start = skipGroups(await monthsOf(db, { organizationId }), offset);
  return (
    start && skipGroups(await daysOf(db, daysIn(organizationId, start.group.month)), start.offset)
  );
}

function daysIn(organizationId: string, month: string): Days {
  const [startDate, endDate] = [`${month}-01`, `${month}-31`] as CalendarDate[];
  return { organizationId, startDate, endDate };
}

const daysOf = prepared((db, days: Days) =>
  selectDays(db, days).select(["day", "sessions as rows"]).orderBy("day"),
);

const monthsOf = prepared((db, { organizationId }: { organizationId: string }) =>
  db
    .selectFrom("session_month_counts")
    .where("organization_id", "=", organizationId)
    .select(["month", "sessions as rows"])
    .orderBy("month"),
);

function selectDays(db: Db, { organizationId, startDate, endDate }: Days) {
  let query = db.selectFrom("session_counts").where("organization_id", "=", organizationId);
  if (startDate !== undefined) query = query.where("day", ">=", startDate);
  if (endDate !== undefined) query = query.where("day", "<=", endDate);
  return query;
}
