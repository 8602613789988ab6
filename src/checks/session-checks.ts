import { fromBit } from "../../db/schema.ts";
import type { CalendarDate, DateRange } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { remembered } from "../lib/remembered.ts";
import { dayOf, type TimeZone } from "../lib/time-zone.ts";
import { delivererOf, presentAt } from "../lib/presence.ts";
import { countsAsScheduled, scheduledUnits, sumOfUnits } from "../utilization/units.ts";
import { type CheckName, checks } from "./checks.ts";
import type { Finding, Found, Sink } from "./findings.ts";
import { type Overlapped, Overlaps, type Tag, type Ties } from "./overlaps.ts";
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
  /** The organization's. */
  ownTimeZone: TimeZone;
  /** The end of the last credential, for providers whose credentials have all ended by the end of the window. */
  endsOfCredentials: ReadonlyMap<string, Instant>;
  /** The ids of inactive technicians and clinicians. */
  inactiveProviders: ReadonlySet<string>;
}

const NOWHERE: Sink = { add() {}, keeps: () => false };

/**
 * Checks sessions in order of start, then id. Sessions before and after the window must be added, too, since later
 * sessions can overlap them.
 */
export class SessionChecks {
  readonly #ofProviders = new Overlaps<CheckedSession>();
  readonly #ofPatients = new Overlaps<CheckedSession>();
  /** Sessions that start at the same time, of which some may be a group. */
  #starting: { dated: Dated; sink: Sink }[] = [];
  /** The groups that each client is in, until they have ended. */
  readonly #groups = new Map<string, Group[]>();

  constructor(private readonly knowledge: Knowledge) {}

  /**
   * Adds a session. Only one that holds its slot has findings, except those of `DELIVERED_TWICE`.
   *
   * @param sink undefined if its findings are of no interest.
   */
  add(dated: Dated, sink: Sink = NOWHERE): void {
    const { status, clientIsActive, deliveries } = dated.session;
    if (clientIsActive !== 0 && (deliveries ?? 0) > 1) sink.add(deliveredTwice(dated));
    if (!countsAsScheduled(status)) return;
    if (clientIsActive === 0) return patientLeft(dated, this.knowledge, sink);
    outsideAuthorization(dated, sink);
    withoutAuthorization(dated, sink);
    notDocumented(dated, this.knowledge, sink);
    this.#overlapOfPatient(dated, sink);
    credentialsEnded(dated, this.knowledge, sink);
    providersLeft(dated, this.knowledge, sink);
    const [before] = this.#starting;
    if (before !== undefined && before.dated.session.startTime !== dated.session.startTime)
      this.end();
    this.#starting.push({ dated, sink });
  }

  /** Finds the overlaps of the sessions that were added last. */
  end(): void {
    const starting = this.#starting;
    this.#starting = [];
    // One alone is of no group, but for its client.
    const keys =
      starting.length > 1 ? keysOf(starting.map(({ dated }) => dated.session)) : new Map();
    this.#noteGroups(keys);
    for (const { dated, sink } of starting) {
      const ties = this.#tiesOf(dated.session, keys.get(dated.session));
      for (const providerId of presentAt(dated.session)) {
        const overlapped = this.#ofProviders.add(providerId, ties, dated.session);
        if (overlapped !== undefined)
          sink.add(overlapFinding("PROVIDER_OVERLAP", dated, providerId, overlapped));
      }
    }
  }

