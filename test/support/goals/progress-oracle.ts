import type { Fields } from "../practice-file/practice-file.ts";

/**
 * The progress of goals as docs/decisions.md has it, worked out from records of a practice file: day by day, with
 * Temporal, and with numbers in thousandths. It shares nothing with the program.
 */

export interface World {
  organization: Fields;
  users: Fields[];
  plans: Fields[];
  sessions: Fields[];
  goals: Fields[];
  now: string;
}

type Day = Temporal.PlainDate;

const FIELD: Record<string, [list: string, time: string]> = {
  opportunity: ["skillTrials", "happenedAt"],
  frequency_duration: ["behaviorInstances", "happenedAt"],
  rating: ["ratingInstances", "happenedAt"],
  interval: ["intervalSets", "startedAt"],
};
const UNIT_OF: Record<string, string> = { DAYS: "DAY", WEEKS: "WEEK", MONTHS: "MONTH" };
const LENGTH: Record<string, number> = { DAY: 1, WEEK: 7, MONTH: 30 };
const SECONDS: Record<string, number> = { SECONDS: 1, MINUTES: 60, HOURS: 3600 };
const WEEK = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];
const KEPT_UP = ["IN_MAINTENANCE", "MASTERED", "ARCHIVED"];

function isZone(text: unknown): text is string {
  try {
    return (
      typeof text === "string" &&
      new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone === text
    );
  } catch {
    return false;
  }
}

/** The day with the greatest start that is not after an instant. */
function dayOf(instant: string, zone: string): Day {
  const at = Temporal.Instant.from(instant);
  let day = at.toZonedDateTimeISO(zone).toPlainDate().add({ days: 1 });
  while (Temporal.Instant.compare(day.toZonedDateTime(zone).toInstant(), at) > 0)
    day = day.subtract({ days: 1 });
  return day;
}

function rangeOf(day: Day, unit: string, weekStartsOn: unknown): [Day, Day] {
  if (unit === "DAY") return [day, day];
  if (unit === "MONTH")
    return [day.with({ day: 1 }), day.with({ day: 1 }).add({ months: 1 }).subtract({ days: 1 })];
  const first = WEEK.indexOf(String(weekStartsOn ?? "SUNDAY"));
  const start = day.subtract({ days: ((day.dayOfWeek % 7) - first + 7) % 7 });
  return [start, start.add({ days: 6 })];
}

/** Thousandths. */
const exact = (number: unknown): bigint => BigInt(Math.round(Number(number ?? 0) * 1000));
const sum = (entries: Fields[], field: string): bigint =>
  entries.reduce((total, entry) => total + exact(entry[field]), 0n);

/** A quotient in millionths, a half up. */
function rounded(numerator: bigint, denominator: bigint): number {
  const [top, bottom] = [2n * numerator * 1_000_000n + denominator, 2n * denominator];
  const remainder = ((top % bottom) + bottom) % bottom;
  return Number((top - remainder) / bottom) / 1e6;
}

function observed(sessions: Fields[]): bigint {
  let milliseconds = 0n;
  const times = sessions.flatMap(({ startTime, endTime }) => [String(startTime), String(endTime)]);
  const edges = [...new Set(times)].sort();
  // Each piece between two edges counts once, if some session covers it.
  for (const [index, from] of edges.slice(0, -1).entries()) {
    const to = String(edges[index + 1]);
    if (sessions.some((each) => String(each.startTime) <= from && to <= String(each.endTime)))
      milliseconds += BigInt(Date.parse(to) - Date.parse(from));
  }
  return milliseconds;
}

