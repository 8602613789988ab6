import { type Static, type TOptional, type TString, Type } from "@sinclair/typebox";
import {
  AddressTextField,
  CalendarDateField,
  EmailField,
  EnumField,
  FreeTextField,
  InstantField,
  ListField,
  NameField,
  Nullable,
  PublicIdField,
  ShortTextField,
  TimeZoneField,
  UsPhoneField,
  WrittenDateField,
} from "../schema/fields.ts";
import { MAX_PAGE, Page, pageParameters } from "../schema/pagination.ts";
import { ATTRIBUTION_FIELDS, type AttributionField } from "./attribution.ts";

/** Intake leads: a draft patient with one caregiver. */

/** Keys of the built-in stages that an intake board can have. */
export const intakeStageKeys = [
  "LEAD",
  "WAITLIST",
  "VERIFIED_BENEFITS",
  "AUTH_REQUESTED",
  "AUTH_APPROVED",
  "ASSESSMENT_SCHEDULED",
  "THERAPY_SCHEDULED",
  "ACTIVE",
  "INACTIVE",
  "SERVICES_PAUSED",
  "DISCHARGED",
  "ARCHIVED",
] as const;

/** The caregiver's relationship to the patient. */
export const caregiverRelationships = [
  "MOTHER",
  "STEPMOTHER",
  "FATHER",
  "STEPFATHER",
  "GUARDIAN",
  "GRANDPARENT",
  "SIBLING",
  "OTHER",
  "UNKNOWN",
] as const;

export const clientSexes = ["MALE", "FEMALE", "OTHER"] as const;

const OptionalText = Type.Optional(ShortTextField());
const OptionalIds = Type.Optional(ListField(ShortTextField()));

/** Fields with URLs of pages; tracking parameters make these longer than other addresses. */
const PAGES: readonly AttributionField[] = ["referrer", "landingPage"];

/** The visit as the form sent it. */
export const RawAttribution = Type.Object(
  Object.fromEntries(
    ATTRIBUTION_FIELDS.map((name) => [
      name,
      PAGES.includes(name) ? Type.Optional(FreeTextField()) : OptionalText,
    ]),
  ) as Record<AttributionField, TOptional<TString>>,
  { $id: "Attribution" },
);

const Client = Type.Object(
  {
    firstName: NameField(2),
    lastName: NameField(2),
    birthdate: WrittenDateField({
      description: "Not after today in `timezone`, else in the organization's time zone.",
    }),
    sex: Type.Optional(EnumField(clientSexes, { $id: "ClientSex" })),
    address: Type.Optional(AddressTextField()),
    city: OptionalText,
    state: OptionalText,
    zip: OptionalText,
    country: OptionalText,
    timezone: Type.Optional(TimeZoneField({ description: "Time zone of the home address." })),
    selectedLocations: OptionalIds,
    intakeStatusPublicId: Type.Optional(
      ShortTextField({
        description:
          "An active stage of the intake board. Must not be combined with `intakeStatusKey`.",
      }),
    ),
    intakeStatusKey: Type.Optional(
      EnumField(intakeStageKeys, {
        $id: "IntakeStageKey",
        description:
          "The active stage with this key. Without `intakeStatusKey` and `intakeStatusPublicId`, the lead is placed on the first active stage of the board.",
      }),
    ),
    labelPublicIds: OptionalIds,
  },
  { $id: "NewIntakeClient" },
);

export type Client = Static<typeof Client>;

const Caregiver = Type.Object(
  {
    firstName: NameField(2),
    lastName: NameField(2),
    relationship: EnumField(caregiverRelationships),
    email: EmailField({
      description:
        "Must not be the email of another user of the organization; letter case does not matter.",
    }),
    phone: UsPhoneField({
      description: "A deliverable US phone number. Placeholders and toll-free numbers are refused.",
    }),
  },
  { $id: "NewIntakeCaregiver" },
);

export const NewIntakeLead = Type.Object(
  { client: Client, caregiver: Caregiver, attribution: Type.Optional(RawAttribution) },
  { $id: "NewIntakeLead" },
);

export type NewIntakeLead = Static<typeof NewIntakeLead>;

const UserReference = Type.Object({ publicId: Type.String() }, { $id: "UserReference" });

