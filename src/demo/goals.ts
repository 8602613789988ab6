import type { CalendarDate } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import type { GoalRecord } from "../practice-file/model.ts";
import { dayOf, instantAt } from "./calendar.ts";
import { type Child, numbered, type WrittenGoal } from "./clinic.ts";
import data from "./goals.yaml";
import type { Appointment } from "./sessions.ts";

/** The goals of every child, with what was recorded in the last weeks. */

/** A goal as it is written down: fields of its record, and what is known of each kind. */
interface Written {
  goalType: GoalRecord["goalType"];
  dataCollectionType?: string;
  /** Of a behavior: its baseline, and the criterion. */
  from?: number;
  to?: number;
  antecedents?: string[];
  consequences?: string[];
  /** Of a skill that is taught step by step. */
  steps?: string[];
  intervalQuantity?: number;
}

const library = data.goals as Record<string, Written>;
/** What all goals of a kind have, how behaviors are measured, and how a goal of some status goes. */
const kinds = data.kinds as Record<GoalRecord["goalType"], object>;
const measures = data.measures as Record<string, object>;
const summaries = data.summaries as Record<string, string[]>;

/** How many weeks data was recorded, how many of them were a baseline, and since when goals are in maintenance. */
const WEEKS_OF_DATA = 12;
const WEEKS_OF_BASELINE = 2;
const MAINTAINED_SINCE = -6;

/** A child's goal that is being written. */
interface Taught {
  today: CalendarDate;
  child: Child;
  goal: WrittenGoal;
  /** Of which its ids and those of its parts are made. */
  key: string;
  /** The child's lessons in these weeks, in order. */
  lessons: Appointment[];
}

export function* goals(
  today: CalendarDate,
  children: readonly Child[],
  all: readonly Appointment[],
): Generator<GoalRecord> {
  const held = all.filter(
    ({ slot, status, week, isPast }) =>
      slot.visit === "direct" && status === "CONFIRMED" && week >= -WEEKS_OF_DATA && isPast,
  );
  const lessonsOf = Map.groupBy(held, ({ child }) => child);
  for (const child of children)
    for (const [index, goal] of child.goals.entries()) {
      const key = `${child.record.publicId.slice(-6)}_${index + 1}`;
      yield newGoal({ today, child, goal, key, lessons: lessonsOf.get(child) ?? [] });
    }
}

function newGoal(taught: Taught): GoalRecord {
  const { today, child, goal, key } = taught;
  const { from, to, antecedents, consequences, steps, ...fields } = writtenOf(taught);
  const { since } = child;
  // Half a year after the start, or later ones in half years.
  const target = goal.past ? -3 : since + 26 * Math.ceil((3 - since) / 26);
  return {
    type: "goal",
    publicId: `goal_${key}`,
    treatmentPlanId: `tp_${key.split("_")[0]}`,
    ...statusOf(taught),
    ...kinds[fields.goalType],
    ...fields,
    baselineDate: instantAt(dayOf(today, since), "00:00"),
    // A day, as systems write it.
    targetAchievementDate: `${dayOf(today, target)}T00:00:00.000Z`,
    ...additions[fields.goalType](taught),
  } as GoalRecord;
}

/** What is written of a goal, with the child's name in the texts. */
function writtenOf({ child, goal }: Taught): Written {
  const written = library[goal.goal];
  if (written === undefined) throw new Error(`goals.yaml has no goal "${goal.goal}"`);
  const text = JSON.stringify(written).replaceAll("{name}", child.record.firstName);
  return JSON.parse(text) as Written;
}

/** What the status is and became in these weeks, or since therapy began within them. */
function statusOf({ today, child, goal: { status, automatic } }: Taught) {
  const begun = Math.max(-WEEKS_OF_DATA, Math.min(-2, child.since));
  const taught = Math.min(-1, begun + WEEKS_OF_BASELINE);
  const became = (status: string, week: number, isAutomatic = false) => {
    return { status, since: instantAt(dayOf(today, week), "09:00"), isAutomatic };
  };
  const before = [became("BASELINE", begun), became("IN_PROGRESS", taught)];
  if (status === "IN_PROGRESS") return { status, phases: before };
  if (status !== "IN_MAINTENANCE") return { status, phases: [became(status, begun)] };
  const kept = became(status, Math.max(taught, MAINTAINED_SINCE), automatic);
  return { status, phases: [...before, kept] };
}

/** A lesson in which a goal was worked on. */
interface Worked extends Appointment {
  /** How far the goal was, from 0 to 1. */
  level: number;
  /** Its place among those of its week, from 0, and how many these are. */
  place: number;
  inWeek: number;
}

