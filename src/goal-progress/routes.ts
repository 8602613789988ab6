import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { GoalProgressPage, GoalProgressQuery } from "./model.ts";
import { findPatientsOf, readProgress } from "./service.ts";

export const goalProgress = new Elysia({ prefix: "/goal-progress", tags: ["Goals"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, now, query, shows, read }) =>
      read(async (db) => {
        const page = pageRequest(query);
        const { page: _, pageSize: __, ...filter } = query;
        const { data, total, patientIds } = await readProgress(
          db,
          { ...filter, organizationId, now },
          page,
        );
        shows(patientIds, query.patientId, ...(await findPatientsOf(db, organizationId, query)));
        return { data, pagination: pagination(page, total) };
      }),
    {
      permission: "readGoals",
      expensive: true,
      query: GoalProgressQuery,
      response: { 200: GoalProgressPage, ...commonErrors },
      detail: {
        operationId: "listGoalProgress",
        summary: "List the progress of goals",
        description:
          "Of each goal, child goals too, a point for each day, week or month in which something was recorded, and whether the last points meet its criterion. By patient; the goal without a parent comes before those below it.",
        headers: [SEQUENCE],
        links: { getGoal: { goalId: "/data/0/goalId" } },
      },
    },
  );
