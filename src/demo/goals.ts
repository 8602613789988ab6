import { addMonths, type CalendarDate } from "../lib/calendar-date.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import type { ChildGoalEntry, GoalRecord, TreatmentPlanRecord } from "../practice-file/model.ts";
import { type Demo, patientId } from "./authorizations.ts";
import { dayOf, instantAt } from "./calendar.ts";
import { families, type Family, numbered, type WrittenGoal } from "./clinic.ts";
import texts from "./goals.json";
import { appointments } from "./sessions.ts";

/** The treatment plan and the goals of every child whose therapy has begun. */

type Behavior = (typeof texts)["behaviors"][number];
type Skill = (typeof texts)["singleSkills"][number] & { steps?: string[] };
type Status = NonNullable<GoalRecord["status"]>;
type Kind<Type extends GoalRecord["goalType"]> = Extract<GoalRecord, { goalType: Type }>;

/** A lesson with a technician: when it began, in epoch milliseconds, and how long it was. */
interface Lesson {
  start: number;
  minutes: number;
}

/** A child with the lessons of the last weeks, in order. Data was recorded in these. */
interface Learner {
  index: number;
  family: Family;
  lessons: Lesson[];
  demo: Demo;
}

/** Recorded data are not older than this, in weeks. */
const WEEKS_OF_DATA = 12;
/** Weeks of baseline, and the week in which a goal went into maintenance. */
const WEEKS_OF_BASELINE = 2;
const MAINTAINED_SINCE = -6;

/** The families whose child has goals, with their places. */
const taught = [...families.entries()].filter(([, { goals }]) => goals !== undefined);

function learners(demo: Demo): Learner[] {
  const byChild = new Map<number, Lesson[]>();
  for (const each of appointments(demo, -WEEKS_OF_DATA, 0)) {
    const { client, slot, date, start, minutes, status } = each;
    if (client === undefined || slot.visit !== "direct" || status !== "CONFIRMED") continue;
    if (date >= demo.today) continue;
    const lesson = { start: Date.parse(instantAt(date, start)), minutes };
    byChild.set(client.index, [...(byChild.get(client.index) ?? []), lesson]);
  }
  return taught.map(([index, family]) => {
    return { index, family, demo, lessons: byChild.get(index) ?? [] };
  });
}

function planId(index: number): string {
  return numbered("tp_", index + 1);
}

export function* treatmentPlans({ today }: Demo): Generator<TreatmentPlanRecord> {
  for (const [index, family] of taught)
    yield {
      type: "treatmentPlan",
      publicId: planId(index),
      patientId: patientId(index),
      name: `Treatment plan ${dayOf(today, family.therapy?.since ?? 0).slice(0, 4)}`,
    };
}

/** The goals of each child, each with a key, of which its ids and those of its parts are made. */
export function* goals(demo: Demo): Generator<GoalRecord> {
  for (const learner of learners(demo))
    for (const [index, goal] of (learner.family.goals ?? []).entries())
      yield newGoal(learner, goal, `${numbered("", learner.index + 1)}_${index + 1}`);
}

function newGoal(learner: Learner, written: WrittenGoal, key: string): GoalRecord {
  const behavior = texts.behaviors.find(({ name }) => name === written.goal);
  if (behavior) return behaviorGoal(learner, written, key, behavior);
  const skills: Skill[] = [...texts.singleSkills, ...texts.chainedSkills];
  const skill = skills.find(({ short }) => short === written.goal);
  if (skill) return skillGoal(learner, written, key, skill);
  const rating = texts.ratings.find(({ title }) => title === written.goal);
  if (rating) return ratingGoal(learner, written, key, rating);
  const interval = texts.intervals.find(({ title }) => title === written.goal);
  if (interval) return intervalGoal(learner, written, key, interval);
  throw new Error(`goals.json has no goal "${written.goal}"`);
}

