import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { commonErrors, errorResponse } from "../http/responses.ts";
import { DomainError, invalid } from "../lib/errors.ts";
import { requireOrder } from "../schema/days.ts";
import { valuesOfList } from "../schema/fields.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { type Direction, Session, SessionListQuery, SessionPage, SessionPath } from "./model.ts";
import { presentSession } from "./present.ts";
import {
  findSession,
  listSessions,
  listSessionsGoingOn,
  patientsOfAuthorizations,
} from "./repository.ts";

export const sessions = new Elysia({ prefix: "/sessions", tags: ["Sessions"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, query, shows, read }) =>
      read(async (db) => {
        requireOrder(query, "startDate", "endDate");
        const filter = { ...query, statuses: query.status && valuesOfList(query.status) };
        const page = pageRequest(query);
        const slice = { ...page, direction: directionOf(query.sort) };
        const goesOn = query.goesOn === "true";
        if (goesOn && query.startDate === undefined) throw invalid(["goesOn"], "Needs startDate");
        const list = goesOn ? listSessionsGoingOn : listSessions;
        const { rows, total } = await list(db, organizationId, filter, slice);
        const { authorizationId, clientId } = query;
        const ids = authorizationId === undefined ? [] : [authorizationId];
        shows(rows, clientId, await patientsOfAuthorizations(db, organizationId, ids));
        return { data: rows.map(presentSession), pagination: pagination(page, total) };
      }),
    {
      permission: "readSessions",
      query: SessionListQuery,
      response: { 200: SessionPage, ...commonErrors },
      detail: {
        operationId: "listSessions",
        summary: "List sessions",
        headers: [SEQUENCE],
        description:
          "Scheduled sessions, ordered by start, earliest first unless `sort` is given. A session belongs to the day on which it starts; days are UTC days unless `timezone` is given. With `goesOn`, sessions that began before are listed, too.",
        links: {
          getSession: { sessionId: "/data/0/publicId" },
          getUser: { userId: "/data/0/clientId" },
        },
      },
    },
  )
  .get(
    "/:sessionId",
    ({ caller: { organizationId }, params, shows, read }) =>
      read(async (db) => {
        const row = await findSession(db, { organizationId, publicId: params.sessionId });
        if (row === undefined) throw new DomainError("notFound", "Session not found");
        shows(row);
        return presentSession(row);
      }),
    {
      permission: "readSessions",
      params: SessionPath,
      response: {
        200: Session,
        ...commonErrors,
        404: errorResponse("The organization has no session with this id.", "Session not found"),
      },
      detail: {
        operationId: "getSession",
        summary: "Read one session",
        headers: [SEQUENCE],
        description: "One session.",
        links: {
          readSessionUtilization: { sessionId: "/publicId" },
          getUser: { userId: "/clientId" },
        },
      },
    },
  );

function directionOf(sort: Static<typeof SessionListQuery>["sort"]): Direction {
  return sort === "startTime_desc" ? "desc" : "asc";
}
