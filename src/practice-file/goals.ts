import { type Static, type TProperties, type TUnsafe, Type } from "@sinclair/typebox";
import {
  DiscriminatedUnion,
  EnumField,
  FreeTextField,
  GoalIdField,
  InstantField,
  ListField,
  PublicIdField,
  RecursiveObject,
  ShortTextField,
} from "../schema/fields.ts";
import { FilledText, FilledTitle, goalStatuses, type GoalType } from "../goals/models/common.ts";
import { dataCollectionTypes } from "../goals/models/frequency-duration.ts";
import { shapeGoals, type GoalShape } from "../goals/present.ts";
import { readGoalRows } from "../goals/repository.ts";
import { addGoal, noGoalRows, recordedLists } from "../goals/rows.ts";
import { goalMap, metricMap, recordedMaps, treatmentPlanMap } from "../schema/goals.ts";
import { exporter, storer } from "../schema/record-map.ts";
import { checkGoalTree, goalIds } from "./goal-rules.ts";
import { exportRows, pages, type RecordKind } from "./record-kind.ts";
import { readTopGoalsAfter } from "./repository.ts";
import { intervalRecordingTypes, PositiveCount } from "../goals/models/interval.ts";
import { metrics, metricUnits, successCriteria, timeUnits } from "../goals/models/metric.ts";
import { skillAcquisitionGoalTypes, trialOutcomes } from "../goals/models/opportunity.ts";

/** Goals, each with everything below it and everything that was recorded on any of these inside its record. */

const OptionalText = Type.Optional(FreeTextField());
const OptionalShortText = Type.Optional(ShortTextField());
/** Off unless it is given. */
const Switch = Type.Optional(Type.Boolean());
const Positive = Type.Number({ exclusiveMinimum: 0 });
const OptionalInstant = Type.Optional(InstantField());

export const MetricEntry = Type.Object({
  publicId: PublicIdField(),
  value: Type.Number(),
  unit: EnumField(metricUnits),
  frequencyUnit: Type.Optional(EnumField(timeUnits)),
  observationPeriod: Type.Optional(Type.Number({ minimum: 0 })),
  observationPeriodUnit: Type.Optional(EnumField(timeUnits)),
  successCriteria: Type.Optional(EnumField(successCriteria)),
});

const OpportunityMetricEntry = Type.Object({
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
    // BASELINE unless it is given.
    status: Type.Optional(EnumField(goalStatuses)),
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
  behaviorInstances: Type.Optional(ListField(BehaviorInstanceEntry)),
});

