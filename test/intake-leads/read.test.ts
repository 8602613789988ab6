import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { plainBody } from "../support/body-rules.ts";
import {
  insert,
  newApiKey,
  newIntakeLabel,
  newIntakeLead,
  newIntakeStage,
  newOrganization,
  newPatient,
  newUser,
} from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";
import { describePages, idsIn, totalIn, validationBody } from "../support/list-rules.ts";
import { newIntakePractice } from "../support/intake-leads/practice.ts";

/** GET /v1/intake-leads and GET /v1/intake-leads/{leadId}. */

const path = "/api/v1/intake-leads";
const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
for (const public_id of ["usr_leo", "usr_mia"])
  await newPatient(database, organization, { public_id });
await newUser(database, organization, { public_id: "usr_dad", role: "CAREGIVER" });
await newIntakeStage(database, organization, { public_id: "stage_own", position: 1 });
await newIntakeStage(database, organization, {
  ...{ public_id: "stage_wait", built_in_key: "WAITLIST", position: 2 },
});
for (const public_id of ["lbl_b", "lbl_a"])
  await newIntakeLabel(database, organization, { public_id });

const leads = [
  { public_id: "lead_5", created_at: "2026-03-12T00:00:00.000Z", client_id: "usr_mia" },
  { public_id: "lead_3", created_at: "2026-03-11T23:59:59.999Z", stage_id: "stage_own" },
  { public_id: "lead_2", created_at: "2026-03-11T00:00:00.000Z", channel: "Paid Search" },
  { public_id: "lead_4", created_at: "2026-03-11T00:00:00.000Z", attribution: "{}" },
  {
    ...{ public_id: "lead_1", created_at: "2026-03-10T23:59:59.999Z", stage_id: "stage_wait" },
    ...{ relationship: "FATHER", source: "google", channel: "Organic Search", campaign: "Spring" },
    attribution: JSON.stringify({ utm_source: "google", utm_campaign: "Spring" }),
  },
];
for (const { created_at, ...lead } of leads)
  await newIntakeLead(database, organization, {
    ...{ client_id: "usr_leo", caregiver_id: "usr_dad", ...lead },
    created_at: created_at as Instant,
  });
for (const label_id of ["lbl_b", "lbl_a"])
  await insert(database, "intake_lead_labels", {
    ...{ organization_id: organization, lead_id: "lead_1", label_id },
  });
await insert(database, "intake_lead_labels", {
  ...{ organization_id: organization, lead_id: "lead_5", label_id: "lbl_a" },
});
const ids = leads.map((lead) => lead.public_id);

const list = {
  ...{ service, path, key, ids, maxPage: 1_000_000 },
  keyOfEmpty: await newApiKey(database, await newOrganization(database)),
};
describePages(list);

const whole = {
  publicId: "lead_1",
  clientId: "usr_leo",
  caregiverId: "usr_dad",
  relationship: "FATHER",
  stageId: "stage_wait",
  stageKey: "WAITLIST",
  labelIds: ["lbl_a", "lbl_b"],
  source: "google",
  channel: "Organic Search",
  campaign: "Spring",
  createdAt: "2026-03-10T23:59:59.999Z",
  attribution: { utm_source: "google", utm_campaign: "Spring" },
};
const bare = {
  ...{ clientId: "usr_leo", caregiverId: "usr_dad", relationship: "MOTHER" },
  ...{ stageId: null, stageKey: null, labelIds: [] as string[], source: null, channel: null },
  ...{ campaign: null, attribution: null },
};

test("GET /v1/intake-leads has complete leads, latest first, then by id", async () => {
  const { status, body } = await service.call(`GET ${path}`, { key });
  expect([status, body]).toEqual([
    200,
    {
      data: [
        {
          ...{ ...bare, publicId: "lead_5", createdAt: "2026-03-12T00:00:00.000Z" },
          ...{ clientId: "usr_mia", labelIds: ["lbl_a"] },
        },
        {
          ...{ ...bare, publicId: "lead_3", createdAt: "2026-03-11T23:59:59.999Z" },
          stageId: "stage_own",
        },
        {
          ...{ ...bare, publicId: "lead_2", createdAt: "2026-03-11T00:00:00.000Z" },
          channel: "Paid Search",
        },
        {
          ...{ ...bare, publicId: "lead_4", createdAt: "2026-03-11T00:00:00.000Z" },
          attribution: {},
        },
        whole,
      ],
      pagination: { page: 1, pageSize: 25, totalCount: 5, totalPages: 1 },
    },
  ]);
});

