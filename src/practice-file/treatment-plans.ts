import { type Static, Type } from "@sinclair/typebox";
import { PublicIdField, ShortTextField } from "../schema/fields.ts";
import { treatmentPlanMap } from "../schema/goals.ts";
import { exporter, storer } from "../schema/record-map.ts";
import { exportRows, type RecordKind } from "./record-kind.ts";

export const TreatmentPlanRecord = Type.Object({
  type: Type.Literal("treatmentPlan"),
  publicId: PublicIdField(),
  patientId: PublicIdField(),
  name: Type.Optional(ShortTextField()),
});

export type TreatmentPlanRecord = Static<typeof TreatmentPlanRecord>;

const columns = storer(treatmentPlanMap);

export const treatmentPlan: RecordKind<TreatmentPlanRecord> = {
  check(record, line) {
    line.referToUser("patientId", record.patientId);
  },

  write(record, batch) {
    const row = columns(record);
    batch.upsert("treatment_plans", row);
    return row;
  },

  export: exportRows("treatment_plans", exporter(treatmentPlanMap, TreatmentPlanRecord)),
};
