import { type Static, Type } from "@sinclair/typebox";
import {
  childRows,
  documentOf,
  exported,
  goalRecords,
  goalRow,
  newDocument,
  recordedRows,
  withRecorded,
} from "../../goals/document.ts";
import type { GoalRecord } from "../../goals/models/records.ts";
import { PublicIdField, ShortTextField } from "../../schema/fields.ts";
import { treatmentPlanMap } from "../../schema/goals.ts";
import { checkGoalTree } from "./goal-rules.ts";
import { plainKind, type RecordKind } from "./record-kind.ts";

/** Converts treatment plans and goals between records and rows. */

const TreatmentPlanRecord = Type.Object({
  type: Type.Literal("treatmentPlan"),
  publicId: PublicIdField(),
  patientId: PublicIdField(),
  name: Type.Optional(ShortTextField()),
});

export type TreatmentPlanRecord = Static<typeof TreatmentPlanRecord>;

export const treatmentPlan = plainKind(treatmentPlanMap, [TreatmentPlanRecord]);

/** A goal with its descendants and all data recorded on them. */
export const goal: RecordKind<GoalRecord> = {
  variants: Object.values(goalRecords),
  discriminator: "goalType",
  table: "goals",
  lists: [
    { table: "child_goals", owner: "goal_id", order: ["public_id"] },
    { table: "recorded_data", owner: "goal_id", order: ["recorded_on", "day"] },
  ],

  check: checkGoalTree,

  rows(record, { organizationId, now }) {
    // Nobody knows since when a goal is in its status, unless the record says it.
    const goal = newDocument(record, now, null);
    return {
      row: { ...goalRow(organizationId, goal) },
      lists: {
        child_goals: childRows(organizationId, goal) as never,
        recorded_data: recordedRows(organizationId, goal) as never,
      },
    };
  },

  sequences({ row }, { stored, sequence }) {
    const own = ["treatment_plan_id", "type", "document", "child_goals"];
    const isSame = own.every((column) => row[column] === stored?.row[column]);
    return { changed_sequence: isSame ? stored?.row.changed_sequence : sequence };
  },

  present: ({ row, lists }) =>
    exported(withRecorded(documentOf(row as never), (lists.recorded_data ?? []) as never)),
};
