import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { TreatmentPlanListQuery, TreatmentPlanPage } from "./model.ts";
import { listTreatmentPlans } from "./repository.ts";

export const treatmentPlans = new Elysia({ prefix: "/treatment-plans", tags: ["Treatment plans"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, query, shows, read }) =>
      read(async (db) => {
        const page = pageRequest(query);
        const { rows, total } = await listTreatmentPlans(db, organizationId, query, page);
        shows(rows, query.patientId);
        return { data: rows, pagination: pagination(page, total) };
      }),
    {
      permission: "readTreatmentPlans",
      query: TreatmentPlanListQuery,
      response: { 200: TreatmentPlanPage, ...commonErrors },
      detail: {
        operationId: "listTreatmentPlans",
        summary: "List treatment plans",
        headers: [SEQUENCE],
        description: "Treatment plans, ordered by id.",
        links: { listGoals: { treatmentPlanId: "/data/0/publicId" } },
      },
    },
  );
