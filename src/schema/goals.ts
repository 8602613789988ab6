import { field, recordMap } from "./record-map.ts";

export const treatmentPlanMap = recordMap("treatment_plans", {
  publicId: field("public_id"),
  patientId: field("patient_id"),
  name: field("name"),
});
