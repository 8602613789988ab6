import type {
  ChildGoalEntry,
  FrequencyDurationGoalRecord,
  GoalRecord,
  IntervalGoalRecord,
  OpportunityGoalRecord,
  RatingGoalRecord,
  TreatmentPlanRecord,
} from "../practice-file/model.ts";
import { type Clinic, patientId } from "./clinic.ts";
import { type Behavior, type GoalStatus, goalTexts, type Observation } from "./goal-texts.ts";
import {
  goalDates,
  goalFrame,
  hasData,
  type Learner,
  learners,
  momentsOf,
  withName,
  newStatus,
  progressSummary,
  treatmentPlanId,
} from "./learners.ts";
import { numbered } from "./organization.ts";

/** A treatment plan for every client whose therapy has begun. */
export function* treatmentPlans(clinic: Clinic): Generator<TreatmentPlanRecord> {
  for (const { client } of learners(clinic))
    yield {
      type: "treatmentPlan",
      publicId: treatmentPlanId(client),
      patientId: patientId(client.number),
      name: `Treatment plan ${client.startDate.slice(0, 4)}`,
    };
}

/**
 * Five goals per plan, of all types; one skill is taught in steps, the other as a whole. Each has a key, of which
 * its ids and those of its parts are made.
 */
export function* goals(clinic: Clinic): Generator<GoalRecord> {
  const kinds = [behaviorGoal, chainedSkillGoal, singleSkillGoal, ratingGoal, intervalGoal];
  for (const learner of learners(clinic))
    for (const [index, newGoal] of kinds.entries())
      yield newGoal(learner, `${numbered("", learner.client.number)}_${index + 1}`);
}

type Instances = NonNullable<FrequencyDurationGoalRecord["behaviorInstances"]>;

/** A goal for the frequency or duration of a behavior that should decrease or increase. */
function behaviorGoal(learner: Learner, key: string): FrequencyDurationGoalRecord {
  const { random } = learner;
  const behavior = random.pick(goalTexts.behaviors);
  const status = newStatus(learner);
  const dates = goalDates(learner);
  const behaviorInstances = hasData(status) ? instancesOf(learner, key, behavior) : [];
  return {
    ...goalFrame(learner, key, "frequency_duration", status),
    dataCollectionType: behavior.dataCollectionType,
    addedToTreatmentPlanAt: dates.baselineDate,
    goalStatement: withName(learner, behavior.statement),
    targetMaladaptiveBehaviorName: behavior.name,
    definition: behavior.definition,
    instructions: withName(learner, behavior.instructions),
    ...progressSummary(random, status),
    ...dates,
    autoProgressToMaintenanceEnabled: true,
    autoProgressToMasteredEnabled: random.chance(0.3),
    isBehavior: behavior.isBehavior,
    ...behaviorMetrics(key, behavior),
    ...(behaviorInstances.length > 0 && { behaviorInstances }),
  };
}

const TIMES_A_WEEK = {
  unit: "FREQUENCY",
  frequencyUnit: "WEEKS",
  observationPeriod: 4,
  observationPeriodUnit: "WEEKS",
} as const;

const MINUTES_AN_HOUR = {
  unit: "DURATION",
  frequencyUnit: "MINUTES",
  observationPeriod: 1,
  observationPeriodUnit: "HOURS",
} as const;

function behaviorMetrics(
  key: string,
  { dataCollectionType, isBehavior, baseline, success }: Behavior,
) {
  const measure = dataCollectionType === "DURATION_ONLY" ? MINUTES_AN_HOUR : TIMES_A_WEEK;
  const successCriteria = isBehavior ? "LESS_THAN_OR_EQUAL_TO" : "GREATER_THAN_OR_EQUAL_TO";
  const target = { value: success, ...measure, successCriteria } as const;
  return {
    baselineMetric: { publicId: `metric_${key}_baseline`, value: baseline, ...measure },
    successMetric: { publicId: `metric_${key}_success`, ...target },
    maintenanceMetric: { publicId: `metric_${key}_maintenance`, ...target },
  };
}

