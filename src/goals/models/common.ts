import { type IntegerOptions, type TInteger, type TProperties, Type } from "@sinclair/typebox";
import {
  EnumField,
  FreeTextField,
  InstantField,
  Nullable,
  ShortTextField,
} from "../../schema/fields.ts";

/** What goals of all four kinds share. */

export const goalTypes = ["frequency_duration", "opportunity", "rating", "interval"] as const;

export type GoalType = (typeof goalTypes)[number];

/** A goal may be given any of them at any time. */
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
  description: "`BASELINE` when left out.",
});

export const NullableText = Nullable(Type.String());

/** A text that a goal cannot be without, or one that an update may not empty. */
export const FilledText = FreeTextField({ minLength: 1 });
export const FilledTitle = ShortTextField({ minLength: 1 });

/** Texts that a new goal may have. */
export const NewText = Type.Optional(FreeTextField());
export const NewShortText = Type.Optional(ShortTextField());

/** A whole number that a database column and a JSON number count exactly. */
export function WholeNumber(
  options: { minimum: number } | { exclusiveMinimum: number },
  notes: IntegerOptions = {},
): TInteger {
  return Type.Integer({ ...options, maximum: Number.MAX_SAFE_INTEGER, ...notes });
}

/** A goal as it is answered: what identifies it, then what its kind has. */
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

/** The body that creates a goal: what every kind takes, then what this one takes. */
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
  targetAchievementDate: Type.Optional(InstantField()),
  baselineDate: Type.Optional(InstantField()),
};

/** A switch that is off unless it is given. */
export const NewSwitch = Type.Optional(Type.Boolean({ default: false }));

/** A switch that an update may set; null turns it off, which is its default. */
export const SwitchUpdate = Type.Optional(
  Nullable(Type.Boolean({ description: "Unchanged when left out." })),
);

/** A field that null clears on an update, as it may be left out on a create. */
export const TextUpdate = Type.Optional(Nullable(FreeTextField()));
export const ShortTextUpdate = Type.Optional(Nullable(ShortTextField()));
export const InstantUpdate = Type.Optional(Nullable(InstantField()));

/** Not nullable: a goal always has a status. */
export const StatusUpdate = Type.Optional(Status);
