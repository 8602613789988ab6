import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { adminRoles, clinicianRoles, type Role } from "../access/roles.ts";
import {
  AddressTextField,
  CalendarDateField,
  EnumField,
  FreeTextField,
  InstantField,
  NameField,
  PublicIdField,
  ShortTextField,
} from "../schema/fields.ts";
import { exporter, storer } from "../schema/record-map.ts";
import {
  credentialingMap,
  credentialMap,
  patientPayorMap,
  userLinks,
  userMap,
} from "../schema/users.ts";
import { credentialFields, credentialingFields, payorEntryFields } from "../users/entries.ts";
import { userRow } from "../users/rows.ts";
import { linkTables, type RecordKind, type RecordRows, variantExporter } from "./record-kind.ts";

/** Fields of users: those of all roles, then those of each role. */

const OptionalText = Type.Optional(ShortTextField());
const OptionalAddress = Type.Optional(AddressTextField());
const OptionalId = Type.Optional(PublicIdField());
// Lists have limits of their own (limits.ts), which do not hold for what was stored before.
const OptionalIds = Type.Optional(Type.Array(PublicIdField()));

export const PayorEntry = Type.Object({
  payorId: PublicIdField(),
  ...payorEntryFields,
  insuredAddress: Type.Object({
    addressLine1: OptionalAddress,
    addressLine2: OptionalAddress,
    city: OptionalText,
    state: OptionalText,
    postalCode: OptionalText,
  }),
  groupId: OptionalText,
  effectiveEndDate: Type.Optional(CalendarDateField()),
});

export const CredentialingEntry = Type.Object({
  publicId: PublicIdField(),
  payorId: PublicIdField(),
  ...credentialingFields,
  endDate: Type.Optional(CalendarDateField()),
  notes: Type.Optional(FreeTextField()),
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
    // Any text: data of older systems may contain addresses that the API refuses.
    email: Type.Optional(AddressTextField({ trim: true })),
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
  complianceCredentials: Type.Optional(Type.Array(ShortTextField())),
  specializationIds: OptionalIds,
  locationIds: OptionalIds,
  primaryLocationId: OptionalId,
  providerPayorIds: OptionalIds,
};

export const PatientRecord = userRecord(
  { role: EnumField(["PATIENT"]) },
  {
    userStatus: OptionalText,
    sex: OptionalText,
    birthDate: Type.Optional(CalendarDateField()),
    caregiverId: OptionalId,
    addressLine1: OptionalAddress,
    addressLine2: OptionalAddress,
    city: OptionalText,
    state: OptionalText,
    postalCode: OptionalText,
    country: OptionalText,
    // Any text: for unknown zones, utilization responds with 422.
    timezone: OptionalText,
    internalRecordId: OptionalText,
    payors: Type.Optional(Type.Array(PayorEntry)),
    locationIds: OptionalIds,
    clinicianIds: OptionalIds,
    primaryClinicianId: OptionalId,
  },
);

const ClinicianRecord = userRecord(
  { role: EnumField(clinicianRoles) },
  { ...providerFields, careTeamTechnicianIds: OptionalIds },
);

const TechnicianRecord = userRecord({ role: EnumField(["TECHNICIAN"]) }, providerFields);

const AdministratorRecord = userRecord(
  { role: EnumField(adminRoles) },
  { locationIds: OptionalIds, primaryLocationId: OptionalId },
);

export const CaregiverRecord = userRecord({ role: EnumField(["CAREGIVER"]) }, {});

export type PayorEntry = Static<typeof PayorEntry>;
export type CredentialingEntry = Static<typeof CredentialingEntry>;
export type CredentialEntry = Static<typeof CredentialEntry>;
export type PatientRecord = Static<typeof PatientRecord>;
export type CaregiverRecord = Static<typeof CaregiverRecord>;
export type UserRecord = Static<(typeof variants)[number]>;

/**
 * A user with the fields of all roles. The schema of the role has already refused fields of other roles, so they are
 * absent.
 */
type UserFields = Omit<CaregiverRecord, "role"> & { role: Role } & Partial<
    Omit<PatientRecord, keyof CaregiverRecord> &
      Omit<Static<typeof ClinicianRecord>, keyof CaregiverRecord>
  >;

const links = linkTables(userLinks);

const variants = [
  PatientRecord,
  ClinicianRecord,
  TechnicianRecord,
  AdministratorRecord,
  CaregiverRecord,
];

export const user: RecordKind<UserRecord> = {
  variants,
  discriminator: "role",
  table: "users",
  lists: [
    ...links.lists,
    { table: "patient_payors", owner: "patient_id", order: ["position"] },
    // The cascade deletes the rows of their credentialing.
    { table: "provider_credentials", owner: "user_id", order: ["position"] },
    { table: "payor_credentialing", owner: "user_id", order: ["credential_position", "position"] },
  ],

  rows(record, { organizationId, now }) {
    const user: UserFields = record;
    const { createdAt = now, updatedAt = now } = user;
    return {
      row: userRow(organizationId, { ...user, createdAt, updatedAt }),
      lists: { ...links.rows(user, organizationId), ...entryRows(user, organizationId) },
    };
  },

  present({ row, lists }) {
    const { patient_payors: payors = [] } = lists;
    return presentUser(row, {
      ...links.ids(lists),
      payors: payors.map((entry) => presentPayor(entry as never)),
      credentials: presentCredentials(lists),
    });
  },
};

const payorColumns = storer(patientPayorMap);
const credentialColumns = storer(credentialMap);
const credentialingColumns = storer(credentialingMap);

function entryRows(
  { publicId, payors = [], credentials = [] }: UserFields,
  organization_id: string,
): RecordRows["lists"] {
  const own = { organization_id, user_id: publicId };
  return {
    patient_payors: payors.map((entry, position) => ({
      organization_id,
      patient_id: publicId,
      position,
      ...payorColumns(entry),
    })),
    provider_credentials: credentials.map((credential, position) => ({
      ...own,
      position,
      ...credentialColumns(credential),
    })),
    payor_credentialing: credentials.flatMap(({ payorCredentialing = [] }, credential_position) =>
      payorCredentialing.map((entry, position) => ({
        ...own,
        credential_position,
        position,
        ...credentialingColumns(entry),
      })),
    ),
  };
}

const presentUser = variantExporter(userMap, { variants, discriminator: "role" });
const presentPayor = exporter(patientPayorMap, PayorEntry);
const presentCredential = exporter(credentialMap, CredentialEntry);
const presentCredentialing = exporter(credentialingMap, CredentialingEntry);

function presentCredentials({
  provider_credentials: credentials = [],
  payor_credentialing: entries = [],
}: RecordRows["lists"]): object[] {
  const byCredential = Map.groupBy(entries, (entry) => entry.credential_position);
  return credentials.map((credential) => {
    const own = byCredential.get(credential.position) ?? [];
    const payorCredentialing = own.map((entry) => presentCredentialing(entry as never));
    return presentCredential(credential as never, { payorCredentialing });
  });
}
