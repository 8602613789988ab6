import {
  dayOf,
  expectedAnswer,
  holdsSlot,
  millionths,
  type Period,
  type Request,
} from "./oracle.ts";
import { leftOf, nameOfLine, type OverviewPractice } from "./overview-oracle.ts";

/**
 * An independent oracle of the summary, based on that of utilization, which finds the periods with all sessions and
 * with only those without encounter. Uses nothing of `src/`.
 */
export function expectedSummary(practice: OverviewPractice, request: Request, now: string) {
  const isOpen = ({ publicId, authorizationId }: OverviewPractice["sessions"][number]) =>
    !practice.encounters.some(
      (one) => one.sessionId === publicId && one.authorizationId === authorizationId,
    );
  const open = practice.sessions.filter(isOpen);
  const answer = expectedAnswer(practice, request, now);
  const ofOpen = expectedAnswer({ ...practice, sessions: open }, request, now);
  const own = practice.authorizations.find((one) => one.publicId === request.publicId);
  const poolId = own ? (own.authorizationPoolId ?? null) : request.publicId;
  const pool = practice.authorizationPools.find((one) => one.publicId === poolId);
  const members = own
    ? [own]
    : practice.authorizations
        .filter((one) => one.authorizationPoolId === poolId)
        .sort((a, b) => (a.publicId < b.publicId ? -1 : 1));
  const patient = practice.patients.find((one) => one.publicId === (own ?? pool)!.patientId)!;

  const periodsOf = (all: Period[], opened: Period[], limit: number | null, isMember: boolean) =>
    all.map(({ startDate, endDate, unitsUtilized, unitsScheduled }, index) => {
      const unitsOpen = opened[index]!.unitsScheduled;
      const committed = millionths(unitsUtilized) + millionths(unitsOpen);
      return {
        ...{ startDate, endDate, unitsAuthorized: limit, unitsUtilized, unitsScheduled, unitsOpen },
        unitsCommitted: Number(committed) / 1_000_000,
        unitsLeft: isMember || limit === null ? null : leftOf(limit, committed),
      };
    });
  const outsideOf = (one: OverviewPractice["authorizations"][number]) => {
    const starts = [...practice.encounters, ...open.filter(holdsSlot)].filter(
      ({ authorizationId }) => authorizationId === one.publicId && patient.isActive,
    );
    const days = starts.map(({ startTime }) => dayOf(startTime, answer.timezone)).sort();
    return {
      before: rangeOf(days.filter((day) => day < one.authorizationDate)),
      after: rangeOf(days.filter((day) => day > one.authorizationExpirationDate)),
    };
  };
  const ofMembers = members.map((one) => {
    const frequency = one.authorizedUnitFrequency ?? null;
    const isForPeriods = !pool || frequency === null || frequency === pool.unitFrequency;
    const limit = isForPeriods ? (one.authorizedUnitsQuantity ?? null) : null;
    const periodsIn = ({ members }: typeof answer) =>
      members.find(({ authorizationPublicId }) => authorizationPublicId === one.publicId)!.periods;
    return {
      authorizationId: one.publicId,
      authorizationNumber: one.authorizationNumber,
      authorizationStatus: one.authorizationStatus,
      serviceLinePublicId: one.serviceLineId,
      serviceLineName: nameOfLine(practice, one.serviceLineId),
      startDate: one.authorizationDate,
      endDate: one.authorizationExpirationDate,
      unitsAuthorized: limit,
      periods: periodsOf(periodsIn(answer), periodsIn(ofOpen), limit, pool !== undefined),
      outside: outsideOf(one),
    };
  });
  const limitOfPool = pool === undefined || pool.isUnlimited ? null : pool.totalUnits;
  const starts = members.map((one) => one.authorizationDate).sort();
  const ends = members.map((one) => one.authorizationExpirationDate).sort();
  const term = { startDate: starts[0] ?? null, endDate: ends.at(-1) ?? null };
  const ofPool = {
    authorizationId: null,
    authorizationNumber: null,
    authorizationStatus: null,
    serviceLinePublicId: null,
    serviceLineName: null,
    ...term,
    unitsAuthorized: limitOfPool,
    periods: periodsOf(answer.pool?.periods ?? [], ofOpen.pool?.periods ?? [], limitOfPool, false),
    outside: null,
  };
  return {
    subject: answer.subject,
    publicId: request.publicId,
    poolId: own ? (pool?.publicId ?? null) : null,
    patientId: patient.publicId,
    patientFirstName: patient.firstName,
    patientLastName: patient.lastName,
    payorId: pool ? "pay_acme" : null,
    payorName: pool ? "Acme Health" : null,
    ...term,
    timezone: answer.timezone,
    unitFrequency: pool ? pool.unitFrequency : own!.authorizedUnitFrequency!,
    unitsAuthorized: own ? ofMembers[0]!.unitsAuthorized : limitOfPool,
    series: own ? ofMembers : [ofPool, ...ofMembers],
  };
}

function rangeOf(days: string[]) {
  const [firstDate] = days;
  const lastDate = days.at(-1);
  return firstDate === undefined ? null : { records: days.length, firstDate, lastDate };
}

/** How a session counts, for its own authorization's term, by days of the zone. */
export function expectedSession(practice: OverviewPractice, sessionId: string, zone: string) {
  const session = practice.sessions.find(({ publicId }) => publicId === sessionId)!;
  const own = practice.authorizations.find(({ publicId }) => publicId === session.authorizationId);
  const day = dayOf(session.startTime, zone);
  const counts =
    own !== undefined &&
    holdsSlot(session) &&
    own.authorizationDate <= day &&
    day <= own.authorizationExpirationDate;
  return { counts, poolId: own?.authorizationPoolId ?? null };
}
