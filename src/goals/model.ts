import { type Static, Type } from "@sinclair/typebox";
import { DiscriminatedUnion, EnumField, GoalIdField, ShortTextField } from "../schema/fields.ts";
import { MAX_PAGE, Page, pageParameters } from "../schema/pagination.ts";
import { unchangedSince } from "../schema/unchanged-since.ts";
import { goalStatuses, type GoalType, goalTypes } from "./models/common.ts";
import {
  FrequencyDurationGoal,
  FrequencyDurationGoalUpdate,
  NewFrequencyDurationGoal,
} from "./models/frequency-duration.ts";
import { IntervalGoal, IntervalGoalUpdate, NewIntervalGoal } from "./models/interval.ts";
import {
  NewOpportunityGoal,
  OpportunityGoal,
  OpportunityGoalUpdate,
} from "./models/opportunity.ts";
import { NewRatingGoal, RatingGoal, RatingGoalUpdate } from "./models/rating.ts";
import { GoalSummary } from "./models/summary.ts";

/** A goal of any type, in responses. */
export const Goal = DiscriminatedUnion(
  "type",
  [FrequencyDurationGoal, OpportunityGoal, RatingGoal, IntervalGoal],
  { $id: "Goal" },
);

/** The body that creates a goal. */
export const NewGoal = DiscriminatedUnion(
  "type",
  [NewFrequencyDurationGoal, NewOpportunityGoal, NewRatingGoal, NewIntervalGoal],
  { $id: "NewGoal" },
);

/** Models of updates, by the type of the stored goal. */
export const goalUpdates = {
  frequency_duration: FrequencyDurationGoalUpdate,
  opportunity: OpportunityGoalUpdate,
  rating: RatingGoalUpdate,
  interval: IntervalGoalUpdate,
} as const satisfies Record<GoalType, unknown>;

/** The body of an update, for the documentation. Not a `oneOf`, because a body can be valid for several types. */
export const GoalUpdate = Type.Union(
  [
    goalUpdates.frequency_duration,
    goalUpdates.opportunity,
    goalUpdates.rating,
    goalUpdates.interval,
  ],
  { $id: "GoalUpdate" },
);

export const GoalPage = Page(GoalSummary, "GoalPage");

export const GoalListQuery = Type.Object({
  ...pageParameters(MAX_PAGE),
  treatmentPlanId: Type.Optional(ShortTextField({ description: "Goals on this treatment plan." })),
  patientId: Type.Optional(
    ShortTextField({ description: "Goals on treatment plans of this patient." }),
  ),
  type: Type.Optional(EnumField(goalTypes, { description: "Goals of this type." })),
  status: Type.Optional(EnumField(goalStatuses, { description: "Goals in this status." })),
});

export const GoalPath = Type.Object({
  goalId: GoalIdField({ description: "The goal's public id.", examples: ["goal_000001_1"] }),
});

/** Its example is another goal than that of the other operations, which are tried out after this one. */
export const DeletedGoalPath = Type.Object({
  goalId: GoalIdField({ description: "The goal's public id.", examples: ["goal_000002_1"] }),
});

export const GoalWriteQuery = Type.Object({ unchangedSince });

export const GoalDeletion = Type.Object({ success: Type.Literal(true) }, { $id: "GoalDeletion" });

export type Goal = Static<typeof Goal>;
export type NewGoal = Static<typeof NewGoal>;
export type GoalUpdate = Static<typeof GoalUpdate>;
