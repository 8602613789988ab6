import { describe, expect, test } from "bun:test";
import { assignableRoles, isProvider } from "../../src/callers/roles.ts";
import {
  newApiKey,
  newOrganization,
  newPayor,
  newSpecialization,
  newUser,
} from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";
import { base } from "../support/users/practice.ts";

/** POST /v1/users: the stored user and the response (specification, section 4.6). */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database, { name: "Maple Street ABA" });
const key = await newApiKey(database, organization);
await newSpecialization(database, organization, { public_id: "spec_b", name: "Feeding" });
await newSpecialization(database, organization, { public_id: "spec_a", name: "Toilet training" });
await newPayor(database, organization, { public_id: "pay_acme" });
await newUser(database, organization, { public_id: "usr_tech", role: "TECHNICIAN" });
await newUser(database, organization, { public_id: "usr_bcba", role: "CLINICIAN" });

const create = (json: unknown) => service.call("POST /api/v1/users", { key, json });
const idIn = (body: unknown) => (body as { user: { publicId: string } }).user.publicId;

/** The user as an item of GET /v1/users. */
async function listed(publicId: string): Promise<unknown> {
  const { body } = await service.call("GET /api/v1/users?pageSize=100", { key });
  return (body as { data: { publicId: string }[] }).data.find((user) => user.publicId === publicId);
}

const storedUser = (publicId: string) =>
  database.read((db) =>
    db
      .selectFrom("users")
      .selectAll()
      .where("organization_id", "=", organization)
      .where("public_id", "=", publicId)
      .executeTakeFirstOrThrow(),
  );

const everything = {
  firstName: "  Zoë ",
  lastName: "\tO’Neil-Muñoz\n",
  phoneNumber: "(802) 658-4000 ext. 7",
  npiNumber: "not a number",
  shouldSendSMS: true,
  recertificationDate: "2027-01-31T19:00:00-05:00",
  providerPayors: ["pay_acme"],
  specializations: ["spec_b", "spec_a", "spec_b"],
  careTeamTechnicianIds: ["usr_tech"],
  careTeamLeadIds: ["usr_bcba"],
};

describe("the response, byte for byte", () => {
  test("for the smallest body: a TECHNICIAN without further data", async () => {
    const answer = await create({ firstName: "A", lastName: "B" });
    expect(answer.status).toBe(200);
    expect(idIn(answer.body)).toMatch(/^usr_[0-9a-z]{26}$/);
    expect(answer.text).toBe(
      JSON.stringify({
        message: "User created successfully",
        user: {
          publicId: idIn(answer.body),
          role: "TECHNICIAN",
          firstName: "A",
          lastName: "B",
          email: "",
          phoneNumber: "",
          npiNumber: null,
          shouldSendSMS: false,
          createdAt: NOW,
          specializations: [],
          organization: { name: "Maple Street ABA", publicId: organization },
        },
      }),
    );
  });

  test.each(assignableRoles)("for a body with every field: %s", async (role) => {
    const email = `Zoe.${role}@Maple.example`;
    const answer = await create({ ...everything, role, email });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(
      JSON.stringify({
        message: "User created successfully",
        user: {
          publicId: idIn(answer.body),
          role,
          firstName: "Zoë",
          lastName: "O’Neil-Muñoz",
          email,
          phoneNumber: "(802) 658-4000 ext. 7",
          npiNumber: "not a number",
          shouldSendSMS: true,
          createdAt: NOW,
          specializations: isProvider(role)
            ? [
                { publicId: "spec_a", name: "Toilet training" },
                { publicId: "spec_b", name: "Feeding" },
              ]
            : [],
          organization: { name: "Maple Street ABA", publicId: organization },
        },
      }),
    );
    const { recertification_date } = await storedUser(idIn(answer.body));
    expect(recertification_date as string).toBe("2027-02-01T00:00:00.000Z");
  });
});

describe("GET /v1/users then", () => {
  const provider = {
    credentials: [],
    complianceCredentials: [],
    specializations: [
      { publicId: "spec_a", name: "Toilet training" },
      { publicId: "spec_b", name: "Feeding" },
    ],
    locationIds: [],
    primaryLocationId: null,
  };
  const administrator = { locationIds: [], primaryLocationId: null };
  const clinician = { ...provider, careTeamTechnicianIds: ["usr_tech"] };
  const additions = {
    PATIENT: {
      userStatus: "LEAD",
      internalRecordId: null,
      payors: [],
      authorizations: [],
      authorizationPools: [],
      locationIds: [],
      clinicianIds: [],
      primaryClinicianId: null,
    },
    CAREGIVER: {},
    CLINICIAN: clinician,
    CLINICAL_ADMIN: clinician,
    TECHNICIAN: { ...provider, careTeamLeadIds: ["usr_bcba"] },
    ADMIN: administrator,
    BILLING_MANAGER: administrator,
    SCHEDULING_MANAGER: administrator,
    PAYROLL_ADMIN: administrator,
  };

  test.each(assignableRoles)(
    "shows %s with all its fields, and without fields of other roles",
    async (role) => {
      const email = `listed.${role}@maple.example`;
      const { body } = await create({ ...everything, role, email });
      const publicId = idIn(body);
      expect(await listed(publicId)).toEqual({
        ...base(publicId, role),
        firstName: "Zoë",
        lastName: "O’Neil-Muñoz",
        email,
        phoneNumber: "(802) 658-4000 ext. 7",
        ...additions[role],
      });
    },
  );

  test("finds the user by name without diacritics, by phone number and by email in any letter case", async () => {
    const { body } = await create({
      firstName: "Ångström",
      lastName: "Łukasz",
      email: "Find.Me@Maple.example",
      phoneNumber: "+18025550042",
    });
    for (const query of [
      "search=angstrom+lukasz",
      "search=%2B18025550042",
      "email=FIND.ME@maple.EXAMPLE",
    ]) {
      const found = await service.call(`GET /api/v1/users?${query}`, { key });
      expect(found.body).toMatchObject({
        data: [{ publicId: idIn(body) }],
        pagination: { totalCount: 1 },
      });
    }
  });
});