  /** Notes the groups that begin, and ties supervisions that go on to them, if their client is in one. */
  #noteGroups(keys: Keys): void {
    const groups = [...keys].filter(([{ isGroup }]) => isGroup === 1);
    for (const [{ patientId, startTime, endTime }, key] of groups) {
      const goingOn = this.#groupsOf(patientId as string, startTime);
      this.#groups.set(patientId as string, [...goingOn, { key, endTime }]);
    }
    const places = groups.flatMap(([session, key]) =>
      presentAt(session).map((providerId) => ({ providerId, key })),
    );
    for (const [providerId, ofProvider] of Map.groupBy(places, (place) => place.providerId))
      for (const key of new Set(ofProvider.map((place) => place.key)))
        this.#ofProviders.tie(
          providerId,
          ({ isSupervision, patientId }) =>
            fromBit(isSupervision) &&
            this.#groups.get(patientId ?? "")?.some((group) => group.key === key) === true,
          supervisionOf(key),
        );
  }

  #groupsOf(patientId: string, now: Instant): Group[] {
    return this.#groups.get(patientId)?.filter(({ endTime }) => endTime > now) ?? [];
  }

  /**
   * Beside which other sessions of its providers a session may stand: those with the same client, such as the session that
   * a supervision is of; those of the same group; and a supervision beside the group that its client is in.
   */
  #tiesOf(session: CheckedSession, key: string | undefined): Ties {
    const { patientId, isSupervision, isGroup, startTime } = session;
    if (patientId === null) return NO_TIES;
    const client: Tag = `client ${patientId}`;
    const own: Tag[] = [client];
    const besides: Tag[] = [client];
    if (key !== undefined && isGroup === 1) {
      own.push(memberOf(key));
      besides.push(memberOf(key), supervisionOf(key));
    }
    if (fromBit(isSupervision))
      for (const group of this.#groupsOf(patientId, startTime)) {
        own.push(supervisionOf(group.key));
        if (group.key !== key) besides.push(memberOf(group.key));
      }
    return { own, besides, alike: isGroup === 1 ? undefined : key };
  }

  #overlapOfPatient(dated: Dated, sink: Sink): void {
    const { session } = dated;
    const { patientId, isBillable, isSupervision } = session;
    if (patientId === null || !fromBit(isBillable) || fromBit(isSupervision)) return;
    const overlapped = this.#ofPatients.add(patientId, NO_TIES, session);
    if (overlapped !== undefined)
      sink.add(overlapFinding("PATIENT_OVERLAP", dated, delivererOf(session), overlapped));
  }
}

const NO_TIES: Ties = { own: [], besides: [] };

/** Of sessions of a client that start at the same time: the same text where service, place and end are the same. */
type Keys = ReadonlyMap<CheckedSession, string>;

function keysOf(sessions: readonly CheckedSession[]): Keys {
  const numbers = new Map<string, string>();
  const keys = new Map<CheckedSession, string>();
  for (const session of sessions) {
    const { patientId, serviceLineId, placeOfService, locationId, startTime, endTime } = session;
    if (patientId === null || serviceLineId === null) continue;
    const same = `${serviceLineId} ${placeOfService} ${locationId} ${endTime}`;
    keys.set(
      session,
      remembered(numbers, same, () => `${startTime} ${numbers.size}`),
    );
  }
  return keys;
}

const memberOf = (key: string): Tag => `member ${key}`;
const supervisionOf = (key: string): Tag => `supervision ${key}`;

/** A group of sessions, by what they have in common. */
interface Group {
  key: string;
  endTime: Instant;
}

function unitsOf({ startTime, endTime, billingUnitMinutes }: CheckedSession): number {
  return scheduledUnits(startTime, endTime, billingUnitMinutes);
}

/** What is found about a session. */
function foundIn(
  check: CheckName,
  { session, date, timezone }: Dated,
  rest: () => Pick<Finding, "units" | "message"> & Partial<Finding>,
  providerId: string | null = delivererOf(session),
): Found {
  const { publicId, patientId, authorizationId, poolId, payorId } = session;
  return {
    ...{ check, date, patientId, providerId, payorId },
    make: () => ({
      ...{ check, date, timezone, patientId, providerId },
      sessionIds: [publicId],
      encounterIds: [],
      ...{ authorizationId, poolId, payorId },
      authorizationStartDate: session.authorizedFrom,
      authorizationEndDate: session.authorizedTo,
      ...rest(),
    }),
  };
}

function outsideAuthorization(dated: Dated, sink: Sink): void {
  const { session, date } = dated;
  const authorized = authorizedDates(session);
  // A delivered session is checked by its encounter.
  if (authorized === undefined || session.deliveries !== null || includes(authorized, date)) return;
  sink.add(
    foundIn("OUTSIDE_AUTHORIZATION", dated, () => {
      const units = unitsOf(session);
      const facts = { units, date, authorized, isDelivered: false };
      return { units, message: checks.OUTSIDE_AUTHORIZATION.message(facts) };
    }),
  );
}

