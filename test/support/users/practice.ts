import { expect } from "bun:test";
import type { Role } from "../../../src/callers/roles.ts";
import { insert, newApiKey, newLocation, newOrganization, newPayor } from "../factories.ts";
import { newService } from "../harness.ts";

/** A practice with two locations and two payors, for tests of users. */
export async function newPractice() {
  const service = await newService();
  const { database } = service;
  const organization_id = await newOrganization(database);
  const key = await newApiKey(database, organization_id);
  for (const public_id of locations) await newLocation(database, organization_id, { public_id });
  await newPayor(database, organization_id, { public_id: "pay_acme", name: "Acme Health" });
  await newPayor(database, organization_id, { public_id: "pay_blue", name: "Blue River" });
  return {
    service,
    key,
    database,
    organization_id,
    /** Adds a user to both locations. */
    async addLocations(user_id: string): Promise<void> {
      for (const location_id of locations)
        await insert(database, "user_locations", { organization_id, user_id, location_id });
    },
    /** The users of a role in the list; also checks that reading each by id gives the same. */
    async shown(role: Role): Promise<unknown> {
      const { status, body } = await service.call(`GET /api/v1/users?role=${role}`, { key });
      expect(status).toBe(200);
      const { data } = body as { data: { publicId: string }[] };
      for (const user of data) {
        const one = await service.call(`GET /api/v1/users/${user.publicId}`, { key });
        expect([one.status, one.body]).toEqual([200, user]);
      }
      return data;
    },
  };
}

/** Not in the order of responses. */
const locations = ["loc_b", "loc_a"] as const;

/** The fields of a user with nothing but a name. */
export function base(publicId: string, role: Role) {
  return {
    publicId,
    firstName: "Ana",
    lastName: "Ruiz",
    email: "",
    phoneNumber: "",
    userStatus: null as string | null,
    isActive: true,
    role,
    sex: null as string | null,
    birthDate: null as string | null,
    caregiverId: null as string | null,
    addressLine1: null as string | null,
    addressLine2: null as string | null,
    city: null as string | null,
    state: null as string | null,
    postalCode: null as string | null,
  };
}
