import {
  compare,
  dayOf,
  expectedAnswer,
  holdsSlot,
  millionths,
  type Practice,
} from "../utilization/oracle.ts";
import { type OverviewPractice, zoneOf } from "../utilization/overview-oracle.ts";
import { localAt } from "../lib/zoned.ts";

/**
 * An independent oracle for checks and delivery, as simple as possible: each check scans all records, and computes
 * every day with `Temporal`. Only the periods come from the oracle of utilization. Uses nothing of `src/`.
 */
export interface ChecksPractice extends OverviewPractice {
  providers: { publicId: string; role: string; isActive: boolean; credentialEnds: string[] }[];
  authorizationPools: (OverviewPractice["authorizationPools"][number] & { payorId: string })[];
  authorizations: (OverviewPractice["authorizations"][number] & { payorId: string | null })[];
  sessions: ChecksSession[];
  encounters: (OverviewPractice["encounters"][number] & { publicId: string })[];
  /** The service lines that are marked as groups. */
  groupLines: string[];
}

type ChecksSession = OverviewPractice["sessions"][number] & {
  clientId: string | null;
  technicianId: string | null;
  clinicianId: string | null;
  isBillable: boolean;
  isSupervision: boolean;
  services?: string;
  placeOfService?: string;
};
type Encounter = ChecksPractice["encounters"][number];

export interface ChecksQuery {
  startDate?: string;
  endDate?: string;
  check?: string;
  patientId?: string;
  providerId?: string;
  payorId?: string;
  timezone?: string;
  page?: number;
  pageSize?: number;
}

const NAMES = [
  "OUTSIDE_AUTHORIZATION",
  "NO_AUTHORIZATION",
  "OVER_AUTHORIZED",
  "NOT_DOCUMENTED",
  "DELIVERED_UNHELD",
  "DELIVERED_TWICE",
  "PROVIDER_OVERLAP",
  "PATIENT_OVERLAP",
  "CREDENTIALS_ENDED",
  "PROVIDER_LEFT",
  "RENEWAL_DUE",
  "PATIENT_LEFT",
  // These practices have no goals.
  ...["GOAL_MET", "GOAL_SILENT", "GOAL_NO_LONGER_MET", "GOAL_PAST"],
];

/** A standalone authorization, or a pool with members. */
interface Subject {
  publicId: string;
  patientId: string;
  authorizationId: string | null;
  poolId: string | null;
  payorId: string | null;
  limit: number | null;
  members: ChecksPractice["authorizations"];
  timezone: string;
  startDate: string;
  endDate: string;
}

interface Found {
  check: string;
  date: string;
  timezone: string;
  patientId: string | null;
  providerId: string | null;
  sessionIds: string[];
  encounterIds: string[];
  authorizationId: string | null;
  poolId: string | null;
  payorId: string | null;
  authorizationStartDate: string | null;
  authorizationEndDate: string | null;
  units: number | null;
}

/** The body of the 200, without the findings' messages. */
export function expectedChecks(practice: ChecksPractice, query: ChecksQuery, now: string) {
  const window = windowOf(practice, query, now, (today) => ({
    startDate: today.subtract({ days: 28 }),
    endDate: today.add({ days: 28 }),
  }));
  const isAsked = (name: string) => (query.check ?? NAMES.join()).split(",").includes(name);
  const found = new Checks(practice, query, window, now)
    .all()
    .filter((one) => isAsked(one.check))
    .filter((one) => window.startDate <= one.date && one.date <= window.endDate)
    .filter((one) => query.patientId === undefined || one.patientId === query.patientId)
    .filter((one) => query.providerId === undefined || one.providerId === query.providerId)
    .filter((one) => query.payorId === undefined || one.payorId === query.payorId)
    .sort((a, b) => compareLists(keyOf(a), keyOf(b)));
  const names = (id: string | null) => {
    const patient = practice.patients.find(({ publicId }) => publicId === id);
    return (
      patient ?? { firstName: id === null ? null : "Ana", lastName: id === null ? null : "Ruiz" }
    );
  };
  const { page = 1, pageSize = 25 } = query;
  return {
    ...window,
    totals: Object.fromEntries(
      NAMES.filter(isAsked).map((name) => [name, found.filter((one) => one.check === name).length]),
    ),
    data: found.slice((page - 1) * pageSize, page * pageSize).map((one) => ({
      goalId: null,
      ...one,
      patientFirstName: names(one.patientId).firstName,
      patientLastName: names(one.patientId).lastName,
      providerFirstName: names(one.providerId).firstName,
      providerLastName: names(one.providerId).lastName,
    })),
    pagination: {
      page,
      pageSize,
      totalCount: found.length,
      totalPages: Math.ceil(found.length / pageSize),
    },
  };
}

