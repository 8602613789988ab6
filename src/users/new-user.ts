import { type Static, Type } from "@sinclair/typebox";
import { type AssignableRole, assignableRoles } from "../access/roles.ts";
import {
  EmailField,
  EnumField,
  InstantField,
  ListField,
  NameField,
  Nullable,
  ShortTextField,
} from "../schema/fields.ts";
import { SpecializationReference } from "./model.ts";

/** What creates a user, and what is answered. */

/** The role of a new user for whom none is given. */
export const DEFAULT_ROLE: AssignableRole = "TECHNICIAN";

/** The `userStatus` of a new patient whom no intake stage says more of. */
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
        default: DEFAULT_ROLE,
        description: "Which of them the key may create depends on its own role.",
      }),
    ),
    phoneNumber: Type.Optional(ShortTextField()),
    npiNumber: Type.Optional(
      ShortTextField({ description: "National Provider Identifier, kept as it is given." }),
    ),
    shouldSendSMS: Type.Optional(Type.Boolean({ default: false })),
    recertificationDate: Type.Optional(InstantField()),
    providerPayors: optionalIds("Payors of a provider. Ids that no payor has are skipped."),
    specializations: optionalIds(
      "Specialization categories of a provider, all of which must be active. For other roles they are ignored.",
    ),
    careTeamTechnicianIds: optionalIds(
      "Technicians whom a clinician supervises. Ids of others are skipped; for other roles all are ignored.",
    ),
    careTeamLeadIds: optionalIds(
      "Clinicians who supervise a technician. Ids of others are skipped; for other roles all are ignored.",
    ),
  },
  { $id: "NewUser" },
);

export type NewUser = Static<typeof NewUser>;

export const CreatedUser = Type.Object(
  {
    publicId: Type.String(),
    role: EnumField(assignableRoles),
    firstName: Type.String(),
    lastName: Type.String(),
    email: Type.String({ description: "Empty when none was given." }),
    phoneNumber: Type.String({ description: "Empty when none was given." }),
    npiNumber: Nullable(Type.String()),
    shouldSendSMS: Type.Boolean(),
    createdAt: InstantField(),
    specializations: Type.Array(SpecializationReference, {
      description: "In order of `publicId`; empty for roles that have none.",
    }),
    organization: Type.Object({ name: Type.String(), publicId: Type.String() }),
  },
  { $id: "CreatedUser" },
);

export type CreatedUser = Static<typeof CreatedUser>;

export const UserCreation = Type.Object(
  { message: Type.Literal("User created successfully"), user: CreatedUser },
  { $id: "UserCreation" },
);

/** Bodies that the documentation shows. The demo practice takes them as they stand. */
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
