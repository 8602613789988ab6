import { type Static, Type } from "@sinclair/typebox";
import { EnumField, InstantField, Nullable } from "../../schema/fields.ts";
import {
  FilledText,
  goal,
  InstantUpdate,
  newGoal,
  NewShortText,
  NewSwitch,
  NewText,
  NullableText,
  ShortTextUpdate,
  StatusUpdate,
  SwitchUpdate,
  TextUpdate,
} from "./common.ts";
import { Metric, metrics, MetricUpdate, NewMetric } from "./metric.ts";

/** Goals that measure the frequency or duration of a behavior. */

export const dataCollectionTypes = [
  "FREQUENCY_ONLY",
  "DURATION_ONLY",
  "FREQUENCY_AND_DURATION",
] as const;

const CollectionType = EnumField(dataCollectionTypes, { $id: "DataCollectionType" });

export const BehaviorInstance = Type.Object(
  {
    publicId: Type.String(),
    quantity: Type.Number(),
    happenedAt: InstantField(),
    antecedent: NullableText,
    consequence: NullableText,
    durationSeconds: Nullable(Type.Number()),
  },
  { $id: "BehaviorInstance" },
);

export const FrequencyDurationGoal = goal("FrequencyDurationGoal", "frequency_duration", {
  dataCollectionType: Nullable(CollectionType),
  addedToTreatmentPlanAt: Nullable(InstantField()),
  goalStatement: Type.String(),
  targetMaladaptiveBehaviorName: NullableText,
  definition: NullableText,
  instructions: NullableText,
  progressSummary: NullableText,
  baselineDate: Nullable(InstantField()),
  targetAchievementDate: Nullable(InstantField()),
  autoProgressToMaintenanceEnabled: Type.Boolean(),
  autoProgressToMasteredEnabled: Type.Boolean(),
  isBehavior: Type.Boolean(),
  ...metrics(Metric),
  behaviorInstances: Nullable(Type.Array(BehaviorInstance)),
});

export const NewFrequencyDurationGoal = newGoal("NewFrequencyDurationGoal", "frequency_duration", {
  goalStatement: FilledText,
  ...metrics(NewMetric),
  targetMaladaptiveBehaviorName: NewShortText,
  definition: NewText,
  instructions: NewText,
  progressSummary: NewText,
  autoProgressToMaintenanceEnabled: NewSwitch,
  autoProgressToMasteredEnabled: NewSwitch,
  isBehavior: NewSwitch,
  dataCollectionType: Type.Optional(CollectionType),
});

export const FrequencyDurationGoalUpdate = Type.Object(
  {
    targetAchievementDate: InstantUpdate,
    baselineDate: InstantUpdate,
    status: StatusUpdate,
    targetMaladaptiveBehaviorName: ShortTextUpdate,
    definition: TextUpdate,
    goalStatement: Type.Optional(FilledText),
    progressSummary: TextUpdate,
    instructions: TextUpdate,
    autoProgressToMaintenanceEnabled: SwitchUpdate,
    autoProgressToMasteredEnabled: SwitchUpdate,
    isBehavior: SwitchUpdate,
    ...metrics(Type.Optional(MetricUpdate)),
    dataCollectionType: Type.Optional(Nullable(CollectionType)),
  },
  { $id: "FrequencyDurationGoalUpdate" },
);

export type BehaviorInstance = Static<typeof BehaviorInstance>;
export type FrequencyDurationGoal = Static<typeof FrequencyDurationGoal>;
export type NewFrequencyDurationGoal = Static<typeof NewFrequencyDurationGoal>;
export type FrequencyDurationGoalUpdate = Static<typeof FrequencyDurationGoalUpdate>;