type Key = (string | Key)[];

/** The sort key of findings, as nested lists of texts. */
function keyOf(found: Found): Key {
  const { date, check, sessionIds, encounterIds, authorizationId, poolId, providerId } = found;
  const place = String(NAMES.indexOf(check)).padStart(2, "0");
  return [
    date,
    place,
    sessionIds,
    encounterIds,
    [authorizationId ?? []].flat(),
    [poolId ?? []].flat(),
    [providerId ?? []].flat(),
  ];
}

function compareLists(a: Key, b: Key): number {
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order =
      typeof one === "string" ? compare(one, other as string) : compareLists(one, other as Key);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

class Checks {
  constructor(
    private readonly practice: ChecksPractice,
    private readonly query: ChecksQuery,
    private readonly window: { startDate: string; endDate: string },
    private readonly now: string,
  ) {}

  all(): Found[] {
    const sessions = this.practice.sessions.filter(
      ({ clientId }) => clientId === null || this.#patient(clientId)!.isActive,
    );
    const encounters = this.practice.encounters.filter(
      (one) => this.#patient(this.#authorization(one.authorizationId)!.patientId)!.isActive,
    );
    return [
      ...this.practice.sessions.flatMap((session) => this.#patientLeft(session)),
      ...sessions.flatMap((session) => [
        ...this.#outsideSession(session),
        ...this.#withoutAuthorization(session),
        ...this.#notDocumented(session),
        ...this.#twice(session),
        ...present(session).flatMap((providerId) =>
          this.#overlap("PROVIDER_OVERLAP", session, sessions, (one) =>
            present(one).includes(providerId) &&
            !isOfSameClient(one, session) &&
            !this.#areOfGroup(one, session) &&
            !this.#isBesideGroup(one, session, sessions) &&
            !this.#isBesideGroup(session, one, sessions)
              ? { providerId }
              : null,
          ),
        ),
        ...this.#overlap("PATIENT_OVERLAP", session, sessions, (one) =>
          isPaidPresence(one) && isPaidPresence(session) && isOfSameClient(one, session)
            ? { providerId: delivererOf(session) }
            : null,
        ),
        ...this.#credentials(session),
        ...this.#left(session),
      ]),
      ...encounters
        .filter(({ units }) => units > 0)
        .flatMap((encounter) => [...this.#outsideEncounter(encounter), ...this.#unheld(encounter)]),
      ...this.#over(),
      ...this.#renewals(),
    ];
  }

  #patient(id: string | null) {
    return this.practice.patients.find(({ publicId }) => publicId === id);
  }

  #authorization(id: string | null | undefined) {
    return this.practice.authorizations.find(({ publicId }) => publicId === id);
  }

  #areOfGroup(one: ChecksSession, other: ChecksSession): boolean {
    return (
      one.clientId !== null &&
      other.clientId !== null &&
      one.services !== undefined &&
      this.practice.groupLines.includes(one.services) &&
      one.services === other.services &&
      one.placeOfService === other.placeOfService &&
      one.startTime === other.startTime &&
      one.endTime === other.endTime
    );
  }

  /** Whether a supervision's client is in the group of another session. */
  #isBesideGroup(
    supervision: ChecksSession,
    member: ChecksSession,
    sessions: ChecksSession[],
  ): boolean {
    return (
      supervision.isSupervision &&
      supervision.clientId !== null &&
      sessions.some(
        (one) =>
          one.clientId === supervision.clientId && holdsSlot(one) && this.#areOfGroup(one, member),
      )
    );
  }

  #naming(session: ChecksSession): Encounter[] {
    return this.practice.encounters
      .filter(({ sessionId }) => sessionId === session.publicId)
      .sort((a, b) => compare(a.startTime, b.startTime) || compare(a.publicId, b.publicId));
  }

  #about(
    check: string,
    startTime: string,
    patientId: string | null,
    authorizationId?: string | null,
  ) {
    const timezone = zoneOf(this.practice, this.#patient(patientId)?.timezone, this.query.timezone);
    const authorization = this.#authorization(authorizationId);
    const poolId = authorization?.authorizationPoolId ?? null;
    const pool = this.practice.authorizationPools.find(({ publicId }) => publicId === poolId);
    return {
      check,
      date: dayOf(startTime, timezone),
      timezone,
      patientId,
      authorizationId: authorization?.publicId ?? null,
      poolId,
      payorId: pool ? pool.payorId : (authorization?.payorId ?? null),
      authorizationStartDate: authorization?.authorizationDate ?? null,
      authorizationEndDate: authorization?.authorizationExpirationDate ?? null,
    };
  }

  #aboutSession(check: string, session: ChecksSession): Found {
    return {
      ...this.#about(check, session.startTime, session.clientId, session.authorizationId),
      providerId: delivererOf(session),
      sessionIds: [session.publicId],
      encounterIds: [],
      units: this.#unitsOf(session),
    };
  }

  #unitsOf(session: ChecksSession): number | null {
    const line = this.practice.serviceLines.find(({ publicId }) => publicId === session.services);
    if (line === undefined) return null;
    if (line.billingUnitMinutes === null) return 1;
    const minutes = Math.floor(
      (Date.parse(session.endTime) - Date.parse(session.startTime)) / 60_000,
    );
    return Math.floor(minutes / line.billingUnitMinutes + 0.5);
  }

  #outsideSession(session: ChecksSession): Found[] {
    const authorization = this.#authorization(session.authorizationId);
    if (authorization === undefined || !holdsSlot(session)) return [];
    if (this.#naming(session).some((one) => one.authorizationId === authorization.publicId))
      return [];
    const found = this.#aboutSession("OUTSIDE_AUTHORIZATION", session);
    return isOutside(found.date, authorization) ? [found] : [];
  }

  #outsideEncounter(encounter: Encounter): Found[] {
    const found = this.#aboutEncounter("OUTSIDE_AUTHORIZATION", encounter);
    return isOutside(found.date, this.#authorization(encounter.authorizationId)!) ? [found] : [];
  }

  #aboutEncounter(check: string, encounter: Encounter): Found {
    const { patientId } = this.#authorization(encounter.authorizationId)!;
    const session = this.practice.sessions.find(({ publicId }) => publicId === encounter.sessionId);
    return {
      ...this.#about(check, encounter.startTime, patientId, encounter.authorizationId),
      providerId: session ? delivererOf(session) : null,
      sessionIds: session ? [session.publicId] : [],
      encounterIds: [encounter.publicId],
      units: sum([encounter.units]),
    };
  }

  #withoutAuthorization(session: ChecksSession): Found[] {
    const isMeant = session.isBillable && session.clientId !== null && holdsSlot(session);
    return isMeant && (session.authorizationId ?? null) === null
      ? [this.#aboutSession("NO_AUTHORIZATION", session)]
      : [];
  }

  #notDocumented(session: ChecksSession): Found[] {
    const isMeant =
      session.isBillable &&
      (session.authorizationId ?? null) !== null &&
      ["CONFIRMED", "UNCONFIRMED"].includes(session.status) &&
      Date.parse(session.endTime) < Date.parse(this.now) &&
      this.#naming(session).length === 0;
    return isMeant ? [this.#aboutSession("NOT_DOCUMENTED", session)] : [];
  }

  #unheld(encounter: Encounter): Found[] {
    const session = this.practice.sessions.find(({ publicId }) => publicId === encounter.sessionId);
    return session !== undefined && ["DECLINED", "PATIENT_NO_SHOW"].includes(session.status)
      ? [this.#aboutEncounter("DELIVERED_UNHELD", encounter)]
      : [];
  }

  #twice(session: ChecksSession): Found[] {
    const naming = this.#naming(session).filter(({ units }) => units > 0);
    if (naming.length < 2) return [];
    return [
      {
        ...this.#aboutSession("DELIVERED_TWICE", session),
        encounterIds: naming.map(({ publicId }) => publicId),
        units: sum(naming.slice(1).map(({ units }) => units)),
      },
    ];
  }

  #overlap(
    check: string,
    session: ChecksSession,
    sessions: ChecksSession[],
    meets: (earlier: ChecksSession) => { providerId: string | null } | null,
  ): Found[] {
    const lasts = ({ startTime, endTime }: ChecksSession) => startTime !== endTime;
    const earlier = sessions
      .filter((one) => holdsSlot(one) && holdsSlot(session) && lasts(one) && lasts(session))
      .filter(
        (one) =>
          one.startTime < session.startTime ||
          (one.startTime === session.startTime && one.publicId < session.publicId),
      )
      .filter((one) => session.startTime < one.endTime && meets(one) !== null)
      .sort((a, b) => compare(a.startTime, b.startTime) || compare(a.publicId, b.publicId));
    if (earlier.length === 0) return [];
    return [
      {
        ...this.#aboutSession(check, session),
        ...meets(earlier[0]!),
        sessionIds: [...earlier.slice(0, 20), session].map(({ publicId }) => publicId),
        units: null,
      },
    ];
  }

  #credentials(session: ChecksSession): Found[] {
    const provider = this.practice.providers.find(
      ({ publicId }) => publicId === delivererOf(session),
    );
    const ends = provider?.credentialEnds ?? [];
    const isMeant =
      session.isBillable &&
      holdsSlot(session) &&
      ends.length > 0 &&
      ends.every((end) => Date.parse(end) <= Date.parse(session.startTime));
    return isMeant ? [this.#aboutSession("CREDENTIALS_ENDED", session)] : [];
  }

  #isToCome(session: ChecksSession): boolean {
    return holdsSlot(session) && Date.parse(session.startTime) >= Date.parse(this.now);
  }

  #patientLeft(session: ChecksSession): Found[] {
    const client = this.#patient(session.clientId);
    if (!this.#isToCome(session) || client === undefined || client.isActive) return [];
    const found = this.#aboutSession("PATIENT_LEFT", session);
    return [{ ...found, units: session.isBillable ? found.units : null }];
  }

  #left(session: ChecksSession): Found[] {
    if (!this.#isToCome(session)) return [];
    return this.practice.providers
      .filter(({ publicId }) => [session.technicianId, session.clinicianId].includes(publicId))
      .filter(({ isActive }) => !isActive)
      .map(({ publicId }) => ({
        ...this.#aboutSession("PROVIDER_LEFT", session),
        providerId: publicId,
        units: session.isBillable ? this.#unitsOf(session) : null,
      }));
  }

  #subjects(): Subject[] {
    const { practice } = this;
    const pools = practice.authorizationPools.map((pool) => ({
      ...{ publicId: pool.publicId, patientId: pool.patientId, payorId: pool.payorId },
      limit: pool.isUnlimited ? null : pool.totalUnits,
      members: practice.authorizations.filter((one) => one.authorizationPoolId === pool.publicId),
      ...{ authorizationId: null, poolId: pool.publicId },
    }));
    const alone = practice.authorizations
      .filter((one) => (one.authorizationPoolId ?? null) === null)
      .map((one) => ({
        ...{ publicId: one.publicId, patientId: one.patientId, payorId: one.payorId },
        limit: one.authorizedUnitsQuantity ?? null,
        members: [one],
        ...{ authorizationId: one.publicId, poolId: null },
      }));
    return [...pools, ...alone]
      .filter(({ members, patientId }) => members.length > 0 && this.#patient(patientId)!.isActive)
      .map((subject) => {
        const timezone = zoneOf(
          practice,
          this.#patient(subject.patientId)!.timezone,
          this.query.timezone,
        );
        const starts = subject.members.map((one) => one.authorizationDate).sort();
        const ends = subject.members.map((one) => one.authorizationExpirationDate).sort();
        return { ...subject, timezone, startDate: starts[0]!, endDate: ends.at(-1)! };
      });
  }

  #aboutSubject(check: string, date: string, subject: Subject): Omit<Found, "units"> {
    const { timezone, patientId, authorizationId, poolId, payorId } = subject;
    return {
      ...{ check, date, timezone, patientId, providerId: null },
      ...{ sessionIds: [], encounterIds: [], authorizationId, poolId, payorId },
      authorizationStartDate: subject.startDate,
      authorizationEndDate: subject.endDate,
    };
  }

  #renewals(): Found[] {
    const { practice, now } = this;
    return this.#subjects().flatMap((subject) => {
      const { members, timezone, endDate } = subject;
      const today = localAt(now, timezone).toPlainDate();
      const isMember = ({ authorizationId }: { authorizationId?: string | null }) =>
        members.some(({ publicId }) => publicId === authorizationId);
      const sessions = practice.sessions.filter(isMember);
      const days = [...sessions, ...practice.encounters.filter(isMember)].map(({ startTime }) =>
        dayOf(startTime, timezone),
      );
      const before = Array.from({ length: 28 }, (_, index) =>
        today.subtract({ days: index + 1 }).toString(),
      );
      const isUsed =
        days.some((day) => before.includes(day)) ||
        sessions.some(
          (one) => holdsSlot(one) && dayOf(one.startTime, timezone) >= today.toString(),
        );
      const successor = practice.authorizations.find((next) => {
        const pool = practice.authorizationPools.find(
          ({ publicId }) => publicId === next.authorizationPoolId,
        );
        const dayAfter = Temporal.PlainDate.from(endDate).add({ days: 1 }).toString();
        return (
          next.patientId === subject.patientId &&
          (pool ? pool.payorId : next.payorId) === subject.payorId &&
          members.some(({ serviceLineId }) => serviceLineId === next.serviceLineId) &&
          next.authorizationDate <= dayAfter &&
          next.authorizationExpirationDate > endDate
        );
      });
      return isUsed && successor === undefined && endDate >= today.toString()
        ? [{ ...this.#aboutSubject("RENEWAL_DUE", endDate, subject), units: null }]
        : [];
    });
  }

  #over(): Found[] {
    return this.#subjects().flatMap((subject) =>
      subject.limit === null ? [] : this.#overPeriods(subject, subject.limit),
    );
  }

  #overPeriods(subject: Subject, limit: number): Found[] {
    const { practice, window } = this;
    const { timezone } = subject;
    const open = practice.sessions.filter(
      (session) =>
        holdsSlot(session) &&
        !this.#naming(session).some((one) => one.authorizationId === session.authorizationId),
    );
    const ask = { publicId: subject.publicId, ...window, timezone };
    const answer = expectedAnswer({ ...practice, sessions: open } as Practice, ask, this.now);
    const periods = (answer.pool ?? answer.members[0]!).periods;
    return periods.flatMap(({ startDate, endDate, unitsUtilized, unitsScheduled }) => {
      const committed = sum([unitsUtilized, unitsScheduled]);
      if (!(millionths(committed) > millionths(limit))) return [];
      const counted = <
        Record extends { authorizationId?: string | null; startTime: string; publicId: string },
      >(
        records: Record[],
      ) =>
        records
          .filter((record) => {
            const member = subject.members.find((one) => one.publicId === record.authorizationId);
            const day = dayOf(record.startTime, timezone);
            return (
              member !== undefined && !isOutside(day, member) && startDate <= day && day <= endDate
            );
          })
          .sort((a, b) => compare(a.startTime, b.startTime) || compare(a.publicId, b.publicId))
          .map(({ publicId }) => publicId);
      return [
        {
          ...this.#aboutSubject(
            "OVER_AUTHORIZED",
            startDate < window.startDate ? window.startDate : startDate,
            subject,
          ),
          sessionIds: counted(open),
          encounterIds: counted(practice.encounters),
          units: Number(millionths(committed) - millionths(limit)) / 1_000_000,
        },
      ];
    });
  }
}

