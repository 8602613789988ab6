import type { CalendarDate, DateRange } from "../lib/calendar-date.ts";
import type { CountedAuthorization } from "./unit-counter.ts";
import { poolTerm } from "./periods.ts";

/**
 * A subject has units of its own: a standalone authorization, or a pool with its members.
 */
export interface Subject extends SubjectFields {
  kind: "AUTHORIZATION" | "POOL";
  /** Of the standalone authorization or of the pool. */
  publicId: string;
  /** Per complete period; null without a limit. */
  unitsAuthorized: number | null;
  /** From the earliest start of the members to their latest end; undefined for a pool without members. */
  term: DateRange | undefined;
  /** The authorization, or the members of the pool, ordered by start, then id. */
  members: Member[];
}

/** An authorization of a subject. */
export interface Member extends CountedAuthorization {
  authorizationNumber: string;
  authorizationStatus: string;
  serviceLineId: string;
  serviceLineName: string;
  /** Its own units per complete period of the subject; of a member of a pool only if they are for such periods. */
  unitsAuthorized: number | null;
}

/** The fields that all authorizations of a subject share. */
export interface SubjectFields {
  poolId: string | null;
  patientId: string;
  patientFirstName: string;
  patientLastName: string;
  patientIsActive: 0 | 1;
  /** As stored; it may be unsupported. */
  patientTimeZone: string | null;
  internalRecordId: string | null;
  /** The payor of the pool, or of the standalone authorization. */
  payorId: string | null;
  payorName: string | null;
  /** As stored. */
  unitFrequency: string | null;
}

/** An authorization with the fields of its subject. */
export interface AuthorizationRow extends SubjectFields {
  poolUnits: number | null;
  isUnlimited: 0 | 1 | null;
  authorizationId: string;
  authorizationNumber: string;
  authorizationStatus: string;
  startDate: CalendarDate;
  endDate: CalendarDate;
  ownUnits: number | null;
  ownUnitFrequency: string | null;
  serviceLineId: string;
  serviceLineName: string;
  billingUnitMinutes: number | null;
}

/** A pool without members. */
export type EmptyPool = SubjectFields &
  Pick<AuthorizationRow, "poolUnits" | "isUnlimited"> & { poolId: string };

/** Puts together subjects of all their authorizations. */
export function subjectsOf(rows: readonly AuthorizationRow[]): Subject[] {
  const groups = Map.groupBy(rows, ({ poolId, authorizationId }) =>
    poolId === null ? `AUTHORIZATION ${authorizationId}` : `POOL ${poolId}`,
  );
  return [...groups.values()].map((group) => subjectOf(group[0] as AuthorizationRow, group));
}

/** Makes a subject of the fields of its first authorization, or of an empty pool. */
export function subjectOf(
  first: AuthorizationRow | EmptyPool,
  authorizations: readonly AuthorizationRow[],
): Subject {
  const { poolId, poolUnits, isUnlimited } = first;
  const members = authorizations.toSorted(byStart).map(memberOf);
  const term = poolTerm(members.map(({ dates }) => dates));
  if (poolId !== null) {
    const unitsAuthorized = isUnlimited === 1 ? null : poolUnits;
    return { ...first, kind: "POOL", publicId: poolId, unitsAuthorized, term, members };
  }
  const [only] = members;
  if (only === undefined) throw new Error("A subject needs an authorization or a pool");
  const { publicId, unitsAuthorized } = only;
  return { ...first, kind: "AUTHORIZATION", publicId, unitsAuthorized, term, members };
}

function byStart(a: AuthorizationRow, b: AuthorizationRow): number {
  if (a.startDate !== b.startDate) return a.startDate < b.startDate ? -1 : 1;
  return a.authorizationId < b.authorizationId ? -1 : 1;
}

function memberOf(row: AuthorizationRow): Member {
  const { poolId, ownUnits, ownUnitFrequency, unitFrequency, startDate, endDate } = row;
  const isForPeriods = ownUnitFrequency === null || ownUnitFrequency === unitFrequency;
  return {
    publicId: row.authorizationId,
    dates: { startDate, endDate },
    billingUnitMinutes: row.billingUnitMinutes,
    authorizationNumber: row.authorizationNumber,
    authorizationStatus: row.authorizationStatus,
    serviceLineId: row.serviceLineId,
    serviceLineName: row.serviceLineName,
    unitsAuthorized: poolId === null || isForPeriods ? ownUnits : null,
  };
}
