import { expectedAnswer, millionths, type Period, type Practice } from "./oracle.ts";
import { localAt } from "../lib/zoned.ts";

/**
 * An independent oracle of the overview, based on that of utilization, which finds the period of a day and its units,
 * with all sessions and with only those without encounter. The rest is computed here as simply as possible, with
 * nothing of `src/`.
 */
export interface OverviewPractice extends Practice {
  organization: { weekStartsOn?: string | null; timezone?: string | null };
  patients: {
    publicId: string;
    firstName: string;
    lastName: string;
    isActive: boolean;
    timezone?: string | null;
  }[];
  serviceLines: (Practice["serviceLines"][number] & { name?: string })[];
  authorizationPools: (Practice["authorizationPools"][number] & {
    totalUnits: number;
    isUnlimited: boolean;
  })[];
  authorizations: (Practice["authorizations"][number] & {
    authorizationNumber: string;
    authorizationStatus: string;
    authorizedUnitsQuantity?: number | null;
  })[];
  sessions: (Practice["sessions"][number] & { publicId: string })[];
  encounters: (Practice["encounters"][number] & { sessionId?: string | null })[];
}

export interface OverviewQuery {
  date?: string;
  timezone?: string;
  patientId?: string;
  minShare?: string;
  maxShare?: string;
  sort?: string;
  page?: number;
  pageSize?: number;
}

/** The body of the 200. */
export function expectedOverview(practice: OverviewPractice, query: OverviewQuery, now: string) {
  const found = entries(practice, query, now)
    .filter((entry) => passes(entry.share, query))
    .sort((a, b) => order(a, b, query.sort ?? "-share"));
  const { page = 1, pageSize = 25 } = query;
  return {
    data: found.slice((page - 1) * pageSize, page * pageSize),
    pagination: {
      page,
      pageSize,
      totalCount: found.length,
      totalPages: Math.ceil(found.length / pageSize),
    },
  };
}

type Entry = ReturnType<typeof entries>[number];

function entries(practice: OverviewPractice, query: OverviewQuery, now: string) {
  const pooled = practice.authorizationPools.map((pool) => ({
    subject: "POOL",
    publicId: pool.publicId,
    patientId: pool.patientId,
    members: practice.authorizations.filter((one) => one.authorizationPoolId === pool.publicId),
    unitFrequency: pool.unitFrequency,
    unitsAuthorized: pool.isUnlimited ? null : pool.totalUnits,
    ...{ authorizationNumber: null, authorizationStatus: null, serviceLinePublicId: null },
    ...{ payorId: "pay_acme", payorName: "Acme Health" },
  }));
  const alone = practice.authorizations
    .filter((one) => (one.authorizationPoolId ?? null) === null)
    .map((one) => ({
      subject: "AUTHORIZATION",
      publicId: one.publicId,
      patientId: one.patientId,
      members: [one],
      unitFrequency: one.authorizedUnitFrequency,
      unitsAuthorized: one.authorizedUnitsQuantity ?? null,
      authorizationNumber: one.authorizationNumber,
      authorizationStatus: one.authorizationStatus,
      serviceLinePublicId: one.serviceLineId,
      ...{ payorId: null, payorName: null },
    }));
  return [...pooled, ...alone].flatMap(({ members, ...subject }) => {
    const patient = practice.patients.find((one) => one.publicId === subject.patientId)!;
    if (!patient.isActive || members.length === 0) return [];
    if (query.patientId !== undefined && query.patientId !== patient.publicId) return [];
    const timezone = zoneOf(practice, patient.timezone, query.timezone);
    const date = query.date ?? localAt(now, timezone).toPlainDate().toString();
    const startDate = members.map((one) => one.authorizationDate).sort()[0]!;
    const endDate = members
      .map((one) => one.authorizationExpirationDate)
      .sort()
      .at(-1)!;
    if (date < startDate || date > endDate) return [];

    const ask = { publicId: subject.publicId, startDate: date, endDate: date, timezone };
    const periodOf = (counted: Practice): Period => {
      const answer = expectedAnswer(counted, ask, now);
      return (answer.pool ?? answer.members[0]!).periods[0]!;
    };
    const period = periodOf(practice);
    const isNamed = (session: OverviewPractice["sessions"][number]) =>
      practice.encounters.some(
        (encounter) =>
          encounter.sessionId === session.publicId &&
          encounter.authorizationId === session.authorizationId,
      );
    const openSessions = practice.sessions.filter((session) => !isNamed(session));
    const withOpenSessions = { ...practice, sessions: openSessions };
    const unitsOpen = periodOf(withOpenSessions).unitsScheduled;
    const committed = millionths(period.unitsUtilized) + millionths(unitsOpen);
    const { unitsAuthorized } = subject;
    return [
      {
        ...subject,
        patientFirstName: patient.firstName,
        patientLastName: patient.lastName,
        startDate,
        endDate,
        timezone,
        period,
        unitsOpen,
        unitsCommitted: Number(committed) / 1_000_000,
        unitsLeft: unitsAuthorized === null ? null : leftOf(unitsAuthorized, committed),
        services: members
          .map((member) => ({
            authorizationId: member.publicId,
            serviceLinePublicId: member.serviceLineId,
            serviceLineName: nameOfLine(practice, member.serviceLineId),
          }))
          .sort((a, b) => (a.authorizationId < b.authorizationId ? -1 : 1)),
        overFrom:
          unitsAuthorized === null
            ? null
            : firstOver(withOpenSessions, { ...ask, startDate: period.endDate }, endDate, {
                after: period.endDate,
                limit: millionths(unitsAuthorized),
                now,
              }),
        share:
          unitsAuthorized === null || unitsAuthorized === 0
            ? null
            : inTenThousandths(committed, millionths(unitsAuthorized)),
        elapsedShare: inTenThousandths(
          daysFrom(period.startDate, date),
          daysFrom(period.startDate, period.endDate),
        ),
      },
    ];
  });
}