function workedIn({ child, goal, lessons }: Taught): Worked[] {
  const { status, course } = goal;
  if (!/^BASELINE$|^IN_/.test(status) && course !== "ended") return [];
  // Goals that go on take turns, so that in each lesson something is recorded.
  const steady = child.goals.filter(
    (each) => /^IN_/.test(each.status) && !/silent|forgotten/.test(each.course ?? ""),
  );
  const turn = Math.max(0, steady.map((each) => each.goal).indexOf(goal.goal)) % 2;
  const own = [...lessons.entries()].filter(
    ([index, { week, slip }]) =>
      (steady.length < 2 || index % 2 === turn) &&
      slip.recorded !== false &&
      (status !== "BASELINE" || week >= -WEEKS_OF_BASELINE) &&
      (course !== "silent" || week < -3) &&
      (course !== "forgotten" || week < -4 || week > -3),
  );
  return own.map(([index, lesson]) => {
    const together = own.filter(([, { week }]) => week === lesson.week);
    const place = together.findIndex(([other]) => other === index);
    const level = levelOf(goal, lesson.week, index);
    return { ...lesson, level, place, inWeek: together.length };
  });
}

/** How far a goal was in a lesson, from 0 to 1: it rises for five weeks behind the baseline, a little unevenly. */
function levelOf({ status, course }: WrittenGoal, week: number, lesson: number): number {
  if (course === "lost" && week >= -2) return 0.35;
  if (status === "BASELINE") return 0.15;
  const risen = Math.min(1, Math.max(0, week + WEEKS_OF_DATA - WEEKS_OF_BASELINE) / 5);
  if (status === "IN_MAINTENANCE" || course === "met") return 0.15 + 0.85 * risen;
  return 0.15 + 0.4 * risen + (((lesson * 7) % 5) - 2) * 0.02;
}

interface Moment extends Worked {
  happenedAt: Instant;
  /** Its place among those of the lesson, from 0. */
  attempt: number;
}

/** What was recorded at moments that are spread evenly over each lesson, with ids, as a list of a name unless it is empty. */
function recorded(
  name: string,
  taught: Taught,
  item: (moment: Moment, index: number) => object,
  count = 1,
): Record<string, object[]> {
  const moments = workedIn(taught).flatMap((lesson) =>
    Array.from({ length: count }, (_, attempt) => {
      const seconds = Math.round(((attempt + 1) / (count + 1)) * lesson.minutes * 60);
      const happenedAt = toInstant(epochMilliseconds(lesson.startTime) + seconds * 1000);
      return { ...lesson, attempt, happenedAt };
    }),
  );
  const [prefix = ""] = name.match(/behavior|[tT]rial|rating|interval/) ?? [];
  const items = moments.map((moment, index) => {
    const publicId = numbered(`${prefix.toLowerCase()}_${taught.key}_`, index + 1, 3);
    return { publicId, ...item(moment, index) };
  });
  return items.length > 0 ? { [name]: items } : {};
}

function cycled<Item>(items: readonly Item[] | undefined, index: number): Item | undefined {
  return items?.[index % items.length];
}

function summaryOf({ goal, key }: Taught) {
  const summary = cycled(summaries[goal.status], Number(key.replace("_", "")));
  return summary === undefined ? {} : { progressSummary: summary };
}

/** The metrics from a baseline to a criterion, by which a goal is met, unless it is not judged. */
function metricsOf(key: string, kind: string, [from, to]: [number, number], isJudged = true) {
  const measure = measures[kind];
  const than = to < from ? "LESS_THAN_OR_EQUAL_TO" : "GREATER_THAN_OR_EQUAL_TO";
  const target = { value: to, ...measure, ...(isJudged && { successCriteria: than }) };
  return {
    baselineMetric: { publicId: `metric_${key}_baseline`, value: from, ...measure },
    successMetric: { publicId: `metric_${key}_success`, ...target },
    maintenanceMetric: { publicId: `metric_${key}_maintenance`, ...target },
  };
}

