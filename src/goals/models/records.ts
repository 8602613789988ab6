import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import {
  EnumField,
  FreeTextField,
  GoalIdField,
  InstantField,
  ListField,
  Nullable,
  PublicIdField,
  RecursiveObject,
  ShortTextField,
} from "../../schema/fields.ts";
import { FilledText, FilledTitle, goalStatuses, type GoalType } from "./common.ts";
import { dataCollectionTypes } from "./frequency-duration.ts";
import { intervalRecordingTypes, PositiveCount } from "./interval.ts";
import { metrics, metricUnits, NewMetric, successCriteria } from "./metric.ts";
import { skillAcquisitionGoalTypes, SkillTrial, trialOutcomes } from "./opportunity.ts";
import { RatingInstance } from "./rating.ts";

/**
 * Goals in practice files, and as they are stored. Each contains its descendants, and the data recorded on all of them.
 */

const OptionalText = Type.Optional(FreeTextField());
const OptionalShortText = Type.Optional(ShortTextField());
/** Default: false. */
const Switch = Type.Optional(Type.Boolean());
const Positive = Type.Number({ exclusiveMinimum: 0 });
const OptionalInstant = Type.Optional(InstantField());

export const MAX_PHASES = 50;

export const PhaseEntry = Type.Object({
  status: EnumField(goalStatuses),
  since: Type.Optional(
    InstantField({ description: "Null where it is not known: in the first phase alone." }),
  ),
  isAutomatic: Type.Optional(
    Type.Boolean({ description: "Whether the goal went on by itself. Default: false." }),
  ),
});

const Phases = Type.Array(PhaseEntry, { maxItems: MAX_PHASES });

/** Recorded data is exempt from the usual limit of lists. */
export const MAX_RECORDED = 100_000;

function RecordedField<Entry extends TSchema>(entry: Entry) {
  return Type.Array(entry, { maxItems: MAX_RECORDED });
}

export const MetricEntry = Type.Object({ publicId: PublicIdField(), ...NewMetric.properties });

export const OpportunityMetricEntry = Type.Object({
  publicId: PublicIdField(),
  value: Type.Number(),
  unit: EnumField(metricUnits),
  successCriteria: Type.Optional(EnumField(successCriteria)),
});

function goalRecord<Kind extends GoalType, Fields extends TProperties>(kind: Kind, fields: Fields) {
  return Type.Object({
    type: Type.Literal("goal"),
    publicId: GoalIdField(),
    treatmentPlanId: PublicIdField(),
    goalType: Type.Literal(kind),
    // Default: BASELINE.
    status: Type.Optional(EnumField(goalStatuses)),
    phases: Type.Optional(Phases),
    ...fields,
  });
}

export const BehaviorInstanceEntry = Type.Object({
  publicId: PublicIdField(),
  quantity: Type.Number(),
  happenedAt: InstantField(),
  antecedent: OptionalText,
  consequence: OptionalText,
  durationSeconds: Type.Optional(Type.Number()),
});

export const FrequencyDurationGoalRecord = goalRecord("frequency_duration", {
  dataCollectionType: Type.Optional(EnumField(dataCollectionTypes)),
  addedToTreatmentPlanAt: OptionalInstant,
  goalStatement: FilledText,
  targetMaladaptiveBehaviorName: OptionalShortText,
  definition: OptionalText,
  instructions: OptionalText,
  progressSummary: OptionalText,
  baselineDate: OptionalInstant,
  targetAchievementDate: OptionalInstant,
  autoProgressToMaintenanceEnabled: Switch,
  autoProgressToMasteredEnabled: Switch,
  isBehavior: Switch,
  ...metrics(MetricEntry),
  behaviorInstances: Type.Optional(RecordedField(BehaviorInstanceEntry)),
});

export const SkillTrialEntry = Type.Object({
  ...SkillTrial.properties,
  publicId: PublicIdField(),
});

const opportunityFields = {
  goalStatement: FilledText,
  skillAcquisitionGoalType: EnumField(skillAcquisitionGoalTypes),
  shortDescription: OptionalText,
  instructions: OptionalText,
  skillCategory: OptionalShortText,
  baselineDate: OptionalInstant,
  targetAchievementDate: OptionalInstant,
  progressSummary: OptionalText,
  minTrialsCount: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  enabledOutcomes: ListField(EnumField(trialOutcomes)),
  autoProgressToMaintenanceEnabled: Switch,
  autoProgressToMasteredEnabled: Switch,
  ...metrics(OpportunityMetricEntry),
};

const childFields = {
  publicId: GoalIdField(),
  goalType: Type.Literal("opportunity"),
  status: Type.Optional(EnumField(goalStatuses)),
  // Null is no value; what is left out stays as it is stored. So are trials.
  phases: Type.Optional(Nullable(Phases)),
  ...opportunityFields,
};

const childObject = Type.Object(childFields);

export interface ChildGoalEntry extends Static<typeof childObject> {
  childGoals?: ChildGoalEntry[];
  skillTrials?: Static<typeof SkillTrialEntry>[] | null;
}

/** A child goal within its parent's record. Its index in the list is its sibling order. */
export const ChildGoalEntry = RecursiveObject(
  "ChildGoalEntry",
  (Self: TUnsafe<ChildGoalEntry>) => ({
    ...childFields,
    childGoals: Type.Optional(ListField(Self)),
    skillTrials: Type.Optional(Nullable(RecordedField(SkillTrialEntry))),
  }),
);

export const OpportunityGoalRecord = goalRecord("opportunity", {
  ...opportunityFields,
  childGoals: Type.Optional(ListField(ChildGoalEntry)),
  skillTrials: Type.Optional(RecordedField(SkillTrialEntry)),
});

export const RatingEntry = Type.Object({
  ...RatingInstance.properties,
  publicId: PublicIdField(),
});

export const RatingGoalRecord = goalRecord("rating", {
  title: FilledTitle,
  description: OptionalText,
  instructions: OptionalText,
  measurementType: Type.Optional(Type.Literal("RATING")),
  ratingInstances: Type.Optional(RecordedField(RatingEntry)),
  baselineDate: OptionalInstant,
  targetAchievementDate: OptionalInstant,
});

export const IntervalSetEntry = Type.Object({
  publicId: PublicIdField(),
  startedAt: InstantField(),
  intervals: ListField(Type.Boolean()),
});

export const IntervalGoalRecord = goalRecord("interval", {
  title: FilledTitle,
  description: OptionalText,
  instructions: OptionalText,
  measurementType: Type.Optional(Type.Literal("INTERVAL")),
  intervalDuration: Positive,
  intervalQuantity: PositiveCount,
  sets: PositiveCount,
  intervalRecordingType: EnumField(intervalRecordingTypes),
  window: Type.Optional(Positive),
  intervalSets: Type.Optional(RecordedField(IntervalSetEntry)),
  baselineDate: OptionalInstant,
  targetAchievementDate: OptionalInstant,
});

export type FrequencyDurationGoalRecord = Static<typeof FrequencyDurationGoalRecord>;
export type OpportunityGoalRecord = Static<typeof OpportunityGoalRecord>;
export type RatingGoalRecord = Static<typeof RatingGoalRecord>;
export type IntervalGoalRecord = Static<typeof IntervalGoalRecord>;
export type MetricEntry = Static<typeof MetricEntry>;
export type GoalRecord =
  FrequencyDurationGoalRecord | OpportunityGoalRecord | RatingGoalRecord | IntervalGoalRecord;
