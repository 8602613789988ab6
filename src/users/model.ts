import { type Static, type TProperties, Type } from "@sinclair/typebox";
import {
  adminRoles,
  type AssignableRole,
  assignableRoles,
  clinicianRoles,
  roles,
} from "../callers/roles.ts";
import {
  AddressTextField,
  CalendarDateField,
  EmailField,
  EnumField,
  InstantField,
  IsActiveParameter,
  ListField,
  NameField,
  Nullable,
  OneOf,
  PublicIdField,
  falseUnlessSaid,
  PublicIdListField,
  SearchField,
  ShortTextField,
  WrittenInstantField,
} from "../schema/fields.ts";
import { Page, pageParameters } from "../schema/pagination.ts";
import {
  Authorization,
  AuthorizationPool,
  PatientPayor,
  ProviderCredential,
  SpecializationReference,
} from "./entries.ts";

/** A role, as one component of the OpenAPI document. */
export function RoleField(notes: { description?: string } = {}) {
  return EnumField(roles, { $id: "Role", ...notes });
}

/** Models of users: responses, with different fields by role, and requests. */

const NullableString = Nullable(Type.String());
const Ids = Type.Array(Type.String());

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
      email: Type.String(),
      phoneNumber: Type.String(),
      userStatus: Nullable(Type.String({ examples: ["LEAD", "ACTIVE"] })),
      isActive: Type.Boolean(),
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
    careTeamTechnicianIds: Type.Array(Type.String()),
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

/** A user of any role. The fields depend on `role`. */
export const User = OneOf(
  [PatientUser, ClinicianUser, TechnicianUser, AdministratorUser, CaregiverUser],
  { $id: "User" },
);

export type User = Static<typeof User>;

export const UserPage = Page(User, "UserPage");

/** Who a user is, without personal data. */
export const NamedUser = Type.Object(
  {
    publicId: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    role: RoleField(),
    isActive: Type.Boolean(),
  },
  { $id: "NamedUser" },
);

export const Names = Type.Object({ data: Type.Array(NamedUser) }, { $id: "Names" });

/** The active providers in one response. Nobody can read a schedule with more rows. */
export const MOST_PROVIDERS = 1_000;

export const NamesQuery = Type.Object({
  ids: PublicIdListField({
    description: "Ids of users: 1 to 100 different ones, with commas between them.",
    examples: ["usr_patient_000001,usr_technician_000001"],
  }),
  providers: falseUnlessSaid(
    "`true` adds the active providers who are not among `ids`, by last name: clinicians of all three roles, and technicians; the first 1,000.",
  ),
});

const SORT_FIELD = "(createdAt|updatedAt|lastName)";

/** `field_direction` values, separated by commas; each field at most once. */
const SORT = `^(?!.*${SORT_FIELD}_.*\\1_)${SORT_FIELD}_(asc|desc)(,${SORT_FIELD}_(asc|desc))*$`;

export const UserListQuery = Type.Object({
  // The specification states no maximum for this list: any integer that JSON represents exactly.
  ...pageParameters(Number.MAX_SAFE_INTEGER),
  search: Type.Optional(
    SearchField({
      description:
        "At most 10 different terms, separated by white space. Each must occur in the first or last name, email, phone number or internal record id; letter case and diacritics do not matter. A term of four or more digits is also found in a phone number that is written in another way.",
    }),
  ),
  role: Type.Optional(RoleField({ description: "Users with this role." })),
  email: Type.Optional(
    AddressTextField({ description: "A complete email address; letter case does not matter." }),
  ),
  isActive: Type.Optional(IsActiveParameter()),
  sort: Type.Optional(
    Type.String({
      pattern: SORT,
      "x-message":
        "Must be createdAt, updatedAt or lastName, each at most once, with _asc or _desc, such as createdAt_desc,updatedAt_asc",
      description:
        "One or more fields, separated by commas. `lastName` also orders by the first name, in the same direction; letter case and diacritics of names do not matter.",
      examples: ["lastName_asc"],
    }),
  ),
});

export const UserPath = Type.Object({
  userId: PublicIdField({ description: "The user's public id.", examples: ["usr_patient_000001"] }),
});

export type UserListQuery = Static<typeof UserListQuery>;

/** Models for creating a user. */

/** The default role of a new user. */
export const DEFAULT_ROLE: AssignableRole = "TECHNICIAN";

/** The `userStatus` of a new patient without an intake stage that determines another. */
export const NEW_PATIENT_STATUS = "LEAD";

function optionalIds(description: string) {
  return Type.Optional(ListField(ShortTextField(), { description }));
}

export const NewUser = Type.Object(
  {
    firstName: NameField(1),
    lastName: NameField(1),
    email: Type.Optional(
      EmailField({ description: "Unique in the organization; letter case does not matter." }),
    ),
    role: Type.Optional(
      EnumField(assignableRoles, {
        $id: "AssignableRole",
        default: DEFAULT_ROLE,
        description: "The roles that a key may create depend on its own role.",
      }),
    ),
    phoneNumber: Type.Optional(ShortTextField()),
    npiNumber: Type.Optional(ShortTextField()),
    shouldSendSMS: Type.Optional(Type.Boolean({ default: false })),
    recertificationDate: Type.Optional(WrittenInstantField()),
    providerPayors: optionalIds("Payors of a provider, at most 200. Unknown ids are skipped."),
    specializations: optionalIds(
      "Specialization categories of a provider, at most 50; all must be active. Ignored for other roles.",
    ),
    careTeamTechnicianIds: optionalIds(
      "Technicians whom a clinician supervises, each with at most 500 clinicians. Ids that are not technicians are skipped. Ignored for other roles.",
    ),
    careTeamLeadIds: optionalIds(
      "Clinicians who supervise a technician. Ids that are not clinicians are skipped. Ignored for other roles.",
    ),
  },
  { $id: "NewUser" },
);

export type NewUser = Static<typeof NewUser>;

export const CreatedUser = Type.Object(
  {
    publicId: Type.String(),
    role: EnumField(assignableRoles, { $id: "AssignableRole" }),
    firstName: Type.String(),
    lastName: Type.String(),
    email: Type.String(),
    phoneNumber: Type.String(),
    npiNumber: Nullable(Type.String()),
    shouldSendSMS: Type.Boolean(),
    createdAt: InstantField(),
    specializations: Type.Array(SpecializationReference, {
      description: "Ordered by `publicId`; empty for roles without specializations.",
    }),
    organization: Type.Object(
      { name: Type.String(), publicId: Type.String() },
      { $id: "UserOrganization" },
    ),
  },
  { $id: "CreatedUser" },
);

export type CreatedUser = Static<typeof CreatedUser>;

export const UserCreation = Type.Object(
  { message: Type.Literal("User created successfully"), user: CreatedUser },
  { $id: "UserCreation" },
);

/** Example bodies for the documentation. All of them are valid in the demo practice. */
export const newUserExamples: Record<string, { summary: string; value: NewUser }> = {
  technician: {
    summary: "A technician, whom a clinician supervises",
    value: {
      firstName: "Ana",
      lastName: "Ruiz",
      email: "ana.ruiz@maple.example",
      role: "TECHNICIAN",
      phoneNumber: "+14155552671",
      shouldSendSMS: true,
      specializations: ["spec_early_intervention"],
      careTeamLeadIds: ["usr_clinician_000001"],
    },
  },
  patient: {
    summary: "A patient",
    value: { firstName: "Leo", lastName: "Park", role: "PATIENT" },
  },
};
