import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { adminRoles, clinicianRoles } from "../../access/roles.ts";
import {
  CalendarDateField,
  EnumField,
  InstantField,
  NameField,
  PublicIdField,
} from "../../schema/fields.ts";
import { credentialFields, credentialingFields, payorEntryFields } from "../../users/model.ts";

/** Users: the fields of every role, then those that the kind of role adds. */

const OptionalText = Type.Optional(Type.String());
const OptionalId = Type.Optional(PublicIdField());
const OptionalIds = Type.Optional(Type.Array(PublicIdField()));

export const PayorEntry = Type.Object({
  payorId: PublicIdField(),
  ...payorEntryFields,
  insuredAddress: Type.Object({
    addressLine1: OptionalText,
    addressLine2: OptionalText,
    city: OptionalText,
    state: OptionalText,
    postalCode: OptionalText,
  }),
  effectiveEndDate: Type.Optional(CalendarDateField()),
});

export const CredentialingEntry = Type.Object({
  publicId: PublicIdField(),
  payorId: PublicIdField(),
  ...credentialingFields,
  endDate: Type.Optional(CalendarDateField()),
  notes: OptionalText,
});

export const CredentialEntry = Type.Object({
  ...credentialFields,
  payorCredentialing: Type.Optional(Type.Array(CredentialingEntry)),
});

function userRecord<Role extends TProperties, Additions extends TProperties>(
  role: Role,
  additions: Additions,
) {
  return Type.Object({
    type: Type.Literal("user"),
    publicId: PublicIdField(),
    ...role,
    firstName: NameField(1),
    lastName: NameField(1),
    // Any text: old systems hold addresses that the API would not take.
    email: OptionalText,
    phoneNumber: OptionalText,
    isActive: Type.Optional(Type.Boolean()),
    createdAt: Type.Optional(InstantField()),
    updatedAt: Type.Optional(InstantField()),
    npiNumber: OptionalText,
    shouldSendSMS: Type.Optional(Type.Boolean()),
    recertificationDate: Type.Optional(InstantField()),
    ...additions,
  });
}

const providerFields = {
  credentials: Type.Optional(Type.Array(CredentialEntry)),
  complianceCredentials: Type.Optional(Type.Array(Type.String())),
  specializationIds: OptionalIds,
  locationIds: OptionalIds,
  primaryLocationId: OptionalId,
  providerPayorIds: OptionalIds,
};

export const PatientRecord = userRecord(
  { role: EnumField(["PATIENT"]) },
  {
    userStatus: Type.Optional(Type.String()),
    sex: OptionalText,
    birthDate: Type.Optional(CalendarDateField()),
    caregiverId: OptionalId,
    addressLine1: OptionalText,
    addressLine2: OptionalText,
    city: OptionalText,
    state: OptionalText,
    postalCode: OptionalText,
    country: OptionalText,
    // Any text: what is no zone is answered by utilization with 422.
    timezone: OptionalText,
    internalRecordId: OptionalText,
    payors: Type.Optional(Type.Array(PayorEntry)),
    locationIds: OptionalIds,
    clinicianIds: OptionalIds,
    primaryClinicianId: OptionalId,
  },
);

export const ClinicianRecord = userRecord(
  { role: EnumField(clinicianRoles) },
  { ...providerFields, careTeamTechnicianIds: OptionalIds },
);

export const TechnicianRecord = userRecord({ role: EnumField(["TECHNICIAN"]) }, providerFields);

export const AdministratorRecord = userRecord(
  { role: EnumField(adminRoles) },
  { locationIds: OptionalIds, primaryLocationId: OptionalId },
);

export const CaregiverRecord = userRecord({ role: EnumField(["CAREGIVER"]) }, {});

export type PayorEntry = Static<typeof PayorEntry>;
export type CredentialingEntry = Static<typeof CredentialingEntry>;
export type CredentialEntry = Static<typeof CredentialEntry>;
export type PatientRecord = Static<typeof PatientRecord>;
export type ClinicianRecord = Static<typeof ClinicianRecord>;
export type TechnicianRecord = Static<typeof TechnicianRecord>;
export type AdministratorRecord = Static<typeof AdministratorRecord>;
export type CaregiverRecord = Static<typeof CaregiverRecord>;
export type UserRecord =
  PatientRecord | ClinicianRecord | TechnicianRecord | AdministratorRecord | CaregiverRecord;
