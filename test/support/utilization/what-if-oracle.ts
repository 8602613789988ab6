import { expectedAnswer, type Period, type Practice, dayOf, millionths } from "./oracle.ts";
import type { OverviewPractice } from "./overview-oracle.ts";

export interface Question {
  timezone?: string;
  add: { startTime: string; endTime: string }[];
  cancel: string[];
}

/**
 * An independent oracle of the what-if, based on that of utilization: it computes the period of each affected day
 * twice, for the practice as it is and with the changes, without delivered sessions.
 */
export function expectedWhatIf(practice: OverviewPractice, publicId: string, question: Question) {
  const authorization = practice.authorizations.find((one) => one.publicId === publicId)!;
  const patient = practice.patients.find((one) => one.publicId === authorization.patientId)!;
  const zone = question.timezone ?? patient.timezone!;
  const pool = practice.authorizationPools.find(
    (one) => one.publicId === authorization.authorizationPoolId,
  );
  const isOwn = (day: string) =>
    authorization.authorizationDate <= day && day <= authorization.authorizationExpirationDate;
  const isInside = ({ startTime }: { startTime: string }) => isOwn(dayOf(startTime, zone));
  const added = question.add.filter(isInside).map((session) => ({
    ...session,
    authorizationId: publicId,
    status: "CONFIRMED",
  }));
  const cancelled = practice.sessions.filter((one) => question.cancel.includes(one.publicId));
  const isOpen = (session: OverviewPractice["sessions"][number]) =>
    !practice.encounters.some((encounter) => encounter.sessionId === session.publicId);
  const open = practice.sessions.filter(isOpen);
  const before = { ...practice, sessions: open };
  const after = {
    ...practice,
    sessions: [...open.filter((one) => !cancelled.includes(one)), ...added],
  };

  const addedDays = added.map((session) => dayOf(session.startTime, zone));
  const days = [...addedDays, ...cancelled.map((session) => dayOf(session.startTime, zone))].sort();
  const answerOn = (counted: Practice, day: string) =>
    expectedAnswer(
      counted,
      { publicId, startDate: day, endDate: day, timezone: zone },
      `${day}T12:00:00Z`,
    );
  const ownPeriod = (counted: Practice, day: string) =>
    answerOn(counted, day).members.find((one) => one.authorizationPublicId === publicId)!
      .periods[0];
  const poolPeriod = (counted: Practice, day: string) => answerOn(counted, day).pool!.periods[0];

  const compared = (
    read: (counted: Practice, day: string) => Period | undefined,
    unitsAuthorized: number | null,
  ) => {
    const periods = new Map<string, ReturnType<typeof compare>>();
    for (const day of days) {
      const period = read(before, day);
      if (period !== undefined)
        periods.set(period.startDate, compare(period, read(after, day)!, unitsAuthorized));
    }
    return [...periods.values()];
  };
  const isForPeriods =
    pool === undefined ||
    [null, undefined, pool.unitFrequency].includes(authorization.authorizedUnitFrequency);
  const periods = compared(
    ownPeriod,
    isForPeriods ? (authorization.authorizedUnitsQuantity ?? null) : null,
  );
  const poolPeriods =
    pool === undefined ? null : compared(poolPeriod, pool.isUnlimited ? null : pool.totalUnits);
  const outside = question.add.flatMap((session, index) => (isInside(session) ? [] : [index]));
  const tooFull = [...periods, ...(poolPeriods ?? [])].filter(
    (period) =>
      addedDays.some((day) => period.startDate <= day && day <= period.endDate) &&
      period.unitsOver > 0 &&
      period.unitsAfter > period.unitsCommitted,
  );
  return {
    authorizationPublicId: publicId,
    poolPublicId: pool?.publicId ?? null,
    timezone: zone,
    fits: outside.length === 0 && tooFull.length === 0,
    periods,
    poolPeriods,
    outside,
  };
}

function compare(before: Period, after: Period, unitsAuthorized: number | null) {
  const over = unitsAuthorized === null ? 0n : committed(after) - millionths(unitsAuthorized);
  return {
    startDate: before.startDate,
    endDate: before.endDate,
    unitsAuthorized,
    unitsCommitted: Number(committed(before)) / 1_000_000,
    unitsAfter: Number(committed(after)) / 1_000_000,
    unitsOver: over > 0n ? Number(over) / 1_000_000 : 0,
  };
}

function committed({ unitsUtilized, unitsScheduled }: Period): bigint {
  return [unitsUtilized, unitsScheduled].map(millionths).reduce((sum, units) => sum + units);
}
