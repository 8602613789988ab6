import type { Db } from "../../db/database.ts";
import type { CalendarDate, DateRange } from "../lib/calendar-date.ts";
import { DomainError } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { instantsOf, localDate, parseTimeZone, type TimeZone } from "../lib/time-zone.ts";
import {
  type CountedAuthorization,
  countUnits,
  type PeriodGrid,
  periodGrid,
  type PeriodUnits,
} from "./counts.ts";
import { ledger } from "./ledger.ts";
import type { Utilization } from "./model.ts";
import type { LedgerEntry } from "./models/ledger.ts";
import { knownFrequency, knownWeekDay, periodsIn, poolTerm } from "./periods.ts";
import {
  findAuthorization,
  findPool,
  listEncounters,
  listMembers,
  listNamedEncounters,
  listNamedSessions,
  listOpenSessions,
  listScheduledSessions,
  listStandalone,
  type SubjectRow,
} from "./repository.ts";
import { sumOfUnits, unitsLeft } from "./units.ts";
import { utilizationWindow } from "./window.ts";

export interface UtilizationRequest {
  organizationId: string;
  /** Of an authorization or a pool. */
  publicId: string;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  timezone?: TimeZone | undefined;
  now: Instant;
}

/** The subject, members and periods of a request. */
export interface Scope {
  request: UtilizationRequest;
  kind: Utilization["subject"];
  subject: SubjectRow;
  /** The authorization, or all members of the pool, in the order of the response. */
  members: Member[];
  grid: PeriodGrid;
}

export interface Member extends CountedAuthorization {
  serviceLineId: string;
}

/**
 * Units delivered and scheduled per period.
 *
 * Rows are counted here and not in SQL: for many members and short periods there are almost as many sums as rows, so
 * aggregation in the database would hardly reduce what it returns.
 */
export async function readUtilization(db: Db, scope: Scope): Promise<Utilization> {
  const { request, kind, subject, members, grid } = scope;
  const { organizationId, publicId } = request;
  const authorizationIds = members.map((member) => member.publicId);
  const records = grid.span && { organizationId, authorizationIds, ...grid.span };
  const counts = countUnits(
    grid,
    members,
    records ? await listEncounters(db, records) : [],
    records ? await listScheduledSessions(db, records) : [],
  );
  return {
    subject: kind,
    publicId,
    ...grid.window,
    timezone: grid.timeZone,
    pool: subject.poolId === null ? null : { poolPublicId: subject.poolId, periods: counts.total },
    members: members.map(({ publicId, serviceLineId }, index) => ({
      authorizationPublicId: publicId,
      serviceLinePublicId: serviceLineId,
      periods: counts.members[index]?.periods ?? [],
    })),
  };
}

/** A period with its committed units: delivered ones and open sessions. */
export type CommittedPeriod = Utilization["members"][number]["periods"][number] & {
  unitsOpen: number;
  unitsCommitted: number;
  /** Null without a limit, and for members of a pool: only the pool as a whole has units left. */
  unitsLeft: number | null;
};

export type CommittedUtilization = Omit<Utilization, "pool" | "members"> & {
  pool: { poolPublicId: string; periods: CommittedPeriod[] } | null;
  members: (Omit<Utilization["members"][number], "periods"> & { periods: CommittedPeriod[] })[];
};

/** `readUtilization` with the units of open sessions, which no encounter refers to, and the units left. */
export async function readCommittedUtilization(
  db: Db,
  scope: Scope,
): Promise<CommittedUtilization> {
  const { request, subject, members, grid } = scope;
  const { organizationId } = request;
  const authorizationIds = members.map((member) => member.publicId);
  const sessions = grid.span
    ? await listOpenSessions(db, { organizationId, authorizationIds, ...grid.span })
    : [];
  const open = countUnits(grid, members, [], sessions);
  const limit = authorizedUnits(subject);
  const committed = (period: PeriodUnits, open: PeriodUnits | undefined, limit: number | null) => {
    const unitsOpen = open?.unitsScheduled ?? 0;
    const unitsCommitted = sumOfUnits(period.unitsUtilized, unitsOpen);
    return { ...period, unitsOpen, unitsCommitted, unitsLeft: unitsLeft(unitsCommitted, limit) };
  };
  const { pool, members: counted, ...rest } = await readUtilization(db, scope);
  return {
    ...rest,
    pool: pool && {
      ...pool,
      periods: pool.periods.map((period, index) => committed(period, open.total[index], limit)),
    },
    members: counted.map((member, place) => ({
      ...member,
      periods: member.periods.map((period, index) =>
        committed(period, open.members[place]?.periods[index], pool === null ? limit : null),
      ),
    })),
  };
}

