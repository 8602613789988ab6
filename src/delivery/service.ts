import type { Db } from "../../db/database.ts";
import {
  addDays,
  type CalendarDate,
  type DateRange,
  parseMonth,
  startOfMonth,
} from "../lib/calendar-date.ts";
import { compare } from "../lib/compare.ts";
import { possibleInstants } from "../lib/day-finder.ts";
import { invalid } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { type InstantRange, instantsOf, type TimeZone } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { reportWindow } from "../schema/report-window.ts";
import { sessionStatuses, type SessionStatus } from "../sessions/model.ts";
import { PracticeCalendar } from "../utilization/calendar.ts";
import { inBatches, type RecordCounter, readRecords } from "../utilization/counting.ts";
import { type EncounterRecord, isWithin, type SessionRecord } from "../utilization/unit-counter.ts";
import { listAuthorizations } from "../utilization/repository.ts";
import type { AuthorizationRow } from "../utilization/subject.ts";
import { fromMillionths, inHours, toMillionths } from "../utilization/units.ts";
import type { DeliveryByPayor, DeliveryEntry, DeliveryReport } from "./model.ts";
import { listAuthorizationIds } from "./repository.ts";

export interface DeliveryRequest {
  organizationId: string;
  now: Instant;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  /** Instead of dates, such as `2026-10`. */
  month?: string | undefined;
  patientId?: string | undefined;
  payorId?: string | undefined;
  timezone?: TimeZone | undefined;
}

export interface Delivery extends Pick<DeliveryReport, "totals" | "byPayor"> {
  window: DateRange;
  /** On all pages, ordered by patient, then authorization. */
  entries: DeliveryEntry[];
}

/**
 * The units delivered in a window, for all authorizations with a session or encounter in it, including those of
 * inactive patients (docs/checks.md). Records are streamed and counted on their day in the patient's zone.
 *
 * @throws InvalidInput for a month beside dates, and for a window that is out of order or longer than 366 days.
 */
export async function readDelivery(db: Db, request: DeliveryRequest): Promise<Delivery> {
  const { organizationId, patientId, payorId, now } = request;
  const organization = await getOrganization(db, organizationId);
  const window = windowOf(request, new PracticeCalendar({ now }, organization));
  const calendar = new PracticeCalendar(request, organization);
  const scope = { organizationId, patientId, payorId, ...possibleInstants(window) };
  const accounts: Account[] = [];
  for (const authorizationIds of inBatches(await listAuthorizationIds(db, scope))) {
    const rows = await listAuthorizations(db, { organizationId, authorizationIds });
    const accountOf = new Map(
      rows.map((row) => [row.authorizationId, new Account(row, window, calendar)]),
    );
    const ordered = authorizationIds.flatMap((id) => accountOf.get(id) ?? []);
    const records = ordered.map((account) => ({
      authorizationId: account.row.authorizationId,
      ...{ spans: [account.window], counters: [account] },
    }));
    await readRecords(db, organizationId, records);
    accounts.push(...ordered.filter((account) => !account.isEmpty()));
  }
  return {
    window,
    totals: totalsOf(accounts),
    byPayor: byPayor(accounts),
    entries: accounts.map(presentEntry),
  };
}

function windowOf(
  { month, startDate, endDate }: DeliveryRequest,
  calendar: PracticeCalendar,
): DateRange {
  if (month !== undefined && (startDate !== undefined || endDate !== undefined))
    throw invalid(["month"], "month cannot be given with startDate or endDate");
  const days = month === undefined ? { startDate, endDate } : (parseMonth(month) ?? {});
  return reportWindow(days, lastMonth(calendar));
}

/** The calendar month before the current one, in the organization's zone. */
function lastMonth(calendar: PracticeCalendar): DateRange {
  const endDate = addDays(startOfMonth(calendar.dateIn(calendar.timeZoneOf(null))), -1);
  return { startDate: startOfMonth(endDate), endDate };
}

/** What was delivered on an authorization in the window. */
class Account implements RecordCounter {
  encounters = 0;
  /** In millionths. */
  delivered = 0;
  outside = 0;
  readonly sessions = Object.fromEntries(sessionStatuses.map((status) => [status, 0])) as Record<
    SessionStatus,
    number
  >;
  readonly timezone: TimeZone;
  readonly window: InstantRange;
  readonly #term: InstantRange;

  constructor(
    readonly row: AuthorizationRow,
    window: DateRange,
    calendar: PracticeCalendar,
  ) {
    this.timezone = calendar.timeZoneOf(row.patientTimeZone);
    this.window = instantsOf(window, this.timezone);
    this.#term = instantsOf(row, this.timezone);
  }

  addEncounter({ startTime, units }: EncounterRecord): void {
    const millionths = toMillionths(units);
    this.encounters += 1;
    this.delivered += millionths;
    if (!isWithin(startTime, this.#term)) this.outside += millionths;
  }

  addSession({ status }: Pick<SessionRecord, "status">): void {
    this.sessions[status as SessionStatus] += 1;
  }

  /** Whether no record starts in the window in the patient's zone. */
  isEmpty(): boolean {
    return this.encounters === 0 && Object.values(this.sessions).every((count) => count === 0);
  }
}

function totalsOf(accounts: readonly Account[]): DeliveryReport["totals"] {
  return {
    encounters: sumOf(accounts, ({ encounters }) => encounters),
    unitsDelivered: fromMillionths(sumOf(accounts, ({ delivered }) => delivered)),
    unitsOutside: fromMillionths(sumOf(accounts, ({ outside }) => outside)),
  };
}

function sumOf(accounts: readonly Account[], of: (account: Account) => number): number {
  return accounts.reduce((sum, account) => sum + of(account), 0);
}

/** The sums by payor, in order of name, then id; without a payor last. */
function byPayor(accounts: readonly Account[]): DeliveryByPayor[] {
  const payors = [...Map.groupBy(accounts, ({ row }) => row.payorId)].map(([payorId, own]) => {
    const isVisit = ({ row }: Account) => row.billingUnitMinutes === null;
    const { encounters, unitsDelivered } = totalsOf(own);
    return {
      payorId,
      payorName: own[0]?.row.payorName ?? null,
      ...{ encounters, unitsDelivered },
      hoursDelivered: inHours(own.filter((account) => !isVisit(account)).map(timed)),
      visits: totalsOf(own.filter(isVisit)).unitsDelivered,
    };
  });
  return payors.toSorted(
    (a, b) =>
      Number(a.payorId === null) - Number(b.payorId === null) ||
      compare(a.payorName ?? "", b.payorName ?? "") ||
      compare(a.payorId ?? "", b.payorId ?? ""),
  );
}

function timed({ delivered, row }: Account) {
  return { millionths: delivered, minutes: row.billingUnitMinutes ?? 0 };
}

function presentEntry(account: Account): DeliveryEntry {
  const { row, timezone, sessions } = account;
  const { encounters, unitsDelivered, unitsOutside } = totalsOf([account]);
  return {
    authorizationId: row.authorizationId,
    authorizationNumber: row.authorizationNumber,
    poolId: row.poolId,
    payorId: row.payorId,
    payorName: row.payorName,
    patientId: row.patientId,
    patientFirstName: row.patientFirstName,
    patientLastName: row.patientLastName,
    internalRecordId: row.internalRecordId,
    serviceLinePublicId: row.serviceLineId,
    authorizationStartDate: row.startDate,
    authorizationEndDate: row.endDate,
    timezone,
    encounters,
    unitsDelivered,
    hoursDelivered: row.billingUnitMinutes === null ? null : inHours([timed(account)]),
    unitsOutside,
    sessions,
  };
}
