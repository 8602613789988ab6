import { localAt, startOf } from "../lib/zoned.ts";

/**
 * An independent oracle of the utilization endpoint, as simple as possible: it walks the authorization day by day with
 * `Temporal`, scans all records for each day, and detects where a new period begins. It uses nothing of `src/`, so the
 * two agree only if both are right.
 *
 * Records have the fields of the practice file, with dates of four-digit years that end before 9999. Other fields are
 * ignored, so the same records can be imported and queried over HTTP.
 */
export interface Practice {
  organization: { weekStartsOn?: string | null };
  patients: { publicId: string; timezone?: string | null }[];
  serviceLines: { publicId: string; billingUnitMinutes: number | null }[];
  authorizationPools: { publicId: string; patientId: string; unitFrequency: string }[];
  authorizations: Authorization[];
  sessions: {
    authorizationId?: string | null;
    startTime: string;
    endTime: string;
    status: string;
  }[];
  encounters: { authorizationId: string; startTime: string; units: number }[];
}

interface Authorization {
  publicId: string;
  patientId: string;
  authorizationPoolId?: string | null;
  authorizedUnitFrequency?: string | null;
  serviceLineId: string;
  authorizationDate: string;
  authorizationExpirationDate: string;
}

export interface Request {
  publicId: string;
  startDate?: string;
  endDate?: string;
  timezone?: string;
}

export interface Period {
  startDate: string;
  endDate: string;
  unitsUtilized: number;
  unitsScheduled: number;
}

export interface Answer {
  subject: "AUTHORIZATION" | "POOL";
  publicId: string;
  startDate: string;
  endDate: string;
  timezone: string;
  pool: { poolPublicId: string; periods: Period[] } | null;
  members: { authorizationPublicId: string; serviceLinePublicId: string; periods: Period[] }[];
}

/** The body of the 200. Errors are not covered; for some invalid requests it throws. */
export function expectedAnswer(practice: Practice, request: Request, now: string): Answer {
  const asked = practice.authorizations.find((one) => one.publicId === request.publicId);
  const poolId = asked ? asked.authorizationPoolId : request.publicId;
  const pool = practice.authorizationPools.find((one) => one.publicId === poolId);
  const patientId = (asked ?? pool)!.patientId;
  const patient = practice.patients.find((one) => one.publicId === patientId);
  const zone = request.timezone ?? patient!.timezone!;
  const members = pool
    ? practice.authorizations
        .filter((one) => one.authorizationPoolId === pool.publicId)
        .sort(
          (a, b) =>
            compare(a.authorizationDate, b.authorizationDate) || compare(a.publicId, b.publicId),
        )
    : [asked!];

  const window = expectedWindow(request, asked ? [asked] : members, now, zone);
  const frequency = (pool ? pool.unitFrequency : asked!.authorizedUnitFrequency)!;
  const weekStartsOn = practice.organization.weekStartsOn ?? "SUNDAY";
  const periodsOf = (term: Authorization[], counted: Authorization[]): Period[] =>
    periods(practice, daysOf(term), counted, frequency, weekStartsOn, zone).filter((period) =>
      overlaps(period, window),
    );

  return {
    subject: asked ? "AUTHORIZATION" : "POOL",
    publicId: request.publicId,
    ...window,
    timezone: zone,
    pool: pool ? { poolPublicId: pool.publicId, periods: periodsOf(members, members) } : null,
    members: members.map((member) => ({
      authorizationPublicId: member.publicId,
      serviceLinePublicId: member.serviceLineId,
      periods: periodsOf([member], [member]),
    })),
  };
}

function expectedWindow(
  request: Request,
  asked: Authorization[],
  now: string,
  zone: string,
): { startDate: string; endDate: string } {
  const today = localAt(now, zone).toPlainDate();
  const starts = asked.map((one) => one.authorizationDate).sort(compare);
  const start = Temporal.PlainDate.from(request.startDate ?? starts[0] ?? today);
  const end = Temporal.PlainDate.from(request.endDate ?? today.add({ weeks: 6 }));
  const limit = start.add({ years: 1 });
  const shortened = Temporal.PlainDate.compare(end, limit) > 0 ? limit : end;
  return { startDate: start.toString(), endDate: shortened.toString() };
}