/** The dates of a record's authorization. */
export function authorizedDates({
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

/** Whether a session is to be billed for a patient, without an authorization. */
export function lacksAuthorization({
  isBillable,
  patientId,
  authorizationId,
}: Pick<CheckedSession, "isBillable" | "patientId" | "authorizationId">): boolean {
  return fromBit(isBillable) && patientId !== null && authorizationId === null;
}

function withoutAuthorization(dated: Dated, sink: Sink): void {
  const { session, date } = dated;
  if (!lacksAuthorization(session)) return;
  sink.add(
    foundIn("NO_AUTHORIZATION", dated, () => {
      const units = unitsOf(session);
      return { units, message: checks.NO_AUTHORIZATION.message({ units, date }) };
    }),
  );
}

function notDocumented(dated: Dated, { now }: Knowledge, sink: Sink): void {
  const { session, date } = dated;
  const isMeant = fromBit(session.isBillable) && session.authorizationId !== null;
  const isHeld = session.status === "CONFIRMED" || session.status === "UNCONFIRMED";
  if (!isMeant || !isHeld || session.endTime >= now || session.deliveries !== null) return;
  sink.add(
    foundIn("NOT_DOCUMENTED", dated, () => {
      const units = unitsOf(session);
      return { units, message: checks.NOT_DOCUMENTED.message({ units, date }) };
    }),
  );
}

function overlapFinding(
  check: "PROVIDER_OVERLAP" | "PATIENT_OVERLAP",
  dated: Dated,
  providerId: string | null,
  { first, count, hasAlike, minutes }: Overlapped<CheckedSession>,
): Found {
  const { session, date } = dated;
  const rest = () => {
    const overlapped = first();
    return {
      sessionIds: [...overlapped, session].map(({ publicId }) => publicId),
      overlappedPatientIds: overlapped.flatMap(({ patientId }) => patientId ?? []),
      units: null,
      message: checks[check].message({ date, sessions: count, minutes, hasAlike }),
    };
  };
  return foundIn(check, dated, rest, providerId);
}

function credentialsEnded(
  dated: Dated,
  { endsOfCredentials, ownTimeZone }: Knowledge,
  sink: Sink,
): void {
  const { session, date } = dated;
  if (!fromBit(session.isBillable)) return;
  const endsAt = endsOfCredentials.get(delivererOf(session) ?? "");
  if (endsAt === undefined || !haveEnded(endsAt, session.startTime)) return;
  sink.add(
    foundIn("CREDENTIALS_ENDED", dated, () => ({
      units: unitsOf(session),
      message: checks.CREDENTIALS_ENDED.message({ date, endedOn: dayOf(endsAt, ownTimeZone) }),
    })),
  );
}

/**
 * Whether somebody's credentials have all ended when a session begins.
 *
 * @param endsAt the end of the last one; undefined without credentials.
 */
export function haveEnded(endsAt: Instant | undefined, startTime: Instant): boolean {
  return endsAt !== undefined && endsAt <= startTime;
}

/** A finding for each technician or clinician of a coming session who is no longer active, present or not. */
function providersLeft(dated: Dated, { now, inactiveProviders }: Knowledge, sink: Sink): void {
  const { session, date } = dated;
  const { technicianId, clinicianId, startTime } = session;
  if (startTime < now) return;
  for (const providerId of new Set([technicianId, clinicianId]))
    if (providerId !== null && inactiveProviders.has(providerId)) {
      const rest = () => ({
        units: billableUnitsOf(session),
        message: checks.PROVIDER_LEFT.message({ date }),
      });
      sink.add(foundIn("PROVIDER_LEFT", dated, rest, providerId));
    }
}

/** A coming session of a client who is not active: the one check that is about such. */
function patientLeft(dated: Dated, { now }: Knowledge, sink: Sink): void {
  const { session, date } = dated;
  if (session.startTime < now) return;
  sink.add(
    foundIn("PATIENT_LEFT", dated, () => ({
      units: billableUnitsOf(session),
      message: checks.PATIENT_LEFT.message({ date }),
    })),
  );
}

function billableUnitsOf(session: CheckedSession): number | null {
  return fromBit(session.isBillable) ? unitsOf(session) : null;
}

/** A session with several encounters that have units, which `withEncounters` adds. */
function deliveredTwice(dated: Dated): Found {
  return foundIn("DELIVERED_TWICE", dated, () => ({ units: 0, message: "" }));
}

/** The finding for a session with several encounters, which must be ordered by start, then id. */
export function withEncounters(
  finding: Finding,
  encounters: readonly { publicId: string; units: number }[],
): Finding {
  const [, ...others] = encounters;
  const units = sumOfUnits(...others.map((encounter) => encounter.units));
  const facts = { date: finding.date, encounters: encounters.length, units };
  return {
    ...finding,
    encounterIds: encounters.map(({ publicId }) => publicId),
    units,
    message: checks.DELIVERED_TWICE.message(facts),
  };
}
