import type { Db } from "../../db/database.ts";
import type { DateRange } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { PracticeCalendar } from "../utilization/calendar.ts";
import { type Counted, countedRecords, countSubjects } from "../utilization/counting.ts";
import { gridsOf } from "../utilization/grids.ts";
import { streamEncountersInOrder } from "../utilization/repository.ts";
import type { Subject } from "../utilization/subject.ts";
import { countingPeriodFinder } from "../utilization/unit-counter.ts";
import { fromMillionths, sumOfUnits, toMillionths, unitsOver } from "../utilization/units.ts";

/** What is delivered in the periods of subjects: in order of start, then id, each period whole, whatever the window. */

interface Scope {
  organizationId: string;
  /** Periods that overlap it are read. */
  window: DateRange;
  calendar: PracticeCalendar;
}

interface CountedSubject extends Counted {
  /** Null without a limit. */
  authorized: number | null;
}

/** An encounter in its period. */
interface InPeriod {
  publicId: string;
  startTime: Instant;
  period: DateRange;
  authorized: number | null;
  /** Units delivered in the period before it, and with it. */
  before: number;
  after: number;
}

/**
 * The ids of encounters with which more units are delivered in a period of their subject than authorized. Those before the
 * window may be left out.
 *
 * @param from encounters that start earlier are no lines.
 */
export async function encountersOver(
  db: Db,
  { from, ...scope }: Scope & { from: Instant },
  subjects: readonly Subject[],
): Promise<Set<string>> {
  const limited = countedIn(scope, subjects).filter(({ authorized }) => authorized !== null);
  const counters = await countSubjects(db, scope.organizationId, limited, { sessions: "NONE" });
  const exceeded = limited.filter(({ authorized }, index) =>
    counters[index]?.total().some(({ unitsUtilized }) => unitsOver(unitsUtilized, authorized) > 0),
  );
  const over = new Set<string>();
  for await (const { publicId, startTime, after, authorized } of inOrder(db, scope, exceeded))
    if (startTime >= from && unitsOver(after, authorized) > 0) over.add(publicId);
  return over;
}

/** The period of an encounter, and its units. */
export type PeriodOf = ReturnType<typeof shownPeriod>;

/** The periods in which some encounters count, by their ids; those that utilization does not count have none. */
export async function periodsOfEncounters(
  db: Db,
  scope: Scope,
  { subjects, ids }: { subjects: readonly Subject[]; ids: ReadonlySet<string> },
): Promise<Map<string, PeriodOf>> {
  const periods = new Map<string, PeriodOf>();
  for await (const one of inOrder(db, scope, countedIn(scope, subjects)))
    if (ids.has(one.publicId)) periods.set(one.publicId, shownPeriod(one));
  return periods;
}

function shownPeriod({ period, authorized, before, after }: InPeriod) {
  return {
    ...{ periodStartDate: period.startDate, periodEndDate: period.endDate },
    ...{ unitsAuthorized: authorized, unitsBefore: before },
    // Below 0 where it is too much.
    unitsLeft: authorized === null ? null : sumOfUnits(authorized, -after),
  };
}

function countedIn({ calendar, window }: Scope, subjects: readonly Subject[]): CountedSubject[] {
  const gridOf = gridsOf(calendar, window);
  return subjects.flatMap((subject) => {
    const grid = gridOf(subject);
    const { members, unitsAuthorized: authorized } = subject;
    return grid === undefined ? [] : [{ members, grid, authorized }];
  });
}

async function* inOrder(
  db: Db,
  { organizationId }: Scope,
  subjects: readonly CountedSubject[],
): AsyncGenerator<InPeriod> {
  const sums = new Map<string, RunningSum>();
  const spans = subjects.flatMap((subject) => {
    const sum = new RunningSum(subject);
    return countedRecords(subject, []).flatMap(({ authorizationId, spans: own }) => {
      sums.set(authorizationId, sum);
      return own.map(({ from, to }) => ({ authorizationId, from, to }));
    });
  });
  if (spans.length === 0) return;
  for await (const encounters of streamEncountersInOrder(db, { organizationId, spans }))
    for (const encounter of encounters) {
      const found = sums.get(encounter.authorizationId)?.add(encounter);
      if (found !== undefined) yield found;
    }
}

/** The units of each period of a subject so far. */
class RunningSum {
  /** In millionths. */
  readonly #sums: number[] = [];
  readonly #placeOf: ReturnType<typeof countingPeriodFinder>;

  constructor(private readonly subject: CountedSubject) {
    this.#placeOf = countingPeriodFinder(subject.grid, subject.members);
  }

  add(encounter: {
    publicId: string;
    authorizationId: string;
    startTime: Instant;
    units: number;
  }): InPeriod | undefined {
    const place = this.#placeOf(encounter);
    if (place === undefined) return undefined;
    const { grid, authorized } = this.subject;
    const before = this.#sums[place] ?? 0;
    const after = before + toMillionths(encounter.units);
    this.#sums[place] = after;
    const { publicId, startTime } = encounter;
    const period = grid.periods[place] as DateRange;
    const units = { before: fromMillionths(before), after: fromMillionths(after) };
    return { publicId, startTime, period, authorized, ...units };
  }
}
