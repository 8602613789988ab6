import type { ChildGoalEntry, OpportunityGoalRecord } from "../../practice-file/model.ts";
import { numbered } from "../ids.ts";
import { optionalList } from "../optional-list.ts";
import {
  goalDates,
  goalFrame,
  goalKey,
  type GoalStatus,
  hasData,
  named,
  newStatus,
  progressSummary,
} from "./frame.ts";
import { type Learner, momentsIn } from "./learner.ts";
import { chainedSkills, singleSkills } from "./skills.ts";

type Outcome = OpportunityGoalRecord["enabledOutcomes"][number];
type Trials = NonNullable<OpportunityGoalRecord["skillTrials"]>;

const TRIALS_PER_LESSON = 3;
/** Percent of the trials, as the statements of the skills say. */
const TARGET = 80;
const OUTCOMES: Outcome[] = ["SUCCESS", "FAILURE", "PROMPTED", "NO_RESPONSE"];
/** Prompts help more often than not. */
const OTHER_OUTCOMES: Outcome[] = ["PROMPTED", "PROMPTED", "FAILURE", "NO_RESPONSE"];

/** A skill that is taught in one piece. */
export function singleSkillGoal(learner: Learner, number: number): OpportunityGoalRecord {
  const { random } = learner;
  const skill = random.pick(singleSkills);
  const status = newStatus(learner);
  const key = goalKey(learner, number);
  const trials = hasData(status) ? skillTrials(learner, key, TRIALS_PER_LESSON) : [];
  return {
    ...goalFrame(learner, number, "opportunity", status),
    goalStatement: named(learner, skill.statement),
    skillAcquisitionGoalType: "SINGLE_TARGET_GOAL",
    shortDescription: skill.short,
    instructions: named(learner, skill.instructions),
    skillCategory: skill.category,
    ...goalDates(learner),
    ...progressSummary(random, status),
    minTrialsCount: 5,
    enabledOutcomes: OUTCOMES,
    autoProgressToMaintenanceEnabled: true,
    autoProgressToMasteredEnabled: random.chance(0.3),
    ...metrics(key, 10 * random.whole(0, 4)),
    ...optionalList("skillTrials", trials),
  };
}

/** A skill that is taught step by step, each step being a goal of its own. */
export function chainedSkillGoal(learner: Learner, number: number): OpportunityGoalRecord {
  const { random } = learner;
  const skill = random.pick(chainedSkills);
  const status = newStatus(learner);
  const key = goalKey(learner, number);
  return {
    ...goalFrame(learner, number, "opportunity", status),
    goalStatement: named(learner, skill.statement),
    skillAcquisitionGoalType: "CHAINED_GOAL",
    shortDescription: skill.short,
    instructions: named(learner, skill.instructions),
    skillCategory: skill.category,
    ...goalDates(learner),
    ...progressSummary(random, status),
    minTrialsCount: 3,
    enabledOutcomes: OUTCOMES,
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: false,
    ...metrics(key, 0),
    childGoals: skill.steps.map((step, index) => {
      const current = Math.floor(learner.progress * skill.steps.length);
      return stepGoal(learner, `${key}_${index + 1}`, step, stepStatus(status, index - current));
    }),
  };
}

function stepGoal(learner: Learner, key: string, step: string, status: GoalStatus): ChildGoalEntry {
  const trials = hasData(status) ? skillTrials(learner, key, 1) : [];
  return {
    publicId: `goal_${key}`,
    goalType: "opportunity",
    status,
    goalStatement: step,
    skillAcquisitionGoalType: "CHAINED_GOAL_TARGET",
    enabledOutcomes: OUTCOMES,
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: true,
    ...metrics(key, 0),
    ...optionalList("skillTrials", trials),
  };
}

/** While a chain is taught, the steps before the current one are mastered and those after it are to come. */
function stepStatus(ofChain: GoalStatus, distance: number): GoalStatus {
  if (ofChain !== "IN_PROGRESS" && ofChain !== "ON_HOLD") return ofChain;
  if (distance === 0) return ofChain;
  return distance < 0 ? "MASTERED" : "FUTURE";
}

function metrics(key: string, baseline: number) {
  const unit = "PERCENTAGE";
  const target = { value: TARGET, unit, successCriteria: "GREATER_THAN_OR_EQUAL_TO" } as const;
  return {
    baselineMetric: { publicId: `metric_${key}_baseline`, value: baseline, unit },
    successMetric: { publicId: `metric_${key}_success`, ...target },
    maintenanceMetric: { publicId: `metric_${key}_maintenance`, ...target },
  } as const;
}

/** More successes the further the child has come. */
function skillTrials(learner: Learner, key: string, perLesson: number): Trials {
  const { random, lessons, progress } = learner;
  const moments = lessons.flatMap((lesson) => momentsIn(random, lesson, perLesson));
  return moments.map((happenedAt, index) => ({
    publicId: numbered(`trial_${key}_`, index + 1, 3),
    outcome: random.chance(0.25 + 0.6 * progress) ? "SUCCESS" : random.pick(OTHER_OUTCOMES),
    happenedAt,
  }));
}