function valueOf(goal: Fields, metric: Fields | undefined, entries: Fields[], held: Fields[]) {
  const { unit, frequencyUnit, observationPeriod, observationPeriodUnit } = metric ?? {};
  const of = (count: number, total: number) => ({
    ...{ count, total },
    value: total === 0 ? null : rounded(100n * BigInt(count), BigInt(total)),
  });
  if (goal.goalType === "opportunity") {
    const count = entries.filter(({ outcome }) => outcome === "SUCCESS").length;
    const isNumber = unit === "COUNT" || unit === "FREQUENCY";
    return isNumber ? { count, total: entries.length, value: count } : of(count, entries.length);
  }
  if (goal.goalType === "interval") {
    const all = entries.flatMap(({ intervals }) => intervals as boolean[]);
    return of(all.filter(Boolean).length, all.length);
  }
  if (goal.goalType === "rating") {
    const value = rounded(sum(entries, "value"), 1000n * BigInt(entries.length));
    return { count: entries.length, total: null, value };
  }
  const quantity = sum(entries, "quantity");
  const known = { count: Number(quantity) / 1000, total: null };
  if (entries.length === 0) return { ...known, value: null };
  const clock = SECONDS[String(frequencyUnit)];
  const watched = observed(held);
  /** Thousandths for each so many thousandths of a second, by milliseconds. */
  const rate = (amount: bigint, per: bigint) =>
    watched === 0n || per === 0n ? null : rounded(amount * per, 1000n * watched);
  if (unit === "FREQUENCY" && clock !== undefined)
    return { ...known, value: rate(quantity, BigInt(clock) * 1000n) };
  if (unit !== "DURATION" && unit !== "PERCENTAGE")
    return { ...known, value: rounded(quantity, 1000n) };
  if (entries.some((each) => Number(each.quantity) > 0 && (each.durationSeconds ?? null) === null))
    return { ...known, value: null };
  const seconds = sum(entries, "durationSeconds");
  if (unit === "PERCENTAGE") return { ...known, value: rate(seconds, 100_000n) };
  const per = SECONDS[String(observationPeriodUnit)];
  if (per === undefined) return { ...known, value: rounded(seconds, 1000n * BigInt(clock ?? 1)) };
  const amount = exact(observationPeriod ?? 1) * BigInt(per);
  if (watched === 0n || amount === 0n) return { ...known, value: null };
  return { ...known, value: rounded(seconds * amount, 1000n * watched * BigInt(clock ?? 1)) };
}

function unitsOf(goal: Fields, metric: Fields | undefined) {
  const { unit, frequencyUnit, observationPeriod, observationPeriodUnit } = metric ?? {};
  const isClock = (text: unknown) => String(text) in SECONDS;
  if (goal.goalType === "rating") return { valueUnit: "RATING", valuePer: null };
  if (goal.goalType === "interval") return { valueUnit: "PERCENT", valuePer: null };
  if (goal.goalType === "opportunity")
    return {
      valueUnit: unit === "COUNT" || unit === "FREQUENCY" ? "TIMES" : "PERCENT",
      valuePer: null,
    };
  if (unit === "PERCENTAGE") return { valueUnit: "PERCENT", valuePer: null };
  if (unit === "DURATION")
    return {
      valueUnit: isClock(frequencyUnit) ? frequencyUnit : "SECONDS",
      valuePer: isClock(observationPeriodUnit)
        ? { amount: observationPeriod ?? 1, unit: observationPeriodUnit }
        : null,
    };
  const isRate = unit === "FREQUENCY" && isClock(frequencyUnit);
  return { valueUnit: "TIMES", valuePer: isRate ? { amount: 1, unit: frequencyUnit } : null };
}

const compares: Record<string, (a: number, b: number) => boolean> = {
  EQUAL_TO: (a, b) => a === b,
  LESS_THAN: (a, b) => a < b,
  LESS_THAN_OR_EQUAL_TO: (a, b) => a <= b,
  GREATER_THAN: (a, b) => a > b,
  GREATER_THAN_OR_EQUAL_TO: (a, b) => a >= b,
};

const listed = (ids: Iterable<unknown>) => [...new Set(ids)].map(String).sort().slice(0, 20);

