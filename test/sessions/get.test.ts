import { describe, expect, test } from "bun:test";
import type { SessionRow } from "../../db/schema.ts";
import { placesOfService, sessionStatuses } from "../../src/sessions/model.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import {
  addBillable,
  addNonBillable,
  addPeopleAndPlaces,
  billable,
  nonBillable,
} from "../support/sessions/practice.ts";

/** GET /v1/sessions/{sessionId} (specification, section 4.4). */

const path = "/api/v1/sessions";
const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
await addPeopleAndPlaces(database, organization);
const key = await newApiKey(database, organization);

const nulls = { technician_id: null, client_id: null } as const;

describe("the complete response", () => {
  test.each([
    ["a billable session with every field", addBillable, {}, billable],
    [
      "a billable session with null in every nullable field",
      addBillable,
      {
        ...nulls,
        public_id: "apt_bare",
        is_telehealth: 0,
        clinician_id: null,
        provider_location_id: null,
      },
      {
        ...billable,
        publicId: "apt_bare",
        technicianId: null,
        clientId: null,
        isTelehealth: false,
        clinicianId: null,
        providerLocationId: null,
      },
    ],
    ["a non-billable session with every field", addNonBillable, {}, nonBillable],
    [
      "a non-billable session with null in every nullable field",
      addNonBillable,
      { ...nulls, public_id: "apt_lonely" },
      { ...nonBillable, publicId: "apt_lonely", technicianId: null, clientId: null },
    ],
  ] as const)("%s", async (_, add, row: Partial<SessionRow>, expected) => {
    const id = await add(database, organization, row);
    const { status, body } = await service.call(`GET ${path}/${id}`, { key });
    expect([status, body]).toEqual([200, expected]);
  });

  test("has every status and every place of service", async () => {
    for (const status of sessionStatuses)
      await addBillable(database, organization, { public_id: `apt_${status}`, status });
    for (const place_of_service of placesOfService)
      await addBillable(database, organization, {
        public_id: `apt_${place_of_service}`,
        place_of_service,
      });
    const shown = async (value: string) =>
      (await service.call(`GET ${path}/apt_${value}`, { key })).body;
    for (const status of sessionStatuses)
      expect(await shown(status)).toEqual({ ...billable, publicId: `apt_${status}`, status });
    for (const placeOfService of placesOfService)
      expect(await shown(placeOfService)).toEqual({
        ...billable,
        publicId: `apt_${placeOfService}`,
        placeOfService,
      });
  });

  test("accepts ids of 1 to 128 letters, digits, underscores and hyphens", async () => {
    for (const public_id of ["7", "A-z_0", "x".repeat(128)]) {
      await addBillable(database, organization, { public_id });
      const { status, body } = await service.call(`GET ${path}/${public_id}`, { key });
      expect([status, body]).toEqual([200, { ...billable, publicId: public_id }]);
    }
  });
});

describe("an unknown id responds 404", () => {
  test.each(["apt_none", "usr_leo", "loc_main", organization, "APT_BILLABLE"])("%s", async (id) => {
    const { status, body } = await service.call(`GET ${path}/${id}`, { key });
    expect([status, body]).toEqual([404, { error: "Session not found", statusCode: 404 }]);
  });
});
