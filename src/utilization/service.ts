import type { Db } from "../../db/database.ts";
import type { CalendarDate, DateRange, WeekDay } from "../lib/calendar-date.ts";
import { DomainError } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { instantsOf, localDate, parseTimeZone, type TimeZone } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { countSubjects, type Reading, type RecordCounter, readRecords } from "./counting.ts";
import { committedUnits, type PeriodGrid, periodGrid, type PeriodUnits } from "./unit-counter.ts";
import { ledger, type LedgerRecord } from "./ledger.ts";
import type { Utilization } from "./model.ts";
import type { LedgerEntry } from "./models/ledger.ts";
import { knownFrequency, knownWeekDay, periodsIn } from "./periods.ts";
import { findSubject } from "./repository.ts";
import type { Member, Subject } from "./subject.ts";
import { unitsLeft } from "./units.ts";
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

/** The subject and periods of a request. */
export interface Scope {
  request: UtilizationRequest;
  /** That of the id, or the pool that its authorization is in. */
  subject: Subject;
  /** The authorization with the id; undefined if it is that of a pool. */
  authorization: Member | undefined;
  /** The periods of the subject. */
  grid: PeriodGrid;
}

/** A period with its committed units: delivered ones and open sessions. */
export interface CommittedPeriod extends PeriodUnits {
  unitsCommitted: number;
  /** Null without a limit, and for members of a pool: only the pool as a whole has units left. */
  unitsLeft: number | null;
}

/** Units delivered and scheduled per period. @param progress see `readRecords`. */
export async function readUtilization(
  db: Db,
  { request, subject, authorization, grid }: Scope,
  progress?: (records: number) => void,
): Promise<Utilization> {
  const { poolId, members } = subject;
  const counted = [{ members, grid }];
  const reading: Reading = { sessions: "WITHOUT_OPEN", progress };
  const [counter] = await countSubjects(db, request.organizationId, counted, reading);
  if (counter === undefined) throw new Error("The subject was not counted");
  return {
    subject: authorization ? "AUTHORIZATION" : "POOL",
    publicId: request.publicId,
    ...grid.window,
    timezone: grid.timeZone,
    pool:
      poolId === null ? null : { poolPublicId: poolId, periods: counter.total().map(shownPeriod) },
    members: members.map((member) => ({
      authorizationPublicId: member.publicId,
      serviceLinePublicId: member.serviceLineId,
      periods: counter.ofAuthorization(member).map(shownPeriod),
    })),
  };
}

export function committedPeriod(period: PeriodUnits, limit: number | null): CommittedPeriod {
  const unitsCommitted = committedUnits(period);
  return { ...period, unitsCommitted, unitsLeft: unitsLeft(unitsCommitted, limit) };
}

/** The period as the API shows it. */
export function shownPeriod({ startDate, endDate, unitsUtilized, unitsScheduled }: PeriodUnits) {
  return { startDate, endDate, unitsUtilized, unitsScheduled };
}

/**
 * How each record of the scope's authorizations counts, or why it does not, if it starts on a day of the window or of
 * the shown periods. To iterate over them needs no database any more.
 */
export async function readLedger(
  db: Db,
  { request, subject, grid }: Scope,
): Promise<Iterable<LedgerEntry>> {
  const window = instantsOf(grid.window, grid.timeZone);
  const { from, to } = grid.span ?? window;
  const span = {
    from: from < window.from ? from : window.from,
    to: to > window.to ? to : window.to,
  };
  const records = new Map(
    subject.members.map(({ publicId }) => [publicId, new Array<LedgerRecord>()]),
  );
  const lists: RecordCounter = {
    addEncounter: (one) => records.get(one.authorizationId)?.push(one),
    addSession: (one) => records.get(one.authorizationId)?.push(one),
  };
  await readRecords(
    db,
    request.organizationId,
    [...records.keys()].map((authorizationId) => ({
      ...{ authorizationId, spans: [span], counters: [lists] },
    })),
    { sessions: "WITHOUT_OPEN" },
  );
  return ledger(grid, subject.members, records);
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

  const subject = await findSubject(db, { organizationId, publicId });
  if (subject === undefined) throw new DomainError("notFound", "Authorization or pool not found");
  const timeZone = request.timezone ?? patientTimeZone(subject);
  const authorization = subject.members.find((member) => member.publicId === publicId);
  const window = utilizationWindow({
    startDate,
    endDate,
    authorizationDates: (authorization ? [authorization] : subject.members).map(
      ({ dates }) => dates.startDate,
    ),
    today: localDate(now, timeZone),
  });
  const { week_starts_on } = await getOrganization(db, organizationId);
  const periods = periodsOf(subject, knownWeekDay(week_starts_on), window);
  return { request, subject, authorization, grid: periodGrid(periods, window, timeZone) };
}

function periodsOf(
  { unitFrequency, term }: Subject,
  weekStartsOn: WeekDay,
  window: DateRange,
): DateRange[] {
  if (term === undefined) return [];
  return periodsIn(knownFrequency(unitFrequency), weekStartsOn, term, window);
}

/** The patient's stored time zone. @throws DomainError if there is none, or it is not supported. */
export function patientTimeZone({ patientId, patientTimeZone }: Subject): TimeZone {
  const zone = parseTimeZone(patientTimeZone ?? "");
  if (zone === undefined)
    throw new DomainError(
      "noTimeZone",
      "The patient's home address has no supported time zone: pass timezone",
    ).withPatientIds([patientId]);
  return zone;
}
