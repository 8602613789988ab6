import { describe, expect, test } from "bun:test";
import { adminRoles } from "../../src/callers/roles.ts";
import { newUser } from "../support/factories.ts";
import { base, newPractice } from "../support/users/practice.ts";

/** GET /v1/users: the complete list items of administrators and caregivers. */

const { database, organization_id, addLocations, shown } = await newPractice();

describe.each(adminRoles)("an administrator: %s", async (role) => {
  const id = `usr_${role}`;
  await newUser(database, organization_id, { public_id: id, role });
  await newUser(database, organization_id, {
    public_id: `${id}_2`,
    role,
    primary_location_id: "loc_b",
  });
  await addLocations(`${id}_2`);

  test("has sorted locationIds and a primaryLocationId", async () => {
    expect(await shown(role)).toEqual([
      { ...base(id, role), locationIds: [], primaryLocationId: null },
      {
        ...base(`${id}_2`, role),
        locationIds: ["loc_a", "loc_b"],
        primaryLocationId: "loc_b",
      },
    ]);
  });
});

describe("a caregiver has the base fields only", async () => {
  await newUser(database, organization_id, { public_id: "usr_mother", role: "CAREGIVER" });
  await newUser(database, organization_id, {
    public_id: "usr_mother_2",
    role: "CAREGIVER",
    email: "Ana@Maple.example",
    phone_number: "+12025550123",
    is_active: 0,
  });

  test("email and phoneNumber are empty strings if none is stored", async () => {
    expect(await shown("CAREGIVER")).toEqual([
      base("usr_mother", "CAREGIVER"),
      {
        ...base("usr_mother_2", "CAREGIVER"),
        email: "Ana@Maple.example",
        phoneNumber: "+12025550123",
        isActive: false,
      },
    ]);
  });
});
