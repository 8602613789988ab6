import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Database } from "../../db/database.ts";
import type { Caller } from "../access/api-keys.ts";
import { failingAs } from "../http/errors.ts";
import { practice } from "../http/practice.ts";
import {
  bodyRefusals,
  orMalformedKey,
  refusals,
  refused,
  refusedInput,
} from "../http/responses.ts";
import { addDays } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { Utilization, UtilizationPath, UtilizationQuery } from "./model.ts";
import { OverviewQuery, UtilizationEntryPage } from "./models/overview.ts";
import { WhatIf, WhatIfBody, whatIfExamples, WhatIfPath } from "./models/what-if.ts";
import { readOverview } from "./overview-service.ts";
import { findScope, readUtilization } from "./service.ts";
import { readWhatIf } from "./what-if-service.ts";

const NOT_COMPUTED = "Utilization could not be computed";
const NO_TIME_ZONE =
  "`timezone` is not given, and the patient's home address has no supported time zone.";

export const utilization = new Elysia({
  prefix: "/authorization-utilization",
  tags: ["Authorization utilization"],
})
  .use(practice)
  .get(
    "",
    ({ caller: { organizationId }, now, query, patientIds, read }) =>
      failingAs(NOT_COMPUTED, () =>
        read(async (db) => {
          const { minShare, maxShare, sort = "-share", ...rest } = query;
          const page = pageRequest(query);
          const { entries, totalCount } = await readOverview(db, {
            ...{ organizationId, now, sort, ...rest, page },
            minShare: minShare === undefined ? undefined : Number(minShare),
            maxShare: maxShare === undefined ? undefined : Number(maxShare),
          });
          for (const { patientId } of entries) patientIds.add(patientId);
          // A count tells something of the patient whom it is asked of, on a page past the last, too.
          if (query.patientId !== undefined) patientIds.add(query.patientId);
          return { data: entries, pagination: pagination(page, totalCount) };
        }),
      ),
    {
      permission: "readUtilization",
      dear: true,
      query: OverviewQuery,
      response: {
        200: UtilizationEntryPage,
        ...refusals,
        500: refused(NOT_COMPUTED, NOT_COMPUTED),
      },
      detail: {
        operationId: "listAuthorizationUtilization",
        summary: "List live authorizations and pools with their utilization",
        description:
          "Every authorization that is in no pool, and every pool with members, that lives on the day, of active patients: how much of the period of that day is delivered or still scheduled, and how much of the period has passed.",
        links: {
          readAuthorizationUtilization: { publicId: "/data/0/publicId" },
          listSessions: { clientId: "/data/0/patientId" },
        },
      },
    },
  )
  .get(
    "/:publicId",
    ({ caller: { organizationId }, now, params: { publicId }, query, patientIds, read }) =>
      failingAs(NOT_COMPUTED, () =>
        read(async (db) => {
          const scope = await findScope(db, { organizationId, publicId, ...query, now });
          patientIds.add(scope.subject.patientId);
          return readUtilization(db, scope);
        }),
      ),
    {
      permission: "readUtilization",
      dear: isOfManyDays,
      params: UtilizationPath,
      query: UtilizationQuery,
      response: {
        200: Utilization,
        ...refusals,
        400: refusedInput("Or `startDate` is after `endDate`, which is answered in one sentence."),
        404: refused("The organization has no authorization or pool with this id."),
        422: refused(NO_TIME_ZONE),
        500: refused(NOT_COMPUTED, NOT_COMPUTED),
      },
      detail: {
        operationId: "readAuthorizationUtilization",
        summary: "Read the utilization of an authorization or a pool",
        description:
          "Units delivered and units scheduled, in each period of the unit frequency that overlaps the window. A period is cut to the authorization's own dates and never to the window, and counts what starts in it. Delivered and scheduled units overlap: what took place is in both.",
        links: {
          askWhatIf: { publicId: "/members/0/authorizationPublicId" },
          listSessions: { authorizationId: "/members/0/authorizationPublicId" },
        },
      },
    },
  )
  .post(
    "/:publicId/what-if",
    ({ caller: { organizationId }, params: { publicId }, body, patientIds, read }) =>
      failingAs(NOT_COMPUTED, () =>
        read(async (db) => {
          const { whatIf, patientId } = await readWhatIf(db, { organizationId, publicId, ...body });
          patientIds.add(patientId);
          return whatIf;
        }),
      ),
    {
      permission: "readUtilization",
      params: WhatIfPath,
      body: WhatIfBody,
      response: {
        200: WhatIf,
        ...refusals,
        ...bodyRefusals,
        400: refusedInput(orMalformedKey("A pool's id is answered in one sentence.")),
        404: refused("The organization has no authorization with this id."),
        422: refused(NO_TIME_ZONE),
        500: refused(NOT_COMPUTED, NOT_COMPUTED),
      },
      detail: {
        operationId: "askWhatIf",
        summary: "Ask whether sessions would fit an authorization",
        description:
          "How the periods of an authorization, and of its pool, would stand with some sessions booked and some cancelled. Nothing is changed, and nothing kept under an `Idempotency-Key`.",
        examples: whatIfExamples,
      },
    },
  );

/** A longer window is dear, in days. */
const FEW_DAYS = 90;

interface UtilizationContext {
  caller: Caller;
  now: Instant;
  params: Static<typeof UtilizationPath>;
  query: Static<typeof UtilizationQuery>;
  read: Database["read"];
}

/** Whether a window has more than 90 days. One that is left to its defaults has to be looked up. */
async function isOfManyDays(context: UtilizationContext): Promise<boolean> {
  const { startDate, endDate } = context.query;
  const window =
    startDate !== undefined && endDate !== undefined
      ? { startDate, endDate }
      : await defaultWindow(context);
  return addDays(window.startDate, FEW_DAYS) <= window.endDate;
}

async function defaultWindow({ caller, now, params, query, read }: UtilizationContext) {
  const request = { organizationId: caller.organizationId, ...params, ...query, now };
  const { grid } = await failingAs(NOT_COMPUTED, () => read((db) => findScope(db, request)));
  return grid.window;
}
