import { type Static, type TProperties, Type } from "@sinclair/typebox";
import type { Db } from "../../db/database.ts";
import type { UserRow } from "../../db/schema.ts";
import {
  adminRoles,
  clinicianRoles,
  isAdmin,
  isClinician,
  isProvider,
  type Role,
} from "../access/roles.ts";
import { emailKey } from "../lib/email.ts";
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
import { credentialingOf, credentialsOf, payorsOf } from "../users/details-repository.ts";
import { credentialFields, credentialingFields, payorEntryFields } from "../users/entries.ts";
import { userRow } from "../users/rows.ts";
import type { Batch } from "./batch.ts";
import { exportPages, type RecordKind } from "./record-kind.ts";
import type { RecordLine } from "./record-line.ts";
import { linksOf } from "./repository.ts";

/** Users: the fields of every role, then those that the kind of role adds. */

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
    // Any text: old systems hold addresses that the API would not take.
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
    // Any text: what is no zone is answered by utilization with 422.
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
 * A user with what a user of any role may have. The schema of the role has already refused the fields of
 * other roles, so they are absent here.
 */
type UserFields = Omit<CaregiverRecord, "role"> & { role: Role } & Partial<
    Omit<PatientRecord, keyof CaregiverRecord> & Omit<ClinicianRecord, keyof CaregiverRecord>
  >;

const linkNames = Object.keys(userLinks) as (keyof typeof userLinks)[];

export const user: RecordKind<UserRecord> = {
  check(record, line, { known }) {
    const user: UserFields = record;
    checkPayors(user, line);
    line.referToEach("specializationIds", "specialization", user.specializationIds);
    line.referToEach("locationIds", "location", user.locationIds);
    line.refer("primaryLocationId", "location", user.primaryLocationId);
    line.referToEach("providerPayorIds", "payor", user.providerPayorIds);
    // Of the file alone: who has the address in the database is asked when the users are written.
    const holder = user.email ? known.emailHolder(emailKey(user.email)) : undefined;
    if (holder !== undefined)
      line.refuse(
        "email",
        `Is also the email of ${holder} on`,
        "Is also the email of a user above",
        known.lineOf("user", holder),
      );
  },

  write(record, batch, line, { organizationId, known, late, now }) {
    const user: UserFields = record;
    const id = user.publicId;
    const earlier = known.facts("user", id);
    const row = userRow(organizationId, {
      ...user,
      createdAt: user.createdAt ?? earlier?.created_at ?? now,
      updatedAt: user.updatedAt ?? now,
    });
    if (earlier !== undefined) deleteLists(id, batch);
    if (earlier !== undefined && earlier.role !== user.role) late.roleChanged(id, line.number);
    if (row.email_key !== null) known.rememberEmail(row.email_key, id);
    late.usersNamed(user, line.number);
    batch.upsert("users", row);
    insertLists(user, batch);
    return row;
  },

  export: exportPages("users", async (db, organizationId, users) => {
    const lists = await readLists(db, organizationId, users);
    return users.map((row) => exportUser(row, lists));
  }),
};

function checkPayors({ payors = [], credentials = [] }: UserFields, line: RecordLine): void {
  for (const [index, entry] of payors.entries())
    line.refer(["payors", index, "payorId"], "payor", entry.payorId);
  for (const [index, { payorCredentialing = [] }] of credentials.entries())
    for (const [entryIndex, entry] of payorCredentialing.entries()) {
      const path = ["credentials", index, "payorCredentialing", entryIndex, "payorId"];
      line.refer(path, "payor", entry.payorId);
    }
}

/** What hangs on a user: an import replaces all of it. */
function deleteLists(id: string, batch: Batch): void {
  for (const name of linkNames)
    batch.delete(userLinks[name].table, userLinks[name].owner as never, id);
  batch.delete("patient_payors", "patient_id", id);
  // The table deletes the payor credentialing along with it.
  batch.delete("provider_credentials", "user_id", id);
}

