import type { Db } from "../../db/database.ts";
import type { DateRange } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { PracticeCalendar } from "../utilization/calendar.ts";
import { type Counted, countedRecords, countSubjects } from "../utilization/counting.ts";
import { gridsOf } from "../utilization/grids.ts";
import { streamEncountersInOrder } from "../utilization/repository.ts";
import type { Subject } from "../utilization/subject.ts";
import { countingPeriodFinder } from "../utilization/unit-counter.ts";
import { fromMillionths, toMillionths, unitsOver } from "../utilization/units.ts";

interface Scope {
  organizationId: string;
  window: DateRange;
  calendar: PracticeCalendar;
  /** Encounters that start earlier are no lines. */
  from: Instant;
}

interface Limited extends Counted {
  authorized: number;
}

/**
 * The ids of encounters with which more units are delivered in a period of their subject than authorized: in order of
 * start, then id, each period by itself and whole, whatever the window. Those before the window may be left out.
 */
export async function encountersOver(
  db: Db,
  { organizationId, window, calendar, from }: Scope,
  subjects: readonly Subject[],
): Promise<Set<string>> {
  const gridOf = gridsOf(calendar, window);
  const limited = subjects.flatMap((subject): Limited[] => {
    const { members, unitsAuthorized: authorized } = subject;
    const grid = gridOf(subject);
    return grid === undefined || authorized === null ? [] : [{ members, grid, authorized }];
  });
  const counters = await countSubjects(db, organizationId, limited, { sessions: "NONE" });
  const exceeded = limited.filter(({ authorized }, index) =>
    counters[index]?.total().some(({ unitsUtilized }) => unitsOver(unitsUtilized, authorized) > 0),
  );
  const sums = new Map<string, RunningSum>();
  const spans = exceeded.flatMap((subject) => {
    const sum = new RunningSum(subject);
    return countedRecords(subject, []).flatMap(({ authorizationId, spans }) => {
      sums.set(authorizationId, sum);
      return spans.map(({ from, to }) => ({ authorizationId, from, to }));
    });
  });
  const over = new Set<string>();
  if (spans.length === 0) return over;
  for await (const encounters of streamEncountersInOrder(db, { organizationId, spans }))
    for (const encounter of encounters) {
      const isOver = sums.get(encounter.authorizationId)?.add(encounter);
      if (isOver === true && encounter.startTime >= from) over.add(encounter.publicId);
    }
  return over;
}

/** The units of each period of a subject so far. */
class RunningSum {
  /** In millionths. */
  readonly #sums: number[] = [];
  readonly #placeOf: ReturnType<typeof countingPeriodFinder>;

  constructor(private readonly subject: Limited) {
    this.#placeOf = countingPeriodFinder(subject.grid, subject.members);
  }

  /** @returns whether they are more than authorized with this encounter. */
  add(encounter: { authorizationId: string; startTime: Instant; units: number }): boolean {
    const place = this.#placeOf(encounter);
    if (place === undefined) return false;
    const sum = (this.#sums[place] ?? 0) + toMillionths(encounter.units);
    this.#sums[place] = sum;
    return unitsOver(fromMillionths(sum), this.subject.authorized) > 0;
  }
}
