import type { CalendarDate, DateRange, WeekDay } from "../../../src/lib/calendar-date.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import { localDate, type TimeZone } from "../../../src/lib/time-zone.ts";
import {
  type CountedAuthorization,
  type EncounterRecord,
  type PeriodGrid,
  periodGrid,
  type SessionRecord,
  UnitCounter,
} from "../../../src/utilization/unit-counter.ts";
import { ledger, type LedgerRecord } from "../../../src/utilization/ledger.ts";
import { shownPeriod } from "../../../src/utilization/service.ts";
import { periodsIn, poolTerm, type UnitFrequency } from "../../../src/utilization/periods.ts";
import { utilizationWindow } from "../../../src/utilization/window.ts";
import type { Practice, Request } from "./oracle.ts";

export function windowOf({ asked, members, zone }: Subject, request: Request, now: string) {
  return utilizationWindow({
    startDate: request.startDate as CalendarDate | undefined,
    endDate: request.endDate as CalendarDate | undefined,
    authorizationDates: (asked ? [asked] : members).map((member) => member.dates.startDate),
    today: localDate(now as Instant, zone),
  });
}

export type Subject = ReturnType<typeof subjectOf>;

export function subjectOf(practice: Practice, request: Request) {
  const authorizations = practice.authorizations
    .map((one) => ({
      ...one,
      dates: {
        startDate: one.authorizationDate,
        endDate: one.authorizationExpirationDate,
      } as DateRange,
    }))
    .sort((a, b) => {
      const keys = [a, b].map((one) => `${one.authorizationDate} ${one.publicId}`);
      return keys[0]! < keys[1]! ? -1 : 1;
    });
  const asked = authorizations.find((one) => one.publicId === request.publicId);
  const poolId = asked ? asked.authorizationPoolId : request.publicId;
  const pool = practice.authorizationPools.find((one) => one.publicId === poolId);
  const members = pool
    ? authorizations.filter((one) => one.authorizationPoolId === pool.publicId)
    : [asked!];
  return {
    asked,
    pool,
    members,
    term: poolTerm(members.map((member) => member.dates)),
    frequency: (pool ? pool.unitFrequency : asked!.authorizedUnitFrequency) as UnitFrequency,
    weekStartsOn: (practice.organization.weekStartsOn ?? "SUNDAY") as WeekDay,
    zone: (request.timezone ?? practice.patients[0]!.timezone) as TimeZone,
  };
}

export function gridOf({ frequency, weekStartsOn, zone, term }: Subject, window: DateRange) {
  const periods = term ? periodsIn(frequency, weekStartsOn, term, window) : [];
  return periodGrid(periods, window, zone);
}

export function countedAuthorizations({ serviceLines }: Practice, { members }: Subject) {
  return members.map(({ publicId, serviceLineId, dates }) => ({
    publicId,
    dates,
    billingUnitMinutes: serviceLines.find((line) => line.publicId === serviceLineId)!
      .billingUnitMinutes,
  }));
}

export function counts(
  practice: Practice,
  subject: Subject,
  window: DateRange,
): ReturnType<typeof countUnits> {
  return countUnits(
    gridOf(subject, window),
    countedAuthorizations(practice, subject),
    practice.encounters as EncounterRecord[],
    practice.sessions as Omit<SessionRecord, "isOpen">[],
  );
}

/** Counts the records of authorizations: the pool's periods, and each authorization's. */
export function countUnits(
  grid: PeriodGrid,
  authorizations: readonly CountedAuthorization[],
  encounters: readonly EncounterRecord[],
  sessions: readonly Omit<SessionRecord, "isOpen">[],
) {
  const counter = new UnitCounter(grid, authorizations);
  for (const encounter of encounters) counter.addEncounter(encounter);
  for (const session of sessions) counter.addSession({ ...session, isOpen: 0 });
  return {
    total: counter.total().map(shownPeriod),
    members: authorizations.map((authorization) => ({
      publicId: authorization.publicId,
      periods: counter.ofAuthorization(authorization).map(shownPeriod),
    })),
  };
}

/** The ledger of some records, as one list. */
export async function ledgerOf(
  grid: PeriodGrid,
  authorizations: readonly CountedAuthorization[],
  encounters: readonly LedgerRecord[],
  sessions: readonly LedgerRecord[],
) {
  const records = Map.groupBy([...sessions, ...encounters], (record) => record.authorizationId);
  return [...ledger(grid, authorizations, records)];
}
