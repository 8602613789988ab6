import { type Static, type TOptional, type TSchema, Type } from "@sinclair/typebox";
import { isNullable } from "../schema/cleaning.ts";
import {
  AddressTextField,
  CalendarDateField,
  InstantField,
  Nullable,
  ShortTextField,
  TimeZoneField,
} from "../schema/fields.ts";
import { MAX_BATCH, MAX_HAND_OVERS } from "./states.ts";

/** What is handed over for billing (docs/billing.md). */

/** The procedure code of a service line. */
export const ProcedureCode = Type.String({
  pattern: "^[A-Z0-9]{1,10}$",
  "x-message": "must be 1 to 10 letters in upper case or digits",
});

const Modifier = Type.String({
  pattern: "^[A-Z0-9]{2}$",
  "x-message": "must be two letters in upper case or digits",
});

/** The modifiers of a procedure code, in their order. */
export const Modifiers = Type.Array(Modifier, { maxItems: 4 });

const text = (description: string) => ShortTextField({ description });
const optional = (description: string) => Nullable(text(description));
const optionalAddress = (description: string) => Nullable(AddressTextField({ description }));

function addressOf<Whose extends "patient" | "insured">(whose: Whose, words: string) {
  type Line = "AddressLine1" | "AddressLine2" | "City" | "State" | "PostalCode";
  return {
    [`${whose}AddressLine1`]: optionalAddress(`The first line of the address of ${words}.`),
    [`${whose}AddressLine2`]: optionalAddress("Its second line."),
    [`${whose}City`]: optional("Its city."),
    [`${whose}State`]: optional("Its state."),
    [`${whose}PostalCode`]: optional("Its postal code."),
  } as Record<`${Whose}${Line}`, ReturnType<typeof optional>>;
}

/** The fields of a line that are handed over, in the order of the columns. */
export const handedOverFields = {
  date: CalendarDateField({ description: "The day on which the encounter starts." }),
  timezone: TimeZoneField({ description: "Time zone of `date`." }),
  startTime: Nullable(
    InstantField({ description: "When the session begins; null without a session." }),
  ),
  endTime: Nullable(InstantField({ description: "When the session ends." })),
  minutes: Nullable(
    Type.Integer({ minimum: 0, description: "The length of the session in whole minutes." }),
  ),
  patientId: text("The id of the patient."),
  patientFirstName: text("The patient's first name."),
  patientLastName: text("The patient's last name."),
  patientBirthDate: Nullable(CalendarDateField({ description: "The patient's date of birth." })),
  internalRecordId: optional("The practice's own number of the patient's record."),
  payorId: optional("The payor of the pool, or of a standalone authorization."),
  payorName: optional("The payor's name."),
  memberId: optional("The patient's number with the payor; null without coverage on `date`."),
  groupId: optional("The number of the insured group."),
  planHolder: optional("Who holds the plan."),
  relationshipToPatient: optional("How the insured person is related to the patient."),
  priority: optional("The priority of the insurance, such as `PRIMARY`."),
  authorizationId: text("The id of the authorization."),
  authorizationNumber: text("The payor's number of the authorization."),
  poolId: optional("The id of the pool of the authorization."),
  serviceLineId: text("The id of the authorization's service line."),
  serviceLineName: text("The name of the service line."),
  code: Nullable(ProcedureCode),
  modifiers: Modifiers,
  placeOfService: optional("The place of the session, such as `HOME`."),
  placeOfServiceCode: optional("The code of CMS for the place, such as `12`."),
  units: Type.Number({ minimum: 0, description: "The units of the encounter." }),
  billingUnitMinutes: Nullable(
    Type.Integer({ minimum: 1, description: "The minutes of one unit; null if it is a visit." }),
  ),
  renderedById: optional("Who delivers the session."),
  renderedByFirstName: optional("The provider's first name."),
  renderedByLastName: optional("The provider's last name."),
  renderedByNpi: optional("The provider's NPI."),
  renderedByCredential: optional(
    "The type of the provider's first credential that has not expired when the session begins.",
  ),
  supervisedById: optional(
    "The session's clinician, else the patient's primary clinician; null if that is who delivers it.",
  ),
  supervisedByFirstName: optional("The supervisor's first name."),
  supervisedByLastName: optional("The supervisor's last name."),
  supervisedByNpi: optional("The supervisor's NPI."),
  localStart: optional("When the session begins in `timezone`, such as `2026-03-05T10:00`."),
  localEnd: optional("When the session ends in `timezone`."),
  patientSex: optional("The patient's sex."),
  ...addressOf("patient", "the patient"),
  insuredBirthDate: Nullable(
    CalendarDateField({ description: "The date of birth of the insured person." }),
  ),
  ...addressOf("insured", "the insured person"),
  claimFrequencyCode: Nullable(
    ShortTextField({
      description:
        "What a hand-over is: `1` an original, `7` a replacement, `8` a void of the claim that stands (CLM05-3); null if nothing is to be handed over.",
    }),
  ),
  replacesBatch: optional("With `7` and `8`: the batch of the claim that stands."),
  replacesUnits: Nullable(
    Type.Number({ minimum: 0, description: "With `7` and `8`: the units of that claim." }),
  ),
};

const HandedOver = Type.Object(handedOverFields);
export type HandedOver = Static<typeof HandedOver>;
export type HandedOverField = keyof HandedOver;
/** What is known of an encounter, whatever was handed over of it. */
export type KnownLine = Omit<HandedOver, "claimFrequencyCode" | "replacesBatch" | "replacesUnits">;

export const handedOverNames = Object.keys(handedOverFields) as HandedOverField[];

/** A field that may be left out, but has no null where a line has none. */
function given(field: TSchema): TOptional<TSchema> {
  return Type.Optional(isNullable(field) ? field : { ...field, "x-null": "rejected" });
}

/** A line as another system may have stored it: with some of the fields. */
export const StoredLine = Type.Unsafe<Partial<HandedOver>>(
  Type.Object(
    Object.fromEntries(
      Object.entries(handedOverFields).map(([name, field]) => [name, given(field)]),
    ),
    { $id: "BilledLine", description: "The fields of a line as they were handed over." },
  ),
);

/** A hand-over of an encounter, as in a practice file. What is left out is as it is stored. */
export const HandOver = Type.Object({
  batch: Nullable(Type.String({ minLength: 1, maxLength: MAX_BATCH, trim: true })),
  at: Type.Optional(InstantField()),
  takenBackAt: Type.Optional(Nullable(InstantField())),
  line: Type.Optional(Nullable(StoredLine)),
});

/** The hand-overs of an encounter, the oldest first. */
export const Billed = Type.Array(HandOver, { maxItems: MAX_HAND_OVERS });

export type GivenHandOver = Static<typeof HandOver>;
/** The same as it is stored. */
export type StoredHandOver = Required<GivenHandOver>;
