import { type Static, type TProperties, Type } from "@sinclair/typebox";
import type { UserRow } from "../../../db/schema.ts";
import { adminRoles, clinicianRoles, type Role } from "../../callers/roles.ts";
import {
  AddressTextField,
  CalendarDateField,
  EnumField,
  InstantField,
  NameField,
  PublicIdField,
  ShortTextField,
} from "../../schema/fields.ts";
import { entryLinks, userLinks, userMap } from "../../schema/users.ts";
import { userRow } from "../../users/rows.ts";
import {
  CredentialEntry,
  credentialsIn,
  PayorEntry,
  payorsIn,
} from "../../users/stored-entries.ts";
import { linkTables, type RecordKind, variantExporter } from "./record-kind.ts";

/** Fields of users: those of all roles, then those of each role. */

const OptionalText = Type.Optional(ShortTextField());
const OptionalAddress = Type.Optional(AddressTextField());
const OptionalId = Type.Optional(PublicIdField());
// Lists have limits of their own (limits.ts), which do not hold for what was stored before.
const OptionalIds = Type.Optional(Type.Array(PublicIdField()));

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

const links = linkTables({ ...userLinks, ...entryLinks });

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
  lists: links.lists,

  rows(record, { organizationId, now }) {
    const user: UserFields = record;
    const { createdAt = now, updatedAt = now, payors = [], credentials = [] } = user;
    const named = {
      ...user,
      payorsOfPatient: payors.map(({ payorId }) => payorId),
      payorsOfCredentials: credentials.flatMap(({ payorCredentialing = [] }) =>
        payorCredentialing.map(({ payorId }) => payorId),
      ),
    };
    return {
      row: userRow(organizationId, { ...user, createdAt, updatedAt }),
      lists: links.rows(named, organizationId),
    };
  },

  present({ row, lists }) {
    const columns = row as unknown as UserRow;
    const entries = { payors: payorsIn(columns), credentials: credentialsIn(columns) };
    return presentUser(row, { ...links.ids(lists), ...entries });
  },
};

const presentUser = variantExporter(userMap, { variants, discriminator: "role" });