/** Service lines without a name get this one by `recordsOf`. */
export function nameOfLine({ serviceLines }: OverviewPractice, id: string): string {
  return serviceLines.find(({ publicId }) => publicId === id)?.name ?? "Therapy";
}

/** The first day of the first period behind `after` that has more units than the limit. Looks at a year at a time. */
function firstOver(
  practice: Practice,
  ask: Parameters<typeof expectedAnswer>[1] & { startDate: string },
  endOfTerm: string,
  over: { after: string; limit: bigint; now: string },
): string | null {
  for (let { startDate } = ask; startDate <= endOfTerm;) {
    const until = Temporal.PlainDate.from(startDate).add({ years: 1 }).toString();
    const endDate = until < endOfTerm ? until : endOfTerm;
    const answer = expectedAnswer(practice, { ...ask, startDate, endDate }, over.now);
    const found = (answer.pool ?? answer.members[0]!).periods.find(
      (period) =>
        period.startDate > over.after &&
        millionths(period.unitsUtilized) + millionths(period.unitsScheduled) > over.limit,
    );
    if (found !== undefined) return found.startDate;
    startDate = Temporal.PlainDate.from(endDate).add({ days: 1 }).toString();
  }
  return null;
}

export function leftOf(authorized: number, committed: bigint): number {
  const left = millionths(authorized) - committed;
  return left < 0n ? 0 : Number(left) / 1_000_000;
}

/** Zones in tests that the IANA database does not have. */
export const UNSUPPORTED_ZONES = ["Eastern Time", "Central Time", "+05:00"];

export function zoneOf(
  { organization }: OverviewPractice,
  patientZone: string | null | undefined,
  asked: string | undefined,
): string {
  const isSupported = (zone: string | null | undefined): zone is string =>
    zone !== null && zone !== undefined && !UNSUPPORTED_ZONES.includes(zone);
  return [asked, patientZone, organization.timezone].find(isSupported) ?? "UTC";
}

function passes(share: number | null, { minShare, maxShare }: OverviewQuery): boolean {
  if (minShare === undefined && maxShare === undefined) return true;
  if (share === null) return false;
  return Number(minShare ?? 0) <= share && share <= Number(maxShare ?? Number.POSITIVE_INFINITY);
}

function order(a: Entry, b: Entry, sort: string): number {
  const sign = sort.startsWith("-") ? -1 : 1;
  const byId = a.publicId < b.publicId ? -1 : 1;
  if (sort.endsWith("endDate"))
    return a.endDate === b.endDate ? byId : a.endDate < b.endDate ? -sign : sign;
  if (a.share === null || b.share === null)
    return a.share === b.share ? byId : a.share === null ? 1 : -1;
  return a.share === b.share ? byId : a.share < b.share ? -sign : sign;
}

/** The number of days between two dates, both included, counted one by one. */
function daysFrom(first: string, last: string): bigint {
  let days = 1n;
  for (let day = Temporal.PlainDate.from(first); day.toString() < last; day = day.add({ days: 1 }))
    days += 1n;
  return days;
}

/** Subtracts ten-thousandths as long as at least half of one is left. */
function inTenThousandths(part: bigint, whole: bigint): number {
  const quotient = (part * 10_000n) / whole;
  const isHalfOrMore = (part * 10_000n - quotient * whole) * 2n >= whole;
  return Number(quotient + (isHalfOrMore ? 1n : 0n)) / 10_000;
}
