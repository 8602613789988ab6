import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { requireOrder } from "../schema/days.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { findSession, patientsOfAuthorizations } from "../sessions/repository.ts";
import { EncounterListQuery, EncounterPage } from "./model.ts";
import { presentEncounter } from "./present.ts";
import { listEncounters } from "./repository.ts";

export const encounters = new Elysia({ prefix: "/encounters", tags: ["Encounters"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, query, shows, read }) =>
      read(async (db) => {
        requireOrder(query, "startDate", "endDate");
        const { authorizationId, sessionId, patientId } = query;
        const page = pageRequest(query);
        const { rows, total } = await listEncounters(db, organizationId, query, page);
        const authorizationIds = rows.map((row) => row.authorization_id);
        if (authorizationId !== undefined) authorizationIds.push(authorizationId);
        const patients = await patientsOfAuthorizations(db, organizationId, authorizationIds);
        const session =
          sessionId === undefined
            ? undefined
            : await findSession(db, { organizationId, publicId: sessionId });
        shows(patients, patientId, session);
        return {
          data: rows.map((row) => presentEncounter(row)),
          pagination: pagination(page, total),
        };
      }),
    {
      permission: "readSessions",
      query: EncounterListQuery,
      response: { 200: EncounterPage, ...commonErrors },
      detail: {
        operationId: "listEncounters",
        summary: "List encounters",
        headers: [SEQUENCE],
        description: "Deliveries of units, ordered by start, each with its authorization.",
        links: {
          getSession: { sessionId: "/data/0/sessionId" },
          readAuthorizationUtilization: { publicId: "/data/0/authorizationId" },
        },
      },
    },
  );
