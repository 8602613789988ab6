import { Type } from "@sinclair/typebox";
import { criterionFields } from "../goal-progress/model.ts";
import { EnumField, Nullable, PublicIdField } from "../schema/fields.ts";
import { GoalPath } from "./model.ts";
import { goalStatuses } from "./models/common.ts";
import { recordings } from "./recording.ts";

/** Recording, in requests and responses. */

/** The body, for the documentation. Not a `oneOf`: the type of the stored goal decides. */
export const GoalRecording = Type.Union(
  [recordings.frequency_duration, recordings.opportunity, recordings.rating, recordings.interval],
  { $id: "GoalRecording" },
);

const Status = EnumField(goalStatuses, { $id: "GoalStatus" });

export const GoalRecordingResult = Type.Object(
  {
    recorded: Type.Integer({ description: "How many entries were added." }),
    alreadyThere: Type.Integer({
      description: "How many had been recorded before, with the same id and content.",
    }),
    status: Status,
    advancedFrom: Nullable(
      EnumField(goalStatuses, {
        $id: "GoalStatus",
        description: "The status before, if the goal went on by itself; else null.",
      }),
    ),
    ...criterionFields,
  },
  { $id: "GoalRecordingResult" },
);

export const GoalEntryPath = Type.Object({
  ...GoalPath.properties,
  entryId: PublicIdField({
    description: "The id of the entry.",
    examples: ["behavior_000001_1_001"],
  }),
});

export const GoalEntryDeletion = Type.Object(
  {
    success: Type.Literal(true),
    status: Status,
    takenBackFrom: Nullable(
      EnumField(goalStatuses, {
        $id: "GoalStatus",
        description: "The status before, if the goal went back with the entry; else null.",
      }),
    ),
  },
  { $id: "GoalEntryDeletion" },
);
