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
import { byStart, type Finding, type FindingFilter, Findings } from "./findings.ts";
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
  streamSessionsGoingOn,
} from "./repository.ts";
import { deliveredTwice, includes, isDeliveredTwice, SessionChecks } from "./session-checks.ts";

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
  /** On all pages. */
  findings: Findings;
}

/** The default window: this many days before and after today. */
const DAYS_AROUND_TODAY = 28;

/**
 * Runs the checks for a window (docs/checks.md).
 *
 * Sessions are streamed once for all checks; only findings are kept in memory.
 *
 * @throws InvalidInput for a window that is out of order or longer than 366 days.
 */
export async function readChecks(db: Db, request: ChecksRequest): Promise<ChecksReport> {
  const { organizationId, now } = request;
  const organization = await getOrganization(db, organizationId);
  // Today in the organization's zone, even if another zone is requested.
  const own = new PracticeCalendar({ now }, organization);
  const today = own.dateIn(own.timeZoneOf(null));
  const window = reportWindow(request, {
    startDate: addDays(today, -DAYS_AROUND_TODAY),
    endDate: addDays(today, DAYS_AROUND_TODAY),
  });
  const calendar = new PracticeCalendar(request, organization);
  const wanted = new Set(request.checks ?? checkNames);
  const isWanted = (looked: Parameters<typeof isOf>[1]) =>
    [...wanted].some((check) => isOf(check, looked));

  const findings = new Findings(wanted, request);
  const scope = { organizationId, now, window, calendar };
  if (isWanted("session")) await checkSessions(db, scope, findings);
  if (isWanted("encounter")) await checkEncounters(db, scope, findings);
  // These findings have no provider.
  if (isWanted("subject") && request.providerId === undefined)
    for await (const subjects of currentSubjects(db, scope, request)) {
      if (wanted.has("OVER_AUTHORIZED"))
        findings.add(await findOverAuthorized(db, scope, subjects));
      if (wanted.has("RENEWAL_DUE")) findings.add(await findRenewalsDue(db, scope, subjects));
    }
  return { window, findings };
}

/** The subjects whose term overlaps the window. */
async function* currentSubjects(
  db: Db,
  { organizationId, window }: Scope,
  { patientId, payorId }: FindingFilter,
): AsyncGenerator<Subject[]> {
  const { startDate: from, endDate: to } = window;
  const current = await listCurrentSubjects(db, { organizationId, patientId, payorId, from, to });
  for await (const some of inBatches(current, ({ authorizationIds }) => authorizationIds.length)) {
    const ids = some.flatMap(({ authorizationIds }) => authorizationIds);
    yield listSubjects(db, organizationId, ids);
  }
}

interface Scope {
  organizationId: string;
  now: Instant;
  window: DateRange;
  calendar: PracticeCalendar;
}

async function checkSessions(db: Db, scope: Scope, findings: Findings): Promise<void> {
  const { organizationId, now, window, calendar } = scope;
  const span = possibleInstants(window);
  const endsOfCredentials = await listEndsOfCredentials(db, organizationId, span.to);
  const inactiveProviders = await listInactiveProviders(db, organizationId);
  const days = new DayFinder();
  const sessionChecks = new SessionChecks({ now, endsOfCredentials, inactiveProviders });
  const twice: Parameters<typeof deliveredTwice>[0][] = [];

  const check = (session: CheckedSession): void => {
    const timezone = calendar.timeZoneOf(session.patientTimeZone);
    const dated = { session, timezone, date: days.dayOf(session.startTime, timezone) };
    const ofSession = sessionChecks.add(dated);
    if (!includes(window, dated.date)) return;
    findings.add(ofSession);
    if (isDeliveredTwice(session)) twice.push(dated);
  };
  for await (const sessions of streamSessionsGoingOn(db, scope, span.from)) sessions.forEach(check);
  for await (const sessions of streamSessions(db, scope, span)) sessions.forEach(check);

  const twiceIds = twice.map(({ session }) => session.publicId);
  const encounters = await listEncountersOfSessions(db, organizationId, twiceIds);
  const bySession = Map.groupBy(encounters, ({ sessionId }) => sessionId);
  for (const dated of twice) {
    const deliveries = bySession.get(dated.session.publicId) ?? [];
    findings.add([deliveredTwice(dated, deliveries.toSorted(byStart))]);
  }
}

async function checkEncounters(
  db: Db,
  { organizationId, window, calendar }: Scope,
  findings: Findings,
): Promise<void> {
  const days = new DayFinder();
  for await (const encounters of streamEncounters(db, organizationId, possibleInstants(window)))
    for (const encounter of encounters) {
      const timezone = calendar.timeZoneOf(encounter.patientTimeZone);
      const date = days.dayOf(encounter.startTime, timezone);
      if (includes(window, date)) findings.add(checkEncounter({ encounter, date, timezone }));
    }
}

/**
 * Converts findings to the API's model, with the patients whose data they disclose, including those of overlapped
 * sessions.
 */
export async function showFindings(
  db: Db,
  organizationId: string,
  findings: readonly Finding[],
): Promise<{ data: FindingResponse[]; patientIds: string[] }> {
  const ids = findings.flatMap(({ patientId, providerId }) => [patientId ?? [], providerId ?? []]);
  const names = await listNames(db, organizationId, [...new Set(ids.flat())]);
  const overlapped = findings.flatMap(({ overlappedPatientIds = [] }) => overlappedPatientIds);
  return {
    data: findings.map((finding) => presentFinding(finding, names)),
    patientIds: patientsOf(findings, overlapped),
  };
}
