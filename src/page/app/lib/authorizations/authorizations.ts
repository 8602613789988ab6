import { dateText } from "../base/format.ts";
import { type CalendarDate, type DateRange, rangeOf, today, type TimeZone } from "../base/dates.ts";
import type {
  Frequency,
  OverviewEntry,
  SummarySeries,
  User,
  UtilizationSummary,
} from "../base/wire.ts";

/** Authorizations and pools of a patient's record. */

export type Patient = Extract<User, { role: "PATIENT" }>;

export interface Authorization extends DateRange {
  publicId: string;
  number: string;
  status: string;
  serviceLine: { publicId: string; name: string };
  /** The frequency of its units; for a member, that of the pool. */
  frequency: Frequency;
  /** Null for a member of a pool, which uses the pool's units. */
  units: number | null;
  poolId: string | null;
}

/** All authorizations of a patient, members of pools first. */
export function authorizationsOf(patient: Patient): Authorization[] {
  return [
    ...patient.authorizationPools.flatMap((pool) =>
      pool.authorizations.map((member) => ({
        ...common(member),
        frequency: pool.unitFrequency as Frequency,
        units: null,
        poolId: pool.publicId,
      })),
    ),
    ...patient.authorizations.map((authorization) => ({
      ...common(authorization),
      frequency: authorization.authorizedUnitFrequency as Frequency,
      units: authorization.authorizedUnitsQuantity,
      poolId: null,
    })),
  ];
}

function common(entry: Patient["authorizationPools"][number]["authorizations"][number]) {
  return {
    publicId: entry.publicId,
    number: entry.authorizationNumber,
    status: entry.authorizationStatus,
    serviceLine: entry.serviceLine,
    startDate: entry.authorizationDate,
    endDate: entry.authorizationExpirationDate,
  };
}

/** What is left of an authorization, of a member of a pool what its pool has; null without a limit, or if it is not known. */
export function unitsLeftOf(
  { publicId, poolId }: Authorization,
  entries: readonly OverviewEntry[],
): number | null {
  return entries.find((entry) => entry.publicId === (poolId ?? publicId))?.unitsLeft ?? null;
}

/** The displayed name of a pool, which has no name of its own. */
export function poolName(pool: Patient["authorizationPools"][number]): string {
  return `Shared pool, ${pool.payor.name}`;
}

/** From the earliest start of a pool's members to their latest end; undefined without members. */
export function termOfPool(members: readonly DateRange[]): DateRange | undefined {
  return rangeOf(members.flatMap(({ startDate, endDate }) => [startDate, endDate]));
}

/** From its first to its last day; undefined for a pool without members. */
export function termOf(days: { [Day in keyof DateRange]: CalendarDate | null }):
  DateRange | undefined {
  const { startDate, endDate } = days;
  return startDate === null || endDate === null ? undefined : { startDate, endDate };
}

/** An authorization of a summary, on which sessions can be booked. */
export interface Bookable {
  id: string;
  serviceLine: string;
  /** Of its service. */
  name: string;
  term: DateRange | undefined;
  series: SummarySeries;
}

/** The authorizations among the series: the pool's own is none. */
export function authorizationsIn({ series }: UtilizationSummary): Bookable[] {
  return series.flatMap((each) => {
    const { authorizationId, serviceLinePublicId, serviceLineName } = each;
    if (authorizationId === null || serviceLinePublicId === null) return [];
    const name = serviceLineName ?? serviceLinePublicId;
    return [
      {
        id: authorizationId,
        serviceLine: serviceLinePublicId,
        name,
        term: termOf(each),
        series: each,
      },
    ];
  });
}

/** `ended Nov 30, 2026` or `begins Jan 7, 2027`; undefined if it includes today. */
export function outsideTermText(
  { startDate, endDate }: DateRange,
  zone: TimeZone,
): string | undefined {
  const day = today(zone);
  if (endDate < day) return `ended ${dateText(endDate)}`;
  return startDate > day ? `begins ${dateText(startDate)}` : undefined;
}

/** A name, followed by that text: `Family guidance (97156), ended Nov 30, 2026`. */
export function withOutsideTerm(name: string, term: DateRange | undefined, zone: TimeZone): string {
  return [name, term && outsideTermText(term, zone)].filter(Boolean).join(", ");
}

/** `after its end, Nov 30, 2026` for such a day; less detail if the dates are unknown. */
export function outsideText(day: CalendarDate, term: DateRange | undefined): string {
  if (term === undefined) return "outside the dates of the authorization";
  return day > term.endDate
    ? `after its end, ${dateText(term.endDate)}`
    : `before its start, ${dateText(term.startDate)}`;
}
