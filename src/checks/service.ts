import type { Db } from "../../db/database.ts";
import { addDays, type CalendarDate, type DateRange } from "../lib/calendar-date.ts";
import { DayFinder, possibleInstants } from "../lib/day-finder.ts";
import type { Instant } from "../lib/instant.ts";
import { patientsOf } from "../lib/patients.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { reportWindow } from "../schema/report-window.ts";
import { PracticeCalendar } from "../utilization/calendar.ts";
import { inBatches } from "../utilization/counting.ts";
import { listCurrentSubjects, listSubjects } from "../utilization/repository.ts";
import type { Subject } from "../utilization/subject.ts";
import { type CheckName, checkNames, isOf } from "./checks.ts";
import { checkEncounter } from "./encounter-checks.ts";
import { checkGoals } from "./goal-checks.ts";
import {
  AllFindings,
  byStart,
  type Finding,
  FindingCounts,
  type FindingFilter,
  FindingParts,
  matching,
  type Sink,
} from "./findings.ts";
import type { Finding as FindingResponse } from "./model.ts";
import { findOverAuthorized } from "./over-authorized.ts";
import { findRenewalsDue } from "./renewals-due.ts";
import { presentFinding } from "./present.ts";
import {
  type CheckedSession,
  listEncountersOfSessions,
  listEndsOfCredentials,
  listInactiveProviders,
  listNames,
  streamEncounters,
  streamSessions,
} from "./repository.ts";
import { includes, SessionChecks, withEncounters } from "./session-checks.ts";

export interface ChecksRequest extends FindingFilter {
  organizationId: string;
  now: Instant;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  /** Default: all. */
  checks?: readonly CheckName[] | undefined;
  timezone?: TimeZone | undefined;
}

export interface ChecksReport {
  window: DateRange;
  /** The number of findings of each requested check, in order, on all pages. */
  totals: FindingCounts["totals"];
  count: number;
  /** The findings from one position to another, in order. */
  page(from: number, to: number): Promise<Finding[]>;
}

/** The default window: this many days before and after today. */
const DAYS_AROUND_TODAY = 28;

/**
 * Runs the checks for a window (docs/checks.md): findings are counted, and made only for a page, on whose days the checks
 * run again. So memory grows neither with the number of findings nor with that of sessions.
 *
 * @throws InvalidInput for a window that is out of order or longer than 366 days.
 */
export async function readChecks(db: Db, request: ChecksRequest): Promise<ChecksReport> {
  const { organizationId, now } = request;
  const organization = await getOrganization(db, organizationId);
  // Today in the organization's zone, even if another zone is requested.
  const own = new PracticeCalendar({ now }, organization);
  const ownTimeZone = own.timeZoneOf(null);
  const today = own.dateIn(ownTimeZone);
  const window = reportWindow(request, {
    startDate: addDays(today, -DAYS_AROUND_TODAY),
    endDate: addDays(today, DAYS_AROUND_TODAY),
  });
  const calendar = new PracticeCalendar(request, organization);
  const look = (days: DateRange, checks: ReadonlySet<CheckName>, sink: Sink) =>
    runChecks(
      db,
      { organizationId, now, window, days, calendar, ownTimeZone, ...{ checks, filter: request } },
      sink,
    );

  const wanted = new Set(request.checks ?? checkNames);
  const counts = new FindingCounts(wanted);
  await look(window, wanted, counts);
  return {
    window,
    totals: counts.totals,
    count: counts.count,
    async page(from, to) {
      const parts = counts.parts(from, to);
      const [first, last] = [parts[0], parts.at(-1)];
      if (first === undefined || last === undefined) return [];
      const kept = new FindingParts(parts);
      const days = { startDate: first.date, endDate: last.date };
      await look(days, new Set(parts.map(({ check }) => check)), kept);
      return withAllEncounters(db, organizationId, kept.findings);
    },
  };
}

interface Scope {
  organizationId: string;
  now: Instant;
  window: DateRange;
  /** The days of the window that are looked at. */
  days: DateRange;
  calendar: PracticeCalendar;
  ownTimeZone: TimeZone;
  checks: ReadonlySet<CheckName>;
  filter: FindingFilter;
  /** Only what patients and providers among them take part in. */
  people?: readonly string[];
}

/**
 * All findings of a window about some people, complete and in order. Of others who take part in their sessions there are
 * findings, too, but not all.
 */
export async function findingsAbout(
  db: Db,
  { people, window, ...request }: FindingsRequest,
): Promise<Finding[]> {
  const organization = await getOrganization(db, request.organizationId);
  const calendar = new PracticeCalendar(request, organization);
  const sink = new AllFindings();
  const scope = { ...request, people, window, days: window, calendar, filter: {} };
  const ownTimeZone = calendar.timeZoneOf(null);
  await runChecks(db, { ...scope, ownTimeZone, checks: new Set(checkNames) }, sink);
  return withAllEncounters(db, request.organizationId, sink.findings);
}