const STATUSES = [
  "CONFIRMED",
  "UNCONFIRMED",
  "DECLINED",
  "PATIENT_NO_SHOW",
  "REQUESTED_TO_CANCEL",
] as const;

export interface DeliveryQuery {
  startDate?: string;
  endDate?: string;
  patientId?: string;
  payorId?: string;
  timezone?: string;
  page?: number;
  pageSize?: number;
}

/** The body of the 200 of the delivery report. */
export function expectedDelivery(practice: ChecksPractice, query: DeliveryQuery, now: string) {
  const window = windowOf(practice, query, now, (today) => {
    const endDate = today.with({ day: 1 }).subtract({ days: 1 });
    return { startDate: endDate.with({ day: 1 }), endDate };
  });
  const delivered = new Map<string, { encounters: Encounter[]; minutes: number | null }>();
  const entries = practice.authorizations
    .flatMap((authorization) => {
      const patient = practice.patients.find(
        ({ publicId }) => publicId === authorization.patientId,
      )!;
      const pool = practice.authorizationPools.find(
        ({ publicId }) => publicId === authorization.authorizationPoolId,
      );
      const timezone = zoneOf(practice, patient.timezone, query.timezone);
      const isMeant = (record: { authorizationId?: string | null; startTime: string }) => {
        const day = dayOf(record.startTime, timezone);
        return (
          record.authorizationId === authorization.publicId &&
          window.startDate <= day &&
          day <= window.endDate
        );
      };
      const encounters = practice.encounters.filter(isMeant);
      const sessions = practice.sessions.filter(isMeant);
      if (encounters.length + sessions.length === 0) return [];
      const outside = encounters.filter(({ startTime }) =>
        isOutside(dayOf(startTime, timezone), authorization),
      );
      const payorId = pool ? pool.payorId : authorization.payorId;
      const minutes = practice.serviceLines.find(
        ({ publicId }) => publicId === authorization.serviceLineId,
      )!.billingUnitMinutes;
      delivered.set(authorization.publicId, { encounters, minutes });
      return [
        {
          authorizationId: authorization.publicId,
          authorizationNumber: authorization.authorizationNumber,
          poolId: pool?.publicId ?? null,
          payorId,
          payorName: payorId === null ? null : "Acme Health",
          patientId: patient.publicId,
          patientFirstName: patient.firstName,
          patientLastName: patient.lastName,
          internalRecordId: null,
          serviceLinePublicId: authorization.serviceLineId,
          authorizationStartDate: authorization.authorizationDate,
          authorizationEndDate: authorization.authorizationExpirationDate,
          timezone,
          encounters: encounters.length,
          unitsDelivered: sum(encounters.map(({ units }) => units)),
          hoursDelivered: minutes === null ? null : hours([[encounters, minutes]]),
          unitsOutside: sum(outside.map(({ units }) => units)),
          sessions: Object.fromEntries(
            STATUSES.map((status) => [
              status,
              sessions.filter((session) => session.status === status).length,
            ]),
          ),
        },
      ];
    })
    .filter((entry) => query.patientId === undefined || entry.patientId === query.patientId)
    .filter((entry) => query.payorId === undefined || entry.payorId === query.payorId)
    .sort(
      (a, b) => compare(a.patientId, b.patientId) || compare(a.authorizationId, b.authorizationId),
    );
  const { page = 1, pageSize = 25 } = query;
  return {
    ...window,
    totals: {
      encounters: entries.reduce((total, entry) => total + entry.encounters, 0),
      unitsDelivered: sum(entries.map(({ unitsDelivered }) => unitsDelivered)),
      unitsOutside: sum(entries.map(({ unitsOutside }) => unitsOutside)),
    },
    // All payors have one name.
    byPayor: [...new Set(entries.map(({ payorId }) => payorId))]
      .sort((a, b) => (a === null ? 1 : b === null ? -1 : compare(a, b)))
      .map((payorId) => {
        const own = entries.filter((entry) => entry.payorId === payorId);
        const records = own.map((entry) => delivered.get(entry.authorizationId)!);
        const visits = records.filter(({ minutes }) => minutes === null);
        return {
          ...{ payorId, payorName: own[0]!.payorName },
          encounters: own.reduce((total, entry) => total + entry.encounters, 0),
          unitsDelivered: sum(own.map(({ unitsDelivered }) => unitsDelivered)),
          hoursDelivered: hours(
            records.flatMap(({ encounters, minutes }) =>
              minutes === null ? [] : [[encounters, minutes] as const],
            ),
          ),
          visits: sum(visits.flatMap(({ encounters }) => encounters.map(({ units }) => units))),
        };
      }),
    data: entries.slice((page - 1) * pageSize, page * pageSize),
    pagination: {
      page,
      pageSize,
      totalCount: entries.length,
      totalPages: Math.ceil(entries.length / pageSize),
    },
  };
}

