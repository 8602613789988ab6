import type { Db } from "../../db/database.ts";
import { addDays, type CalendarDate, type DateRange } from "../lib/calendar-date.ts";
import { DayFinder, possibleInstants } from "../lib/day-finder.ts";
import type { Instant } from "../lib/instant.ts";
import { patientsOf } from "../lib/patients.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { reportWindow } from "../schema/report-window.ts";
import { OverviewCalendar } from "../utilization/overview-calendar.ts";
import { type CheckName, checkNames } from "./checks.ts";
import { checkEncounter } from "./encounter-checks.ts";
import { byStart, compareFindings, type Finding, type FindingFilter, passes } from "./findings.ts";
import type { Finding as FindingAnswer } from "./model.ts";
import { findOverAuthorized } from "./over-authorized.ts";
import { presentFinding } from "./present.ts";
import {
  type CheckedSession,
  listDoubtfulEncounters,
  listEncountersOfSessions,
  listEndsOfCredentials,
  listNames,
  listSessionsGoingOn,
  streamSessions,
} from "./repository.ts";
import { deliveredTwice, includes, SessionChecks } from "./session-checks.ts";

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
  /** By requested check, in order. */
  totals: Partial<Record<CheckName, number>>;
  /** On all pages, in order. */
  findings: Finding[];
}

/** The default window: this many days before and after today. */
const DAYS_AROUND_TODAY = 28;

const SESSION_CHECKS: readonly CheckName[] = [
  "OUTSIDE_AUTHORIZATION",
  "NO_AUTHORIZATION",
  "NOT_DOCUMENTED",
  "DELIVERED_TWICE",
  "PROVIDER_OVERLAP",
  "PATIENT_OVERLAP",
  "CREDENTIALS_ENDED",
];
const ENCOUNTER_CHECKS: readonly CheckName[] = ["OUTSIDE_AUTHORIZATION", "DELIVERED_UNHELD"];

/**
 * Runs the checks for a window (checks.md).
 *
 * Sessions are streamed once for all checks; only findings are kept in memory.
 *
 * @throws InvalidInput for a window that is out of order or longer than 366 days.
 */
export async function readChecks(db: Db, request: ChecksRequest): Promise<ChecksReport> {
  const { organizationId, now } = request;
  const organization = await getOrganization(db, organizationId);
  // Today in the organization's zone, even if another zone is requested.
  const own = new OverviewCalendar({ now }, organization);
  const today = own.dateIn(own.timeZoneOf(null));
  const window = reportWindow(request, {
    startDate: addDays(today, -DAYS_AROUND_TODAY),
    endDate: addDays(today, DAYS_AROUND_TODAY),
  });
  const calendar = new OverviewCalendar(request, organization);
  const wanted = new Set(request.checks ?? checkNames);
  const isWanted = (names: readonly CheckName[]) => names.some((name) => wanted.has(name));

  const scope = { organizationId, now, window, calendar };
  const found = [
    isWanted(SESSION_CHECKS) ? await checkSessions(db, scope) : [],
    isWanted(ENCOUNTER_CHECKS) ? await checkEncounters(db, scope) : [],
    wanted.has("OVER_AUTHORIZED") ? await findOverAuthorized(db, { ...scope, ...request }) : [],
  ].flat();
  const findings = found
    .filter((finding) => wanted.has(finding.check) && passes(finding, request))
    .sort(compareFindings);
  const counts = Map.groupBy(findings, ({ check }) => check);
  const asked = checkNames.filter((name) => wanted.has(name));
  return {
    window,
    totals: Object.fromEntries(asked.map((name) => [name, counts.get(name)?.length ?? 0])),
    findings,
  };
}

interface Scope {
  organizationId: string;
  now: Instant;
  window: DateRange;
  calendar: OverviewCalendar;
}

async function checkSessions(
  db: Db,
  { organizationId, now, window, calendar }: Scope,
): Promise<Finding[]> {
  const span = possibleInstants(window);
  const endsOfCredentials = await listEndsOfCredentials(db, organizationId, span.to);
  const days = new DayFinder();
  const sessionChecks = new SessionChecks({ now, endsOfCredentials });
  const findings: Finding[] = [];
  const twice: Parameters<typeof deliveredTwice>[0][] = [];

  const check = (session: CheckedSession): void => {
    const timezone = calendar.timeZoneOf(session.patientTimeZone);
    const dated = { session, timezone, date: days.dayOf(session.startTime, timezone) };
    const found = sessionChecks.add(dated);
    if (!includes(window, dated.date)) return;
    findings.push(...found);
    if ((session.encounters ?? 0) > 1) twice.push(dated);
  };
  for (const session of await listSessionsGoingOn(db, organizationId, span.from)) check(session);
  for await (const sessions of streamSessions(db, organizationId, span)) sessions.forEach(check);

  const twiceIds = twice.map(({ session }) => session.publicId);
  const encounters = await listEncountersOfSessions(db, organizationId, twiceIds);
  const bySession = Map.groupBy(encounters.toSorted(byStart), ({ sessionId }) => sessionId);
  for (const dated of twice)
    findings.push(deliveredTwice(dated, bySession.get(dated.session.publicId) ?? []));
  return findings;
}

async function checkEncounters(
  db: Db,
  { organizationId, window, calendar }: Scope,
): Promise<Finding[]> {
  const days = new DayFinder();
  const encounters = await listDoubtfulEncounters(db, organizationId, possibleInstants(window));
  return encounters.flatMap((encounter) => {
    const timezone = calendar.timeZoneOf(encounter.patientTimeZone);
    const date = days.dayOf(encounter.startTime, timezone);
    return includes(window, date) ? checkEncounter({ encounter, date, timezone }) : [];
  });
}

/**
 * Converts findings to the API's model, with the patients whose data they disclose, including those of overlapped
 * sessions.
 */
export async function showFindings(
  db: Db,
  organizationId: string,
  findings: readonly Finding[],
): Promise<{ data: FindingAnswer[]; patientIds: string[] }> {
  const ids = findings.flatMap(({ patientId, providerId }) => [patientId ?? [], providerId ?? []]);
  const names = await listNames(db, organizationId, [...new Set(ids.flat())]);
  const overlapped = findings.flatMap(({ overlappedPatientIds = [] }) => overlappedPatientIds);
  return {
    data: findings.map((finding) => presentFinding(finding, names)),
    patientIds: patientsOf(findings, overlapped),
  };
}
