import { endpoint } from "../http/endpoint.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { Utilization, UtilizationPath, UtilizationQuery } from "./model.ts";
import { OverviewQuery, UtilizationEntryPage } from "./models/overview.ts";
import { readOverview } from "./overview-service.ts";
import { findScope, readUtilization } from "./service.ts";

const FAILURE = "Utilization could not be computed";

const listUtilizationEndpoint = endpoint({
  method: "GET",
  path: "/v1/authorization-utilization",
  operationId: "listAuthorizationUtilization",
  tag: "Authorization utilization",
  summary: "List live authorizations and pools with their utilization",
  description:
    "Every authorization that is in no pool, and every pool with members, that lives on the day, of active patients: how much of the period of that day is delivered or still scheduled, and how much of the period has passed.",
  permission: "readUtilization",
  query: OverviewQuery,
  status: 200,
  answer: UtilizationEntryPage,
  failure: FAILURE,
  async read(db, { principal: { organizationId }, now, query, patientIds }) {
    const { minShare, maxShare, sort = "-share", ...rest } = query;
    const page = pageRequest(query);
    const { entries, totalCount } = await readOverview(db, {
      ...{ organizationId, now, sort, ...rest, page },
      minShare: minShare === undefined ? undefined : Number(minShare),
      maxShare: maxShare === undefined ? undefined : Number(maxShare),
    });
    for (const { patientId } of entries) patientIds.add(patientId);
    return { data: entries, pagination: pagination(page, totalCount) };
  },
});

const readUtilizationEndpoint = endpoint({
  method: "GET",
  path: "/v1/authorization-utilization/{publicId}",
  operationId: "readAuthorizationUtilization",
  tag: "Authorization utilization",
  summary: "Read the utilization of an authorization or a pool",
  description:
    "Units delivered and units scheduled, in each period of the unit frequency that overlaps the window. A period is cut to the authorization's own dates and never to the window, and counts what starts in it. Delivered and scheduled units overlap: what took place is in both.",
  permission: "readUtilization",
  params: UtilizationPath,
  query: UtilizationQuery,
  status: 200,
  answer: Utilization,
  refusals: {
    400: "Or `startDate` is after `endDate`, which is answered in one sentence.",
    404: "The organization has no authorization or pool with this id.",
    422: "`timezone` is not given, and the patient's home address has no supported time zone.",
  },
  failure: FAILURE,
  async read(db, { principal: { organizationId }, now, params: { publicId }, query, patientIds }) {
    const scope = await findScope(db, { organizationId, publicId, ...query, now });
    patientIds.add(scope.subject.patientId);
    return readUtilization(db, scope);
  },
});

export const utilizationEndpoints = [listUtilizationEndpoint, readUtilizationEndpoint];