/** A goal's progress, with all points of the last 366 days. */
export function expectedProgress(
  world: World,
  goal: Fields,
  { plan, parent, order }: { plan: Fields; parent: Fields | undefined; order: number },
) {
  const { organization, now } = world;
  const patient = world.users.find(({ publicId }) => publicId === plan.patientId) as Fields;
  const zones = [patient.timezone, organization.timezone, "UTC"];
  const zone = zones.find(isZone) as string;
  const today = Temporal.Instant.from(now).toZonedDateTimeISO(zone).toPlainDate();
  const earliest = today.subtract({ days: 366 });
  const purposeOf = (status: unknown) =>
    KEPT_UP.includes(String(status)) ? "maintenance" : "success";
  const purpose = purposeOf(goal.status);
  const metric = goal[`${purpose}Metric`] as Fields | undefined;
  const calendar = [metric?.frequencyUnit, metric?.observationPeriodUnit].map(
    (each) => UNIT_OF[String(each)],
  );
  const unit = calendar.find((each) => each !== undefined) ?? "DAY";
  const held = world.sessions.filter(
    (each) =>
      each.clientId === patient.publicId &&
      each.status === "CONFIRMED" &&
      each.isClientPresent === true &&
      each.isSupervision === false &&
      String(each.endTime) <= now,
  );
  const [list, time] = FIELD[String(goal.goalType)] as [string, string];
  const entries = ((goal[list] ?? []) as Fields[]).toSorted((a, b) =>
    String(a[time]) < String(b[time]) ? -1 : 1,
  );
  const startOf = (instant: unknown) =>
    String(rangeOf(dayOf(String(instant), zone), unit, organization.weekStartsOn)[0]);

  let criterion: Fields | null = null;
  const isDenied = goal.goalType === "opportunity" && metric?.unit === "DURATION";
  if (metric?.successCriteria && !isDenied) {
    const of = UNIT_OF[String(metric.observationPeriodUnit)];
    const days =
      Number(metric.observationPeriod ?? 0) * (of === undefined ? 0 : Number(LENGTH[of]));
    const asked = Math.floor(days / Number(LENGTH[unit]) + 0.5);
    const { value, successCriteria: criteria } = metric;
    const points = asked >= 2 ? Math.min(60, asked) : (organization.goalDaysInARow ?? 3);
    criterion = { purpose, value, criteria, points };
  }

  const phases = goal.phases as Fields[];
  let stretch: string | undefined;
  for (let index = phases.length - 1; index >= 0; index -= 1) {
    if (purposeOf(phases[index]?.status) === purpose) continue;
    const since = phases[index + 1]?.since;
    if (since !== undefined) stretch = String(dayOf(String(since), zone));
    break;
  }

  const points: Fields[] = [];
  const whole: Fields[] = [];
  const starts = new Set<string>();
  for (const entry of entries) starts.add(startOf(entry[time]));
  const shown = [...starts].filter((start) => start >= String(earliest)).sort();
  if (goal.goalType === "frequency_duration" && shown.length > 0)
    for (const each of held) {
      const start = startOf(each.startTime);
      if (start > String(shown[0])) starts.add(start);
    }
  for (const start of [...starts].filter((each) => each >= String(earliest)).sort()) {
    const [startDate, endDate] = rangeOf(
      Temporal.PlainDate.from(start),
      unit,
      organization.weekStartsOn,
    ).map(String) as [string, string];
    const own = entries.filter((entry) => startOf(entry[time]) === start);
    const begun = held.filter((each) => startOf(each.startTime) === start);
    const { count, total, value } = valueOf(goal, metric, own, begun);
    const least = goal.goalType === "opportunity" ? Number(goal.minTrialsCount ?? 0) : 0;
    let state = "COUNTS";
    if (stretch !== undefined && startDate <= stretch) state = "EARLIER";
    if (total !== null && total < least) state = "FEW";
    if (value === null) state = "UNKNOWN";
    if (own.length === 0) state = "SILENT";
    if (endDate >= String(today)) state = "RUNNING";
    const compare = compares[String(criterion?.criteria)];
    const meets =
      value === null || compare === undefined ? null : compare(value, Number(criterion?.value));
    const providers = held
      .filter((each) =>
        own.some((entry) => {
          const at = String(entry[time]);
          return String(each.startTime) <= at && at <= String(each.endTime);
        }),
      )
      .flatMap((each) => each.technicianId ?? each.clinicianId ?? []);
    whole.push({ state, meets, endDate, providers });
    points.push({
      ...{ startDate, endDate, state, value, count, total },
      ...{ sessions: begun.length, meets, providerIds: listed(providers) },
    });
  }

  const counting = whole.filter(({ state }) => state === "COUNTS");
  let run: Fields[] = [];
  for (const point of counting) run = point.meets === true ? [...run, point] : [];
  const asked = Number(criterion?.points);
  const isMet =
    criterion === null
      ? null
      : run.length >= asked
        ? true
        : counting.length >= asked
          ? false
          : null;
  const next: Record<string, string> = {
    BASELINE: "IN_MAINTENANCE",
    IN_PROGRESS: "IN_MAINTENANCE",
    IN_MAINTENANCE: "MASTERED",
  };
  const lastRecordedAt = (entries.at(-1)?.[time] as string | undefined) ?? null;
  const from = earliest.toZonedDateTime(zone).toInstant().toString({ fractionalSecondDigits: 3 });
  const sessionsSince = held.filter(({ startTime }) => {
    const at = String(startTime);
    if (at < from) return false;
    return lastRecordedAt === null ? at >= String(phases[0]?.since ?? "") : at > lastRecordedAt;
  }).length;
  const baseline = goal.baselineMetric as Fields | undefined;
  const isAlike =
    baseline !== undefined &&
    baseline.unit === metric?.unit &&
    (baseline.frequencyUnit ?? null) === (metric?.frequencyUnit ?? null);
  const dateOf = (at: unknown) =>
    at == null
      ? null
      : String(at).endsWith("T00:00:00.000Z")
        ? String(at).slice(0, 10)
        : String(dayOf(String(at), zone));
  const children = (goal.childGoals ?? []) as Fields[];
  const name = String(
    goal.title ?? goal.targetMaladaptiveBehaviorName ?? goal.shortDescription ?? goal.goalStatement,
  );
  return {
    goalId: goal.publicId,
    parentGoalId: parent?.publicId ?? null,
    orderAmongSiblings: parent === undefined ? null : order,
    type: goal.goalType,
    status: goal.status,
    patientId: patient.publicId,
    patientFirstName: patient.firstName,
    patientLastName: patient.lastName,
    treatmentPlanId: plan.publicId,
    name: name.length > 80 ? `${name.slice(0, 79)}…` : name,
    statement: goal.goalStatement ?? null,
    timezone: zone,
    pointUnit: unit,
    ...unitsOf(goal, metric),
    baseline: isAlike ? baseline.value : null,
    baselineDate: dateOf(goal.baselineDate),
    targetDate: dateOf(goal.targetAchievementDate),
    criterion,
    isMet,
    inARow: criterion === null ? null : Math.min(run.length, asked),
    metSince: isMet === true ? run[asked - 1]?.endDate : null,
    metWith: isMet === true ? listed(run.flatMap(({ providers }) => providers as unknown[])) : [],
    next: isMet === true ? (next[String(goal.status)] ?? null) : null,
    lastRecordedAt,
    sessionsSince,
    steps:
      children.length === 0
        ? null
        : {
            total: children.length,
            mastered: children.filter(({ status }) => status === "MASTERED").length,
          },
    phases,
    points,
  };
}

/** The progress of all goals, in the order of the list. */
export function expectedList(world: World) {
  const found: { key: string[]; progress: ReturnType<typeof expectedProgress> }[] = [];
  const visit = (goal: Fields, top: Fields, parent: Fields | undefined, order: number): void => {
    const plan = world.plans.find(({ publicId }) => publicId === top.treatmentPlanId) as Fields;
    const progress = expectedProgress(world, goal, { plan, parent, order });
    const { patientLastName, patientFirstName, patientId } = progress;
    const own = goal === top ? "" : String(goal.publicId);
    const key = [patientLastName, patientFirstName, patientId, top.publicId, own].map(String);
    found.push({ key, progress });
    for (const [index, child] of ((goal.childGoals ?? []) as Fields[]).entries())
      visit(child, top, goal, index);
  };
  for (const goal of world.goals) visit(goal, goal, undefined, 0);
  const compare = (a: string[], b: string[]): number => {
    const place = a.findIndex((part, index) => part !== b[index]);
    return place === -1 ? 0 : String(a[place]) < String(b[place]) ? -1 : 1;
  };
  return found.sort((a, b) => compare(a.key, b.key)).map(({ progress }) => progress);
}
