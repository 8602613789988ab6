import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { DeliveryQuery, DeliveryReport } from "./model.ts";
import { readDelivery } from "./service.ts";

export const delivery = new Elysia({ prefix: "/delivery", tags: ["Delivery"] }).use(authorized).get(
  "",
  ({ caller: { organizationId }, now, query, shows, read }) =>
    read(async (db) => {
      const page = pageRequest(query);
      const { window, totals, byPayor, entries } = await readDelivery(db, {
        organizationId,
        now,
        ...query,
      });
      const data = entries.slice(page.offset, page.offset + page.pageSize);
      shows(data, query.patientId);
      return { ...window, totals, byPayor, data, pagination: pagination(page, entries.length) };
    }),
  {
    permission: "readSessions",
    expensive: true,
    query: DeliveryQuery,
    response: { 200: DeliveryReport, ...commonErrors },
    detail: {
      operationId: "listDelivery",
      summary: "List what was delivered, by authorization",
      description:
        "For each authorization with a session or encounter in the window, including those of inactive patients: the units delivered, how many of them outside the authorization's dates, and the number of sessions by status. Hours and visits are summed by payor.",
      links: {
        readAuthorizationUtilization: { publicId: "/data/0/authorizationId" },
        listSessions: { authorizationId: "/data/0/authorizationId" },
      },
    },
  },
);