const LESSONS_A_WEEK = 4;

/** Recorded instances, between baseline and success criterion according to the child's progress. */
function instancesOf(
  learner: Learner,
  key: string,
  { dataCollectionType, baseline, success, antecedents, consequences }: Behavior,
): Instances {
  const { random, progress } = learner;
  const perLesson = (baseline + (success - baseline) * progress) / LESSONS_A_WEEK;
  const moments = momentsOf(learner, `behavior_${key}_`, () =>
    Math.floor(perLesson + random.fraction()),
  );
  return moments.map(({ publicId, happenedAt }) => ({
    publicId,
    quantity: random.whole(1, 2),
    happenedAt,
    antecedent: random.pick(antecedents),
    consequence: random.pick(consequences),
    ...(dataCollectionType !== "FREQUENCY_ONLY" && { durationSeconds: 5 * random.whole(3, 48) }),
  }));
}

type Outcome = OpportunityGoalRecord["enabledOutcomes"][number];
type Trials = NonNullable<OpportunityGoalRecord["skillTrials"]>;

const TRIALS_PER_LESSON = 3;
/** Percentage of successful trials, as stated in the skills' descriptions. */
const TARGET = 80;
const OUTCOMES: Outcome[] = ["SUCCESS", "FAILURE", "PROMPTED", "NO_RESPONSE"];
/** Weighted by repetition: prompts mostly help. */
const OTHER_OUTCOMES: Outcome[] = ["PROMPTED", "PROMPTED", "FAILURE", "NO_RESPONSE"];

/** A skill that is taught as a whole. */
function singleSkillGoal(learner: Learner, key: string): OpportunityGoalRecord {
  const { random } = learner;
  const skill = random.pick(goalTexts.singleSkills);
  const status = newStatus(learner);
  const skillTrials = hasData(status) ? trialsOf(learner, key, TRIALS_PER_LESSON) : [];
  return {
    ...goalFrame(learner, key, "opportunity", status),
    goalStatement: withName(learner, skill.statement),
    skillAcquisitionGoalType: "SINGLE_TARGET_GOAL",
    shortDescription: skill.short,
    instructions: withName(learner, skill.instructions),
    skillCategory: skill.category,
    ...goalDates(learner),
    ...progressSummary(random, status),
    minTrialsCount: 5,
    enabledOutcomes: OUTCOMES,
    autoProgressToMaintenanceEnabled: true,
    autoProgressToMasteredEnabled: random.chance(0.3),
    ...skillMetrics(key, 10 * random.whole(0, 4)),
    ...(skillTrials.length > 0 && { skillTrials }),
  };
}

/** A skill that is taught step by step; each step is a child goal. */
function chainedSkillGoal(learner: Learner, key: string): OpportunityGoalRecord {
  const { random } = learner;
  const skill = random.pick(goalTexts.chainedSkills);
  const status = newStatus(learner);
  return {
    ...goalFrame(learner, key, "opportunity", status),
    goalStatement: withName(learner, skill.statement),
    skillAcquisitionGoalType: "CHAINED_GOAL",
    shortDescription: skill.short,
    instructions: withName(learner, skill.instructions),
    skillCategory: skill.category,
    ...goalDates(learner),
    ...progressSummary(random, status),
    minTrialsCount: 3,
    enabledOutcomes: OUTCOMES,
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: false,
    ...skillMetrics(key, 0),
    childGoals: skill.steps.map((step, index) => {
      const current = Math.floor(learner.progress * skill.steps.length);
      return stepGoal(learner, `${key}_${index + 1}`, step, stepStatus(status, index - current));
    }),
  };
}

function stepGoal(learner: Learner, key: string, step: string, status: GoalStatus): ChildGoalEntry {
  const skillTrials = hasData(status) ? trialsOf(learner, key, 1) : [];
  return {
    publicId: `goal_${key}`,
    goalType: "opportunity",
    status,
    goalStatement: step,
    skillAcquisitionGoalType: "CHAINED_GOAL_TARGET",
    enabledOutcomes: OUTCOMES,
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: true,
    ...skillMetrics(key, 0),
    ...(skillTrials.length > 0 && { skillTrials }),
  };
}

