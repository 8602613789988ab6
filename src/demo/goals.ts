import { addMonths } from "../lib/calendar-date.ts";
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

/** A child with the last lessons, in order. Data was recorded in these. */
interface Learner {
  index: number;
  family: Family;
  lessons: Lesson[];
  demo: Demo;
}

/** Recorded data are not older than this, in weeks. */
const WEEKS_OF_DATA = 3;

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
    } as const,
    dates: {
      baselineDate: instantAt(start, 0),
      targetAchievementDate: instantAt(addMonths(start, 6), 0),
    },
    summary: summary === undefined ? {} : { progressSummary: summary },
    /** Inserts the child's name into a text. */
    say: (text: string): string => text.replaceAll("{name}", name),
  };
}

interface Moment {
  publicId: string;
  happenedAt: Instant;
  /** The digit that is written for the lesson, and the place of this moment in it, from 0. */
  digit: number;
  place: number;
}

/** What was recorded in the last lessons: moments spread evenly over each, `count` of them for its digit. */
function momentsOf(
  { lessons }: Learner,
  { recorded = "" }: WrittenGoal,
  prefix: string,
  count: (digit: number) => number,
): Moment[] {
  const digits = [...recorded].map(Number).slice(-lessons.length);
  const last = lessons.slice(lessons.length - digits.length);
  const moments = last.flatMap(({ start, minutes }, lesson) => {
    const digit = digits[lesson] ?? 0;
    return Array.from({ length: count(digit) }, (_, place) => {
      const part = (place + 1) / (count(digit) + 1);
      return {
        digit,
        place,
        happenedAt: toInstant(start + Math.round(part * minutes * 60) * 1000),
      };
    });
  });
  return moments.map((each, index) => ({ publicId: numbered(prefix, index + 1, 3), ...each }));
}

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
}

function metricsOf<Measure extends object>(
  key: string,
  { baseline, success, measure, isLess = false }: Criterion<Measure>,
) {
  const successCriteria = isLess ? "LESS_THAN_OR_EQUAL_TO" : "GREATER_THAN_OR_EQUAL_TO";
  const target = { value: success, ...measure, successCriteria } as const;
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
  const moments = momentsOf(learner, written, `behavior_${key}_`, (digit) => digit);
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
      moments.map(({ publicId, happenedAt }, index) => ({
        publicId,
        quantity: 1,
        happenedAt,
        antecedent: cycled(behavior.antecedents, index),
        consequence: cycled(behavior.consequences, index + 1),
        ...(collection !== "FREQUENCY_ONLY" && { durationSeconds: 30 + ((index * 35) % 200) }),
      })),
    ),
  };
  return goal;
}

type Trial = NonNullable<Kind<"opportunity">["skillTrials"]>[number];

const OUTCOMES: Trial["outcome"][] = ["SUCCESS", "FAILURE", "PROMPTED", "NO_RESPONSE"];
const OTHER_OUTCOMES: Trial["outcome"][] = ["PROMPTED", "FAILURE", "PROMPTED", "NO_RESPONSE"];

/** Trials in each lesson, of which the digit says how many succeeded. */
function trialsOf(learner: Learner, written: WrittenGoal, key: string, perLesson: number) {
  const moments = momentsOf(learner, written, `trial_${key}_`, () => perLesson);
  const trials = moments.map(({ publicId, happenedAt, digit, place }, index): Trial => {
    const outcome = place < digit ? "SUCCESS" : cycled(OTHER_OUTCOMES, index);
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
    ...metricsOf(key, { ...TARGET, baseline: steps ? 0 : 20 }),
    ...(steps
      ? {
          childGoals: steps.map((text, index) =>
            stepGoal(learner, written, key, { text, step: index + 1 }),
          ),
        }
      : trialsOf(learner, written, key, 3)),
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
  const others = step < taught ? "MASTERED" : "FUTURE";
  const goal: ChildGoalEntry = {
    publicId: `goal_${key}`,
    goalType: "opportunity",
    status: (isTaught && step !== taught ? others : status) as Status,
    goalStatement: text,
    skillAcquisitionGoalType: "CHAINED_GOAL_TARGET",
    enabledOutcomes: OUTCOMES,
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: true,
    ...metricsOf(key, { ...TARGET, baseline: 0 }),
    ...(step === taught && trialsOf(learner, written, key, 1)),
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
  const moments = momentsOf(learner, written, `rating_${key}_`, () => 1);
  const goal: Kind<"rating"> = {
    ...head,
    ...{ title, description, instructions: say(instructions), measurementType: "RATING" },
    ...listed(
      "ratingInstances",
      moments.map(({ publicId, digit, happenedAt }) => ({ publicId, value: digit, happenedAt })),
    ),
    ...dates,
  };
  return goal;
}

/** A goal observed in intervals, one set per lesson, of which the digit says in how many tenths it was seen. */
function intervalGoal(
  learner: Learner,
  written: WrittenGoal,
  key: string,
  observation: (typeof texts)["intervals"][number] & { window?: number },
) {
  const { head, dates } = frame(learner, written, key, "interval");
  const { title, description, instructions, duration, quantity, type, window } = observation;
  const moments = momentsOf(learner, written, `interval_${key}_`, () => 1);
  const isSeen = (digit: number, index: number): boolean =>
    Math.floor(((index + 1) * digit) / 10) > Math.floor((index * digit) / 10);
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
      moments.map(({ publicId, digit, happenedAt }) => ({
        publicId,
        startedAt: happenedAt,
        intervals: Array.from({ length: quantity }, (_, index) => isSeen(digit, index)),
      })),
    ),
    ...dates,
  };
  return goal;
}
