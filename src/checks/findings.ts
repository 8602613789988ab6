import type { CalendarDate } from "../lib/calendar-date.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { compare } from "../lib/compare.ts";
import { sortInPieces } from "../lib/turns.ts";
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
  /** The term of the authorization, or of the pool that the finding is about. */
  authorizationStartDate: CalendarDate | null;
  authorizationEndDate: CalendarDate | null;
  units: number | null;
  message: string;
  /** Patients of the overlapped sessions that are in `sessionIds`, for the audit trail. */
  overlappedPatientIds?: string[];
}

export interface FindingFilter {
  patientId?: string | undefined;
  providerId?: string | undefined;
  payorId?: string | undefined;
}

/** The findings of a report: those of the requested checks that match the filter. */
export class Findings {
  readonly #totals: Map<CheckName, number>;
  readonly #byDate = new Map<CalendarDate, Finding[]>();

  /** @param checks the requested ones. */
  constructor(
    checks: ReadonlySet<CheckName>,
    private readonly filter: FindingFilter,
  ) {
    const requested = checkNames.filter((name) => checks.has(name));
    this.#totals = new Map(requested.map((name) => [name, 0]));
  }

  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const { check, date } = finding;
      const total = this.#totals.get(check);
      if (total === undefined || !passes(finding, this.filter)) continue;
      this.#totals.set(check, total + 1);
      const sameDay = this.#byDate.get(date);
      if (sameDay === undefined) this.#byDate.set(date, [finding]);
      else sameDay.push(finding);
    }
  }

  /** The number of findings of each requested check, in order. */
  get totals(): Partial<Record<CheckName, number>> {
    return Object.fromEntries(this.#totals);
  }

  get count(): number {
    return [...this.#totals.values()].reduce((sum, total) => sum + total, 0);
  }

  /** The findings from one position to another, in order. Only their days are sorted. */
  async slice(from: number, to: number): Promise<Finding[]> {
    const shown: Finding[][] = [];
    let position = 0;
    for (const date of [...this.#byDate.keys()].sort()) {
      const findings = this.#byDate.get(date) ?? [];
      const [first, last] = [from - position, to - position];
      if (first < findings.length && last > 0)
        shown.push((await sortInPieces(findings, compareFindings)).slice(Math.max(first, 0), last));
      position += findings.length;
    }
    return shown.flat();
  }
}

/** Whether a finding matches the filter. Findings without a filtered field do not match. */
function passes(finding: Finding, filter: FindingFilter): boolean {
  return (
    (filter.patientId === undefined || finding.patientId === filter.patientId) &&
    (filter.providerId === undefined || finding.providerId === filter.providerId) &&
    (filter.payorId === undefined || finding.payorId === filter.payorId)
  );
}

const places = new Map(checkNames.map((name, index) => [name, index]));

/** Compares findings of a day by check, and then their subjects, by code unit, with missing values first. */
function compareFindings(a: Finding, b: Finding): number {
  return (
    compare(places.get(a.check) ?? 0, places.get(b.check) ?? 0) ||
    compareLists(a.sessionIds, b.sessionIds) ||
    compareLists(a.encounterIds, b.encounterIds) ||
    compare(a.authorizationId ?? "", b.authorizationId ?? "") ||
    compare(a.poolId ?? "", b.poolId ?? "") ||
    compare(a.providerId ?? "", b.providerId ?? "")
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
