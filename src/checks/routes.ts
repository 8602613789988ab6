import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { valuesOfList } from "../schema/fields.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { CHECKS_DESCRIPTION, ChecksQuery, ChecksReport } from "./model.ts";
import { readChecks, showFindings } from "./service.ts";

export const checks = new Elysia({ prefix: "/checks", tags: ["Checks"] }).use(authorized).get(
  "",
  ({ caller: { organizationId }, now, query, shows, read }) =>
    read(async (db) => {
      const { check, ...rest } = query;
      const page = pageRequest(query);
      const { window, totals, count, ...report } = await readChecks(db, {
        ...{ organizationId, now, ...rest },
        checks: check && valuesOfList(check),
      });
      const shown = await report.page(page.offset, page.offset + page.pageSize);
      const { data, patientIds } = await showFindings(db, organizationId, shown);
      shows(patientIds, query.patientId);
      return { ...window, totals, data, pagination: pagination(page, count) };
    }),
  {
    permission: "readSessions",
    expensive: true,
    query: ChecksQuery,
    response: { 200: ChecksReport, ...commonErrors },
    detail: {
      operationId: "listFindings",
      summary: "List findings that need attention",
      description: CHECKS_DESCRIPTION,
      links: {
        getSession: { sessionId: "/data/0/sessionIds/0" },
        readAuthorizationUtilization: { publicId: "/data/0/authorizationId" },
      },
    },
  },
);
