import { expect, test } from "bun:test";
import { clinicianRoles } from "../../src/callers/roles.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { type CredentialEntry, entryColumns } from "../../src/users/stored-entries.ts";
import { insert, newSpecialization, newUser } from "../support/factories.ts";
import { base, newPractice } from "../support/users/practice.ts";

/** GET /v1/users: the complete list items of clinicians and technicians. */

const { database, organization_id, addLocations, shown } = await newPractice();

await newSpecialization(database, organization_id, { public_id: "spec_b", name: "Feeding" });
await newSpecialization(database, organization_id, {
  public_id: "spec_a",
  name: "Speech",
  is_active: 0,
});
const nothing = {
  credentials: [],
  complianceCredentials: [],
  specializations: [],
  locationIds: [],
  primaryLocationId: null,
};

/** Stores every kind of row that belongs to a provider. */
async function addEverything(user_id: string): Promise<void> {
  await addLocations(user_id);
  for (const specialization_id of ["spec_b", "spec_a"])
    await insert(database, "provider_specializations", {
      organization_id,
      user_id,
      specialization_id,
    });
}

const credential = (type: string) => ({
  ...{ credentialType: type, practiceArea: "ABA", credentialNumber: `${type}-1` },
  expiresAt: "2027-01-31T23:59:59.000Z" as Instant,
  credentialStatus: "active",
});
const day = (date: string) => date as CalendarDate;
const credentials: CredentialEntry[] = [
  credential("RBT"),
  {
    ...credential("BCBA"),
    payorCredentialing: [
      {
        ...{ publicId: "pcpay_1", payorId: "pay_blue", status: "APPROVED" },
        ...{ startDate: day("2026-01-01"), endDate: day("2026-12-31"), notes: "Renewed" },
      },
      {
        ...{ publicId: "pcpay_0", payorId: "pay_acme", status: "APPROVED" },
        startDate: day("2026-02-01"),
      },
    ],
  },
];
const everything = {
  credentials: [
    {
      credentialType: "RBT",
      practiceArea: "ABA",
      credentialNumber: "RBT-1",
      expiresAt: "2027-01-31T23:59:59.000Z",
      credentialStatus: "active",
      payorCredentialing: [],
    },
    {
      credentialType: "BCBA",
      practiceArea: "ABA",
      credentialNumber: "BCBA-1",
      expiresAt: "2027-01-31T23:59:59.000Z",
      credentialStatus: "active",
      payorCredentialing: [
        {
          publicId: "pcpay_1",
          payor: { publicId: "pay_blue", name: "Blue River" },
          status: "APPROVED",
          startDate: "2026-01-01",
          endDate: "2026-12-31",
          notes: "Renewed",
        },
        {
          publicId: "pcpay_0",
          payor: { publicId: "pay_acme", name: "Acme Health" },
          status: "APPROVED",
          startDate: "2026-02-01",
          endDate: null,
          notes: null,
        },
      ],
    },
  ],
  complianceCredentials: ["BLS", "CPR", "HIPAA"],
  specializations: [
    { publicId: "spec_a", name: "Speech" },
    { publicId: "spec_b", name: "Feeding" },
  ],
  locationIds: ["loc_a", "loc_b"],
  primaryLocationId: "loc_a",
};
const recorded = {
  primary_location_id: "loc_a",
  // In any order; the response is sorted.
  compliance_credentials: JSON.stringify(["HIPAA", "BLS", "CPR"]),
  ...entryColumns({ credentials }),
};

await newUser(database, organization_id, { public_id: "usr_tech", role: "TECHNICIAN" });
await newUser(database, organization_id, { public_id: "usr_tech_2", ...recorded });
await addEverything("usr_tech_2");
for (const role of clinicianRoles) {
  const row = { public_id: `usr_${role}_2`, role, ...recorded };
  await newUser(database, organization_id, { public_id: `usr_${role}`, role });
  await newUser(database, organization_id, row);
  await addEverything(row.public_id);
  for (const technician_id of ["usr_tech_2", "usr_tech"])
    await insert(database, "care_team_links", {
      organization_id,
      clinician_id: row.public_id,
      technician_id,
    });
}

test.each(clinicianRoles)("%s has careTeamTechnicianIds and no careTeamLeadIds", async (role) => {
  expect(await shown(role)).toEqual([
    { ...base(`usr_${role}`, role), ...nothing, careTeamTechnicianIds: [] },
    {
      ...base(`usr_${role}_2`, role),
      ...everything,
      careTeamTechnicianIds: ["usr_tech", "usr_tech_2"],
    },
  ]);
});

test("TECHNICIAN has careTeamLeadIds and no careTeamTechnicianIds", async () => {
  const careTeamLeadIds = ["usr_CLINICAL_ADMIN_2", "usr_CLINICAL_SUPERADMIN_2", "usr_CLINICIAN_2"];
  expect(await shown("TECHNICIAN")).toEqual([
    { ...base("usr_tech", "TECHNICIAN"), ...nothing, careTeamLeadIds },
    { ...base("usr_tech_2", "TECHNICIAN"), ...everything, careTeamLeadIds },
  ]);
});
