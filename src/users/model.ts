import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { adminRoles, clinicianRoles, roles } from "../access/roles.ts";
import {
  AddressTextField,
  CalendarDateField,
  EnumField,
  FreeTextField,
  InstantField,
  IsActiveParameter,
  Nullable,
  OneOf,
  SearchField,
  ShortTextField,
} from "../schema/fields.ts";
import { Page, pageParameters } from "../schema/pagination.ts";

/** Users as the API shows them: one shape a kind of role. */

const NullableString = Nullable(Type.String());
const Ids = Type.Array(Type.String());
const ShortText = ShortTextField();

/** Something that has an id and a name: a payor, a service line, a specialization. */
function reference($id: string) {
  return Type.Object({ publicId: Type.String(), name: Type.String() }, { $id });
}

export const PayorReference = reference("PayorReference");
export const ServiceLineReference = reference("ServiceLineReference");
export const SpecializationReference = reference("SpecializationReference");

export const PostalAddress = Type.Object(
  {
    addressLine1: NullableString,
    addressLine2: NullableString,
    city: NullableString,
    state: NullableString,
    postalCode: NullableString,
  },
  { $id: "PostalAddress" },
);

/** What a patient's payor entry has beside the payor itself; the practice file holds the same. */
export const payorEntryFields = {
  priority: ShortTextField({ examples: ["PRIMARY"] }),
  relationshipToPatient: ShortTextField({ examples: ["SELF", "PARENT"] }),
  insuredBirthDate: CalendarDateField(),
  insuredAddress: PostalAddress,
  memberId: ShortText,
  groupId: ShortText,
  planHolder: ShortText,
  effectiveStartDate: CalendarDateField(),
  effectiveEndDate: Nullable(CalendarDateField()),
};

export const PatientPayor = Type.Object(
  { payorName: Type.String(), ...payorEntryFields },
  { $id: "PatientPayor" },
);

const authorizationFields = {
  publicId: Type.String(),
  authorizationNumber: Type.String(),
  authorizationStatus: Type.String({ examples: ["AUTHORIZED"] }),
};

const authorizationScope = {
  serviceLine: ServiceLineReference,
  authorizationDate: CalendarDateField(),
  authorizationExpirationDate: CalendarDateField(),
};

export const Authorization = Type.Object(
  {
    ...authorizationFields,
    authorizedUnitsQuantity: Type.Number(),
    authorizedUnitFrequency: Type.String({ examples: ["DAILY", "WEEKLY"] }),
    ...authorizationScope,
  },
  { $id: "Authorization", description: "An authorization that belongs to no pool." },
);

export const PooledAuthorization = Type.Object(
  { ...authorizationFields, ...authorizationScope },
  { $id: "PooledAuthorization", description: "An authorization whose units are its pool's." },
);

export const AuthorizationPool = Type.Object(
  {
    publicId: Type.String(),
    totalUnits: Type.Number(),
    unitFrequency: Type.String({ examples: ["DAILY", "WEEKLY"] }),
    isUnlimited: Type.Boolean(),
    payor: PayorReference,
    authorizations: Type.Array(PooledAuthorization),
  },
  { $id: "AuthorizationPool", description: "A bucket of units that several service lines share." },
);

/** What a credentialing entry has beside the payor; the practice file holds the same. */
export const credentialingFields = {
  status: ShortTextField({ examples: ["APPROVED"] }),
  startDate: CalendarDateField(),
  endDate: Nullable(CalendarDateField()),
  notes: Nullable(FreeTextField()),
};

export const PayorCredentialing = Type.Object(
  { publicId: Type.String(), payor: PayorReference, ...credentialingFields },
  { $id: "PayorCredentialing" },
);

/** What a credential has beside its credentialing; the practice file holds the same. */
export const credentialFields = {
  credentialType: ShortTextField({ examples: ["BCBA"] }),
  practiceArea: ShortTextField({ examples: ["ABA"] }),
  credentialNumber: ShortText,
  expiresAt: InstantField(),
  credentialStatus: ShortTextField({ examples: ["active"] }),
};

export const ProviderCredential = Type.Object(
  { ...credentialFields, payorCredentialing: Type.Array(PayorCredentialing) },
  { $id: "ProviderCredential" },
);

