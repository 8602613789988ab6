import { endpoint } from "../http/endpoint.ts";
import { Utilization, UtilizationPath, UtilizationQuery } from "./model.ts";
import { findScope, readUtilization } from "./service.ts";

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
  failure: "Utilization could not be computed",
  async read(db, { principal: { organizationId }, now, params: { publicId }, query, patientIds }) {
    const scope = await findScope(db, { organizationId, publicId, ...query, now });
    patientIds.add(scope.subject.patientId);
    return readUtilization(db, scope);
  },
});

export const utilizationEndpoints = [readUtilizationEndpoint];
