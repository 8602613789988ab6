import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import {
  creationErrors,
  orMalformedKey,
  commonErrors,
  errorResponse,
  inputErrorResponse,
} from "../http/responses.ts";
import { DomainError } from "../lib/errors.ts";
import { instantsOfDays, requireOrder } from "../schema/days.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import {
  IntakeLead,
  IntakeLeadCreation,
  IntakeLeadListQuery,
  IntakeLeadPage,
  IntakeLeadPath,
  NewIntakeLead,
  newIntakeLeadExamples,
} from "./model.ts";
import { presentLead } from "./present.ts";
import { findIntakeLead, labelsOfLeads, listIntakeLeads } from "./repository.ts";
import { checkIntakeLead, createIntakeLead } from "./service.ts";
import type { Stage } from "./stages.ts";

const NOT_FOUND = "Intake lead not found";

/** A page whose leads have longer attributions is an expensive read. */
const FEW_CHARACTERS = 1_000_000;

export const intakeLeads = new Elysia({ prefix: "/intake-leads", tags: ["Intake leads"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, query, shows, read, handOverIf }) =>
      read(async (db) => {
        const { createdFrom, createdTo, sort = "createdAt_desc", ...filter } = query;
        requireOrder(query, "createdFrom", "createdTo");
        const page = pageRequest(query);
        const within = {
          ...filter,
          ...instantsOfDays({ startDate: createdFrom, endDate: createdTo }),
        };
        const { rows, total } = await listIntakeLeads(db, organizationId, within, {
          ...page,
          direction: sort === "createdAt_desc" ? "desc" : "asc",
        });
        const lengths = rows.map(({ attribution }) => attribution?.length ?? 0);
        handOverIf(lengths.reduce((sum, length) => sum + length, 0) > FEW_CHARACTERS);
        shows(rows, query.clientId);
        const labels = await labelsOfLeads(db, organizationId, rows);
        return {
          data: rows.map((row) => presentLead(row, labels)),
          pagination: pagination(page, total),
        };
      }),
    {
      permission: "readIntakeLeads",
      query: IntakeLeadListQuery,
      response: { 200: IntakeLeadPage, ...commonErrors },
      detail: {
        operationId: "listIntakeLeads",
        summary: "List intake leads",
        headers: [SEQUENCE],
        description:
          "Intake leads with their stage and where they came from, newest first unless `sort` is given.",
        links: {
          getIntakeLead: { leadId: "/data/0/publicId" },
          getUser: { userId: "/data/0/clientId" },
        },
      },
    },
  )
  .get(
    "/:leadId",
    ({ caller: { organizationId }, params, shows, read }) =>
      read(async (db) => {
        const row = await findIntakeLead(db, organizationId, params.leadId);
        if (row === undefined) throw new DomainError("notFound", NOT_FOUND);
        shows(row);
        return presentLead(row, await labelsOfLeads(db, organizationId, [row]));
      }),
    {
      permission: "readIntakeLeads",
      params: IntakeLeadPath,
      response: {
        200: IntakeLead,
        ...commonErrors,
        404: errorResponse("The organization has no intake lead with this id.", NOT_FOUND),
      },
      detail: {
        operationId: "getIntakeLead",
        summary: "Read one intake lead",
        headers: [SEQUENCE],
        description: "One intake lead.",
        links: { getUser: { userId: "/clientId" }, listSessions: { clientId: "/clientId" } },
      },
    },
  )
  .post(
    "",
    ({ caller: { organizationId }, body, now, shows, write }) =>
      write(
        201,
        async (trx, stage: Stage | undefined) => {
          const lead = await createIntakeLead(trx, {
            organizationId,
            submission: body,
            stage,
            now,
          });
          shows(lead.client.publicId);
          return lead;
        },
        (db) => checkIntakeLead(db, organizationId, body, now),
      ),
    {
      permission: "createIntakeLeads",
      body: NewIntakeLead,
      response: {
        201: IntakeLeadCreation,
        ...creationErrors,
        400: inputErrorResponse(
          orMalformedKey(
            "If a location, label or stage is unknown, or both stage fields are given, the response is one sentence that names them.",
          ),
        ),
        409: errorResponse(
          "A user of the organization has the caregiver's email address.",
          "A record with this email already exists",
          "The caregiver could not be created. Review the submission and try again.",
        ),
      },
      detail: {
        operationId: "createIntakeLead",
        summary: "Create an intake lead",
        headers: [SEQUENCE],
        description:
          "Creates a draft patient and one caregiver from a marketing form or another system, places the lead on a stage of the intake board, and derives its source, channel and campaign from `attribution`. Nothing is sent to the caregiver.",
        examples: newIntakeLeadExamples,
        links: {
          listIntakeLeads: { clientId: "/client/publicId" },
          getUser: { userId: "/client/publicId" },
          listSessions: { clientId: "/client/publicId" },
        },
      },
    },
  );