function frame<Type extends GoalRecord["goalType"]>(
  { index, family, demo }: Learner,
  { status }: WrittenGoal,
  key: string,
  goalType: Type,
) {
  const start = dayOf(demo.today, family.therapy?.since ?? 0);
  const [name = ""] = family.child.name.split(" ");
  const summaries: Partial<Record<string, string[]>> = texts.summaries;
  const summary = summaries[status]?.[(index + Number(key.at(-1))) % summaries[status].length];
  return {
    head: {
      type: "goal",
      publicId: `goal_${key}`,
      treatmentPlanId: planId(index),
      goalType,
      status: status as Status,
      phases: phasesOf(demo, family, status as Status, index % 3 === 0),
    } as const,
    dates: {
      baselineDate: instantAt(start, 0),
      targetAchievementDate: midnight(
        targetOf(demo, start, index * GOALS_OF_CHILD + Number(key.at(-1))),
      ),
    },
    summary: summary === undefined ? {} : { progressSummary: summary },
    /** Inserts the child's name into a text. */
    say: (text: string): string => text.replaceAll("{name}", name),
  };
}

/** A day as systems write it. */
function midnight(date: CalendarDate): Instant {
  return `${date}T00:00:00.000Z` as Instant;
}

/** Half a year after the start, or later ones in half years; of some goals that was a while ago. */
function targetOf({ today }: Demo, start: CalendarDate, place: number): CalendarDate {
  if (place % 29 === 4) return dayOf(today, -3);
  let target = addMonths(start, 6);
  while (target <= dayOf(today, 2)) target = addMonths(target, 6);
  return target;
}

type Phases = NonNullable<GoalRecord["phases"]>;

/** What the status became in these weeks, of therapy that began within them from then on. */
function phasesOf(
  { today }: Demo,
  { therapy }: Family,
  status: Status,
  isAutomatic: boolean,
): Phases {
  const begun = Math.max(-WEEKS_OF_DATA, Math.min(-2, therapy?.since ?? 0));
  const taught = Math.min(-1, begun + WEEKS_OF_BASELINE);
  const since = (week: number): Instant => instantAt(dayOf(today, week), 9 * 60);
  const first = { status: "BASELINE", since: since(begun), isAutomatic: false } as const;
  const teaching = { status: "IN_PROGRESS", since: since(taught), isAutomatic: false } as const;
  if (status === "BASELINE") return [first];
  if (status === "IN_PROGRESS") return [first, teaching];
  if (status === "IN_MAINTENANCE") {
    const kept = since(Math.max(taught, MAINTAINED_SINCE));
    return [first, teaching, { status, since: kept, isAutomatic }];
  }
  return [{ status, since: since(begun), isAutomatic: false }];
}

/** How a goal goes on: to where, of 1, and whether it was forgotten in the end, or was lost once it was reached. */
interface Course {
  end: number;
  silentFrom?: number;
  lostFrom?: number;
  /** Two weeks in which nobody wrote it down. */
  forgotten?: true;
}

/** The course of a goal, by its place among all of the clinic: few are met, silent or lost. */
function courseOf(index: number, status: string, goal: number): Course {
  const place = index * GOALS_OF_CHILD + goal;
  if (status === "IN_MAINTENANCE") return place % 5 === 1 ? { end: 1, lostFrom: -2 } : { end: 1 };
  if (status === "BASELINE") return { end: 0.15 };
  if (place % 19 === 3) return { end: 1 };
  if (place % 23 === 5) return { end: 0.6, silentFrom: -3 };
  return place % 17 === 2 ? { end: 0.55, forgotten: true } : { end: 0.55 };
}

const GOALS_OF_CHILD = 5;

/** How far a goal was in a lesson, from 0 to 1: it rises behind the baseline, a little unevenly. */
function levelOf({ end, lostFrom }: Course, week: number, lesson: number): number {
  if (lostFrom !== undefined && week >= lostFrom) return 0.35;
  const taught = Math.max(0, week + WEEKS_OF_DATA - WEEKS_OF_BASELINE);
  const risen = Math.min(1, taught / (WEEKS_OF_DATA - WEEKS_OF_BASELINE - 5));
  const uneven = (((lesson * 7) % 5) - 2) * 0.02;
  return Math.min(1, Math.max(0, 0.15 + (end - 0.15) * risen + (end === 1 ? 0 : uneven)));
}

interface Moment {
  publicId: string;
  happenedAt: Instant;
  /** How far the goal was in the lesson, from 0 to 1, and the place of this moment in it, from 0. */
  level: number;
  place: number;
  lesson: number;
  minutes: number;
  /** The place of the lesson among those of its week in which the goal was worked on, and how many these are. */
  ofWeek: [place: number, count: number];
}

