import type { CalendarDate } from "../lib/calendar-date.ts";
import {
  countUnits,
  type EncounterRecord,
  periodGrid,
  type PeriodUnits,
  type SessionRecord,
} from "./counts.ts";
import type { UtilizationEntry } from "./models/overview.ts";
import type { OverviewCalendar } from "./overview-calendar.ts";
import type {
  ShownAuthorization,
  SubjectAuthorization,
  SubjectKey,
} from "./overview-repository.ts";
import { knownFrequency, overlap, poolTerm } from "./periods.ts";
import { elapsedShare, shareOf } from "./shares.ts";
import { sumOfUnits, unitsLeft } from "./units.ts";

/** The sort keys of a subject. */
export interface RankedSubject extends SubjectKey {
  endDate: CalendarDate;
  /** Absent unless shares are requested. */
  share?: number | null;
}

/** The sort keys of the subject that consists of these authorizations. */
export function rankedOf(
  authorizations: readonly SubjectAuthorization[],
  calendar: OverviewCalendar,
): RankedSubject {
  const { subject, subjectId, term, unitsAuthorized, count } = readSubject(
    authorizations,
    calendar,
  );
  const { unitsUtilized, unitsScheduled } = count(
    authorizations.flatMap((one) => one.encounters),
    authorizations.flatMap((one) => one.openSessions),
  );
  const share = shareOf(sumOfUnits(unitsUtilized, unitsScheduled), unitsAuthorized);
  return { subject, subjectId, endDate: term.endDate, share };
}

/** Builds a subject's entry of the overview. */
export function entryOf(
  authorizations: readonly ShownAuthorization[],
  calendar: OverviewCalendar,
): UtilizationEntry {
  const { subject, subjectId, first, term, date, timezone, unitFrequency, unitsAuthorized, count } =
    readSubject(authorizations, calendar);
  const period = count(
    authorizations.flatMap((one) => one.encounters),
    authorizations.flatMap((one) => one.sessions),
  );
  const open = count(
    [],
    authorizations.flatMap((one) => one.openSessions),
  );
  const unitsCommitted = sumOfUnits(period.unitsUtilized, open.unitsScheduled);
  const isPool = subject === "POOL";
  return {
    subject,
    publicId: subjectId,
    patientId: first.patientId,
    patientFirstName: first.patientFirstName,
    patientLastName: first.patientLastName,
    authorizationNumber: isPool ? null : first.authorizationNumber,
    authorizationStatus: isPool ? null : first.authorizationStatus,
    serviceLinePublicId: isPool ? null : first.serviceLineId,
    payorId: first.payorId,
    payorName: first.payorName,
    ...term,
    timezone,
    unitFrequency,
    period,
    unitsAuthorized,
    unitsOpen: open.unitsScheduled,
    unitsCommitted,
    unitsLeft: unitsLeft(unitsCommitted, unitsAuthorized),
    share: shareOf(unitsCommitted, unitsAuthorized),
    elapsedShare: elapsedShare(period, date),
  };
}

/** The subject that consists of some authorizations: a standalone authorization, or a pool. */
export function subjectOf<Authorization extends SubjectAuthorization>(
  authorizations: readonly Authorization[],
  calendar: OverviewCalendar,
) {
  const [first] = authorizations;
  const members = authorizations.map(
    ({ authorizationId, startDate, endDate, billingUnitMinutes }) => ({
      publicId: authorizationId,
      dates: { startDate, endDate },
      billingUnitMinutes,
    }),
  );
  const term = poolTerm(members.map(({ dates }) => dates));
  if (first === undefined || term === undefined) throw new Error("An entry needs an authorization");
  return {
    ...{ first, members, term },
    timezone: calendar.timeZoneOf(first.patientTimeZone),
    unitFrequency: knownFrequency(first.unitFrequency),
    /** Per complete period; null without a limit. */
    unitsAuthorized: first.isUnlimited === 1 ? null : first.authorizedUnits,
  };
}

/** Builds a subject, and a function that counts records in its period of the calendar's day. */
function readSubject<Authorization extends SubjectAuthorization>(
  authorizations: readonly Authorization[],
  calendar: OverviewCalendar,
) {
  const known = subjectOf(authorizations, calendar);
  const { first, members, term, timezone, unitFrequency } = known;
  const date = calendar.dateIn(timezone);
  const period = overlap(calendar.periodOn(unitFrequency, date), term);
  const grid = periodGrid([period], period, timezone);
  return {
    ...known,
    ...{ subject: first.subject, subjectId: first.subjectId, date },
    count(encounters: EncounterRecord[], sessions: SessionRecord[]): PeriodUnits {
      const [counted] = countUnits(grid, members, encounters, sessions).total;
      return counted ?? { ...period, unitsUtilized: 0, unitsScheduled: 0 };
    },
  };
}
