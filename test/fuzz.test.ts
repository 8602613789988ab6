import { describe, expect, test } from "bun:test";
import { jsonEndpoints } from "./support/endpoints.ts";
import {
  insert,
  newApiKey,
  newAuthorization,
  newAuthorizationPool,
  newEncounter,
  newGoal,
  newIntakeLead,
  newOrganization,
  newPatient,
  newSession,
  newSpecialization,
  newTreatmentPlan,
  newUser,
} from "./support/factories.ts";
import { fuzz } from "./support/fuzz.ts";
import { newService } from "./support/harness.ts";
import { RANDOM_REQUESTS } from "./support/runs.ts";

/** Random requests to every read endpoint: no 500, and only documented responses. */

const service = await newService();
const { database } = service;
const organization_id = await newOrganization(database);
const keys = await Promise.all(
  (["ADMIN", "CLINICIAN", "CAREGIVER"] as const).map((role) =>
    newApiKey(database, organization_id, role),
  ),
);

for (const role of ["TECHNICIAN", "ADMIN", "CAREGIVER"])
  await newUser(database, organization_id, { role });
const patient_id = await newPatient(database, organization_id, {
  first_name: "José",
  last_name: "Muñoz",
  email: "jose@maple.example",
  time_zone: "America/New_York",
});
const clinician_id = await newUser(database, organization_id, { role: "CLINICIAN" });
await insert(database, "patient_clinicians", { organization_id, patient_id, clinician_id });
const pool = await newAuthorizationPool(database, organization_id, { patient_id });
const authorization = await newAuthorization(database, organization_id, { patient_id });
await newAuthorization(database, organization_id, { patient_id, authorization_pool_id: pool });
const session = await newSession(database, organization_id, {
  client_id: patient_id,
  clinician_id,
});
await newSession(database, organization_id, { is_billable: 0 });
for (const is_active of [0, 1] as const)
  await newSpecialization(database, organization_id, { is_active });
const elsewhere = await newSession(database, await newOrganization(database));

const treatment_plan_id = await newTreatmentPlan(database, organization_id, { patient_id });
// Requests delete goals now and then, and some must remain.
const goals = await Promise.all(
  Array.from({ length: 10 }, () =>
    newGoal(database, organization_id, { treatmentPlanId: treatment_plan_id }),
  ),
);

const lead = await newIntakeLead(database, organization_id, { client_id: patient_id });
await newEncounter(database, organization_id, { authorization_id: authorization });

const others = [
  lead,
  treatment_plan_id,
  patient_id,
  clinician_id,
  pool,
  authorization,
  session,
  elsewhere,
  "usr_none",
  "goal_none",
];
// Each of the others three times: a path finds something by one or two of them, and it must not be a matter of luck
// that enough requests are answered 200.
const ids = [...goals, ...others, ...others, ...others];

describe.each(jsonEndpoints.filter(({ method }) => method === "GET"))("$path", (endpoint) => {
  test(
    `gives documented responses to ${RANDOM_REQUESTS} random requests`,
    async () => {
      const statuses = await fuzz(service, endpoint, { keys, ids, count: RANDOM_REQUESTS });
      // The requests are plausible, or all of them would be refused.
      for (const status of [200, 400, 401, 404, 405])
        expect(statuses.get(status) ?? 0).toBeGreaterThan(RANDOM_REQUESTS / 1_000);
    },
    { timeout: 120_000 },
  );
});
