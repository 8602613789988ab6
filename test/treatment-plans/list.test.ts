import { expect, test } from "bun:test";
import { newApiKey, newOrganization, newPatient, newTreatmentPlan } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { describePages, idsIn } from "../support/list-rules.ts";

/** GET /v1/treatment-plans: finds the plan for a new goal. */

const path = "/api/v1/treatment-plans";
const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
for (const public_id of ["usr_leo", "usr_mia"])
  await newPatient(database, organization, { public_id });

const plans = [
  { public_id: "tp_1", patient_id: "usr_mia", name: null },
  { public_id: "tp_2", patient_id: "usr_leo", name: "Communication" },
  { public_id: "tp_3", patient_id: "usr_leo", name: null },
  { public_id: "tp_4", patient_id: "usr_mia", name: "Play" },
  { public_id: "tp_5", patient_id: "usr_leo", name: "Aggression" },
];
for (const plan of plans.toReversed()) await newTreatmentPlan(database, organization, plan);

const list = {
  ...{ service, path, key, maxPage: 1_000_000 },
  ids: plans.map((plan) => plan.public_id),
  keyOfEmpty: await newApiKey(database, await newOrganization(database)),
};
describePages(list);

test("plans have three fields and are sorted by id", async () => {
  const { status, body } = await service.call(`GET ${path}`, { key });
  expect([status, body]).toEqual([
    200,
    {
      data: plans.map(({ public_id, patient_id, name }) => ({
        publicId: public_id,
        patientId: patient_id,
        name,
      })),
      pagination: { page: 1, pageSize: 25, totalCount: 5, totalPages: 1 },
    },
  ]);
});

test("patientId filters by patient, with the filtered total", async () => {
  const { body } = await service.call(`GET ${path}?patientId=usr_mia&pageSize=1`, { key });
  expect(body).toMatchObject({
    data: [{ publicId: "tp_1" }],
    pagination: { totalCount: 2, totalPages: 2 },
  });
  for (const none of ["usr_none", ""])
    expect(idsIn(await service.call(`GET ${path}?patientId=${none}`, { key }))).toEqual([]);
});
