import type { FrequencyDurationGoalRecord } from "../../practice-file/model.ts";
import { numbered } from "../ids.ts";
import { optionalList } from "../optional-list.ts";
import { type Behavior, behaviors } from "./behaviors.ts";
import {
  goalDates,
  goalFrame,
  goalKey,
  hasData,
  named,
  newStatus,
  progressSummary,
} from "./frame.ts";
import { type Learner, momentsIn } from "./learner.ts";

type Instances = NonNullable<FrequencyDurationGoalRecord["behaviorInstances"]>;

/** On how often something happens that should happen less, or more, often. */
export function behaviorGoal(learner: Learner, number: number): FrequencyDurationGoalRecord {
  const { random } = learner;
  const behavior = random.pick(behaviors);
  const status = newStatus(learner);
  const dates = goalDates(learner);
  const key = goalKey(learner, number);
  const instances = hasData(status) ? behaviorInstances(learner, key, behavior) : [];
  return {
    ...goalFrame(learner, number, "frequency_duration", status),
    dataCollectionType: behavior.dataCollectionType,
    addedToTreatmentPlanAt: dates.baselineDate,
    goalStatement: named(learner, behavior.statement),
    targetMaladaptiveBehaviorName: behavior.name,
    definition: behavior.definition,
    instructions: named(learner, behavior.instructions),
    ...progressSummary(random, status),
    ...dates,
    autoProgressToMaintenanceEnabled: true,
    autoProgressToMasteredEnabled: random.chance(0.3),
    isBehavior: behavior.isBehavior,
    ...metrics(key, behavior),
    ...optionalList("behaviorInstances", instances),
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

function metrics(key: string, { dataCollectionType, isBehavior, baseline, success }: Behavior) {
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

/** On the way from the baseline to the success criterion, as far as the child has come. */
function behaviorInstances(
  { random, lessons, progress }: Learner,
  key: string,
  { dataCollectionType, baseline, success, antecedents, consequences }: Behavior,
): Instances {
  const perLesson = (baseline + (success - baseline) * progress) / LESSONS_A_WEEK;
  const moments = lessons.flatMap((lesson) =>
    momentsIn(random, lesson, Math.floor(perLesson + random.fraction())),
  );
  return moments.map((happenedAt, index) => ({
    publicId: numbered(`behavior_${key}_`, index + 1, 3),
    quantity: random.whole(1, 2),
    happenedAt,
    antecedent: random.pick(antecedents),
    consequence: random.pick(consequences),
    ...(dataCollectionType !== "FREQUENCY_ONLY" && { durationSeconds: 5 * random.whole(3, 48) }),
  }));
}