function user<Role extends TProperties, Additions extends TProperties>(
  $id: string,
  role: Role,
  additions: Additions,
) {
  return Type.Object(
    {
      publicId: Type.String(),
      firstName: Type.String(),
      lastName: Type.String(),
      email: Type.String({ description: "Empty when none is recorded." }),
      phoneNumber: Type.String({ description: "Empty when none is recorded." }),
      userStatus: Nullable(Type.String({ examples: ["LEAD", "ACTIVE"] })),
      isActive: Type.Boolean({ description: "False when soft-deleted." }),
      ...role,
      sex: Nullable(Type.String({ examples: ["MALE", "FEMALE"] })),
      birthDate: Nullable(CalendarDateField()),
      caregiverId: NullableString,
      addressLine1: NullableString,
      addressLine2: NullableString,
      city: NullableString,
      state: NullableString,
      postalCode: NullableString,
      ...additions,
    },
    { $id },
  );
}

const providerFields = {
  credentials: Type.Array(ProviderCredential),
  complianceCredentials: Type.Array(Type.String(), { examples: [["BLS", "CPR", "HIPAA"]] }),
  specializations: Type.Array(SpecializationReference),
  locationIds: Ids,
  primaryLocationId: NullableString,
};

export const PatientUser = user(
  "PatientUser",
  { role: EnumField(["PATIENT"]) },
  {
    internalRecordId: NullableString,
    payors: Type.Array(PatientPayor),
    authorizations: Type.Array(Authorization),
    authorizationPools: Type.Array(AuthorizationPool),
    locationIds: Ids,
    clinicianIds: Ids,
    primaryClinicianId: NullableString,
  },
);

export const ClinicianUser = user(
  "ClinicianUser",
  { role: EnumField(clinicianRoles) },
  {
    ...providerFields,
    careTeamTechnicianIds: Type.Array(Type.String(), {
      description: "The technicians whom this clinician supervises.",
    }),
  },
);

export const TechnicianUser = user(
  "TechnicianUser",
  { role: EnumField(["TECHNICIAN"]) },
  {
    ...providerFields,
    careTeamLeadIds: Type.Array(Type.String(), {
      description: "The clinicians who supervise this technician.",
    }),
  },
);

export const AdministratorUser = user(
  "AdministratorUser",
  { role: EnumField(adminRoles) },
  { locationIds: Ids, primaryLocationId: NullableString },
);

export const CaregiverUser = user("CaregiverUser", { role: EnumField(["CAREGIVER"]) }, {});

/** A user of any role; `role` tells the kinds apart. */
export const User = OneOf(
  [PatientUser, ClinicianUser, TechnicianUser, AdministratorUser, CaregiverUser],
  { $id: "User" },
);

export type User = Static<typeof User>;

export const UserPage = Page(User, "UserPage");

/** `field_direction` values separated by commas, no field twice. */
const SORT =
  "^(?!.*(createdAt|updatedAt)_.*\\1_)(createdAt|updatedAt)_(asc|desc)(,(createdAt|updatedAt)_(asc|desc))*$";

export const UserListQuery = Type.Object({
  // No greatest page is stated here: whatever a JSON number counts exactly.
  ...pageParameters(Number.MAX_SAFE_INTEGER),
  search: Type.Optional(
    SearchField({
      description:
        "At most 10 different terms, separated by white space. Each must occur in the first or last name, email, phone number or internal record id; letter case and diacritics do not matter.",
    }),
  ),
  role: Type.Optional(EnumField(roles)),
  email: Type.Optional(
    AddressTextField({ description: "The whole email address; letter case does not matter." }),
  ),
  isActive: Type.Optional(IsActiveParameter()),
  sort: Type.Optional(
    Type.String({
      pattern: SORT,
      "x-message":
        "Must be createdAt or updatedAt, each at most once, with _asc or _desc, such as createdAt_desc,updatedAt_asc",
      description: "Fields to order by, such as `createdAt_desc,updatedAt_asc`.",
      examples: ["createdAt_desc"],
    }),
  ),
});

export type UserListQuery = Static<typeof UserListQuery>;
