import { expect, test } from "bun:test";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import { entryColumns } from "../../src/users/stored-entries.ts";
import {
  insert,
  newAuthorization,
  newAuthorizationPool,
  newPatient,
  newServiceLine,
  newUser,
} from "../support/factories.ts";
import { base, newPractice } from "../support/users/practice.ts";

/** GET /v1/users: the complete list items of patients. */

const { database, organization_id, addLocations, shown } = await newPractice();

await newPatient(database, organization_id, { public_id: "usr_leo" });
await newUser(database, organization_id, {
  public_id: "usr_dad",
  role: "CAREGIVER",
  is_active: 0,
});
for (const public_id of ["usr_clinician_b", "usr_clinician_a"])
  await newUser(database, organization_id, { public_id, role: "CLINICIAN", is_active: 0 });
const insured = {
  relationshipToPatient: "PARENT",
  insuredBirthDate: "1985-05-06" as CalendarDate,
  memberId: "M-1",
  planHolder: "Pat Park",
  effectiveStartDate: "2026-01-01" as CalendarDate,
};
await newPatient(database, organization_id, {
  public_id: "usr_mia",
  email: "mia@maple.example",
  phone_number: "+12025550142",
  user_status: "LEAD",
  sex: "FEMALE",
  birth_date: "2019-04-02" as CalendarDate,
  caregiver_id: "usr_dad",
  address_line1: "1 Elm Street",
  address_line2: "Apt 2",
  city: "Springfield",
  state: "IL",
  postal_code: "62701",
  country: "US",
  time_zone: "America/Chicago",
  internal_record_id: "MRN-7",
  primary_clinician_id: "usr_clinician_b",
  ...entryColumns({
    payors: [
      {
        ...insured,
        payorId: "pay_blue",
        groupId: "G-1",
        priority: "PRIMARY",
        insuredAddress: {
          addressLine1: "1 Elm Street",
          city: "Springfield",
          state: "IL",
          postalCode: "62701",
        },
      },
      {
        ...insured,
        payorId: "pay_acme",
        priority: "SECONDARY",
        insuredAddress: {},
        effectiveEndDate: "2026-12-31" as CalendarDate,
      },
    ],
  }),
});
const patient_id = "usr_mia";
await addLocations(patient_id);
for (const clinician_id of ["usr_clinician_b", "usr_clinician_a"])
  await insert(database, "patient_clinicians", { organization_id, patient_id, clinician_id });

await newServiceLine(database, organization_id, { public_id: "svc_1", name: "Direct therapy" });
await newServiceLine(database, organization_id, { public_id: "svc_2", name: "Supervision" });
await newAuthorizationPool(database, organization_id, {
  public_id: "apool_b",
  patient_id,
  payor_id: "pay_acme",
  total_units: 12.5,
  unit_frequency: "WEEKLY",
  is_unlimited: 1,
});
await newAuthorizationPool(database, organization_id, {
  public_id: "apool_a",
  patient_id,
  payor_id: "pay_blue",
});
const authorization = { patient_id, service_line_id: "svc_1" };
const january = "2026-01-01" as CalendarDate;
// Authorizations of their own and in pools, each sorted by date, then by id.
await newAuthorization(database, organization_id, { ...authorization, public_id: "auth_1" });
await newAuthorization(database, organization_id, {
  ...authorization,
  public_id: "auth_9",
  authorization_date: january,
  authorization_status: "EXPIRED",
  authorized_units_quantity: 0.5,
  authorized_unit_frequency: "DAILY",
});
await newAuthorization(database, organization_id, { ...authorization, public_id: "auth_0" });
const pooled = { ...authorization, authorization_pool_id: "apool_a" };
await newAuthorization(database, organization_id, { ...pooled, public_id: "auth_4" });
await newAuthorization(database, organization_id, {
  ...pooled,
  public_id: "auth_5",
  authorization_date: january,
  service_line_id: "svc_2",
});

const scope = {
  authorizationNumber: "A-100",
  authorizationStatus: "AUTHORIZED",
  serviceLine: { publicId: "svc_1", name: "Direct therapy" },
  authorizationDate: "2026-01-07",
  authorizationExpirationDate: "2026-07-06",
};
const standalone = {
  ...scope,
  authorizedUnitsQuantity: 80,
  authorizedUnitFrequency: "WEEKLY",
};

test("patients have all their fields, with and without data", async () => {
  expect(await shown("PATIENT")).toEqual([
    {
      ...base("usr_leo", "PATIENT"),
      firstName: "Leo",
      lastName: "Park",
      userStatus: "ACTIVE",
      internalRecordId: null,
      payors: [],
      authorizations: [],
      authorizationPools: [],
      locationIds: [],
      clinicianIds: [],
      primaryClinicianId: null,
    },
    {
      publicId: "usr_mia",
      firstName: "Leo",
      lastName: "Park",
      email: "mia@maple.example",
      phoneNumber: "+12025550142",
      userStatus: "LEAD",
      isActive: true,
      role: "PATIENT",
      sex: "FEMALE",
      birthDate: "2019-04-02",
      caregiverId: "usr_dad",
      addressLine1: "1 Elm Street",
      addressLine2: "Apt 2",
      city: "Springfield",
      state: "IL",
      postalCode: "62701",
      internalRecordId: "MRN-7",
      payors: [
        {
          payorName: "Blue River",
          priority: "PRIMARY",
          relationshipToPatient: "PARENT",
          insuredBirthDate: "1985-05-06",
          insuredAddress: {
            addressLine1: "1 Elm Street",
            addressLine2: null,
            city: "Springfield",
            state: "IL",
            postalCode: "62701",
          },
          memberId: "M-1",
          groupId: "G-1",
          planHolder: "Pat Park",
          effectiveStartDate: "2026-01-01",
          effectiveEndDate: null,
        },
        {
          payorName: "Acme Health",
          priority: "SECONDARY",
          relationshipToPatient: "PARENT",
          insuredBirthDate: "1985-05-06",
          insuredAddress: {
            addressLine1: null,
            addressLine2: null,
            city: null,
            state: null,
            postalCode: null,
          },
          memberId: "M-1",
          groupId: "",
          planHolder: "Pat Park",
          effectiveStartDate: "2026-01-01",
          effectiveEndDate: "2026-12-31",
        },
      ],
      authorizations: [
        {
          ...standalone,
          publicId: "auth_9",
          authorizationStatus: "EXPIRED",
          authorizedUnitsQuantity: 0.5,
          authorizedUnitFrequency: "DAILY",
          authorizationDate: "2026-01-01",
        },
        { ...standalone, publicId: "auth_0" },
        { ...standalone, publicId: "auth_1" },
      ],
      authorizationPools: [
        {
          publicId: "apool_a",
          totalUnits: 160,
          unitFrequency: "MONTHLY",
          isUnlimited: false,
          payor: { publicId: "pay_blue", name: "Blue River" },
          authorizations: [
            {
              ...scope,
              publicId: "auth_5",
              serviceLine: { publicId: "svc_2", name: "Supervision" },
              authorizationDate: "2026-01-01",
            },
            { ...scope, publicId: "auth_4" },
          ],
        },
        {
          publicId: "apool_b",
          totalUnits: 12.5,
          unitFrequency: "WEEKLY",
          isUnlimited: true,
          payor: { publicId: "pay_acme", name: "Acme Health" },
          authorizations: [],
        },
      ],
      locationIds: ["loc_a", "loc_b"],
      clinicianIds: ["usr_clinician_a", "usr_clinician_b"],
      primaryClinicianId: "usr_clinician_b",
    },
  ]);
});
