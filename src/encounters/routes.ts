import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { requireOrder } from "../schema/days.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { presenter } from "../schema/record-map.ts";
import { encounterMap } from "../schema/sessions.ts";
import { findSession } from "../sessions/repository.ts";
import { Encounter, EncounterListQuery, EncounterPage } from "./model.ts";
import { countEncounters, listEncounters, patientsOfAuthorizations } from "./repository.ts";

const presentEncounter = presenter(encounterMap, Encounter);

export const encounters = new Elysia({ prefix: "/encounters", tags: ["Encounters"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, query, patientIds, read }) =>
      read(async (db) => {
        requireOrder(query, "startDate", "endDate");
        const { authorizationId, sessionId, patientId } = query;
        const page = pageRequest(query);
        const rows = await listEncounters(db, organizationId, query, page);
        // The total discloses something about the patient, even if the page is past the last.
        const authorizationIds = rows.map((row) => row.authorization_id);
        if (authorizationId !== undefined) authorizationIds.push(authorizationId);
        for (const id of await patientsOfAuthorizations(db, organizationId, authorizationIds))
          patientIds.add(id);
        if (patientId !== undefined) patientIds.add(patientId);
        const session =
          sessionId && (await findSession(db, { organizationId, publicId: sessionId }));
        if (session && session.client_id !== null) patientIds.add(session.client_id);
        const total = await countEncounters(db, organizationId, query);
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
        description: "Deliveries of units, ordered by start, each with its authorization.",
        links: {
          getSession: { sessionId: "/data/0/sessionId" },
          readAuthorizationUtilization: { publicId: "/data/0/authorizationId" },
        },
      },
    },
  );
