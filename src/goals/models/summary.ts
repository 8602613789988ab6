import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import { DiscriminatedUnion } from "../../schema/fields.ts";
import type { GoalType } from "./common.ts";
import { FrequencyDurationGoal } from "./frequency-duration.ts";
import { IntervalGoal } from "./interval.ts";
import { skill } from "./opportunity.ts";
import { RatingGoal } from "./rating.ts";

/** Goals in lists: with their treatment plan, without recorded data and child goals. */

function summary<Fields extends TProperties>($id: string, { properties }: TObject<Fields>) {
  return Type.Object({ ...properties, treatmentPlanId: Type.String() }, { $id });
}

const opportunity = Type.Object({
  ...skill.properties,
  childGoalIds: Type.Array(Type.String(), { description: "Ordered by `orderAmongSiblings`." }),
});

export const goalSummaries = {
  frequency_duration: summary(
    "FrequencyDurationGoalSummary",
    Type.Omit(FrequencyDurationGoal, ["behaviorInstances"]),
  ),
  opportunity: summary("OpportunityGoalSummary", opportunity),
  rating: summary("RatingGoalSummary", Type.Omit(RatingGoal, ["ratingInstances"])),
  interval: summary("IntervalGoalSummary", Type.Omit(IntervalGoal, ["intervalSets"])),
} as const satisfies Record<GoalType, TObject>;

export const GoalSummary = DiscriminatedUnion(
  "type",
  [
    goalSummaries.frequency_duration,
    goalSummaries.opportunity,
    goalSummaries.rating,
    goalSummaries.interval,
  ],
  { $id: "GoalSummary" },
);

export type GoalSummary = Static<typeof GoalSummary>;
