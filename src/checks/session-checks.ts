import { fromBit } from "../../db/schema.ts";
import type { CalendarDate, DateRange } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { dayOf, type TimeZone } from "../lib/time-zone.ts";
import { delivererOf, presentAt } from "../lib/presence.ts";
import { countsAsScheduled, scheduledUnits, sumOfUnits } from "../utilization/units.ts";
import { type CheckName, checks } from "./checks.ts";
import type { Finding } from "./findings.ts";
import { type Overlapped, Overlaps } from "./overlaps.ts";
import type { CheckedSession } from "./repository.ts";

/** Checks of single sessions (docs/checks.md). */

/** A session and the day on which it starts. */
interface Dated {
  session: CheckedSession;
  date: CalendarDate;
  timezone: TimeZone;
}

/** Data the checks need in addition to sessions. */
export interface Knowledge {
  now: Instant;
  /** The end of the last credential, for providers whose credentials have all ended by the end of the window. */
  endsOfCredentials: ReadonlyMap<string, Instant>;
  /** The ids of inactive technicians and clinicians. */
  inactiveProviders: ReadonlySet<string>;
}

/**
 * Checks sessions in order of start, then id. Sessions before and after the window must be added, too, since later
 * sessions can overlap them.
 */
export class SessionChecks {
  readonly #ofProviders = new Overlaps<CheckedSession>();
  readonly #ofPatients = new Overlaps<CheckedSession>();

  constructor(private readonly knowledge: Knowledge) {}

  /**
   * Adds a session. Only one that holds its slot has findings here.
   *
   * @returns its findings, except those of `DELIVERED_TWICE` (see `deliveredTwice`).
   */
  add(dated: Dated): Finding[] {
    const { status, clientIsActive } = dated.session;
    if (!countsAsScheduled(status)) return [];
    const found = clientIsActive === 0 ? [patientLeft(dated, this.knowledge)] : this.#found(dated);
    return found.filter((finding) => finding !== undefined);
  }

  #found(dated: Dated): (Finding | undefined)[] {
    return [
      outsideAuthorization(dated),
      withoutAuthorization(dated),
      notDocumented(dated, this.knowledge.now),
      ...this.#overlapsOfProviders(dated),
      this.#overlapOfPatient(dated),
      credentialsEnded(dated, this.knowledge.endsOfCredentials),
      ...providersLeft(dated, this.knowledge),
    ];
  }

  /** Sessions with the same client do not count: a supervision is beside the session that it supervises. */
  #overlapsOfProviders(dated: Dated): (Finding | undefined)[] {
    const { session } = dated;
    return presentAt(session).map((providerId) => {
      const overlapped = this.#ofProviders.add(providerId, session.patientId, session);
      return overlapFinding("PROVIDER_OVERLAP", dated, providerId, overlapped);
    });
  }

  #overlapOfPatient(dated: Dated): Finding | undefined {
    const { session } = dated;
    const { patientId, isBillable, isSupervision } = session;
    if (patientId === null || !fromBit(isBillable) || fromBit(isSupervision)) return undefined;
    const overlapped = this.#ofPatients.add(patientId, null, session);
    return overlapFinding("PATIENT_OVERLAP", dated, delivererOf(session), overlapped);
  }
}

function unitsOf({ startTime, endTime, billingUnitMinutes }: CheckedSession): number {
  return scheduledUnits(startTime, endTime, billingUnitMinutes);
}

/** The fields that all findings about a session share. */
function aboutSession(
  check: CheckName,
  { session, date, timezone }: Dated,
): Omit<Finding, "units" | "message"> {
  const { publicId, patientId, authorizationId, poolId, payorId } = session;
  return {
    ...{ check, date, timezone, patientId },
    providerId: delivererOf(session),
    sessionIds: [publicId],
    encounterIds: [],
    ...{ authorizationId, poolId, payorId },
    authorizationStartDate: session.authorizedFrom,
    authorizationEndDate: session.authorizedTo,
  };
}

function outsideAuthorization(dated: Dated): Finding | undefined {
  const { session, date } = dated;
  const authorized = authorizedDates(session);
  // A delivered session is checked by its encounter.
  if (authorized === undefined || session.encounters !== 0) return undefined;
  if (includes(authorized, date)) return undefined;
  const units = unitsOf(session);
  return {
    ...aboutSession("OUTSIDE_AUTHORIZATION", dated),
    units,
    message: checks.OUTSIDE_AUTHORIZATION.message({ units, date, authorized, isDelivered: false }),
  };
}