export const SkillTrialEntry = Type.Object({
  publicId: PublicIdField(),
  outcome: EnumField(trialOutcomes),
  happenedAt: InstantField(),
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
  ...opportunityFields,
};

const childObject = Type.Object(childFields);

export interface ChildGoalEntry extends Static<typeof childObject> {
  childGoals?: ChildGoalEntry[];
  skillTrials?: Static<typeof SkillTrialEntry>[];
}

/** A goal inside its parent's record; its place in the list is its order among its siblings. */
export const ChildGoalEntry = RecursiveObject(
  "ChildGoalEntry",
  (Self: TUnsafe<ChildGoalEntry>) => ({
    ...childFields,
    childGoals: Type.Optional(ListField(Self)),
    skillTrials: Type.Optional(ListField(SkillTrialEntry)),
  }),
);

export const OpportunityGoalRecord = goalRecord("opportunity", {
  ...opportunityFields,
  childGoals: Type.Optional(ListField(ChildGoalEntry)),
  skillTrials: Type.Optional(ListField(SkillTrialEntry)),
});

export const RatingEntry = Type.Object({
  publicId: PublicIdField(),
  value: Type.Number(),
  happenedAt: InstantField(),
});

export const RatingGoalRecord = goalRecord("rating", {
  title: FilledTitle,
  description: OptionalText,
  instructions: OptionalText,
  measurementType: Type.Optional(Type.Literal("RATING")),
  ratingInstances: Type.Optional(ListField(RatingEntry)),
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
  intervalSets: Type.Optional(ListField(IntervalSetEntry)),
  baselineDate: OptionalInstant,
  targetAchievementDate: OptionalInstant,
});

export const GoalRecord = DiscriminatedUnion("goalType", [
  FrequencyDurationGoalRecord,
  OpportunityGoalRecord,
  RatingGoalRecord,
  IntervalGoalRecord,
]);

export type FrequencyDurationGoalRecord = Static<typeof FrequencyDurationGoalRecord>;
export type OpportunityGoalRecord = Static<typeof OpportunityGoalRecord>;
export type RatingGoalRecord = Static<typeof RatingGoalRecord>;
export type IntervalGoalRecord = Static<typeof IntervalGoalRecord>;
export type MetricEntry = Static<typeof MetricEntry>;
export type GoalRecord = Static<typeof GoalRecord>;

/** Goals that are in memory at once; the record of one holds all that was recorded on it. */
const GOALS_PER_PAGE = 50;

const written: GoalShape<object> = {
  goals: {
    frequency_duration: exporter(goalMap, FrequencyDurationGoalRecord),
    opportunity: exporter(goalMap, OpportunityGoalRecord),
    rating: exporter(goalMap, RatingGoalRecord),
    interval: exporter(goalMap, IntervalGoalRecord),
  },
  childGoal: exporter(goalMap, ChildGoalEntry),
  metric: exporter(metricMap, MetricEntry),
  recorded: {
    behaviorInstances: exporter(recordedMaps.behaviorInstances, BehaviorInstanceEntry),
    skillTrials: exporter(recordedMaps.skillTrials, SkillTrialEntry),
    ratingInstances: exporter(recordedMaps.ratingInstances, RatingEntry),
    intervalSets: exporter(recordedMaps.intervalSets, IntervalSetEntry),
  },
  noElements: () => undefined,
};

/**
 * A goal with its child goals and all that was recorded on any of them. What an earlier version had of
 * these is replaced; a child that was another goal's, or nobody's, moves here.
 */
export const goal: RecordKind<GoalRecord> = {
  check(record, line) {
    line.refer("treatmentPlanId", "treatmentPlan", record.treatmentPlanId);
    checkGoalTree(record, line);
  },

  write(record, batch, _, { organizationId, known, now }) {
    const ids = goalIds(record);
    // The tables delete what hangs on a goal along with it.
    if (ids.some((id) => known.facts("goal", id) !== undefined))
      for (const id of ids) batch.delete("goals", "public_id", id);
    const rows = noGoalRows();
    // Only an update through the API gives a place among others to a goal that is nobody's child.
    const earlier = known.facts("goal", record.publicId);
    const place = {
      organizationId,
      treatmentPlanId: record.treatmentPlanId,
      parentGoalId: null,
      orderAmongSiblings: earlier?.order_among_siblings ?? 0,
    };
    const row = addGoal(rows, record, place, now);
    for (const goal of rows.goals) batch.insert("goals", goal);
    for (const metric of rows.metrics) batch.insert("goal_metrics", metric);
    for (const name of recordedLists)
      for (const entry of rows.recorded[name]) batch.insert(recordedMaps[name].table, entry);
    return row;
  },

  async *export(db, organizationId) {
    const readAfter = (id: string) => readTopGoalsAfter(db, organizationId, id, GOALS_PER_PAGE);
    for await (const goals of pages(readAfter)) {
      const ids = goals.map((goal) => goal.public_id);
      yield shapeGoals(await readGoalRows(db, organizationId, ids), ids, written);
    }
  },
};

export const TreatmentPlanRecord = Type.Object({
  type: Type.Literal("treatmentPlan"),
  publicId: PublicIdField(),
  patientId: PublicIdField(),
  name: Type.Optional(ShortTextField()),
});

export type TreatmentPlanRecord = Static<typeof TreatmentPlanRecord>;

const planColumns = storer(treatmentPlanMap);

export const treatmentPlan: RecordKind<TreatmentPlanRecord> = {
  check(record, line) {
    line.referToUser("patientId", record.patientId);
  },

  write(record, batch) {
    const row = planColumns(record);
    batch.upsert("treatment_plans", row);
    return row;
  },

  export: exportRows("treatment_plans", exporter(treatmentPlanMap, TreatmentPlanRecord)),
};
