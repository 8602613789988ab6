import type { Db } from "../../db/database.ts";
import { addDays, type CalendarDate, type DateRange, startOfMonth } from "../lib/calendar-date.ts";
import { possibleInstants } from "../lib/day-finder.ts";
import type { Instant } from "../lib/instant.ts";
import { instantsOf, type TimeZone } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { reportWindow } from "../schema/report-window.ts";
import { sessionStatuses, type SessionStatus } from "../sessions/model.ts";
import { isWithin } from "../utilization/counts.ts";
import { PracticeCalendar } from "../utilization/calendar.ts";
import { fromMillionths, toMillionths } from "../utilization/units.ts";
import type { DeliveryEntry, DeliveryReport } from "./model.ts";
import {
  type AuthorizationRow,
  listAuthorizations,
  streamEncounters,
  streamSessions,
} from "./repository.ts";

export interface DeliveryRequest {
  organizationId: string;
  now: Instant;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  patientId?: string | undefined;
  payorId?: string | undefined;
  timezone?: TimeZone | undefined;
}

export interface Delivery extends Pick<DeliveryReport, "totals"> {
  window: DateRange;
  /** On all pages, ordered by patient, then authorization. */
  entries: DeliveryEntry[];
}

/** Counts of an authorization; units in millionths. */
interface Tally {
  encounters: number;
  delivered: number;
  outside: number;
  sessions: Record<SessionStatus, number>;
}

/**
 * The units delivered in a window, for all authorizations with a session or encounter in it, including those of
 * inactive patients (checks.md, "delivery"). Records are streamed and counted on their day in the patient's zone.
 *
 * @throws InvalidInput for a window that is out of order or longer than 366 days.
 */
export async function readDelivery(db: Db, request: DeliveryRequest): Promise<Delivery> {
  const { organizationId, patientId, payorId, now } = request;
  const organization = await getOrganization(db, organizationId);
  const window = reportWindow(request, lastMonth(new PracticeCalendar({ now }, organization)));
  const calendar = new PracticeCalendar(request, organization);
  const span = possibleInstants(window);
  const rows = await listAuthorizations(db, { organizationId, patientId, payorId, ...span });
  const accounts = new Map(
    rows.map((row) => [row.authorizationId, newAccount(row, window, calendar)]),
  );

  const records = { organizationId, authorizationIds: [...accounts.keys()], ...span };
  for await (const encounters of streamEncounters(db, records))
    for (const { authorizationId, startTime, units } of encounters) {
      const account = accounts.get(authorizationId);
      if (account === undefined || !isWithin(startTime, account.window)) continue;
      const { tally } = account;
      const millionths = toMillionths(units);
      tally.encounters += 1;
      tally.delivered += millionths;
      if (!isWithin(startTime, account.term)) tally.outside += millionths;
    }
  for await (const sessions of streamSessions(db, records))
    for (const { authorizationId, startTime, status } of sessions) {
      const account = accounts.get(authorizationId);
      if (account === undefined || !isWithin(startTime, account.window)) continue;
      account.tally.sessions[status as SessionStatus] += 1;
    }

  const shown = rows.flatMap((row) => {
    const account = accounts.get(row.authorizationId);
    return account === undefined || isEmpty(account.tally) ? [] : [{ row, ...account }];
  });
  return {
    window,
    totals: totalsOf(shown.map(({ tally }) => tally)),
    entries: shown.map(({ row, timezone, tally }) => presentEntry(row, timezone, tally)),
  };
}

/** The calendar month before the current one, in the organization's zone. */
function lastMonth(calendar: PracticeCalendar): DateRange {
  const endDate = addDays(startOfMonth(calendar.dateIn(calendar.timeZoneOf(null))), -1);
  return { startDate: startOfMonth(endDate), endDate };
}

/** The state of counting an authorization: the instants of the window and of its own dates. */
function newAccount(row: AuthorizationRow, window: DateRange, calendar: PracticeCalendar) {
  const timezone = calendar.timeZoneOf(row.patientTimeZone);
  const dates = { startDate: row.authorizedFrom, endDate: row.authorizedTo };
  const tally: Tally = { encounters: 0, delivered: 0, outside: 0, sessions: noSessions() };
  return {
    timezone,
    window: instantsOf(window, timezone),
    term: instantsOf(dates, timezone),
    tally,
  };
}

function noSessions(): Record<SessionStatus, number> {
  return Object.fromEntries(sessionStatuses.map((status) => [status, 0])) as Tally["sessions"];
}

function isEmpty({ encounters, sessions }: Tally): boolean {
  return encounters === 0 && Object.values(sessions).every((count) => count === 0);
}

function totalsOf(tallies: readonly Tally[]): DeliveryReport["totals"] {
  const sum = (of: (tally: Tally) => number) =>
    tallies.reduce((total, tally) => total + of(tally), 0);
  return {
    encounters: sum((tally) => tally.encounters),
    unitsDelivered: fromMillionths(sum((tally) => tally.delivered)),
    unitsOutside: fromMillionths(sum((tally) => tally.outside)),
  };
}

function presentEntry(
  { authorizedFrom: _from, authorizedTo: _to, patientTimeZone: _zone, ...row }: AuthorizationRow,
  timezone: TimeZone,
  tally: Tally,
): DeliveryEntry {
  return { ...row, timezone, ...totalsOf([tally]), sessions: tally.sessions };
}
