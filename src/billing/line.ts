import { type Static, type TOptional, type TSchema, Type } from "@sinclair/typebox";
import { isNullable } from "../schema/cleaning.ts";
import {
  CalendarDateField,
  InstantField,
  Nullable,
  PublicIdField,
  ShortTextField,
  TimeZoneField,
} from "../schema/fields.ts";

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

const OptionalText = Nullable(ShortTextField());
const OptionalId = Nullable(PublicIdField());

/** The fields of a line that are handed over, in the order of the columns. */
export const handedOverFields = {
  date: CalendarDateField(),
  timezone: TimeZoneField(),
  startTime: Nullable(InstantField()),
  endTime: Nullable(InstantField()),
  minutes: Nullable(Type.Integer({ minimum: 0 })),
  patientId: PublicIdField(),
  patientFirstName: ShortTextField(),
  patientLastName: ShortTextField(),
  patientBirthDate: Nullable(CalendarDateField()),
  internalRecordId: OptionalText,
  payorId: OptionalId,
  payorName: OptionalText,
  memberId: OptionalText,
  groupId: OptionalText,
  planHolder: OptionalText,
  relationshipToPatient: OptionalText,
  priority: OptionalText,
  authorizationId: PublicIdField(),
  authorizationNumber: ShortTextField(),
  poolId: OptionalId,
  serviceLineId: PublicIdField(),
  serviceLineName: ShortTextField(),
  code: Nullable(ProcedureCode),
  modifiers: Modifiers,
  placeOfService: OptionalText,
  placeOfServiceCode: OptionalText,
  units: Type.Number({ minimum: 0 }),
  billingUnitMinutes: Nullable(Type.Integer({ minimum: 1 })),
  renderedById: OptionalId,
  renderedByFirstName: OptionalText,
  renderedByLastName: OptionalText,
  renderedByNpi: OptionalText,
  renderedByCredential: OptionalText,
  supervisedById: OptionalId,
  supervisedByFirstName: OptionalText,
  supervisedByLastName: OptionalText,
  supervisedByNpi: OptionalText,
};

const HandedOver = Type.Object(handedOverFields);
export type HandedOver = Static<typeof HandedOver>;
export type HandedOverField = keyof HandedOver;

export const handedOverNames = Object.keys(handedOverFields) as HandedOverField[];

/** A field that may be left out, but has no null where a line has none. */
function given(field: TSchema): TOptional<TSchema> {
  return Type.Optional(isNullable(field) ? field : { ...field, "x-null": "rejected" });
}

/** A line as another system may have stored it: with some of the fields. */
const StoredLine = Type.Object(
  Object.fromEntries(Object.entries(handedOverFields).map(([name, field]) => [name, given(field)])),
);

/** The maximum length of a batch's name. */
const MAX_BATCH = 100;

/** What was handed over of an encounter, as in a practice file. */
export const Billed = Type.Object({
  batch: Type.String({ minLength: 1, maxLength: MAX_BATCH, trim: true }),
  at: Type.Optional(InstantField()),
  line: Type.Optional(Nullable(Type.Unsafe<Partial<HandedOver>>(StoredLine))),
});
