import { connectFile } from "../../../db/sqlite/connect.ts";
import { migrate } from "../../../db/migrate.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import {
  newApiKey,
  newIntakeLabel,
  newIntakeStage,
  newLocation,
  newOrganization,
  newSpecialization,
  newTreatmentPlan,
} from "../../support/factories.ts";
import { NOW } from "../../support/harness.ts";

/** A practice in a file, writes to it, and the rows of a complete write. */

export const LOCATION = "loc_main";
export const LABELS = ["lbl_form", "lbl_spring"];
export const STAGE = "stage_new";
export const SPECIALIZATION = "spec_early";
export const TREATMENT_PLAN = "tp_first";

/** The last name of all people who are written, and of nobody else. */
export const LAST_NAME = "Durable";

export interface Practice {
  path: string;
  organization: string;
  key: string;
}

/** Creates a database file with an organization, its reference data and an ADMIN key. */
export async function newPracticeFile(path: string): Promise<Practice> {
  const database = connectFile(path, "create");
  await migrate(database, NOW as Instant);
  const organization = await newOrganization(database);
  await newLocation(database, organization, { public_id: LOCATION });
  for (const public_id of LABELS) await newIntakeLabel(database, organization, { public_id });
  await newIntakeStage(database, organization, { public_id: STAGE });
  await newSpecialization(database, organization, { public_id: SPECIALIZATION });
  await newTreatmentPlan(database, organization, { public_id: TREATMENT_PLAN });
  const key = await newApiKey(database, organization);
  await database.close();
  return { path, organization, key };
}

/** A write with its Idempotency-Key, which is the same for every attempt. */
export interface Write {
  id: string;
  path: "/api/v1/intake-leads" | "/api/v1/users";
  body: string;
}

export type LeadBody = ReturnType<typeof leadBody>;
export type UserBody = ReturnType<typeof userBody>;

function leadBody(id: string) {
  return {
    client: {
      firstName: `Child ${id}`,
      lastName: LAST_NAME,
      birthdate: "2019-04-02",
      selectedLocations: [LOCATION],
      intakeStatusPublicId: STAGE,
      labelPublicIds: LABELS,
    },
    caregiver: {
      firstName: `Parent ${id}`,
      lastName: LAST_NAME,
      relationship: "MOTHER",
      email: `${id}@durable.example`,
      phone: "+14155552671",
    },
    attribution: { utm_source: id },
  };
}

function userBody(id: string) {
  return {
    firstName: `Technician ${id}`,
    lastName: LAST_NAME,
    role: "TECHNICIAN",
    email: `${id}@durable.example`,
    specializations: [SPECIALIZATION],
  };
}

let count = 0;

/** A new write: leads and users alternate. */
export function newWrite(): Write {
  count += 1;
  const id = `write-${String(count).padStart(6, "0")}`;
  return count % 2 === 0
    ? { id, path: "/api/v1/users", body: JSON.stringify(userBody(id)) }
    : { id, path: "/api/v1/intake-leads", body: JSON.stringify(leadBody(id)) };
}

/** Sends a write to a server. Rejects if there is no response. */
export function send(
  url: string,
  key: string,
  { id, path, body }: Write,
  requestId: string,
): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      "Idempotency-Key": id,
      "X-Request-Id": requestId,
    },
    body,
  });
}