/** All periods of these days, regardless of the window. */
function periods(
  practice: Practice,
  days: Temporal.PlainDate[],
  counted: Authorization[],
  frequency: string,
  weekStartsOn: string,
  zone: string,
): Period[] {
  const found: { days: Temporal.PlainDate[]; utilized: bigint; scheduled: bigint }[] = [];
  for (const day of days) {
    if (found.length === 0 || beginsPeriod(day, frequency, weekStartsOn)) {
      found.push({ days: [], utilized: 0n, scheduled: 0n });
    }
    const period = found.at(-1)!;
    period.days.push(day);
    for (const authorization of counted) {
      const units = unitsOn(practice, authorization, day, zone);
      period.utilized += units.utilized;
      period.scheduled += units.scheduled;
    }
  }
  return found.map((period) => ({
    startDate: period.days[0]!.toString(),
    endDate: period.days.at(-1)!.toString(),
    unitsUtilized: toUnits(period.utilized),
    unitsScheduled: toUnits(period.scheduled),
  }));
}

/** As numbered by `Temporal`, from 1. */
const WEEK_DAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];

function beginsPeriod(day: Temporal.PlainDate, frequency: string, weekStartsOn: string): boolean {
  switch (frequency) {
    case "DAILY":
      return true;
    case "WEEKLY":
      return WEEK_DAYS[day.dayOfWeek - 1] === weekStartsOn;
    case "MONTHLY":
      return day.day === 1;
    case "YEARLY":
      return day.day === 1 && day.month === 1;
    case "TOTAL":
      return false;
    default:
      throw new Error(`no frequency: ${frequency}`);
  }
}

/** The units that start on the day and count for the authorization, in millionths. */
function unitsOn(
  practice: Practice,
  authorization: Authorization,
  day: Temporal.PlainDate,
  zone: string,
): { utilized: bigint; scheduled: bigint } {
  let utilized = 0n;
  let scheduled = 0n;
  if (day.toString() < authorization.authorizationDate) return { utilized, scheduled };
  if (day.toString() > authorization.authorizationExpirationDate) return { utilized, scheduled };

  const from = startOf(day, zone);
  const until = startOf(day.add({ days: 1 }), zone);
  const startsToday = (record: { authorizationId?: string | null; startTime: string }) => {
    if (record.authorizationId !== authorization.publicId) return false;
    const start = Temporal.Instant.from(record.startTime).epochMilliseconds;
    return from <= start && start < until;
  };

  for (const encounter of practice.encounters.filter(startsToday)) {
    utilized += millionths(encounter.units);
  }
  const line = practice.serviceLines.find((one) => one.publicId === authorization.serviceLineId);
  for (const session of practice.sessions.filter(startsToday)) {
    if (!holdsSlot(session)) continue;
    scheduled += 1_000_000n * unitsOf(session, line!.billingUnitMinutes);
  }
  return { utilized, scheduled };
}

/** Adds units as long as the session reaches the middle of the next one. */
function unitsOf(
  session: { startTime: string; endTime: string },
  billingUnitMinutes: number | null,
): bigint {
  if (billingUnitMinutes === null) return 1n;
  const { minutes } = Temporal.Instant.from(session.startTime).until(session.endTime, {
    largestUnit: "minutes",
    smallestUnit: "minutes",
  });
  let units = 0;
  while (minutes >= units * billingUnitMinutes + billingUnitMinutes / 2) units++;
  return BigInt(units);
}

export function millionths(units: number): bigint {
  return BigInt(units.toFixed(6).replace(".", ""));
}

function toUnits(millionths: bigint): number {
  const digits = millionths.toString().padStart(7, "0");
  return Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`);
}

/** From the earliest start to the latest expiration. */
function daysOf(authorizations: Authorization[]): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = [];
  const last = authorizations
    .map((one) => one.authorizationExpirationDate)
    .sort(compare)
    .at(-1);
  let day = authorizations.map((one) => one.authorizationDate).sort(compare)[0];
  while (day !== undefined && last !== undefined && day <= last) {
    const date = Temporal.PlainDate.from(day);
    days.push(date);
    day = date.add({ days: 1 }).toString();
  }
  return days;
}

function overlaps(period: Period, window: { startDate: string; endDate: string }): boolean {
  for (
    let day = Temporal.PlainDate.from(period.startDate);
    day.toString() <= period.endDate;
    day = day.add({ days: 1 })
  ) {
    if (window.startDate <= day.toString() && day.toString() <= window.endDate) return true;
  }
  return false;
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function holdsSlot({ status }: { status: string }): boolean {
  return ["CONFIRMED", "UNCONFIRMED", "REQUESTED_TO_CANCEL"].includes(status);
}

/** The day that has begun at an instant and not ended. */
export function dayOf(instant: string, zone: string): string {
  let day = localAt(instant, zone).toPlainDate().subtract({ days: 2 });
  const nextStarts = () => startOf(day.add({ days: 1 }), zone);
  while (nextStarts() <= Date.parse(instant)) day = day.add({ days: 1 });
  return day.toString();
}