/** The dates of a record's authorization. */
function authorizedDates({
  authorizedFrom,
  authorizedTo,
}: {
  authorizedFrom: CalendarDate | null;
  authorizedTo: CalendarDate | null;
}): DateRange | undefined {
  if (authorizedFrom === null || authorizedTo === null) return undefined;
  return { startDate: authorizedFrom, endDate: authorizedTo };
}

export function includes({ startDate, endDate }: DateRange, date: CalendarDate): boolean {
  return startDate <= date && date <= endDate;
}

function withoutAuthorization(dated: Dated): Finding | undefined {
  const { session, date } = dated;
  const isMeant = fromBit(session.isBillable) && session.patientId !== null;
  if (!isMeant || session.authorizationId !== null) return undefined;
  const units = unitsOf(session);
  return {
    ...aboutSession("NO_AUTHORIZATION", dated),
    units,
    message: checks.NO_AUTHORIZATION.message({ units, date }),
  };
}

function notDocumented(dated: Dated, now: Instant): Finding | undefined {
  const { session, date } = dated;
  const isMeant = fromBit(session.isBillable) && session.authorizationId !== null;
  const isHeld = session.status === "CONFIRMED" || session.status === "UNCONFIRMED";
  if (!isMeant || !isHeld || session.endTime >= now || session.encounters !== 0) return undefined;
  const units = unitsOf(session);
  return {
    ...aboutSession("NOT_DOCUMENTED", dated),
    units,
    message: checks.NOT_DOCUMENTED.message({ units, date }),
  };
}

function overlapFinding(
  check: "PROVIDER_OVERLAP" | "PATIENT_OVERLAP",
  dated: Dated,
  providerId: string | null,
  overlapped: Overlapped<CheckedSession> | undefined,
): Finding | undefined {
  if (overlapped === undefined) return undefined;
  const { session, date } = dated;
  const { first, count, minutes } = overlapped;
  return {
    ...aboutSession(check, dated),
    providerId,
    sessionIds: [...first, session].map(({ publicId }) => publicId),
    overlappedPatientIds: first.flatMap(({ patientId }) => patientId ?? []),
    units: null,
    message: checks[check].message({ date, sessions: count, minutes }),
  };
}

function credentialsEnded(
  dated: Dated,
  endsOfCredentials: Knowledge["endsOfCredentials"],
): Finding | undefined {
  const { session, date, timezone } = dated;
  if (!fromBit(session.isBillable)) return undefined;
  const endsAt = endsOfCredentials.get(delivererOf(session) ?? "");
  if (endsAt === undefined || endsAt > session.startTime) return undefined;
  return {
    ...aboutSession("CREDENTIALS_ENDED", dated),
    units: unitsOf(session),
    message: checks.CREDENTIALS_ENDED.message({ date, endedOn: dayOf(endsAt, timezone) }),
  };
}

/** A finding for each technician or clinician of a coming session who is no longer active, present or not. */
function providersLeft(dated: Dated, { now, inactiveProviders }: Knowledge): Finding[] {
  const { session, date } = dated;
  const { technicianId, clinicianId, startTime, isBillable } = session;
  if (startTime < now) return [];
  return [...new Set([technicianId, clinicianId])]
    .filter((id) => id !== null && inactiveProviders.has(id))
    .map((providerId) => ({
      ...aboutSession("PROVIDER_LEFT", dated),
      providerId,
      units: fromBit(isBillable) ? unitsOf(session) : null,
      message: checks.PROVIDER_LEFT.message({ date }),
    }));
}

/** The finding for a coming session of a client who is not active: the one check that is about such. */
function patientLeft(dated: Dated, { now }: Knowledge): Finding | undefined {
  const { session, date } = dated;
  if (session.startTime < now) return undefined;
  return {
    ...aboutSession("PATIENT_LEFT", dated),
    units: fromBit(session.isBillable) ? unitsOf(session) : null,
    message: checks.PATIENT_LEFT.message({ date }),
  };
}

export function isDeliveredTwice({ clientIsActive, encounters }: CheckedSession): boolean {
  return clientIsActive !== 0 && (encounters ?? 0) > 1;
}

/** The finding for a session with several encounters, which must be ordered by start, then id. */
export function deliveredTwice(
  dated: Dated,
  encounters: readonly { publicId: string; units: number }[],
): Finding {
  const [, ...others] = encounters;
  const units = sumOfUnits(...others.map((encounter) => encounter.units));
  return {
    ...aboutSession("DELIVERED_TWICE", dated),
    encounterIds: encounters.map(({ publicId }) => publicId),
    units,
    message: checks.DELIVERED_TWICE.message({
      date: dated.date,
      encounters: encounters.length,
      units,
    }),
  };
}
