import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { TreatmentPlanListQuery, TreatmentPlanPage } from "./model.ts";
import { countTreatmentPlans, listTreatmentPlans } from "./repository.ts";

export const treatmentPlans = new Elysia({ prefix: "/treatment-plans", tags: ["Treatment plans"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, query, shows, read }) =>
      read(async (db) => {
        const page = pageRequest(query);
        const plans = await listTreatmentPlans(db, organizationId, query, page);
        shows(plans, query.patientId);
        const total = await countTreatmentPlans(db, organizationId, query);
        return { data: plans, pagination: pagination(page, total) };
      }),
    {
      permission: "readTreatmentPlans",
      query: TreatmentPlanListQuery,
      response: { 200: TreatmentPlanPage, ...commonErrors },
      detail: {
        operationId: "listTreatmentPlans",
        summary: "List treatment plans",
        description: "Treatment plans, ordered by id.",
        links: { listGoals: { treatmentPlanId: "/data/0/publicId" } },
      },
    },
  );
