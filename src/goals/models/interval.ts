import { type Static, Type } from "@sinclair/typebox";
import { EnumField, InstantField, Nullable } from "../../schema/fields.ts";
import {
  FilledText,
  FilledTitle,
  goal,
  newGoal,
  NewText,
  NullableText,
  StatusUpdate,
  WholeNumber,
} from "./common.ts";

/** Goals that are observed in sets of short intervals. */

/** Whether the behavior must occur during the whole interval, at any time in it, or at its end to count. */
export const intervalRecordingTypes = ["WHOLE", "PARTIAL", "MOMENTARY"] as const;

const RecordingType = EnumField(intervalRecordingTypes);
export const PositiveCount = WholeNumber({ exclusiveMinimum: 0 });
const PositiveSeconds = Type.Number({ exclusiveMinimum: 0 });

export const IntervalSet = Type.Object(
  {
    publicId: Type.String(),
    startedAt: InstantField(),
    intervals: Type.Array(Type.Boolean()),
  },
  { $id: "IntervalSet" },
);

export const IntervalGoal = goal("IntervalGoal", "interval", {
  title: Type.String(),
  description: NullableText,
  instructions: NullableText,
  measurementType: Type.Literal("INTERVAL"),
  intervalDuration: PositiveSeconds,
  intervalQuantity: PositiveCount,
  sets: PositiveCount,
  intervalRecordingType: RecordingType,
  window: Nullable(PositiveSeconds),
  intervalSets: Type.Array(IntervalSet),
});

export const NewIntervalGoal = newGoal("NewIntervalGoal", "interval", {
  title: FilledTitle,
  description: NewText,
  instructions: NewText,
  intervalDuration: PositiveSeconds,
  intervalQuantity: PositiveCount,
  sets: PositiveCount,
  intervalRecordingType: RecordingType,
  window: Type.Optional(PositiveSeconds),
});

export const IntervalGoalUpdate = Type.Object(
  {
    title: Type.Optional(FilledTitle),
    description: Type.Optional(Nullable(FilledText)),
    instructions: Type.Optional(Nullable(FilledText)),
    status: StatusUpdate,
    intervalDuration: Type.Optional(PositiveSeconds),
    intervalQuantity: Type.Optional(PositiveCount),
    sets: Type.Optional(PositiveCount),
    window: Type.Optional(Nullable(PositiveSeconds)),
    intervalRecordingType: Type.Optional(RecordingType),
  },
  { $id: "IntervalGoalUpdate" },
);

export type IntervalGoal = Static<typeof IntervalGoal>;
export type NewIntervalGoal = Static<typeof NewIntervalGoal>;
export type IntervalGoalUpdate = Static<typeof IntervalGoalUpdate>;
