import { Elysia } from "elysia";
import { failingAs } from "../http/errors.ts";
import { authorized } from "../http/authorized.ts";
import {
  bodyErrors,
  orMalformedKey,
  commonErrors,
  errorResponse,
  inputErrorResponse,
} from "../http/responses.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { SessionPath } from "../sessions/model.ts";
import { Utilization, UtilizationPath, UtilizationQuery } from "./model.ts";
import { OverviewQuery, UtilizationEntryPage } from "./models/overview.ts";
import { WhatIf, WhatIfBody, whatIfExamples, WhatIfPath } from "./models/what-if.ts";
import { type LedgerEntry, UtilizationLedger } from "./models/ledger.ts";
import { SessionUtilization } from "./models/session.ts";
import { UtilizationSummary } from "./models/summary.ts";
import { readOverview } from "./overview-service.ts";
import { findScope, readLedger, readUtilization } from "./service.ts";
import { readSessionUtilization } from "./session.ts";
import { readSummary } from "./summary.ts";
import { readWhatIf } from "./what-if-service.ts";

const NOT_COMPUTED = "Utilization could not be computed";
const noTimeZone = errorResponse(
  "`timezone` is missing, and the patient's home address has no supported time zone.",
  "The patient's home address has no supported time zone: pass timezone",
);

/** Errors of all endpoints for a single authorization or pool. */
const utilizationErrors = {
  ...commonErrors,
  400: inputErrorResponse("If `startDate` is after `endDate`, the response is one sentence."),
  404: errorResponse(
    "The organization has no authorization or pool with this id.",
    "Authorization or pool not found",
  ),
  422: noTimeZone,
  500: errorResponse(NOT_COMPUTED, NOT_COMPUTED),
};

