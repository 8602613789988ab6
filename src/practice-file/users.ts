import { type Static, type TProperties, Type } from "@sinclair/typebox";
import type { UserRow } from "../../db/schema.ts";
import {
  adminRoles,
  clinicianRoles,
  isAdmin,
  isClinician,
  isProvider,
  type Role,
} from "../access/roles.ts";
import { sortedSet } from "../lib/text.ts";
import {
  AddressTextField,
  CalendarDateField,
  EnumField,
  FreeTextField,
  InstantField,
  ListField,
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
import type { RecordKind, RecordRows } from "./record-kind.ts";

/** Fields of users: those of all roles, then those of each role. */

const OptionalText = Type.Optional(ShortTextField());
const OptionalAddress = Type.Optional(AddressTextField());
const OptionalId = Type.Optional(PublicIdField());
const OptionalIds = Type.Optional(ListField(PublicIdField()));

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
  payorCredentialing: Type.Optional(ListField(CredentialingEntry)),
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
    email: OptionalAddress,
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
  credentials: Type.Optional(ListField(CredentialEntry)),
  complianceCredentials: Type.Optional(ListField(ShortTextField())),
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
    payors: Type.Optional(ListField(PayorEntry)),
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

/**
 * A user with the fields of all roles. The schema of the role has already refused fields of other roles, so they are
 * absent.
 */
type UserFields = Omit<CaregiverRecord, "role"> & { role: Role } & Partial<
    Omit<PatientRecord, keyof CaregiverRecord> & Omit<ClinicianRecord, keyof CaregiverRecord>
  >;

const linkNames = Object.keys(userLinks) as (keyof typeof userLinks)[];

export const user: RecordKind<UserRecord> = {
  table: "users",
  lists: [
    ...Object.values(userLinks).map(({ table, owner, linked }) => ({
      table,
      owner,
      order: [linked],
    })),
    { table: "patient_payors", owner: "patient_id", order: ["position"] },
    // The cascade deletes the rows of their credentialing.
    { table: "provider_credentials", owner: "user_id", order: ["position"] },
    { table: "payor_credentialing", owner: "user_id", order: ["credential_position", "position"] },
  ],
  facts: ["role"],

  rows(record, { organizationId, now }) {
    const user: UserFields = record;
    const { createdAt = now, updatedAt = now } = user;
    return {
      row: { ...userRow(organizationId, { ...user, createdAt, updatedAt }) },
      lists: listRows(user, organizationId),
    };
  },

  present({ row, lists }) {
    const stored = row as unknown as UserRow;
    const role = stored.role as Role;
    const links = Object.fromEntries(
      linkNames.map((name) => {
        const { table, linked } = userLinks[name];
        return [name, lists[table]?.map((link) => link[linked])];
      }),
    ) as Record<keyof typeof userLinks, unknown>;
    const beside = {
      ...links,
      payors: lists.patient_payors?.map((entry) => presentPayor(entry as never)),
      credentials: isProvider(role) ? presentCredentials(lists) : undefined,
    };
    return presenterOf(role)(stored, beside as never);
  },
};

const payorColumns = storer(patientPayorMap);
const credentialColumns = storer(credentialMap);
const credentialingColumns = storer(credentialingMap);

function listRows(user: UserFields, organization_id: string): RecordRows["lists"] {
  const id = user.publicId;
  const lists: RecordRows["lists"] = {};
  for (const name of linkNames) {
    const { table, owner, linked } = userLinks[name];
    lists[table] = sortedSet(user[name]).map((linkedId) => ({
      organization_id,
      [owner]: id,
      [linked]: linkedId,
    }));
  }
  const { payors = [], credentials = [] } = user;
  lists.patient_payors = payors.map((entry, position) => ({
    organization_id,
    patient_id: id,
    position,
    ...payorColumns(entry),
  }));
  lists.provider_credentials = credentials.map((credential, position) => ({
    organization_id,
    user_id: id,
    position,
    ...credentialColumns(credential),
  }));
  lists.payor_credentialing = credentials.flatMap((credential, credential_position) =>
    (credential.payorCredentialing ?? []).map((entry, position) => ({
      organization_id,
      user_id: id,
      credential_position,
      position,
      ...credentialingColumns(entry),
    })),
  );
  return lists;
}

const presentPayor = exporter(patientPayorMap, PayorEntry);
const presentCredential = exporter(credentialMap, CredentialEntry);
const presentCredentialing = exporter(credentialingMap, CredentialingEntry);

const presentPatient = exporter(userMap, PatientRecord);
const presentClinician = exporter(userMap, ClinicianRecord);
const presentTechnician = exporter(userMap, TechnicianRecord);
const presentAdministrator = exporter(userMap, AdministratorRecord);
const presentCaregiver = exporter(userMap, CaregiverRecord);

/** Each role has the fields of its schema. */
function presenterOf(role: Role): (row: UserRow, beside: never) => object {
  if (role === "PATIENT") return presentPatient;
  if (isAdmin(role)) return presentAdministrator;
  if (isClinician(role)) return presentClinician;
  return isProvider(role) ? presentTechnician : presentCaregiver;
}

function presentCredentials({
  provider_credentials: credentials = [],
  payor_credentialing: entries = [],
}: RecordRows["lists"]): object[] {
  return credentials.map((credential) => {
    const own = entries.filter((entry) => entry.credential_position === credential.position);
    const payorCredentialing = own.map((entry) => presentCredentialing(entry as never));
    return presentCredential(credential as never, { payorCredentialing });
  });
}
