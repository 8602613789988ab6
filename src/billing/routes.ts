import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { valuesOfList } from "../schema/fields.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { BILLING_DESCRIPTION, BillingQuery, BillingReport } from "./model.ts";
import { readBillingLines } from "./service.ts";
import { readSupport } from "./support.ts";
import { SUPPORT_DESCRIPTION, SupportQuery, SupportReport } from "./support-model.ts";

export const billing = new Elysia({ prefix: "/billing-lines", tags: ["Billing"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, now, query, shows, read }) =>
      read(async (db) => {
        const { state, problem, ...rest } = query;
        const page = pageRequest(query);
        const lines = await readBillingLines(db, {
          ...{ organizationId, now, ...rest },
          states: state && valuesOfList(state),
          problems: problem && valuesOfList(problem),
        });
        const data = await lines.slice(page.offset, page.offset + page.pageSize);
        shows(data, query.patientId);
        const { window, totals, batches, count } = lines;
        return { ...window, totals, batches, data, pagination: pagination(page, count) };
      }),
    {
      permission: "readSessions",
      expensive: true,
      query: BillingQuery,
      response: { 200: BillingReport, ...commonErrors },
      detail: {
        operationId: "listBillingLines",
        summary: "List billing lines",
        headers: [SEQUENCE],
        description: BILLING_DESCRIPTION,
        links: {
          readAuthorizationUtilization: { publicId: "/data/0/authorizationId" },
        },
      },
    },
  );

export const billingSupport = new Elysia({ prefix: "/billing-support", tags: ["Billing"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, now, query, shows, read }) =>
      read(async (db) => {
        const page = pageRequest(query);
        const { count, patientId, slice } = await readSupport(db, {
          ...{ organizationId, now, ...query },
        });
        const data = await slice(page.offset, page.offset + page.pageSize);
        shows(
          data.map(({ line }) => line),
          patientId,
        );
        return { data, pagination: pagination(page, count) };
      }),
    {
      permission: "readBillingSupport",
      expensive: true,
      query: SupportQuery,
      response: { 200: SupportReport, ...commonErrors },
      detail: {
        operationId: "listBillingSupport",
        summary: "List what supports billing lines",
        headers: [SEQUENCE],
        description: SUPPORT_DESCRIPTION,
        links: {
          readAuthorizationUtilization: { publicId: "/data/0/line/authorizationId" },
        },
      },
    },
  );