export interface FindingsRequest {
  organizationId: string;
  now: Instant;
  people: readonly string[];
  window: DateRange;
}

async function runChecks(db: Db, scope: Scope, everything: Sink): Promise<void> {
  const { checks, filter } = scope;
  const sink = matching(checks, filter, everything);
  const isOfAny = (looked: Parameters<typeof isOf>[1]) =>
    [...checks].some((check) => isOf(check, looked));
  if (isOfAny("session")) await checkSessions(db, scope, sink);
  if (isOfAny("encounter")) await checkEncounters(db, scope, sink);
  if (isOfAny("goal")) await checkGoals(db, scope, sink);
  // These findings have no provider.
  if (isOfAny("subject") && filter.providerId === undefined)
    for await (const subjects of currentSubjects(db, scope)) {
      if (checks.has("OVER_AUTHORIZED")) await findOverAuthorized(db, scope, subjects, sink);
      if (checks.has("RENEWAL_DUE")) await findRenewalsDue(db, scope, subjects, sink);
    }
}

/** The subjects whose term overlaps the days. */
async function* currentSubjects(
  db: Db,
  { organizationId, days, people, filter: { patientId, payorId } }: Scope,
): AsyncGenerator<Subject[]> {
  const { startDate: from, endDate: to } = days;
  const patientIds = patientId === undefined ? people : [patientId];
  const current = await listCurrentSubjects(db, { organizationId, patientIds, payorId, from, to });
  for (const some of inBatches(current, ({ authorizationIds }) => authorizationIds.length)) {
    const ids = some.flatMap(({ authorizationIds }) => authorizationIds);
    yield listSubjects(db, organizationId, ids);
  }
}

async function checkSessions(db: Db, scope: Scope, sink: Sink): Promise<void> {
  const { organizationId, now, days, calendar, ownTimeZone } = scope;
  const span = possibleInstants(days);
  const endsOfCredentials = await listEndsOfCredentials(db, organizationId, span.to);
  const inactiveProviders = await listInactiveProviders(db, organizationId);
  const dayFinder = new DayFinder();
  const knowledge = { now, ownTimeZone, endsOfCredentials, inactiveProviders };
  const sessionChecks = new SessionChecks(knowledge);

  const check = (session: CheckedSession): void => {
    const timezone = calendar.timeZoneOf(session.patientTimeZone);
    const date = dayFinder.dayOf(session.startTime, timezone);
    sessionChecks.add({ session, timezone, date }, includes(days, date) ? sink : undefined);
  };
  for await (const sessions of streamSessions(db, scope, span)) sessions.forEach(check);
  sessionChecks.end();
}

async function checkEncounters(
  db: Db,
  { organizationId, people, days, calendar }: Scope,
  sink: Sink,
): Promise<void> {
  const dayFinder = new DayFinder();
  for await (const encounters of streamEncounters(
    db,
    { organizationId, people },
    possibleInstants(days),
  ))
    for (const encounter of encounters) {
      const timezone = calendar.timeZoneOf(encounter.patientTimeZone);
      const date = dayFinder.dayOf(encounter.startTime, timezone);
      if (includes(days, date)) checkEncounter({ encounter, date, timezone }, sink);
    }
}

/** Completes findings of sessions that were delivered several times. */
async function withAllEncounters(
  db: Db,
  organizationId: string,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const isTwice = ({ check }: Finding) => check === "DELIVERED_TWICE";
  const ids = findings.filter(isTwice).flatMap(({ sessionIds }) => sessionIds);
  const encounters = await listEncountersOfSessions(db, organizationId, ids);
  const bySession = Map.groupBy(encounters, ({ sessionId }) => sessionId);
  return findings.map((finding) => {
    if (!isTwice(finding)) return finding;
    const own = finding.sessionIds.flatMap((id) => bySession.get(id) ?? []);
    return withEncounters(finding, own.toSorted(byStart));
  });
}

/** Converts findings to the API's model, with the patients whose data they disclose. */
export async function showFindings(
  db: Db,
  organizationId: string,
  findings: readonly Finding[],
): Promise<{ data: FindingResponse[]; patientIds: string[] }> {
  const ids = findings.flatMap(({ patientId, providerId }) => [patientId ?? [], providerId ?? []]);
  const names = await listNames(db, organizationId, [...new Set(ids.flat())]);
  return {
    data: findings.map((finding) => presentFinding(finding, names)),
    patientIds: patientsIn(findings),
  };
}

/** The patients whose data findings disclose, including those of overlapped sessions. */
export function patientsIn(findings: readonly Finding[]): string[] {
  const overlapped = findings.flatMap(({ overlappedPatientIds = [] }) => overlappedPatientIds);
  return patientsOf(findings, overlapped);
}
