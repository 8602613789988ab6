import {
  addDays,
  type CalendarDate,
  type DateRange,
  endOfMonth,
  endOfWeek,
  startOfMonth,
  startOfWeek,
  type WeekDay,
} from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { remembered } from "../lib/remembered.ts";
import { exactSum, type Fraction, fractionOf, inMillionths } from "../lib/rounding.ts";
import { startOfDay, type TimeZone } from "../lib/time-zone.ts";
import {
  calendarUnitOf,
  type Criterion,
  dayOfStretch,
  meets,
  metricInForce,
  type StoredMetric,
} from "./criterion.ts";
import { type Fields, type GoalDocument, timeOf, utcDay } from "../goals/document.ts";
import {
  type ClockUnit,
  clockUnits,
  type PointState,
  type PointUnit,
  type ValueUnit,
} from "./units.ts";

/**
 * What was recorded on a goal as points of a graph (docs/decisions.md, "Progress of goals"): one for each day, week or
 * month in which something was recorded.
 */

/** What a value is for, such as each 10 minutes. */
export interface Per {
  amount: number;
  unit: ClockUnit;
}

export interface JudgedPoint extends DateRange {
  state: PointState;
  value: number | null;
  count: number;
  total: number | null;
  /** The number of held sessions that begin in it. */
  sessions: number;
  meets: boolean | null;
  /** Who delivers the held sessions in whose time something was recorded. */
  providers: ReadonlySet<string>;
}

/** A session with the patient that was held. */
export interface HeldSession {
  startTime: Instant;
  endTime: Instant;
  providerId: string | null;
}

const secondsOf: Record<ClockUnit, bigint> = { SECONDS: 1n, MINUTES: 60n, HOURS: 3600n };

function clockUnitOf(unit: string | null | undefined): ClockUnit | undefined {
  return clockUnits.find((each) => each === unit);
}

export function pointUnitOf(goal: GoalDocument): PointUnit {
  const metric = metricInForce(goal);
  return (
    calendarUnitOf(metric?.frequencyUnit) ?? calendarUnitOf(metric?.observationPeriodUnit) ?? "DAY"
  );
}

/** In which unit the values of a goal's points are. */
export function valueUnitOf(goal: GoalDocument): { valueUnit: ValueUnit; valuePer: Per | null } {
  const plain = (valueUnit: ValueUnit) => ({ valueUnit, valuePer: null });
  const metric = metricInForce(goal);
  if (goal.goalType === "rating") return plain("RATING");
  if (goal.goalType === "interval") return plain("PERCENT");
  if (goal.goalType === "opportunity") return plain(countsTrials(metric) ? "TIMES" : "PERCENT");
  if (metric?.unit === "PERCENTAGE") return plain("PERCENT");
  if (metric?.unit === "DURATION") {
    const unit = clockUnitOf(metric.observationPeriodUnit);
    const valuePer = unit === undefined ? null : { amount: metric.observationPeriod ?? 1, unit };
    return { valueUnit: clockUnitOf(metric.frequencyUnit) ?? "SECONDS", valuePer };
  }
  const unit = metric?.unit === "FREQUENCY" ? clockUnitOf(metric.frequencyUnit) : undefined;
  return { valueUnit: "TIMES", valuePer: unit === undefined ? null : { amount: 1, unit } };
}

function countsTrials(metric: StoredMetric | undefined): boolean {
  return metric?.unit === "COUNT" || metric?.unit === "FREQUENCY";
}

/** How far back is looked, in days. */
export const LOOKED_AT = 366;