/** A lesson of a learner in which nobody wrote anything down, once in a while. */
function isForgotten({ index }: Learner, fromEnd: number): boolean {
  return index % 7 === 3 && fromEnd === 4;
}

/** What was recorded in every other lesson: moments spread evenly over it. */
function momentsOf(
  learner: Learner,
  written: WrittenGoal,
  { key, prefix, count }: { key: string; prefix: string; count: number },
): Moment[] {
  const { goals = [] } = learner.family;
  // Of whoever has left, until then.
  const isOver =
    !goals.some(({ status }) => RECORDED.has(status)) && goals[0]?.goal === written.goal;
  if (!RECORDED.has(written.status) && !isOver) return [];
  const { lessons, demo } = learner;
  const course = courseOf(learner.index, written.status, Number(key.split("_")[1]));
  const isOwnTurn = turnOf(learner, written);
  const monday = Date.parse(dayOf(demo.today, 0));
  const weekOf = (start: number) => Math.floor((start - monday) / (7 * 86_400_000));
  const own = [...lessons.entries()].filter(([lesson, { start }]) => {
    const week = weekOf(start);
    if (!isOwnTurn(lesson) || isForgotten(learner, lessons.length - lesson)) return false;
    if (written.status === "BASELINE" && week < -WEEKS_OF_BASELINE) return false;
    if (course.silentFrom !== undefined && week >= course.silentFrom) return false;
    return course.forgotten !== true || week < -4 || week > -3;
  });
  const byWeek = Map.groupBy(own, ([, { start }]) => weekOf(start));
  const moments = own.flatMap(([lesson, { start, minutes }]) => {
    const week = weekOf(start);
    const together = byWeek.get(week) ?? [];
    const ofWeek: Moment["ofWeek"] = [
      together.findIndex(([each]) => each === lesson),
      together.length,
    ];
    return Array.from({ length: count }, (_, place) => ({
      ...{ level: levelOf(course, week, lesson), place, lesson, minutes, ofWeek },
      happenedAt: toInstant(start + Math.round(((place + 1) / (count + 1)) * minutes * 60) * 1000),
    }));
  });
  return moments.map((each, index) => ({ publicId: numbered(prefix, index + 1, 3), ...each }));
}

/** A goal is recorded in every other lesson, so that in each one something is. */
function turnOf({ index, family: { goals = [] } }: Learner, written: WrittenGoal) {
  const isSteady = (goal: WrittenGoal, place: number): boolean =>
    /^IN_/.test(goal.status) &&
    courseOf(index, goal.status, place + 1).silentFrom === undefined &&
    courseOf(index, goal.status, place + 1).forgotten === undefined;
  const steady = goals.filter(isSteady);
  // A step has the status of its own.
  const rank = steady.findIndex(({ goal }) => goal === written.goal);
  return (lesson: number): boolean => steady.length < 2 || lesson % 2 === Math.max(0, rank) % 2;
}

/** The statuses of goals on which something was recorded in these weeks. */
const RECORDED: ReadonlySet<string> = new Set(["BASELINE", "IN_PROGRESS", "IN_MAINTENANCE"]);

/** A list under its name, unless it is empty. */
function listed<Name extends string, Item>(name: Name, items: Item[]): { [key in Name]?: Item[] } {
  return items.length > 0 ? ({ [name]: items } as { [key in Name]: Item[] }) : {};
}

function cycled<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}

interface Criterion<Measure> {
  baseline: number;
  success: number;
  measure: Measure;
  /** Whether it is met by less. */
  isLess?: boolean;
  /** Whether it is judged at all. */
  isJudged?: boolean;
}

function metricsOf<Measure extends object>(
  key: string,
  { baseline, success, measure, isLess = false, isJudged = true }: Criterion<Measure>,
) {
  const compared = isLess
    ? ({ successCriteria: "LESS_THAN_OR_EQUAL_TO" } as const)
    : ({ successCriteria: "GREATER_THAN_OR_EQUAL_TO" } as const);
  const target = { value: success, ...measure, ...(isJudged && compared) } as const;
  return {
    baselineMetric: { publicId: `metric_${key}_baseline`, value: baseline, ...measure },
    successMetric: { publicId: `metric_${key}_success`, ...target },
    maintenanceMetric: { publicId: `metric_${key}_maintenance`, ...target },
  };
}

