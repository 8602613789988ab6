import type { CalendarDate } from "../lib/calendar-date.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { type CheckName, checkNames } from "./checks.ts";

/** A finding, without names of people. */
export interface Finding {
  check: CheckName;
  date: CalendarDate;
  timezone: TimeZone;
  patientId: string | null;
  providerId: string | null;
  /** Ordered by start, then id. */
  sessionIds: string[];
  encounterIds: string[];
  authorizationId: string | null;
  poolId: string | null;
  payorId: string | null;
  units: number | null;
  message: string;
  /** Patients of overlapped sessions, for the audit trail. */
  overlappedPatientIds?: string[];
}

export interface FindingFilter {
  patientId?: string | undefined;
  providerId?: string | undefined;
  payorId?: string | undefined;
}

/** Whether a finding matches the filter. Findings without a filtered field do not match. */
export function passes(finding: Finding, filter: FindingFilter): boolean {
  return (
    (filter.patientId === undefined || finding.patientId === filter.patientId) &&
    (filter.providerId === undefined || finding.providerId === filter.providerId) &&
    (filter.payorId === undefined || finding.payorId === filter.payorId)
  );
}

const places = new Map(checkNames.map((name, index) => [name, index]));

/** Compares findings by date, check, and then their subjects, by code unit, with missing values first. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    compare(a.date, b.date) ||
    compare(places.get(a.check) ?? 0, places.get(b.check) ?? 0) ||
    compareLists(a.sessionIds, b.sessionIds) ||
    compareLists(a.encounterIds, b.encounterIds) ||
    compare(a.authorizationId ?? "", b.authorizationId ?? "") ||
    compare(a.poolId ?? "", b.poolId ?? "")
  );
}

/** Compares records of findings by start, then id. */
export function byStart(
  a: { startTime: string; publicId: string },
  b: { startTime: string; publicId: string },
): number {
  return compare(a.startTime, b.startTime) || compare(a.publicId, b.publicId);
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  const place = a.findIndex((id, index) => id !== b[index]);
  return place === -1 ? a.length - b.length : compare(a[place] ?? "", b[place] ?? "");
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
