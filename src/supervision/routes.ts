import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { parseMonth } from "../lib/calendar-date.ts";
import { valuesOfList } from "../schema/fields.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SupervisionQuery, SupervisionReport } from "./model.ts";
import { readSupervision } from "./service.ts";

export const supervision = new Elysia({ prefix: "/supervision", tags: ["Supervision"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, now, query, readOfPractice }) =>
      // Hours of staff, which everybody may compare with their own.
      readOfPractice(async (db) => {
        const { month, state, ...rest } = query;
        const page = pageRequest(query);
        const { data: all, ...report } = await readSupervision(db, {
          ...{ organizationId, now, ...rest },
          month: month === undefined ? undefined : parseMonth(month),
        });
        const states = state && valuesOfList(state);
        const data = all.filter((entry) => states === undefined || states.includes(entry.state));
        return {
          ...report,
          data: data.slice(page.offset, page.offset + page.pageSize),
          pagination: pagination(page, data.length),
        };
      }),
    {
      permission: "readSessions",
      expensive: true,
      query: SupervisionQuery,
      response: { 200: SupervisionReport, ...commonErrors },
      detail: {
        operationId: "listSupervision",
        summary: "List how much technicians are supervised in a month",
        description: `For each technician: hours of service and of supervision in a calendar month, delivered and booked, and what is still to be booked for the required share, two contacts, and one with a client.

Service is billable sessions with a client. Supervision is sessions with \`isSupervision\`; one with a client and without a technician supervises every technician who has service with that client meanwhile. Times at which several sessions take place count once. Sessions that were declined or missed do not count.

The report is no proof of compliance: the schedule does not know whether a supervisor is certified, or a contact was individual.`,
        links: { listSessions: { technicianId: "/data/0/technicianId" } },
      },
    },
  );