const payorColumns = storer(patientPayorMap);
const credentialColumns = storer(credentialMap);
const credentialingColumns = storer(credentialingMap);

function insertLists(user: UserFields, batch: Batch): void {
  const id = user.publicId;
  for (const name of linkNames) {
    const { table, owner, linked } = userLinks[name];
    for (const linkedId of new Set(user[name]))
      batch.insert(table, { [owner]: id, [linked]: linkedId } as never);
  }
  for (const [position, entry] of (user.payors ?? []).entries())
    batch.insert("patient_payors", { patient_id: id, position, ...payorColumns(entry) });
  for (const [position, credential] of (user.credentials ?? []).entries()) {
    const columns = credentialColumns(credential);
    batch.insert("provider_credentials", { user_id: id, position, ...columns });
    for (const [entryPosition, entry] of (credential.payorCredentialing ?? []).entries())
      batch.insert("payor_credentialing", {
        user_id: id,
        credential_position: position,
        position: entryPosition,
        ...credentialingColumns(entry),
      });
  }
}

type Lists = Awaited<ReturnType<typeof readLists>>;

/** What hangs on some users, in a number of statements that does not depend on how many they are. */
async function readLists(db: Db, organizationId: string, users: UserRow[]) {
  const userIds = users.map((user) => user.public_id);
  const links = (name: keyof typeof userLinks) =>
    linksOf(db, organizationId, userLinks[name], userIds);
  const these = { organizationId, userIds };
  return {
    specializationIds: await links("specializationIds"),
    locationIds: await links("locationIds"),
    providerPayorIds: await links("providerPayorIds"),
    clinicianIds: await links("clinicianIds"),
    careTeamTechnicianIds: await links("careTeamTechnicianIds"),
    payors: Map.groupBy(await payorsOf(db, these), (entry) => entry.patient_id),
    credentials: Map.groupBy(await credentialsOf(db, these), (entry) => entry.user_id),
    credentialing: Map.groupBy(await credentialingOf(db, these), (entry) => entry.user_id),
  };
}

const exportPayor = exporter(patientPayorMap, PayorEntry);
const exportCredential = exporter(credentialMap, CredentialEntry);
const exportCredentialing = exporter(credentialingMap, CredentialingEntry);

const exportPatient = exporter(userMap, PatientRecord);
const exportClinician = exporter(userMap, ClinicianRecord);
const exportTechnician = exporter(userMap, TechnicianRecord);
const exportAdministrator = exporter(userMap, AdministratorRecord);
const exportCaregiver = exporter(userMap, CaregiverRecord);

function exportUser(row: UserRow, lists: Lists): object {
  const id = row.public_id;
  const role = row.role as Role;
  const locationIds = lists.locationIds.get(id);
  if (role === "PATIENT")
    return exportPatient(row, {
      payors: lists.payors.get(id)?.map((entry) => exportPayor(entry)),
      locationIds,
      clinicianIds: lists.clinicianIds.get(id),
    });
  if (isAdmin(role)) return exportAdministrator(row, { locationIds });
  if (!isProvider(role)) return exportCaregiver(row);
  const provider = {
    credentials: exportCredentials(id, lists),
    specializationIds: lists.specializationIds.get(id),
    locationIds,
    providerPayorIds: lists.providerPayorIds.get(id),
  };
  const careTeamTechnicianIds = lists.careTeamTechnicianIds.get(id);
  return isClinician(role)
    ? exportClinician(row, { ...provider, careTeamTechnicianIds })
    : exportTechnician(row, provider);
}

function exportCredentials(userId: string, lists: Lists): object[] | undefined {
  const credentialing = lists.credentialing.get(userId) ?? [];
  return lists.credentials.get(userId)?.map((credential) => {
    const entries = credentialing.filter(
      (entry) => entry.credential_position === credential.position,
    );
    const payorCredentialing = entries.length === 0 ? undefined : entries.map(exportCredentialing);
    return exportCredential(credential, { payorCredentialing });
  });
}