/** The response to the creation of a lead. */
export const IntakeLeadCreation = Type.Object(
  { client: UserReference, caregiver: UserReference },
  { $id: "IntakeLeadCreation" },
);

export type IntakeLeadCreation = Static<typeof IntakeLeadCreation>;

export const IntakeLead = Type.Object(
  {
    publicId: Type.String(),
    clientId: Type.String(),
    caregiverId: Type.String(),
    relationship: EnumField(caregiverRelationships),
    stageId: Nullable(Type.String()),
    stageKey: Nullable(
      Type.String({ description: "Null without a stage, or for a custom stage." }),
    ),
    labelIds: Type.Array(Type.String()),
    source: Nullable(Type.String({ examples: ["google", "(direct)"] })),
    channel: Nullable(Type.String({ examples: ["Paid Search", "Direct"] })),
    campaign: Nullable(Type.String()),
    createdAt: InstantField(),
    attribution: Nullable(RawAttribution),
  },
  { $id: "IntakeLead" },
);

export type IntakeLead = Static<typeof IntakeLead>;

export const IntakeLeadPage = Page(IntakeLead, "IntakeLeadPage");

export type IntakeLeadSort = "createdAt_desc" | "createdAt_asc";

export const IntakeLeadListQuery = Type.Object({
  ...pageParameters(MAX_PAGE),
  stageId: Type.Optional(ShortTextField({ description: "Leads on this stage." })),
  labelId: Type.Optional(ShortTextField({ description: "Leads with this label." })),
  channel: Type.Optional(
    ShortTextField({ description: "Leads of this channel; must match exactly." }),
  ),
  source: Type.Optional(
    AddressTextField({ description: "Leads of this source; must match exactly." }),
  ),
  clientId: Type.Optional(ShortTextField({ description: "Leads of this patient." })),
  createdFrom: Type.Optional(
    CalendarDateField({
      description: "Leads that were created on or after this UTC day; not after `createdTo`.",
    }),
  ),
  createdTo: Type.Optional(
    CalendarDateField({ description: "Leads that were created on or before this UTC day." }),
  ),
  sort: Type.Optional(
    Type.Unsafe<IntakeLeadSort>(
      Type.String({
        pattern: "^createdAt_(asc|desc)$",
        "x-message": "Must be createdAt_desc or createdAt_asc",
        examples: ["createdAt_asc"],
        default: "createdAt_desc",
        description: "Newest or oldest first. Ties are ordered by `publicId`.",
      }),
    ),
  ),
});

export const IntakeLeadPath = Type.Object({
  leadId: PublicIdField({ description: "The lead's public id.", examples: ["lead_000001"] }),
});

/** Example bodies for the documentation. All of them are valid in the demo practice. */
export const newIntakeLeadExamples: Record<string, { summary: string; value: NewIntakeLead }> = {
  marketingForm: {
    summary: "From a form on the practice's website",
    value: {
      client: {
        firstName: "Leo",
        lastName: "Park",
        birthdate: "2019-04-02" as Client["birthdate"],
        sex: "MALE",
        address: "12 Maple Street",
        city: "Burlington",
        state: "VT",
        zip: "05401",
        country: "US",
        timezone: "America/New_York" as NonNullable<Client["timezone"]>,
        selectedLocations: ["loc_0001"],
        intakeStatusKey: "WAITLIST",
        labelPublicIds: ["lbl_evenings"],
      },
      caregiver: {
        firstName: "Mina",
        lastName: "Park",
        relationship: "MOTHER",
        email: "mina.park@example.com",
        phone: "+18026584000",
      },
      attribution: {
        utm_source: "google",
        utm_medium: "cpc",
        utm_campaign: "Spring",
        referrer: "https://www.google.com/",
        landingPage: "https://maple.example/intake",
      },
    },
  },
  bare: {
    summary: "Required fields only",
    value: {
      client: {
        firstName: "Noa",
        lastName: "Reyes",
        birthdate: "2021-11-30" as Client["birthdate"],
      },
      caregiver: {
        firstName: "Sam",
        lastName: "Reyes",
        relationship: "GUARDIAN",
        email: "sam.reyes@example.com",
        phone: "+14155552671",
      },
    },
  },
};