/** The status of a step: steps before the current one are mastered, later ones not started. */
function stepStatus(ofChain: GoalStatus, distance: number): GoalStatus {
  if (ofChain !== "IN_PROGRESS" && ofChain !== "ON_HOLD") return ofChain;
  if (distance === 0) return ofChain;
  return distance < 0 ? "MASTERED" : "FUTURE";
}

function skillMetrics(key: string, baseline: number) {
  const unit = "PERCENTAGE";
  const target = { value: TARGET, unit, successCriteria: "GREATER_THAN_OR_EQUAL_TO" } as const;
  return {
    baselineMetric: { publicId: `metric_${key}_baseline`, value: baseline, unit },
    successMetric: { publicId: `metric_${key}_success`, ...target },
    maintenanceMetric: { publicId: `metric_${key}_maintenance`, ...target },
  } as const;
}

/** Recorded trials; the share of successes grows with progress. */
function trialsOf(learner: Learner, key: string, perLesson: number): Trials {
  const { random, progress } = learner;
  return momentsOf(learner, `trial_${key}_`, () => perLesson).map(({ publicId, happenedAt }) => ({
    publicId,
    outcome: random.chance(0.25 + 0.6 * progress) ? "SUCCESS" : random.pick(OTHER_OUTCOMES),
    happenedAt,
  }));
}

type Ratings = NonNullable<RatingGoalRecord["ratingInstances"]>;
type IntervalSets = NonNullable<IntervalGoalRecord["intervalSets"]>;

const HIGHEST_RATING = 5;
const SETS = 3;

/** A goal that the technician rates once per lesson. */
function ratingGoal(learner: Learner, key: string): RatingGoalRecord {
  const { title, description, instructions } = learner.random.pick(goalTexts.ratings);
  const status = newStatus(learner);
  const ratingInstances = hasData(status) ? ratingsOf(learner, key) : [];
  return {
    ...goalFrame(learner, key, "rating", status),
    title,
    description,
    instructions: withName(learner, instructions),
    measurementType: "RATING",
    ...(ratingInstances.length > 0 && { ratingInstances }),
    ...goalDates(learner),
  };
}

/** Ratings, from mostly 1 and 2 to mostly 4 and 5 as progress grows. */
function ratingsOf(learner: Learner, key: string): Ratings {
  const { random, progress } = learner;
  return momentsOf(learner, `rating_${key}_`).map(({ publicId, happenedAt }) => {
    const value = Math.round(1 + 3 * progress + random.fraction());
    return { publicId, value: Math.min(value, HIGHEST_RATING), happenedAt };
  });
}

/** A goal observed in intervals, one set per lesson. */
function intervalGoal(learner: Learner, key: string): IntervalGoalRecord {
  const observation = learner.random.pick(goalTexts.intervals);
  const { title, description, instructions, window } = observation;
  const status = newStatus(learner);
  const intervalSets = hasData(status) ? observedSets(learner, key, observation) : [];
  return {
    ...goalFrame(learner, key, "interval", status),
    title,
    description,
    instructions,
    measurementType: "INTERVAL",
    intervalDuration: observation.duration,
    intervalQuantity: observation.quantity,
    sets: SETS,
    intervalRecordingType: observation.type,
    ...(window !== undefined && { window }),
    ...(intervalSets.length > 0 && { intervalSets }),
    ...goalDates(learner),
  };
}

function observedSets(
  learner: Learner,
  key: string,
  { quantity, isWanted }: Observation,
): IntervalSets {
  const { random, progress } = learner;
  const chance = isWanted ? 0.2 + 0.7 * progress : 0.8 - 0.7 * progress;
  return momentsOf(learner, `interval_${key}_`).map(({ publicId, happenedAt }) => ({
    publicId,
    startedAt: happenedAt,
    intervals: Array.from({ length: quantity }, () => random.chance(chance)),
  }));
}
