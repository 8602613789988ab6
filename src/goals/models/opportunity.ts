import { type Static, type TObject, type TUnsafe, Type } from "@sinclair/typebox";
import {
  DiscriminatedUnion,
  EnumField,
  InstantField,
  ListField,
  Nullable,
  Itself,
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
 * Goals for a skill, recorded trial by trial. A task analysis divides a goal into child goals, which are opportunity
 * goals themselves and can be divided further.
 */

export const skillAcquisitionGoalTypes = [
  "SINGLE_TARGET_GOAL",
  "CHAINED_GOAL",
  "CHAINED_GOAL_TARGET",
] as const;

export const trialOutcomes = ["SUCCESS", "FAILURE", "PROMPTED", "NO_RESPONSE"] as const;

const SkillType = EnumField(skillAcquisitionGoalTypes);
const Outcomes = ListField(EnumField(trialOutcomes));

const TrialsCount = WholeNumber({ minimum: 0 });
const Place = { minimum: Number.MIN_SAFE_INTEGER };
const SiblingOrder = WholeNumber(Place, { description: "Null resets it to 0." });
const PlaceInList = WholeNumber(Place, { description: "Default: the index in the list." });

export const SkillTrial = Type.Object(
  { publicId: Type.String(), outcome: EnumField(trialOutcomes), happenedAt: InstantField() },
  { $id: "SkillTrial" },
);

/** An opportunity goal without its child goals and trials. */
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
    childGoals: Type.Array(Self, { description: "Ordered by `orderAmongSiblings`." }),
    skillTrials: Type.Array(SkillTrial),
  }),
);

/** Required fields of a new goal. */
const required = {
  skillAcquisitionGoalType: SkillType,
  goalStatement: FilledText,
  enabledOutcomes: Outcomes,
  ...metrics(NewOpportunityMetric),
};

/** Fields of an update. */
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
const NewChildSwitch = Type.Optional(Nullable(Type.Boolean()));

/** A new child, in a create or an update, takes the fields of both. Null means no value. */
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

/** Limit of a goal and its descendants, which are all in one response. */
export const MAX_GOALS_OF_TREE = 500;
/** Of the texts of a tree, as JSON, which updates can add to it one after another: a response has all of them. */
export const MAX_BYTES_OF_TREE = 12 * 1024 * 1024;
export const TREE_TOO_BIG = `A goal and its descendants may be at most ${MAX_GOALS_OF_TREE} goals`;

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

/** The id of an existing child, in a list of children. */
export const ChildId = ShortTextField({
  description: "The id of an existing child of the goal that contains this list.",
});

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

const childGoals = Type.Optional(Nullable(ListField(Itself("ChildGoalUpdate"))));

/** An existing child with changed fields, or a new child. */
export const ChildGoalUpdate = Type.Unsafe<ChildGoalUpdate>(
  DiscriminatedUnion(
    "publicId",
    [
      Type.Object({ ...knownChild, childGoals }, { $id: "KnownChildGoal" }),
      Type.Object({ ...newChild, childGoals }, { $id: "AddedChildGoal" }),
    ],
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
      "`childGoals` replaces the list of children. An element with the `publicId` of an existing child updates the given fields of that child, which keeps its recorded data. An element without `publicId` creates a child. Existing children that are not in the list are deleted with their recorded data.",
  },
);

export type NewOpportunityGoal = Static<typeof NewOpportunityGoal>;
export type OpportunityGoalUpdate = Static<typeof OpportunityGoalUpdate>;
