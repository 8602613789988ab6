import { describe, expect, test } from "bun:test";
import { intakeStageKeys } from "../../src/intake-leads/model.ts";
import { plainBody } from "../support/body-rules.ts";
import { newApiKey, newIntakeStage, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { type LeadIds, newLead, storedLeads } from "../support/intake-leads/practice.ts";

/** POST /v1/intake-leads: the stage of a new lead (specification, section 4.2). */

const service = await newService();
const { database } = service;

type StageRow = Parameters<typeof newIntakeStage>[2];

/**
 * Creates a lead in a new organization with these stages. Returns the lead's stage and the
 * patient's status.
 */
async function createOn(stages: StageRow[], client: Record<string, unknown>) {
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization);
  for (const stage of stages) await newIntakeStage(database, organization, stage);
  const { status, body } = await service.call("POST /api/v1/intake-leads", {
    key,
    json: newLead(client),
  });
  if (status !== 201) return [status, body];
  const users = (await service.call("GET /api/v1/users?role=PATIENT", { key })).body;
  const [patient] = (users as { data: { publicId: string; userStatus: string }[] }).data;
  expect(patient?.publicId).toBe((body as LeadIds).client.publicId);
  const [lead] = (await storedLeads(service, organization)).leads;
  return [lead?.stage_id ?? null, patient?.userStatus];
}

const board: StageRow[] = [
  { public_id: "stage_z_off", built_in_key: "ARCHIVED", position: 0, is_active: 0 },
  { public_id: "stage_own", position: 1 },
  { public_id: "stage_wait_b", built_in_key: "WAITLIST", position: 3 },
  { public_id: "stage_wait_a", built_in_key: "WAITLIST", position: 3 },
  { public_id: "stage_wait_off", built_in_key: "WAITLIST", position: 2, is_active: 0 },
  { public_id: "stage_active", built_in_key: "ACTIVE", position: 4 },
  { public_id: "stage_off", position: 5, is_active: 0 },
];

describe("intakeStatusPublicId", () => {
  test.each([
    ["stage_own", ["stage_own", "LEAD"]],
    ["stage_active", ["stage_active", "ACTIVE"]],
    ["stage_wait_b", ["stage_wait_b", "WAITLIST"]],
  ])("%s sets that stage, and its key as the patient's status", async (id, expected) => {
    expect(await createOn(board, { intakeStatusPublicId: id })).toEqual(expected);
  });

  test.each(["stage_off", "stage_wait_off", "stage_none", "STAGE_OWN", "", "WAITLIST"])(
    "%p responds 400 with its value: inactive, unknown or malformed",
    async (id) => {
      expect(await createOn(board, { intakeStatusPublicId: id })).toEqual([
        400,
        plainBody(400, `Unknown or inactive intakeStatusPublicId: '${id}'`),
      ]);
    },
  );
});

describe("intakeStatusKey", () => {
  test("selects the first of several active stages by position, then by id", async () => {
    expect(await createOn(board, { intakeStatusKey: "WAITLIST" })).toEqual([
      "stage_wait_a",
      "WAITLIST",
    ]);
  });

  test.each(intakeStageKeys)("%s becomes the patient's status", async (built_in_key) => {
    const stages = [
      { public_id: "stage_own" },
      { public_id: "stage_key", built_in_key, position: 9 },
    ];
    expect(await createOn(stages, { intakeStatusKey: built_in_key })).toEqual([
      "stage_key",
      built_in_key,
    ]);
  });

  test.each(["ARCHIVED", "DISCHARGED"])(
    "%s, which no active stage has, responds 400 with its value",
    async (key) => {
      expect(await createOn(board, { intakeStatusKey: key })).toEqual([
        400,
        plainBody(400, `No active intake stage has the intakeStatusKey '${key}'`),
      ]);
    },
  );
});

describe("without either", () => {
  test("the lead is on the first active stage", async () => {
    expect(await createOn(board, {})).toEqual(["stage_own", "LEAD"]);
    expect(await createOn(board.slice(2), {})).toEqual(["stage_wait_a", "WAITLIST"]);
  });

  test("without active stages, the lead has none and the patient's status is LEAD", async () => {
    expect(await createOn([], {})).toEqual([null, "LEAD"]);
    expect(await createOn([{ public_id: "stage_off", is_active: 0 }], {})).toEqual([null, "LEAD"]);
  });
});

test("both together respond 400 with both values, even if they agree", async () => {
  const client = { intakeStatusPublicId: "stage_active", intakeStatusKey: "ACTIVE" };
  expect(await createOn(board, client)).toEqual([
    400,
    plainBody(
      400,
      "Give intakeStatusPublicId ('stage_active') or intakeStatusKey ('ACTIVE'), not both",
    ),
  ]);
});