const MEASURES = {
  timesAWeek: {
    unit: "FREQUENCY",
    frequencyUnit: "WEEKS",
    observationPeriod: 4,
    observationPeriodUnit: "WEEKS",
  },
  minutesAnHour: {
    unit: "DURATION",
    frequencyUnit: "MINUTES",
    observationPeriod: 1,
    observationPeriodUnit: "HOURS",
  },
  percentage: { unit: "PERCENTAGE" },
} as const;

/** A goal for the frequency or duration of a behavior that should decrease or increase. */
function behaviorGoal(learner: Learner, written: WrittenGoal, key: string, behavior: Behavior) {
  const { head, dates, summary, say } = frame(learner, written, key, "frequency_duration");
  const collection = behavior.dataCollectionType as NonNullable<
    Kind<"frequency_duration">["dataCollectionType"]
  >;
  const measure = collection === "DURATION_ONLY" ? MEASURES.minutesAnHour : MEASURES.timesAWeek;
  const isOfTime = collection === "DURATION_ONLY";
  const moments = momentsOf(learner, written, { key, prefix: `behavior_${key}_`, count: 1 });
  const goal: Kind<"frequency_duration"> = {
    ...head,
    dataCollectionType: collection,
    addedToTreatmentPlanAt: dates.baselineDate,
    goalStatement: say(behavior.statement),
    targetMaladaptiveBehaviorName: behavior.name,
    definition: behavior.definition,
    instructions: say(behavior.instructions),
    ...summary,
    ...dates,
    autoProgressToMaintenanceEnabled: true,
    autoProgressToMasteredEnabled: false,
    isBehavior: behavior.isBehavior,
    ...metricsOf(key, { ...behavior, measure, isLess: behavior.isBehavior }),
    ...listed(
      "behaviorInstances",
      moments.map(({ publicId, happenedAt, level, minutes, ofWeek: [place, count] }, index) => {
        const { baseline, success, isBehavior } = behavior;
        // A little beyond the criterion at the end of the course.
        const last = isBehavior ? success * 0.6 : success * 1.1;
        const amount = baseline + (last - baseline) * level;
        const ofWeek = Math.round(amount);
        const ofLesson =
          Math.floor((ofWeek * (place + 1)) / count) - Math.floor((ofWeek * place) / count);
        const seconds = Math.round((amount * minutes * 60) / 60);
        return {
          publicId,
          // Zero says that it was watched, and did not happen.
          quantity: isOfTime ? 1 : ofLesson,
          happenedAt,
          antecedent: cycled(behavior.antecedents, index),
          consequence: cycled(behavior.consequences, index + 1),
          ...(isOfTime && { durationSeconds: seconds }),
          ...(collection === "FREQUENCY_AND_DURATION" && {
            durationSeconds: ofLesson * (30 + ((index * 35) % 200)),
          }),
        };
      }),
    ),
  };
  return goal;
}

type Trial = NonNullable<Kind<"opportunity">["skillTrials"]>[number];

const OUTCOMES: Trial["outcome"][] = ["SUCCESS", "FAILURE", "PROMPTED", "NO_RESPONSE"];
const OTHER_OUTCOMES: Trial["outcome"][] = ["PROMPTED", "FAILURE", "PROMPTED", "NO_RESPONSE"];

/** The key of the goal of a step. */
function goalKeyOf(key: string): string {
  return key.split("_").slice(0, 2).join("_");
}

/** Trials in each lesson, of which more succeed as the goal goes on. */
function trialsOf(learner: Learner, written: WrittenGoal, key: string, perLesson: number) {
  const moments = momentsOf(learner, written, {
    ...{ key: goalKeyOf(key), prefix: `trial_${key}_`, count: perLesson },
  });
  const trials = moments.map(({ publicId, happenedAt, level, place }, index): Trial => {
    const isSuccess = place < Math.round(level * perLesson);
    const outcome = isSuccess ? "SUCCESS" : cycled(OTHER_OUTCOMES, index);
    return { publicId, outcome, happenedAt };
  });
  return listed("skillTrials", trials);
}

/** Percentage of successful trials, as stated in the skills' descriptions. */
const TARGET = { success: 80, measure: MEASURES.percentage };

