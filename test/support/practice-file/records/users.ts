import { exported } from "../fields.ts";
import type { Fields } from "../practice-file.ts";

/** Users of every role. Of roles with the same fields, only one user has all of them. */

const everyUser = {
  isActive: true,
  createdAt: "2025-01-02T03:04:05.006Z",
  updatedAt: "2025-02-03T04:05:06.007Z",
  npiNumber: "1234567893",
  shouldSendSMS: true,
  recertificationDate: "2026-12-31T00:00:00.000Z",
};

const plainUser = {
  isActive: true,
  createdAt: "2025-01-02T03:04:05.006Z",
  updatedAt: "2025-02-03T04:05:06.007Z",
  shouldSendSMS: false,
};

export const clinician: Fields = exported({
  type: "user",
  publicId: "usr_bcba",
  role: "CLINICIAN",
  firstName: "Noor",
  lastName: "Haddad",
  email: "Noor.Haddad@maple.example",
  phoneNumber: "+14155552671",
  ...everyUser,
  credentials: [
    {
      credentialType: "BCBA",
      practiceArea: "ABA",
      credentialNumber: "1-23-45678",
      expiresAt: "2027-01-31T05:00:00.000Z",
      credentialStatus: "active",
      payorCredentialing: [
        {
          publicId: "pcpay_1",
          payorId: "pay_acme",
          status: "APPROVED",
          startDate: "2025-01-01",
          endDate: "2026-12-31",
          notes: "Renewed by mail.",
        },
        {
          publicId: "pcpay_2",
          payorId: "pay_birch",
          status: "PENDING",
          startDate: "2026-01-01",
        },
      ],
    },
    {
      credentialType: "LBA",
      practiceArea: "ABA",
      credentialNumber: "NY-9",
      expiresAt: "2028-01-31T05:00:00.000Z",
      credentialStatus: "expired",
    },
  ],
  complianceCredentials: ["BLS", "CPR", "HIPAA"],
  specializationIds: ["spec_early", "spec_feeding"],
  locationIds: ["loc_main", "loc_north"],
  primaryLocationId: "loc_main",
  providerPayorIds: ["pay_acme", "pay_birch"],
  careTeamTechnicianIds: ["usr_tech", "usr_tech2"],
});

export const patient: Fields = exported({
  type: "user",
  publicId: "usr_kid",
  role: "PATIENT",
  firstName: "Leo",
  lastName: "Park",
  email: "leo@park.example",
  phoneNumber: "+14155552672",
  ...everyUser,
  userStatus: "ACTIVE",
  sex: "MALE",
  birthDate: "2019-04-02",
  caregiverId: "usr_care",
  addressLine1: "12 Maple Street",
  addressLine2: "Apt 3",
  city: "Burlington",
  state: "VT",
  postalCode: "05401",
  country: "US",
  timezone: "America/New_York",
  internalRecordId: "MRN-1",
  payors: [
    {
      payorId: "pay_birch",
      priority: "PRIMARY",
      relationshipToPatient: "PARENT",
      insuredBirthDate: "1988-05-06",
      insuredAddress: {
        addressLine1: "12 Maple Street",
        addressLine2: "Apt 3",
        city: "Burlington",
        state: "VT",
        postalCode: "05401",
      },
      memberId: "M-1",
      groupId: "G-1",
      planHolder: "Mina Park",
      effectiveStartDate: "2025-01-01",
      effectiveEndDate: "2026-12-31",
    },
    {
      payorId: "pay_acme",
      priority: "SECONDARY",
      relationshipToPatient: "SELF",
      insuredBirthDate: "2019-04-02",
      insuredAddress: { city: "Burlington" },
      memberId: "M-2",
      planHolder: "Leo Park",
      effectiveStartDate: "2025-06-01",
    },
  ],
  locationIds: ["loc_main", "loc_north"],
  clinicianIds: ["usr_bcba", "usr_tech"],
  primaryClinicianId: "usr_bcba",
});

export const technician: Fields = exported({
  type: "user",
  publicId: "usr_tech",
  role: "TECHNICIAN",
  firstName: "Ana",
  lastName: "Ruiz",
  email: "ana@maple.example",
  phoneNumber: "+14155552675",
  ...everyUser,
  credentials: [
    {
      credentialType: "RBT",
      practiceArea: "ABA",
      credentialNumber: "RBT-1",
      expiresAt: "2027-03-01T00:00:00.000Z",
      credentialStatus: "active",
    },
  ],
  complianceCredentials: ["CPR"],
  specializationIds: ["spec_early"],
  locationIds: ["loc_main"],
  primaryLocationId: "loc_main",
  providerPayorIds: ["pay_acme"],
});

const plainNames = { firstName: "Sam", lastName: "Reyes" };

const all: Fields[] = [
  {
    type: "user",
    publicId: "usr_admin",
    role: "ADMIN",
    ...plainNames,
    email: "admin@maple.example",
    phoneNumber: "+14155552673",
    ...everyUser,
    isActive: false,
    locationIds: ["loc_north"],
    primaryLocationId: "loc_north",
  },
  clinician,
  {
    type: "user",
    publicId: "usr_care",
    role: "CAREGIVER",
    ...plainNames,
    email: "sam@reyes.example",
    phoneNumber: "+14155552674",
    ...everyUser,
  },
  patient,
  {
    type: "user",
    publicId: "usr_kid2",
    role: "PATIENT",
    ...plainNames,
    ...plainUser,
    userStatus: "LEAD",
    timezone: "Eastern (old system)",
  },
  technician,
  { type: "user", publicId: "usr_tech2", role: "TECHNICIAN", ...plainNames, ...plainUser },
  ...["BILLING_MANAGER", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"].map((role, index) => ({
    type: "user",
    publicId: `usr_x${index}`,
    role,
    ...plainNames,
    ...plainUser,
  })),
  ...["PAYROLL_ADMIN", "SCHEDULING_MANAGER"].map((role, index) => ({
    type: "user",
    publicId: `usr_y${index}`,
    role,
    ...plainNames,
    ...plainUser,
  })),
];

export const users = all.map(exported);
