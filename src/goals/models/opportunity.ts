import { type Static, type TUnsafe, Type } from "@sinclair/typebox";
import { EnumField, InstantField, Nullable, RecursiveObject } from "../../schema/fields.ts";
import {
  FilledText,
  goal,
  InstantUpdate,
  newGoal,
  NewSwitch,
  NullableText,
  StatusUpdate,
  SwitchUpdate,
  TextUpdate,
} from "./common.ts";
import {
  metrics,
  NewOpportunityMetric,
  OpportunityMetric,
  OpportunityMetricUpdate,
} from "./metric.ts";

/**
 * Goals on a skill, tried at every opportunity (specification 2.5, 4.8, 4.9). A task analysis breaks one
 * down into child goals, which are opportunity goals themselves and may be broken down further.
 */

export const skillAcquisitionGoalTypes = [
  "SINGLE_TARGET_GOAL",
  "CHAINED_GOAL",
  "CHAINED_GOAL_TARGET",
] as const;

/** What a trial may come to. */
export const trialOutcomes = ["SUCCESS", "FAILURE", "PROMPTED", "NO_RESPONSE"] as const;

export type SkillAcquisitionGoalType = (typeof skillAcquisitionGoalTypes)[number];
export type TrialOutcome = (typeof trialOutcomes)[number];

const SkillType = EnumField(skillAcquisitionGoalTypes);
const Outcomes = Type.Array(EnumField(trialOutcomes));

/** What a database column and a JSON number count exactly. */
const largest = Number.MAX_SAFE_INTEGER;
const TrialsCount = Type.Integer({ minimum: 0, maximum: largest });
const SiblingOrder = Type.Integer({ minimum: -largest, maximum: largest, default: 0 });

export const SkillTrial = Type.Object(
  { publicId: Type.String(), outcome: EnumField(trialOutcomes), happenedAt: InstantField() },
  { $id: "SkillTrial" },
);

const skill = goal("Skill", "opportunity", {
  goalStatement: Type.String(),
  skillAcquisitionGoalType: SkillType,
  shortDescription: NullableText,
  instructions: NullableText,
  skillCategory: NullableText,
  baselineDate: Nullable(InstantField()),
  targetAchievementDate: Nullable(InstantField()),
  progressSummary: NullableText,
  minTrialsCount: Nullable(Type.Integer()),
  enabledOutcomes: Outcomes,
  autoProgressToMaintenanceEnabled: Type.Boolean(),
  autoProgressToMasteredEnabled: Type.Boolean(),
  ...metrics(OpportunityMetric),
});

export interface OpportunityGoal extends Static<typeof skill> {
  childGoals: OpportunityGoal[];
  skillTrials: Static<typeof SkillTrial>[];
}

export const OpportunityGoal = RecursiveObject(
  "OpportunityGoal",
  (Self: TUnsafe<OpportunityGoal>) => ({
    ...skill.properties,
    childGoals: Type.Array(Self, { description: "In sibling order." }),
    skillTrials: Type.Array(SkillTrial),
  }),
);

const newChildFields = {
  skillAcquisitionGoalType: SkillType,
  goalStatement: FilledText,
  enabledOutcomes: Outcomes,
  ...metrics(NewOpportunityMetric),
};

const newChild = Type.Object(newChildFields);

export interface NewChildGoal extends Static<typeof newChild> {
  childGoals?: NewChildGoal[] | null;
}

/** A step of a task analysis; its place in the list is its order among its siblings. */
export const NewChildGoal = RecursiveObject("NewChildGoal", (Self: TUnsafe<NewChildGoal>) => ({
  ...newChildFields,
  // Nullable for the same reason as the criteria of its metrics.
  childGoals: Type.Optional(Nullable(Type.Array(Self))),
}));

export const NewOpportunityGoal = newGoal("NewOpportunityGoal", "opportunity", {
  skillAcquisitionGoalType: SkillType,
  goalStatement: FilledText,
  enabledOutcomes: Outcomes,
  ...metrics(NewOpportunityMetric),
  shortDescription: Type.Optional(Type.String()),
  instructions: Type.Optional(Type.String()),
  skillCategory: Type.Optional(Type.String()),
  minTrialsCount: Type.Optional(TrialsCount),
  autoProgressToMaintenanceEnabled: NewSwitch,
  autoProgressToMasteredEnabled: NewSwitch,
  childGoals: Type.Optional(Type.Array(NewChildGoal)),
});

export const OpportunityGoalUpdate = Type.Object(
  {
    skillAcquisitionGoalType: Type.Optional(SkillType),
    goalStatement: Type.Optional(FilledText),
    shortDescription: TextUpdate,
    instructions: TextUpdate,
    skillCategory: TextUpdate,
    orderAmongSiblings: Type.Optional(Nullable(SiblingOrder)),
    status: StatusUpdate,
    baselineDate: InstantUpdate,
    targetAchievementDate: InstantUpdate,
    progressSummary: TextUpdate,
    minTrialsCount: Type.Optional(Nullable(TrialsCount)),
    enabledOutcomes: Type.Optional(Outcomes),
    autoProgressToMaintenanceEnabled: SwitchUpdate,
    autoProgressToMasteredEnabled: SwitchUpdate,
    ...metrics(Type.Optional(OpportunityMetricUpdate)),
    childGoals: Type.Optional(Nullable(Type.Array(NewChildGoal))),
  },
  {
    $id: "OpportunityGoalUpdate",
    description:
      "`childGoals` take the place of the earlier ones, which are deleted with what was recorded on them.",
  },
);

export type NewOpportunityGoal = Static<typeof NewOpportunityGoal>;
export type OpportunityGoalUpdate = Static<typeof OpportunityGoalUpdate>;