/** Adds hundredths as long as at least half of one is left, in millionths of a minute. */
function hours(delivered: (readonly [{ units: number }[], number])[]): number {
  const hundredth = 600_000n;
  const total = delivered
    .flatMap(([encounters, minutes]) =>
      encounters.map(({ units }) => millionths(units) * BigInt(minutes)),
    )
    .reduce((sum, one) => sum + one, 0n);
  const whole = total / hundredth;
  return Number(2n * (total - whole * hundredth) >= hundredth ? whole + 1n : whole) / 100;
}

/** Today is in the organization's zone, even if another zone is requested. */
function windowOf(
  practice: ChecksPractice,
  { startDate, endDate }: { startDate?: string; endDate?: string },
  now: string,
  defaults: (today: Temporal.PlainDate) => Record<"startDate" | "endDate", Temporal.PlainDate>,
) {
  const zone = zoneOf(practice, null, undefined);
  const today = localAt(now, zone).toPlainDate();
  const around = defaults(today);
  return {
    startDate: startDate ?? around.startDate.toString(),
    endDate: endDate ?? around.endDate.toString(),
  };
}

function delivererOf({ isSupervision, technicianId, clinicianId }: ChecksSession): string | null {
  const order = isSupervision ? [clinicianId, technicianId] : [technicianId, clinicianId];
  return order.find((id) => id !== null) ?? null;
}

function present({ isSupervision, technicianId, clinicianId }: ChecksSession): string[] {
  if (isSupervision) return [...new Set([clinicianId, technicianId])].filter((id) => id !== null);
  return [technicianId ?? clinicianId ?? []].flat();
}

function isOfSameClient(one: ChecksSession, other: ChecksSession): boolean {
  return one.clientId !== null && one.clientId === other.clientId;
}

function isPaidPresence({ isBillable, isSupervision }: ChecksSession): boolean {
  return isBillable && !isSupervision;
}

function isOutside(
  day: string,
  dates: { authorizationDate: string; authorizationExpirationDate: string },
): boolean {
  return day < dates.authorizationDate || day > dates.authorizationExpirationDate;
}

function sum(units: number[]): number {
  return Number(units.reduce((total, one) => total + millionths(one), 0n)) / 1_000_000;
}