/** A skill that is taught as a whole, in three trials a lesson, or step by step; each step is a child goal. */
function skillGoal(learner: Learner, written: WrittenGoal, key: string, skill: Skill) {
  const { head, dates, summary, say } = frame(learner, written, key, "opportunity");
  const { steps } = skill;
  const goal: Kind<"opportunity"> = {
    ...head,
    goalStatement: say(skill.statement),
    skillAcquisitionGoalType: steps ? "CHAINED_GOAL" : "SINGLE_TARGET_GOAL",
    shortDescription: skill.short,
    instructions: say(skill.instructions),
    skillCategory: skill.category,
    ...dates,
    ...summary,
    minTrialsCount: steps ? 3 : 5,
    enabledOutcomes: OUTCOMES,
    autoProgressToMaintenanceEnabled: steps === undefined,
    autoProgressToMasteredEnabled: false,
    // A chain is judged by its steps.
    ...metricsOf(key, { ...TARGET, baseline: steps ? 0 : 20, isJudged: steps === undefined }),
    ...(steps
      ? {
          childGoals: steps.map((text, index) =>
            stepGoal(learner, written, key, { text, step: index + 1 }),
          ),
        }
      : trialsOf(learner, written, key, 5)),
  };
  return goal;
}

/** Steps before the one that is taught are mastered, later ones not started. */
function stepGoal(
  learner: Learner,
  written: WrittenGoal,
  chain: string,
  { text, step }: { text: string; step: number },
) {
  const { step: taught = 1, status } = written;
  const key = `${chain}_${step}`;
  const isTaught = status === "IN_PROGRESS" || status === "ON_HOLD";
  const others = step > taught ? "FUTURE" : step === taught - 1 ? "IN_MAINTENANCE" : "MASTERED";
  const own = isTaught && step !== taught ? others : status;
  const goal: ChildGoalEntry = {
    publicId: `goal_${key}`,
    goalType: "opportunity",
    status: own as Status,
    phases: phasesOf(learner.demo, learner.family, own as Status, false),
    goalStatement: text,
    skillAcquisitionGoalType: "CHAINED_GOAL_TARGET",
    enabledOutcomes: OUTCOMES,
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: true,
    ...metricsOf(key, { ...TARGET, baseline: 0 }),
    ...((step === taught || own === "IN_MAINTENANCE") &&
      trialsOf(learner, { ...written, status: own }, key, 3)),
  };
  return goal;
}

/** A goal that the technician rates once per lesson. */
function ratingGoal(
  learner: Learner,
  written: WrittenGoal,
  key: string,
  { title, description, instructions }: (typeof texts)["ratings"][number],
) {
  const { head, dates, say } = frame(learner, written, key, "rating");
  const moments = momentsOf(learner, written, { key, prefix: `rating_${key}_`, count: 1 });
  const goal: Kind<"rating"> = {
    ...head,
    ...{ title, description, instructions: say(instructions), measurementType: "RATING" },
    ...listed(
      "ratingInstances",
      moments.map(({ publicId, level, happenedAt }) => ({
        ...{ publicId, value: 1 + Math.round(level * 4), happenedAt },
      })),
    ),
    ...dates,
  };
  return goal;
}

/** A goal observed in intervals, one set per lesson, in which it is seen more as the goal goes on. */
function intervalGoal(
  learner: Learner,
  written: WrittenGoal,
  key: string,
  observation: (typeof texts)["intervals"][number] & { window?: number },
) {
  const { head, dates } = frame(learner, written, key, "interval");
  const { title, description, instructions, duration, quantity, type, window } = observation;
  const moments = momentsOf(learner, written, { key, prefix: `interval_${key}_`, count: 1 });
  const isSeen = (level: number, index: number): boolean =>
    Math.floor((index + 1) * level) > Math.floor(index * level);
  const goal: Kind<"interval"> = {
    ...head,
    ...{ title, description, instructions, measurementType: "INTERVAL" },
    intervalDuration: duration,
    intervalQuantity: quantity,
    sets: 3,
    intervalRecordingType: type as Kind<"interval">["intervalRecordingType"],
    ...(window !== undefined && { window }),
    ...listed(
      "intervalSets",
      moments.map(({ publicId, level, happenedAt }) => ({
        publicId,
        startedAt: happenedAt,
        intervals: Array.from({ length: quantity }, (_, index) => isSeen(level, index)),
      })),
    ),
    ...dates,
  };
  return goal;
}