test("GET /v1/intake-leads/{leadId} has the lead as in the list", async () => {
  const { body } = await service.call(`GET ${path}`, { key });
  for (const lead of (body as { data: { publicId: string }[] }).data) {
    const one = await service.call(`GET ${path}/${lead.publicId}`, { key });
    expect([one.status, one.body]).toEqual([200, lead]);
  }
});

describe("filters and sort orders, with the total of the filtered leads", () => {
  test.each([
    ["sort=createdAt_desc", ids],
    ["sort=createdAt_asc", ["lead_1", "lead_2", "lead_4", "lead_3", "lead_5"]],
    ["stageId=stage_wait", ["lead_1"]],
    ["stageId=stage_none", []],
    ["labelId=lbl_a", ["lead_5", "lead_1"]],
    ["labelId=lbl_b&sort=createdAt_asc", ["lead_1"]],
    ["channel=Paid%20Search", ["lead_2"]],
    // The value must be equal; it is not a search.
    ["channel=paid%20search", []],
    ["channel=Paid", []],
    ["source=google", ["lead_1"]],
    ["source=Google", []],
    ["source=", []],
    ["clientId=usr_mia", ["lead_5"]],
    ["createdFrom=2026-03-11", ["lead_5", "lead_3", "lead_2", "lead_4"]],
    ["createdTo=2026-03-11", ["lead_3", "lead_2", "lead_4", "lead_1"]],
    ["createdFrom=2026-03-11&createdTo=2026-03-11", ["lead_3", "lead_2", "lead_4"]],
    ["createdFrom=2026-03-11&labelId=lbl_a&clientId=usr_mia", ["lead_5"]],
  ] as const)("?%s", async (query, expected) => {
    const answer = await service.call(`GET ${path}?${query}`, { key });
    expect([answer.status, idsIn(answer), totalIn(answer)]).toEqual([
      200,
      [...expected],
      expected.length,
    ]);
  });
});

test("createdFrom after createdTo responds 400", async () => {
  const { status, body } = await service.call(
    `GET ${path}?createdFrom=2026-03-12&createdTo=2026-03-11`,
    { key },
  );
  const message = "createdFrom must be on or before createdTo";
  expect([status, body]).toEqual([
    400,
    validationBody({ code: "custom", message, path: ["createdFrom"] }),
  ]);
});

test.each(["lead_none", "LEAD_1", "usr_leo"])("an unknown id responds 404: %s", async (id) => {
  const { status, body } = await service.call(`GET ${path}/${id}`, { key });
  expect([status, body]).toEqual([404, plainBody(404, "Intake lead not found")]);
});

test("a lead created by POST is found by its clientId, with the submitted data", async () => {
  const practice = await newIntakePractice(service);
  const client = {
    ...{ firstName: "Leo", lastName: "Park", birthdate: "2019-04-02" },
    ...{ intakeStatusKey: "WAITLIST", labelPublicIds: ["lbl_website", "lbl_a"] },
  };
  const { ids: created } = await practice.create({
    client,
    caregiver: {
      ...{ firstName: "Mina", lastName: "Park", relationship: "GUARDIAN" },
      ...{ email: "mina.park@maple.example", phone: "+14155552671" },
    },
    attribution: { gclid: "abc", landingPage: "https://maple.example/intake", unknown: "x" },
  });
  const { body } = await service.call(`GET ${path}?clientId=${created.client.publicId}`, {
    key: practice.key,
  });
  expect(body).toMatchObject({
    data: [
      {
        publicId: expect.stringMatching(/^lead_[0-9a-z]{26}$/),
        clientId: created.client.publicId,
        caregiverId: created.caregiver.publicId,
        relationship: "GUARDIAN",
        stageId: "stage_wait",
        stageKey: "WAITLIST",
        labelIds: ["lbl_a", "lbl_website"],
        source: "google",
        channel: "Paid Search",
        campaign: null,
        createdAt: NOW,
        attribution: { gclid: "abc", landingPage: "https://maple.example/intake" },
      },
    ],
  });
});
