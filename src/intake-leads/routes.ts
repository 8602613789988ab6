import { endpoint } from "../http/endpoint.ts";
import { IntakeLead, NewIntakeLead, newIntakeLeadExamples } from "./model.ts";
import { checkIntakeLead, createIntakeLead } from "./service.ts";

const createIntakeLeadEndpoint = endpoint({
  method: "POST",
  path: "/v1/intake-leads",
  operationId: "createIntakeLead",
  tag: "Intake leads",
  summary: "Create an intake lead",
  description:
    "Takes a family that asks for care from a marketing form or another system: creates a draft patient and one caregiver, puts the lead on the intake board, and works out from where it came. Nothing is sent to the caregiver.",
  permission: "createIntakeLeads",
  body: NewIntakeLead,
  examples: newIntakeLeadExamples,
  status: 201,
  answer: IntakeLead,
  refusals: {
    400: "Locations, labels and stages that the organization does not have, and two stages at once, are answered in one sentence that names them.",
    409: "A user of the organization has the caregiver's email address.",
  },
  check: (db, { principal, body, now }) => checkIntakeLead(db, principal.organizationId, body, now),
  async write(trx, { principal, body, now, patientIds }, stage) {
    const lead = await createIntakeLead(trx, principal.organizationId, body, stage, now);
    patientIds.add(lead.client.publicId);
    return lead;
  },
});

export const intakeLeadEndpoints = [createIntakeLeadEndpoint];
