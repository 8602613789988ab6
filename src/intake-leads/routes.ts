import { Elysia } from "elysia";
import { practice } from "../http/practice.ts";
import { creationRefusals, orMalformedKey, refused, refusedInput } from "../http/responses.ts";
import { IntakeLead, NewIntakeLead, newIntakeLeadExamples } from "./model.ts";
import { checkIntakeLead, createIntakeLead } from "./service.ts";
import type { Stage } from "./stages.ts";

export const intakeLeads = new Elysia({ prefix: "/intake-leads", tags: ["Intake leads"] })
  .use(practice)
  .post(
    "",
    ({ caller: { organizationId }, body, now, patientIds, write }) =>
      write(
        201,
        async (trx, stage: Stage | undefined) => {
          const lead = await createIntakeLead(trx, {
            organizationId,
            submission: body,
            stage,
            now,
          });
          patientIds.add(lead.client.publicId);
          return lead;
        },
        (db) => checkIntakeLead(db, organizationId, body, now),
      ),
    {
      permission: "createIntakeLeads",
      body: NewIntakeLead,
      response: {
        201: IntakeLead,
        ...creationRefusals,
        400: refusedInput(
          orMalformedKey(
            "Locations, labels and stages that the organization does not have, and two stages at once, are answered in one sentence that names them.",
          ),
        ),
        409: refused("A user of the organization has the caregiver's email address."),
      },
      detail: {
        operationId: "createIntakeLead",
        summary: "Create an intake lead",
        description:
          "Takes a family that asks for care from a marketing form or another system: creates a draft patient and one caregiver, puts the lead on the intake board, and works out from where it came. Nothing is sent to the caregiver.",
        examples: newIntakeLeadExamples,
        links: { listSessions: { clientId: "/client/publicId" } },
      },
    },
  );
