import { type Static, Type } from "@sinclair/typebox";
import { InstantField, Nullable } from "../../schema/fields.ts";
import {
  FilledText,
  FilledTitle,
  goal,
  newGoal,
  NewText,
  NullableText,
  StatusUpdate,
} from "./common.ts";

/** Goals that are rated on a scale. */

export const RatingInstance = Type.Object(
  { publicId: Type.String(), value: Type.Number(), happenedAt: InstantField() },
  { $id: "RatingInstance" },
);

export const RatingGoal = goal("RatingGoal", "rating", {
  title: Type.String(),
  description: NullableText,
  instructions: NullableText,
  measurementType: Type.Literal("RATING"),
  ratingInstances: Type.Array(RatingInstance),
});

export const NewRatingGoal = newGoal("NewRatingGoal", "rating", {
  title: FilledTitle,
  description: NewText,
  instructions: NewText,
});

export const RatingGoalUpdate = Type.Object(
  {
    title: Type.Optional(FilledTitle),
    description: Type.Optional(Nullable(FilledText)),
    instructions: Type.Optional(Nullable(FilledText)),
    status: StatusUpdate,
  },
  { $id: "RatingGoalUpdate" },
);

export type RatingGoal = Static<typeof RatingGoal>;
export type NewRatingGoal = Static<typeof NewRatingGoal>;
export type RatingGoalUpdate = Static<typeof RatingGoalUpdate>;
