import { endpoint } from "../http/endpoint.ts";
import { DomainError, invalid } from "../lib/errors.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { Session, SessionListQuery, SessionPage, SessionPath } from "./model.ts";
import { presentSession } from "./present.ts";
import { countSessions, findSession, listSessions } from "./repository.ts";

const listSessionsEndpoint = endpoint({
  method: "GET",
  path: "/v1/sessions",
  operationId: "listSessions",
  tag: "Sessions",
  summary: "List sessions",
  description:
    "Scheduled sessions in order of start. A session is on the UTC day on which it starts.",
  permission: "readSessions",
  query: SessionListQuery,
  status: 200,
  answer: SessionPage,
  async read(db, { principal, query, patientIds }) {
    const { startDate, endDate } = query;
    if (startDate !== undefined && endDate !== undefined && startDate > endDate)
      throw invalid(["startDate"], "startDate must be on or before endDate");
    const page = pageRequest(query);
    const rows = await listSessions(db, principal.organizationId, query, page);
    for (const { client_id } of rows) if (client_id !== null) patientIds.add(client_id);
    // A count tells something of the patient whom it is asked of, on a page past the last, too.
    if (query.clientId !== undefined) patientIds.add(query.clientId);
    const total = await countSessions(db, principal.organizationId, query);
    return { data: rows.map(presentSession), pagination: pagination(page, total) };
  },
});

const getSessionEndpoint = endpoint({
  method: "GET",
  path: "/v1/sessions/{sessionId}",
  operationId: "getSession",
  tag: "Sessions",
  summary: "Read one session",
  description: "One session of the organization, by its public id.",
  permission: "readSessions",
  params: SessionPath,
  status: 200,
  answer: Session,
  refusals: { 404: "The organization has no session with this id." },
  async read(db, { principal, params, patientIds }) {
    const row = await findSession(db, principal.organizationId, params.sessionId);
    if (row === undefined) throw new DomainError("notFound", "Session not found");
    if (row.client_id !== null) patientIds.add(row.client_id);
    return presentSession(row);
  },
});

export const sessionEndpoints = [listSessionsEndpoint, getSessionEndpoint];