export const utilization = new Elysia({
  prefix: "/authorization-utilization",
  tags: ["Authorization utilization"],
})
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, now, query, shows, read }) =>
      failingAs(NOT_COMPUTED, () =>
        read(async (db) => {
          const { minShare, maxShare, sort = "-share", ...rest } = query;
          const page = pageRequest(query);
          const { entries, totalCount } = await readOverview(db, {
            ...{ organizationId, now, sort, ...rest, page },
            minShare: minShare === undefined ? undefined : Number(minShare),
            maxShare: maxShare === undefined ? undefined : Number(maxShare),
          });
          shows(entries, query.patientId);
          return { data: entries, pagination: pagination(page, totalCount) };
        }),
      ),
    {
      permission: "readUtilization",
      expensive: true,
      query: OverviewQuery,
      response: {
        200: UtilizationEntryPage,
        ...commonErrors,
        500: errorResponse(NOT_COMPUTED, NOT_COMPUTED),
      },
      detail: {
        operationId: "listAuthorizationUtilization",
        summary: "List current authorizations and pools with their utilization",
        description:
          "All standalone authorizations, and all pools with members, whose dates include `date`, for active patients: the units that are delivered or still booked in the period that includes `date`, and how much of that period has passed.",
        links: {
          readAuthorizationUtilization: { publicId: "/data/0/publicId" },
          readUtilizationSummary: { publicId: "/data/0/publicId" },
          listSessions: { clientId: "/data/0/patientId" },
        },
      },
    },
  )
  .get(
    "/:publicId",
    ({ caller: { organizationId }, now, params: { publicId }, query, shows, read, handOverIf }) =>
      failingAs(NOT_COMPUTED, () =>
        read(async (db) => {
          const scope = await findScope(db, { organizationId, publicId, ...query, now });
          shows(scope.subject);
          const { subject, grid } = scope;
          handOverIf(subject.members.length * grid.periods.length > FEW);
          return readUtilization(db, scope, (records) => handOverIf(records > FEW));
        }),
      ),
    {
      permission: "readUtilization",
      params: UtilizationPath,
      query: UtilizationQuery,
      response: {
        200: Utilization,
        ...utilizationErrors,
      },
      detail: {
        operationId: "readAuthorizationUtilization",
        summary: "Read the utilization of an authorization or a pool",
        description:
          "Delivered and scheduled units in each period of the unit frequency that overlaps the window. Periods are cut to the authorization's own dates, never to the window. Sessions and encounters count in the period in which they start. A session that was delivered counts in both numbers: do not add or subtract them.",
        links: {
          askWhatIf: { publicId: "/members/0/authorizationPublicId" },
          readUtilizationLedger: { publicId: "/publicId" },
          readUtilizationSummary: { publicId: "/publicId" },
          listSessions: { authorizationId: "/members/0/authorizationPublicId" },
        },
      },
    },
  )
  .get(
    "/:publicId/ledger",
    ({ caller: { organizationId }, now, params: { publicId }, query, shows, read }) =>
      failingAs(NOT_COMPUTED, () =>
        read(async (db) => {
          const scope = await findScope(db, { organizationId, publicId, ...query, now });
          shows(scope.subject);
          const explained = await readUtilization(db, scope);
          // It is written entry by entry, and need not be a list for that.
          const ledger = (await readLedger(db, scope)) as LedgerEntry[];
          return { ...explained, ledger };
        }),
      ),
    {
      permission: "readUtilization",
      expensive: true,
      params: UtilizationPath,
      query: UtilizationQuery,
      response: {
        200: UtilizationLedger,
        ...utilizationErrors,
      },
      detail: {
        operationId: "readUtilizationLedger",
        summary: "Explain the utilization of an authorization or a pool",
        description:
          "The utilization, and a ledger of the sessions and encounters that start in the window or in one of the periods: their start, their units, and why they count or do not.",
        links: { getSession: { sessionId: "/ledger/0/publicId" } },
      },
    },
  )
  .get(
    "/:publicId/summary",
    ({ caller: { organizationId }, now, params: { publicId }, query, shows, read }) =>
      failingAs(NOT_COMPUTED, () =>
        read(async (db) => {
          const scope = await findScope(db, { organizationId, publicId, ...query, now });
          shows(scope.subject);
          return readSummary(db, scope);
        }),
      ),
    {
      permission: "readUtilization",
      expensive: true,
      params: UtilizationPath,
      query: UtilizationQuery,
      response: {
        200: UtilizationSummary,
        ...utilizationErrors,
      },
      detail: {
        operationId: "readUtilizationSummary",
        summary: "Summarize an authorization or a pool",
        headers: [SEQUENCE],
        description:
          "Whose authorization or pool it is, its dates and authorized units, and for each period that overlaps the window the units delivered, scheduled, open, committed and left. Also how many sessions and encounters are outside its dates.",
        links: {
          getUser: { userId: "/patientId" },
          readUtilizationLedger: { publicId: "/publicId" },
          listAuthorizationUtilization: { patientId: "/patientId" },
        },
      },
    },
  )
  .post(
    "/:publicId/what-if",
    ({ caller: { organizationId }, params: { publicId }, body, shows, read }) =>
      failingAs(NOT_COMPUTED, () =>
        read(async (db) => {
          const { whatIf, patientId } = await readWhatIf(db, { organizationId, publicId, ...body });
          shows(patientId);
          return whatIf;
        }),
      ),
    {
      permission: "readUtilization",
      params: WhatIfPath,
      body: WhatIfBody,
      response: {
        200: WhatIf,
        ...commonErrors,
        ...bodyErrors,
        400: inputErrorResponse(
          orMalformedKey("If `publicId` is a pool, the response is one sentence."),
        ),
        404: errorResponse(
          "The organization has no authorization with this id.",
          "Authorization not found",
        ),
        422: noTimeZone,
        500: errorResponse(NOT_COMPUTED, NOT_COMPUTED),
      },
      detail: {
        operationId: "askWhatIf",
        summary: "Check whether sessions would fit an authorization",
        description:
          "The units of an authorization, and of its pool, if some sessions were booked and others cancelled. Nothing is written, and an `Idempotency-Key` has no effect.",
        examples: whatIfExamples,
      },
    },
  );

/** How a session counts; next to the session itself. */
export const sessionUtilization = new Elysia({
  prefix: "/sessions",
  tags: ["Authorization utilization"],
})
  .use(authorized)
  .get(
    "/:sessionId/utilization",
    ({ caller: { organizationId }, now, params: { sessionId: publicId }, shows, read }) =>
      read(async (db) => {
        const { utilization, patientId } = await readSessionUtilization(db, {
          ...{ organizationId, publicId, now },
        });
        shows(patientId);
        return utilization;
      }),
    {
      permission: "readSessions",
      params: SessionPath,
      response: {
        200: SessionUtilization,
        ...commonErrors,
        404: errorResponse("The organization has no session with this id.", "Session not found"),
      },
      detail: {
        operationId: "readSessionUtilization",
        summary: "Read how a session counts",
        description:
          "The units of a session, whether it counts in `unitsScheduled` of its authorization, and the encounters that refer to it.",
        links: {
          getSession: { sessionId: "/sessionId" },
          readUtilizationSummary: { publicId: "/authorizationId" },
        },
      },
    },
  );

/** Utilization of more records, or of more periods of members, is an expensive request. */
const FEW = 5_000;