/** The spans of points of one patient: their day, and the day, week or month that has it, remembered. */
export class Spans {
  readonly #days = new Map<string, [before: CalendarDate, start: Instant, next: Instant]>();
  readonly #ranges: Record<PointUnit, Map<CalendarDate, DateRange>> = {
    DAY: new Map(),
    WEEK: new Map(),
    MONTH: new Map(),
  };

  constructor(
    readonly zone: TimeZone,
    readonly today: CalendarDate,
    private readonly weekStartsOn: WeekDay,
  ) {}

  /** The first day that is looked at. */
  get earliest(): CalendarDate {
    return addDays(this.today, -LOOKED_AT);
  }

  /** Finds the span of each instant of a list in order; it is the same object for all of a span. */
  inOrder(unit: PointUnit): (instant: Instant) => DateRange {
    let range: DateRange | undefined;
    let until = "";
    return (instant) => {
      if (range !== undefined && instant < until) return range;
      const day = this.#dayOf(instant);
      until = day.until;
      range = this.#spanOf(day.date, unit);
      return range;
    };
  }

  #spanOf(date: CalendarDate, unit: PointUnit): DateRange {
    return remembered(this.#ranges[unit], date, () => {
      const range = this.#rangeOf(date, unit);
      return remembered(this.#ranges[unit], range.startDate, () => range);
    });
  }

  /** `dayOf` of the zone, and an instant up to which it is that day: no offset from UTC reaches 24 hours. */
  #dayOf(instant: Instant): { date: CalendarDate; until: Instant } {
    const date = utcDay(instant);
    const [before, start, next] = remembered(this.#days, date, () => [
      addDays(date, -1),
      startOfDay(date, this.zone),
      startOfDay(addDays(date, 1), this.zone),
    ]);
    if (instant < start) return { date: before, until: start };
    if (instant < next) return { date, until: next };
    // The next day goes on, for whoever asks again.
    return { date: addDays(date, 1), until: instant };
  }

  #rangeOf(date: CalendarDate, unit: PointUnit): DateRange {
    if (unit === "MONTH") return { startDate: startOfMonth(date), endDate: endOfMonth(date) };
    if (unit === "DAY") return { startDate: date, endDate: date };
    const { weekStartsOn } = this;
    return { startDate: startOfWeek(date, weekStartsOn), endDate: endOfWeek(date, weekStartsOn) };
  }
}

/** What was recorded in a span. */
interface Recorded {
  entries: Fields[];
  providers: Set<string>;
  /** The held sessions that begin in it. */
  sessions: HeldSession[];
}

/** What the points of a goal are made of. */
export interface Material {
  spans: Spans;
  /** The held sessions of the goal's patient, in order of their start. */
  sessions: readonly HeldSession[];
  /** The entries of the goal, in chronological order. */
  entries: readonly Fields[];
  criterion: Criterion | null;
  /** The first day of which all entries are given. Default: the first that is looked at. */
  from?: CalendarDate;
}

/** The points of a goal in order. */
export function pointsOf(goal: GoalDocument, material: Material): JudgedPoint[] {
  const { spans, criterion } = material;
  const metric = metricInForce(goal);
  const begun = dayOfStretch(goal, spans.zone);
  const least = goal.goalType === "opportunity" ? Number(goal.minTrialsCount ?? 0) : 0;
  return recordedBySpan(goal, material).map(([range, recorded]) => {
    const { count, total, value: exact } = measured(goal, metric, recorded);
    const value = exact === null ? null : inMillionths(exact);
    const stateOf = (): PointState => {
      if (range.endDate >= spans.today) return "RUNNING";
      if (recorded.entries.length === 0) return "SILENT";
      if (value === null) return "UNKNOWN";
      if (total !== null && total < least) return "FEW";
      return begun !== undefined && range.startDate <= begun ? "EARLIER" : "COUNTS";
    };
    return {
      ...range,
      ...{ state: stateOf(), value, count, total },
      sessions: recorded.sessions.length,
      meets: criterion === null || value === null ? null : meets(value, criterion),
      providers: recorded.providers,
    };
  });
}

/** The spans of points: those with entries, and of a behavior those behind the first one with sessions. */
function recordedBySpan(
  goal: GoalDocument,
  { spans, sessions, entries, from = spans.earliest }: Material,
): [DateRange, Recorded][] {
  const unit = pointUnitOf(goal);
  const found = new Map<DateRange, Recorded>();
  const recordedIn = (range: DateRange) =>
    remembered(found, range, (): Recorded => ({ entries: [], providers: new Set(), sessions: [] }));
  const presence = new Presence(sessions);
  const spanOf = spans.inOrder(unit);
  let last: DateRange | undefined;
  let recorded: Recorded | undefined;
  for (const entry of entries) {
    const time = timeOf(goal, entry);
    const range = spanOf(time);
    if (range !== last) recorded = range.startDate < from ? undefined : recordedIn(range);
    last = range;
    recorded?.entries.push(entry);
    if (recorded !== undefined) presence.addTo(recorded.providers, time);
  }
  const [first] = found.keys();
  if (first === undefined) return [];
  const hasSilence = goal.goalType === "frequency_duration";
  const spanOfSession = spans.inOrder(unit);
  for (const session of sessions) {
    const range = spanOfSession(session.startTime);
    const isShown = hasSilence ? range.startDate >= first.startDate : found.has(range);
    if (isShown) recordedIn(range).sessions.push(session);
  }
  return [...found].sort(([a], [b]) => (a.startDate < b.startDate ? -1 : 1));
}

/** Who delivers the sessions that are going on, at one instant after another. */
class Presence {
  #next = 0;
  /** By provider, the last end of the sessions that have begun. */
  readonly #until = new Map<string, Instant>();

