import { describe, expect, test } from "bun:test";
import { intakeStageKeys } from "../../src/intake-leads/model.ts";
import { plainBody } from "../support/body-rules.ts";
import { newApiKey, newIntakeStage, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { type LeadIds, newLead, storedLeads } from "../support/intake-leads/practice.ts";

/** On which stage of the board a new lead starts. */

const service = await newService();
const { database } = service;

type StageRow = Parameters<typeof newIntakeStage>[2];

/** Creates a lead in a new organization with these stages; says the lead's stage and the patient's status. */
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

describe("by id", () => {
  test.each([
    ["stage_own", ["stage_own", "LEAD"]],
    ["stage_active", ["stage_active", "ACTIVE"]],
    ["stage_wait_b", ["stage_wait_b", "WAITLIST"]],
  ])("%s: that stage, and the patient has its key for a status", async (id, expected) => {
    expect(await createOn(board, { intakeStatusPublicId: id })).toEqual(expected);
  });

  test.each(["stage_off", "stage_wait_off", "stage_none", "STAGE_OWN", "", "WAITLIST"])(
    "%p is refused by name: inactive, unknown, or no id",
    async (id) => {
      expect(await createOn(board, { intakeStatusPublicId: id })).toEqual([
        400,
        plainBody(400, `Unknown or inactive intakeStatusPublicId: '${id}'`),
      ]);
    },
  );

  test("another organization's is answered like one that never existed, byte for byte", async () => {
    const organization = await newOrganization(database);
    const key = await newApiKey(database, organization);
    const ask = () =>
      service.call("POST /api/v1/intake-leads", {
        key,
        json: newLead({ intakeStatusPublicId: "stage_twin" }),
      });
    const never = await ask();
    const other = await newOrganization(database);
    await newIntakeStage(database, other, { public_id: "stage_twin" });
    const theirs = await ask();
    expect([never.status, theirs.status, theirs.text]).toEqual([400, 400, never.text]);
  });
});

describe("by key", () => {
  test("of several active stages, the first in board order, then by id", async () => {
    expect(await createOn(board, { intakeStatusKey: "WAITLIST" })).toEqual([
      "stage_wait_a",
      "WAITLIST",
    ]);
  });

  test.each(intakeStageKeys)("%s is a status of its own", async (built_in_key) => {
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
    "%s, which no active stage has, is refused by name",
    async (key) => {
      expect(await createOn(board, { intakeStatusKey: key })).toEqual([
        400,
        plainBody(400, `No active intake stage has the intakeStatusKey '${key}'`),
      ]);
    },
  );
});

describe("by neither", () => {
  test("the first active stage in board order", async () => {
    expect(await createOn(board, {})).toEqual(["stage_own", "LEAD"]);
    expect(await createOn(board.slice(2), {})).toEqual(["stage_wait_a", "WAITLIST"]);
  });

  test("without active stages, none, and the status of a lead", async () => {
    expect(await createOn([], {})).toEqual([null, "LEAD"]);
    expect(await createOn([{ public_id: "stage_off", is_active: 0 }], {})).toEqual([null, "LEAD"]);
  });
});

test("both together are refused by name, even where they agree", async () => {
  const client = { intakeStatusPublicId: "stage_active", intakeStatusKey: "ACTIVE" };
  expect(await createOn(board, client)).toEqual([
    400,
    plainBody(
      400,
      "Give intakeStatusPublicId ('stage_active') or intakeStatusKey ('ACTIVE'), not both",
    ),
  ]);
});
