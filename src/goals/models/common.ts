import { type IntegerOptions, type TInteger, type TProperties, Type } from "@sinclair/typebox";
import {
  EnumField,
  FreeTextField,
  Nullable,
  ShortTextField,
  WrittenInstantField,
} from "../../schema/fields.ts";

/** Fields and helpers shared by all four types of goals. */

export const goalTypes = ["frequency_duration", "opportunity", "rating", "interval"] as const;

export type GoalType = (typeof goalTypes)[number];

/** Every status can follow every other. */
export const goalStatuses = [
  "BASELINE",
  "IN_MAINTENANCE",
  "MASTERED",
  "ARCHIVED",
  "IN_PROGRESS",
  "DISCONTINUED",
  "FUTURE",
  "ON_HOLD",
] as const;

export type GoalStatus = (typeof goalStatuses)[number];

const Status = EnumField(goalStatuses, { $id: "GoalStatus" });

/** The status of a new goal. */
export const NewStatus = EnumField(goalStatuses, {
  $id: "GoalStatus",
  description: "Default: `BASELINE`.",
});

export const NullableText = Nullable(Type.String());

/** A text that must not be empty. */
export const FilledText = FreeTextField({ minLength: 1 });
export const FilledTitle = ShortTextField({ minLength: 1 });

/** An optional text of a new goal. */
export const NewText = Type.Optional(FreeTextField());
export const NewShortText = Type.Optional(ShortTextField());

/** An integer in the range that both the column and JSON numbers represent exactly. */
export function WholeNumber(
  options: { minimum: number } | { exclusiveMinimum: number },
  notes: IntegerOptions = {},
): TInteger {
  return Type.Integer({ ...options, maximum: Number.MAX_SAFE_INTEGER, ...notes });
}

/** The schema of a goal in responses: the common fields, then those of its type. */
export function goal<Kind extends GoalType, Fields extends TProperties>(
  $id: string,
  type: Kind,
  fields: Fields,
) {
  return Type.Object(
    {
      type: Type.Literal(type),
      publicId: Type.String(),
      status: Status,
      ...fields,
    },
    { $id },
  );
}

/** The schema of a body that creates a goal: the common fields, then those of its type. */
export function newGoal<Kind extends GoalType, Fields extends TProperties>(
  $id: string,
  type: Kind,
  fields: Fields,
) {
  return Type.Object({ type: Type.Literal(type), ...newGoalFields, ...fields }, { $id });
}

const newGoalFields = {
  treatmentPlanId: ShortTextField({ minLength: 1 }),
  status: Type.Optional(NewStatus),
  targetAchievementDate: Type.Optional(WrittenInstantField()),
  baselineDate: Type.Optional(WrittenInstantField()),
};

/** A boolean of a new goal; default false. */
export const NewSwitch = Type.Optional(Type.Boolean({ default: false }));

/** A boolean in an update; null resets it to false. */
export const SwitchUpdate = Type.Optional(Nullable(Type.Boolean()));

/** A text in an update; null clears it. */
export const TextUpdate = Type.Optional(Nullable(FreeTextField()));
export const ShortTextUpdate = Type.Optional(Nullable(ShortTextField()));
export const InstantUpdate = Type.Optional(Nullable(WrittenInstantField()));

/** Not nullable: a goal always has a status. */
export const StatusUpdate = Type.Optional(Status);