/** The authorized units per period of the pool or authorization; null without a limit. */
export function authorizedUnits({ isUnlimited, authorizedUnits }: SubjectRow): number | null {
  return isUnlimited === 1 ? null : authorizedUnits;
}

/**
 * How each record of the scope's authorizations counts, or why it does not, if it starts on a day of the window or of
 * the shown periods (checks.md, "additions").
 */
export async function readLedger(db: Db, scope: Scope): Promise<LedgerEntry[]> {
  const { request, members, grid } = scope;
  const { organizationId } = request;
  const window = instantsOf(grid.window, grid.timeZone);
  const { from, to } = grid.span ?? window;
  const asked = {
    organizationId,
    authorizationIds: members.map((member) => member.publicId),
    from: from < window.from ? from : window.from,
    to: to > window.to ? to : window.to,
  };
  return ledger(
    grid,
    members,
    await listNamedEncounters(db, asked),
    await listNamedSessions(db, asked),
  );
}

/**
 * Finds the subject of an id, and the window and periods of the request.
 *
 * @throws DomainError if both dates are given and out of order (checked first); for an unknown id; if neither the
 * request nor the patient has a time zone.
 */
export async function findScope(db: Db, request: UtilizationRequest): Promise<Scope> {
  const { organizationId, publicId, startDate, endDate, now } = request;
  if (startDate !== undefined && endDate !== undefined && startDate > endDate)
    throw new DomainError("datesOutOfOrder", "startDate must be on or before endDate");

  const authorization = await findAuthorization(db, { organizationId, publicId });
  const subject = authorization ?? (await findPool(db, { organizationId, publicId }));
  if (subject === undefined) throw new DomainError("notFound", "Authorization or pool not found");
  const members = await listMembersOf(db, organizationId, publicId, subject);
  const timeZone = request.timezone ?? patientTimeZone(subject);
  const asked = authorization ? members.filter((one) => one.publicId === publicId) : members;
  const window = utilizationWindow({
    startDate,
    endDate,
    authorizationDates: asked.map(({ dates }) => dates.startDate),
    today: localDate(now, timeZone),
  });
  return {
    request,
    kind: authorization ? "AUTHORIZATION" : "POOL",
    subject,
    members,
    grid: periodGrid(periodsOf(subject, members, window), window, timeZone),
  };
}

/** The authorization itself, if standalone; else all members of its pool, or of the pool with the id. */
export async function listMembersOf(
  db: Db,
  organizationId: string,
  publicId: string,
  { poolId }: SubjectRow,
): Promise<Member[]> {
  const rows =
    poolId === null
      ? await listStandalone(db, { organizationId, publicId })
      : await listMembers(db, { organizationId, publicId: poolId });
  return rows.map(({ startDate, endDate, ...row }) => ({ ...row, dates: { startDate, endDate } }));
}

/** The patient's stored time zone. @throws DomainError if there is none, or it is not supported. */
export function patientTimeZone({ patientId, patientTimeZone }: SubjectRow): TimeZone {
  const zone = parseTimeZone(patientTimeZone ?? "");
  if (zone === undefined)
    throw new DomainError(
      "noTimeZone",
      "The patient's home address has no supported time zone: pass timezone",
    ).withPatientIds([patientId]);
  return zone;
}

function periodsOf(
  { unitFrequency, weekStartsOn }: SubjectRow,
  members: readonly Member[],
  window: DateRange,
): DateRange[] {
  const term = poolTerm(members.map(({ dates }) => dates));
  if (term === undefined) return [];
  return periodsIn(knownFrequency(unitFrequency), knownWeekDay(weekStartsOn), term, window);
}
