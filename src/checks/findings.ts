import type { CalendarDate } from "../lib/calendar-date.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { compare } from "../lib/compare.ts";
import { remembered } from "../lib/remembered.ts";
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
  goalId?: string;
  /** Patients of the overlapped sessions that are in `sessionIds`, for the audit trail. */
  overlappedPatientIds?: string[];
}

export interface FindingFilter {
  patientId?: string | undefined;
  providerId?: string | undefined;
  payorId?: string | undefined;
}

/** What a check has found: what is counted of it, and how the finding is made. */
export interface Found extends Pick<
  Finding,
  "check" | "date" | "patientId" | "providerId" | "payorId"
> {
  /** Call it before anything else is looked at. */
  make(): Finding;
}

/** Takes what is found, in any order. */
export interface Sink {
  add(found: Found): void;
  /** Whether findings of a check on a day are kept: if not, they need not be made. */
  keeps(place: Pick<Finding, "check" | "date">): boolean;
}

/** Passes on only what belongs to some checks and matches the filter. */
export function matching(checks: ReadonlySet<CheckName>, filter: FindingFilter, sink: Sink): Sink {
  return {
    keeps: (place) => sink.keeps(place),
    add(found) {
      if (checks.has(found.check) && passes(found, filter)) sink.add(found);
    },
  };
}

/** Findings of one check on one day: those from one position to another, in their order. */
interface Part {
  date: CalendarDate;
  check: CheckName;
  from: number;
  to: number;
  /** All of them. */
  count: number;
}

/** Keeps all findings. */
export class AllFindings implements Sink {
  readonly #findings: Finding[] = [];

  add(found: Found): void {
    this.#findings.push(found.make());
  }

  keeps(): boolean {
    return true;
  }

  /** In the order of the report. */
  get findings(): Finding[] {
    return this.#findings.toSorted(
      (a, b) =>
        compare(a.date, b.date) ||
        checkNames.indexOf(a.check) - checkNames.indexOf(b.check) ||
        compareFindings(a, b),
    );
  }
}

/** The numbers of findings, of which none is kept. */
export class FindingCounts implements Sink {
  readonly #byDate = new Map<CalendarDate, Map<CheckName, number>>();

  /** @param checks the requested ones. */
  constructor(private readonly checks: ReadonlySet<CheckName>) {}

  add({ check, date }: Found): void {
    const counts = remembered(this.#byDate, date, () => new Map<CheckName, number>());
    counts.set(check, (counts.get(check) ?? 0) + 1);
  }

  keeps(): boolean {
    return false;
  }

  /** The number of findings of each requested check, in order. */
  get totals(): Partial<Record<CheckName, number>> {
    const totals = checkNames
      .filter((name) => this.checks.has(name))
      .map((name) => [name, sumOf([...this.#byDate.values()].map((day) => day.get(name) ?? 0))]);
    return Object.fromEntries(totals);
  }

  get count(): number {
    return sumOf([...this.#byDate.values()].flatMap((day) => [...day.values()]));
  }

  /** Where the findings from one position to another are. */
  parts(from: number, to: number): Part[] {
    const parts: Part[] = [];
    let position = 0;
    for (const date of [...this.#byDate.keys()].sort())
      for (const check of checkNames) {
        const count = this.#byDate.get(date)?.get(check) ?? 0;
        const [first, last] = [Math.max(0, from - position), Math.min(count, to - position)];
        if (first < last) parts.push({ date, check, from: first, to: last, count });
        position += count;
      }
    return parts;
  }
}

/** A quarter more findings than are needed, and so many, are kept before they are sorted. */
const FINDINGS_OF_PIECE = 1_000;

/** Keeps the findings of some parts: of a long one those up to the part's end, or from its start on if these are fewer. */
export class FindingParts implements Sink {
  readonly #parts: ReadonlyMap<string, KeptPart>;

  constructor(parts: readonly Part[]) {
    this.#parts = new Map(
      parts.map((part) => {
        const { from, to, count } = part;
        const isFromEnd = count - from < to;
        const needed = isFromEnd ? count - from : to;
        return [keyOf(part), { ...part, isFromEnd, needed, findings: [] }];
      }),
    );
  }

  keeps(place: Pick<Finding, "check" | "date">): boolean {
    return this.#parts.has(keyOf(place));
  }

  add(found: Found): void {
    const part = this.#parts.get(keyOf(found));
    if (part === undefined) return;
    part.findings.push(found.make());
    if (part.findings.length >= 1.25 * part.needed + FINDINGS_OF_PIECE)
      part.findings = neededOf(part);
  }

  get findings(): Finding[] {
    return [...this.#parts.values()].flatMap((part) => {
      const { from, to, isFromEnd } = part;
      return neededOf(part).slice(isFromEnd ? 0 : from, isFromEnd ? to - from : to);
    });
  }
}

interface KeptPart extends Part {
  isFromEnd: boolean;
  needed: number;
  findings: Finding[];
}

function neededOf({ findings, needed, isFromEnd }: KeptPart): Finding[] {
  findings.sort(compareFindings);
  return isFromEnd ? findings.slice(-needed) : findings.slice(0, needed);
}

function keyOf({ check, date }: Pick<Finding, "check" | "date">): string {
  return `${date} ${check}`;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Whether a finding matches the filter. Findings without a filtered field do not match. */
function passes(finding: Found, filter: FindingFilter): boolean {
  return (
    (filter.patientId === undefined || finding.patientId === filter.patientId) &&
    (filter.providerId === undefined || finding.providerId === filter.providerId) &&
    (filter.payorId === undefined || finding.payorId === filter.payorId)
  );
}

/** Compares findings of a check on a day by their subjects, by code unit, with missing values first. */
function compareFindings(a: Finding, b: Finding): number {
  return (
    compareLists(a.sessionIds, b.sessionIds) ||
    compareLists(a.encounterIds, b.encounterIds) ||
    compare(a.authorizationId ?? "", b.authorizationId ?? "") ||
    compare(a.poolId ?? "", b.poolId ?? "") ||
    compare(a.providerId ?? "", b.providerId ?? "") ||
    compare(a.goalId ?? "", b.goalId ?? "")
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
