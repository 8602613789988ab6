import { Type } from "@sinclair/typebox";
import { Nullable, ShortTextField } from "../schema/fields.ts";
import { MAX_PAGE, Page, pageParameters } from "../schema/pagination.ts";

const TreatmentPlan = Type.Object(
  {
    publicId: Type.String(),
    patientId: Type.String(),
    name: Nullable(Type.String()),
  },
  { $id: "TreatmentPlan" },
);

export const TreatmentPlanPage = Page(TreatmentPlan, "TreatmentPlanPage");

export const TreatmentPlanListQuery = Type.Object({
  ...pageParameters(MAX_PAGE),
  patientId: Type.Optional(ShortTextField({ description: "Plans of this patient." })),
});