/** What goals of each kind have besides what is written. */
const additions: Record<GoalRecord["goalType"], (taught: Taught) => object> = {
  frequency_duration: behaviorOf,
  opportunity: skillOf,
  /** Rated once a lesson. */
  rating: (taught) => ({
    title: taught.goal.goal,
    ...recorded("ratingInstances", taught, ({ level, happenedAt }) => {
      return { value: 1 + Math.round(level * 4), happenedAt };
    }),
  }),
  /** Observed in intervals, one set a lesson, in which it is seen more as the goal goes on. */
  interval: (taught) => ({
    title: taught.goal.goal,
    ...recorded("intervalSets", taught, ({ level, happenedAt }) => {
      const seen = (length: number): number => Math.floor(length * level);
      const { intervalQuantity: length = 0 } = writtenOf(taught);
      const intervals = Array.from({ length }, (_, index) => seen(index + 1) > seen(index));
      return { startedAt: happenedAt, intervals };
    }),
  }),
};

/** The frequency or duration of a behavior that should decrease or increase. */
function behaviorOf(taught: Taught) {
  const { key, today, child } = taught;
  const {
    dataCollectionType = "",
    from = 0,
    to = 0,
    antecedents,
    consequences,
  } = writtenOf(taught);
  const isOfTime = dataCollectionType === "DURATION_ONLY";
  return {
    addedToTreatmentPlanAt: instantAt(dayOf(today, child.since), "00:00"),
    targetMaladaptiveBehaviorName: taught.goal.goal,
    ...summaryOf(taught),
    ...metricsOf(key, dataCollectionType, [from, to]),
    ...recorded("behaviorInstances", taught, (moment, index) => {
      const { happenedAt, level, minutes, place, inWeek } = moment;
      // A little beyond the criterion at the end of the course.
      const amount = from + (to * (to < from ? 0.6 : 1.1) - from) * level;
      const until = (lessons: number): number =>
        Math.floor((Math.round(amount) * lessons) / inWeek);
      // Zero says that it was watched, and did not happen.
      const quantity = isOfTime ? 1 : until(place + 1) - until(place);
      const seconds = isOfTime
        ? Math.round(amount * minutes)
        : quantity * (30 + ((index * 35) % 200));
      return {
        ...{ quantity, happenedAt, antecedent: cycled(antecedents, index) },
        consequence: cycled(consequences, index + 1),
        ...(dataCollectionType !== "FREQUENCY_ONLY" && { durationSeconds: seconds }),
      };
    }),
  };
}

const OTHER_OUTCOMES = ["PROMPTED", "FAILURE", "PROMPTED", "NO_RESPONSE"];

/** Trials in each lesson, of which more succeed as the goal goes on. */
function trialsOf(taught: Taught, perLesson: number) {
  const trial = ({ level, attempt, happenedAt }: Moment, index: number) => {
    const isSuccess = attempt < Math.round(level * perLesson);
    return { outcome: isSuccess ? "SUCCESS" : cycled(OTHER_OUTCOMES, index), happenedAt };
  };
  return recorded("skillTrials", taught, trial, perLesson);
}

/** A skill that is taught as a whole, or step by step; each step is a child goal, and a chain is judged by its steps. */
function skillOf(taught: Taught) {
  const { steps } = writtenOf(taught);
  return {
    skillAcquisitionGoalType: steps ? "CHAINED_GOAL" : "SINGLE_TARGET_GOAL",
    shortDescription: taught.goal.goal,
    ...summaryOf(taught),
    minTrialsCount: steps ? 3 : 5,
    autoProgressToMaintenanceEnabled: steps === undefined,
    autoProgressToMasteredEnabled: false,
    ...metricsOf(taught.key, "opportunity", [steps ? 0 : 20, 80], steps === undefined),
    ...(steps
      ? { childGoals: steps.map((text, index) => stepGoal(taught, text, index + 1)) }
      : trialsOf(taught, 5)),
  };
}

/** Steps before the one that is taught are mastered, later ones not started. */
function stepGoal(chain: Taught, text: string, number: number) {
  const { step = 1, status, course, ...goal } = chain.goal;
  const other = number > step ? "FUTURE" : number === step - 1 ? "IN_MAINTENANCE" : "MASTERED";
  const isOther = number !== step && /^IN_PROGRESS$|^ON_HOLD$/.test(status);
  const own = isOther ? other : status;
  const taught: Taught = {
    ...chain,
    key: `${chain.key}_${number}`,
    goal: { ...goal, status: own, ...(course && number === step && { course }) },
  };
  return {
    publicId: `goal_${taught.key}`,
    goalType: "opportunity",
    ...kinds.opportunity,
    ...statusOf(taught),
    goalStatement: text,
    skillAcquisitionGoalType: "CHAINED_GOAL_TARGET",
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: true,
    ...metricsOf(taught.key, "opportunity", [0, 80]),
    ...((number === step || own === "IN_MAINTENANCE") && trialsOf(taught, 3)),
  };
}
