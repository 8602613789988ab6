import { type Static, type TObject, type TUnsafe, Type } from "@sinclair/typebox";
import {
  DiscriminatedUnion,
  EnumField,
  InstantField,
  ListField,
  Nullable,
  RecursiveObject,
  ShortTextField,
} from "../../schema/fields.ts";
import {
  FilledText,
  goal,
  InstantUpdate,
  newGoal,
  NewShortText,
  NewStatus,
  NewSwitch,
  NewText,
  NullableText,
  ShortTextUpdate,
  StatusUpdate,
  SwitchUpdate,
  TextUpdate,
  WholeNumber,
} from "./common.ts";
import {
  metrics,
  NewOpportunityMetric,
  OpportunityMetric,
  OpportunityMetricUpdate,
} from "./metric.ts";

/**
 * Goals on a skill, tried at every opportunity. A task analysis breaks one
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
const Outcomes = ListField(EnumField(trialOutcomes));

const TrialsCount = WholeNumber({ minimum: 0 });
const Place = { minimum: Number.MIN_SAFE_INTEGER };
const SiblingOrder = WholeNumber(Place, { description: "Null puts it back to 0." });
const PlaceInList = WholeNumber(Place, { description: "The place in the list when left out." });

export const SkillTrial = Type.Object(
  { publicId: Type.String(), outcome: EnumField(trialOutcomes), happenedAt: InstantField() },
  { $id: "SkillTrial" },
);

/** An opportunity goal without the goals below it and its trials. */
export const skill = goal("Skill", "opportunity", {
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

/** What a new goal cannot be without. */
const required = {
  skillAcquisitionGoalType: SkillType,
  goalStatement: FilledText,
  enabledOutcomes: Outcomes,
  ...metrics(NewOpportunityMetric),
};

/** What an update may change. */
const changes = {
  skillAcquisitionGoalType: Type.Optional(SkillType),
  goalStatement: Type.Optional(FilledText),
  shortDescription: TextUpdate,
  instructions: TextUpdate,
  skillCategory: ShortTextUpdate,
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
};

// In an update of its parent a default would be sent with every update: clients take it for the value of a child that
// is there.
const NewChildSwitch = Type.Optional(
  Nullable(Type.Boolean({ description: "False when left out." })),
);

/** A child takes all that a goal takes on create or update, whenever it is made; null is none. */
const newChild = {
  ...changes,
  ...required,
  orderAmongSiblings: Type.Optional(Nullable(PlaceInList)),
  status: Type.Optional(Nullable(NewStatus)),
  autoProgressToMaintenanceEnabled: NewChildSwitch,
  autoProgressToMasteredEnabled: NewChildSwitch,
};

export interface NewChildGoal extends Static<TObject<typeof newChild>> {
  childGoals?: NewChildGoal[] | null;
}

/** A goal and all goals below it are answered together. */
export const MAX_GOALS_OF_TREE = 500;
export const TREE_TOO_BIG = `A goal must consist of at most ${MAX_GOALS_OF_TREE} goals, itself and all below it counted`;

/** A step of a task analysis. */
export const NewChildGoal = RecursiveObject("NewChildGoal", (Self: TUnsafe<NewChildGoal>) => ({
  ...newChild,
  childGoals: Type.Optional(Nullable(ListField(Self))),
}));

export const NewOpportunityGoal = newGoal("NewOpportunityGoal", "opportunity", {
  ...required,
  shortDescription: NewText,
  instructions: NewText,
  skillCategory: NewShortText,
  minTrialsCount: Type.Optional(TrialsCount),
  autoProgressToMaintenanceEnabled: NewSwitch,
  autoProgressToMasteredEnabled: NewSwitch,
  childGoals: Type.Optional(ListField(NewChildGoal, { description: TREE_TOO_BIG })),
});

/** The id by which an element of a list of children is one that is there. */
export const ChildId = ShortTextField({ description: "Of a child of the goal around it." });

const knownChild = {
  publicId: ChildId,
  ...changes,
  orderAmongSiblings: Type.Optional(Nullable(PlaceInList)),
};

interface ChildGoalsUpdate {
  childGoals?: ChildGoalUpdate[] | null;
}

export type ChildGoalUpdate =
  | (Static<TObject<typeof knownChild>> & ChildGoalsUpdate)
  | (Static<TObject<typeof newChild>> & ChildGoalsUpdate);

/** A child that is there, of which fields change, or a new one. */
export const ChildGoalUpdate = Type.Unsafe<ChildGoalUpdate>(
  Type.Recursive(
    (Self) => {
      const childGoals = Type.Optional(Nullable(ListField(Self)));
      return DiscriminatedUnion("publicId", [
        Type.Object({ ...knownChild, childGoals }, { $id: "KnownChildGoal" }),
        Type.Object({ ...newChild, childGoals }, { $id: "AddedChildGoal" }),
      ]);
    },
    { $id: "ChildGoalUpdate" },
  ),
);

export const OpportunityGoalUpdate = Type.Object(
  {
    ...changes,
    childGoals: Type.Optional(Nullable(ListField(ChildGoalUpdate, { description: TREE_TOO_BIG }))),
  },
  {
    $id: "OpportunityGoalUpdate",
    description:
      "`childGoals` are all children that the goal is to have. One with the `publicId` of a child is that child, with what was recorded on it, and changes in the fields given; one without is new; children that are left out are deleted, with what was recorded on them.",
  },
);

export type NewOpportunityGoal = Static<typeof NewOpportunityGoal>;
export type OpportunityGoalUpdate = Static<typeof OpportunityGoalUpdate>;
