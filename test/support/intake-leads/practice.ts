import { expect } from "bun:test";
import type { Json } from "../body-rules.ts";
import {
  newApiKey,
  newIntakeLabel,
  newIntakeStage,
  newLocation,
  newOrganization,
} from "../factories.ts";
import type { TestService } from "../harness.ts";

/** Bodies of intake leads, and the stored rows. */

let count = 0;

/** A caregiver with a unique email address. */
export function newCaregiver(more: Json = {}): Json {
  count += 1;
  return {
    firstName: "Mina",
    lastName: "Park",
    relationship: "MOTHER",
    email: `mina.park.${count}@example.com`,
    phone: "+14155552671",
    ...more,
  };
}

/** The smallest valid lead, with additional fields of its client. */
export function newLead(client: Json = {}): Json {
  return {
    client: { firstName: "Leo", lastName: "Park", birthdate: "2019-04-02", ...client },
    caregiver: newCaregiver(),
  };
}

export interface LeadIds {
  client: { publicId: string };
  caregiver: { publicId: string };
}

/** An organization with a board, locations and labels, and functions that create leads in it and list its users. */
export async function newIntakePractice(service: TestService) {
  const { database } = service;
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization);
  for (const public_id of ["loc_main", "loc_a"])
    await newLocation(database, organization, { public_id });
  for (const public_id of ["lbl_website", "lbl_a"])
    await newIntakeLabel(database, organization, { public_id });
  await newIntakeStage(database, organization, { public_id: "stage_new", position: 1 });
  await newIntakeStage(database, organization, {
    public_id: "stage_wait",
    built_in_key: "WAITLIST",
    position: 2,
  });
  return {
    organization,
    key,
    async create(json: unknown) {
      const answer = await service.call("POST /api/v1/intake-leads", { key, json });
      expect(answer.status).toBe(201);
      return { answer, ids: answer.body as LeadIds };
    },
    async listed() {
      const { body } = await service.call("GET /api/v1/users", { key });
      return (body as { data: unknown[] }).data;
    },
  };
}

/** The fields of a patient without further data, in addition to those of all users. */
export const patientFields = {
  userStatus: "LEAD",
  internalRecordId: null,
  payors: [],
  authorizations: [],
  authorizationPools: [],
  locationIds: [] as string[],
  clinicianIds: [],
  primaryClinicianId: null,
};

/** All stored rows of an organization's leads, except users. */
export function storedLeads({ database }: TestService, organizationId: string) {
  return database.read(async (db) => ({
    leads: await db
      .selectFrom("intake_leads")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .orderBy("public_id")
      .execute(),
    labels: await db
      .selectFrom("intake_lead_labels")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .orderBy("label_id")
      .execute(),
  }));
}

/** Row counts of the tables to which a lead adds rows. */
export function countRows({ database }: TestService, organizationId: string) {
  return database.read(async (db) => {
    const tables = [
      "users",
      "user_locations",
      "intake_leads",
      "intake_lead_labels",
      "idempotent_responses",
    ] as const;
    const counts: Record<string, number> = {};
    for (const table of tables)
      counts[table] = (
        await db
          .selectFrom(table)
          .select("organization_id")
          .where("organization_id", "=", organizationId)
          .execute()
      ).length;
    return counts;
  });
}