  constructor(private readonly sessions: readonly HeldSession[]) {}

  /** Adds who is there at an instant, which is not before the one asked for last. */
  addTo(providers: Set<string>, time: Instant): void {
    for (; ; this.#next += 1) {
      const session = this.sessions[this.#next];
      if (session === undefined || session.startTime > time) break;
      const { providerId, endTime } = session;
      const until = providerId === null ? endTime : this.#until.get(providerId);
      if (providerId !== null && (until ?? "") < endTime) this.#until.set(providerId, endTime);
    }
    for (const [id, until] of this.#until)
      if (until < time) this.#until.delete(id);
      else providers.add(id);
  }
}

interface Measured {
  count: number;
  total: number | null;
  /** Null where it is not known. */
  value: Fraction | null;
}

/** What was recorded in a span, in the terms of a metric. What was not measured is not zero. */
function measured(
  { goalType }: GoalDocument,
  metric: StoredMetric | undefined,
  { entries, sessions }: Recorded,
): Measured {
  switch (goalType) {
    case "opportunity": {
      const count = entries.filter(({ outcome }) => outcome === "SUCCESS").length;
      const value = countsTrials(metric) ? whole(count) : share(count, entries.length);
      return { count, total: entries.length, value };
    }
    case "interval": {
      const intervals = entries.flatMap((set) => set.intervals as boolean[]);
      const count = intervals.filter(Boolean).length;
      const { length: total } = intervals;
      return { count, total, value: total === 0 ? null : share(count, total) };
    }
    case "rating": {
      const { numerator, denominator } = exactSum(numbersOf(entries, "value"));
      const count = entries.length;
      return { count, total: null, value: { numerator, denominator: denominator * BigInt(count) } };
    }
    case "frequency_duration": {
      const count = exactSum(numbersOf(entries, "quantity"));
      const value = entries.length === 0 ? null : behaved(metric, count, { entries, sessions });
      return { count: inMillionths(count), total: null, value };
    }
  }
}

/** A behavior in the terms of its metric. */
function behaved(
  metric: StoredMetric | undefined,
  count: Fraction,
  { entries, sessions }: Pick<Recorded, "entries" | "sessions">,
): Fraction | null {
  const frequencyUnit = clockUnitOf(metric?.frequencyUnit);
  const observed = () => millisecondsOf(sessions);
  if (metric?.unit === "FREQUENCY" && frequencyUnit !== undefined)
    return rate(count, whole(secondsOf[frequencyUnit]), observed());
  if (metric?.unit !== "DURATION" && metric?.unit !== "PERCENTAGE") return count;
  const isMeasured = entries.every(
    ({ quantity, durationSeconds }) => Number(quantity) <= 0 || durationSeconds != null,
  );
  if (!isMeasured) return null;
  const seconds = exactSum(numbersOf(entries, "durationSeconds"));
  if (metric.unit === "PERCENTAGE") return rate(seconds, whole(100), observed());
  const length = quotient(seconds, whole(secondsOf[frequencyUnit ?? "SECONDS"]));
  const period = clockUnitOf(metric.observationPeriodUnit);
  if (period === undefined || length === null) return length;
  const amount = fractionOf(String(metric.observationPeriod ?? 1));
  return rate(length, product(amount, whole(secondsOf[period])), observed());
}

/** An amount for each so many seconds of observed time; null without observed time, and for no seconds. */
function rate(amount: Fraction, seconds: Fraction, observed: bigint): Fraction | null {
  if (seconds.numerator === 0n || observed === 0n) return null;
  return quotient(product(amount, seconds), { numerator: observed, denominator: 1000n });
}

function quotient(a: Fraction, { numerator, denominator }: Fraction): Fraction | null {
  if (numerator === 0n) return null;
  return { numerator: a.numerator * denominator, denominator: a.denominator * numerator };
}

function product(a: Fraction, b: Fraction): Fraction {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
}

function whole(number: number | bigint): Fraction {
  return { numerator: BigInt(number), denominator: 1n };
}

function share(count: number, total: number): Fraction {
  return { numerator: 100n * BigInt(count), denominator: BigInt(total) };
}

/** The time that sessions in order cover; what several cover counts once. */
function millisecondsOf(sessions: readonly HeldSession[]): bigint {
  let covered = 0;
  let end = -Infinity;
  for (const { startTime, endTime } of sessions) {
    const until = epochMilliseconds(endTime);
    covered += Math.max(0, until - Math.max(epochMilliseconds(startTime), end));
    end = Math.max(end, until);
  }
  return BigInt(covered);
}

function numbersOf(entries: readonly Fields[], field: string): number[] {
  return entries.map((entry) => Number(entry[field] ?? 0));
}
