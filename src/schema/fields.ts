import {
  FormatRegistry,
  type SchemaOptions,
  type TArray,
  type TNull,
  type TObject,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
  Type,
} from "@sinclair/typebox";
import { type CalendarDate, parseCalendarDate } from "../lib/calendar-date.ts";
import { isEmail } from "../lib/email.ts";
import { type Instant, parseInstant } from "../lib/instant.ts";
import { isDeliverableUsPhone } from "../lib/phone.ts";
import { searchTerms } from "../lib/text.ts";
import { parseTimeZone, type TimeZone } from "../lib/time-zone.ts";
import type { IssueCode } from "../lib/errors.ts";

/**
 * The field types that every model is made of, as TypeBox types: one declaration gives the static type, the
 * validation and the OpenAPI document.
 */

/** What an id in a path may look like; ids in queries and bodies are opaque. */
const PUBLIC_ID = "^[A-Za-z0-9_-]{1,128}$";
/** Without `-`, which stands for no organization on the command line and in printed heads of the audit trail. */
const ORGANIZATION_ID = `^(?!-$)${PUBLIC_ID.slice(1)}`;
const GOAL_ID = "^(?=goal_)[A-Za-z0-9_-]{1,128}$";

/** A search for all that is known of somebody takes fewer; each is looked for in every text. */
const MAX_SEARCH_TERMS = 10;

/**
 * How long things may be, in requests and practice files alike: a record of texts without an end would make every
 * page that shows it one. Answers are not held to it, since what was stored earlier may be longer.
 */
export const MAX_SHORT_TEXT = 200;
const MAX_ADDRESS = 254;
const MAX_FREE_TEXT = 10_000;
const MAX_LIST = 500;

/** What a string of a certain `format` must be, beyond being a string. */
export interface TextFormat {
  /** Whether a text has the format. */
  check(text: string): boolean;
  /** The canonical form of a text that has the format, where several texts are one value; else undefined. */
  parse?(text: string): string | undefined;
  code: IssueCode;
  message: string;
}

export const textFormats: Record<string, TextFormat> = {
  date: {
    check: (text) => parseCalendarDate(text) !== undefined,
    code: "custom",
    message: "Must be a calendar date that exists, written YYYY-MM-DD",
  },
  "date-time": {
    ...readBy(parseInstant),
    code: "invalid_date",
    message: "Must be an ISO 8601 timestamp with Z or an offset, such as 2025-03-01T14:00:00.000Z",
  },
  "time-zone": {
    ...readBy(parseTimeZone),
    code: "custom",
    message: "Must be an IANA time zone identifier, such as America/New_York",
  },
  email: {
    check: isEmail,
    code: "invalid_string",
    message: "Invalid email",
  },
  "us-phone": {
    check: isDeliverableUsPhone,
    code: "custom",
    message: "Must be a deliverable US phone number in E.164 format, such as +14155552671",
  },
  search: {
    check: (text) => searchTerms(text).length <= MAX_SEARCH_TERMS,
    code: "too_big",
    message: `Must contain at most ${MAX_SEARCH_TERMS} different terms`,
  },
  "public-id": {
    check: matching(PUBLIC_ID),
    code: "custom",
    message: "Must be an id of 1 to 128 letters, digits, underscores or hyphens",
  },
  "goal-id": {
    check: matching(GOAL_ID),
    code: "custom",
    message: 'Must be a goal id: "goal_" and letters, digits, underscores or hyphens',
  },
};

function readBy(parse: (text: string) => string | undefined): Pick<TextFormat, "check" | "parse"> {
  return { parse, check: (text) => parse(text) !== undefined };
}

function matching(pattern: string): (text: string) => boolean {
  const expression = new RegExp(pattern);
  return (text) => expression.test(text);
}

for (const [name, { check }] of Object.entries(textFormats)) FormatRegistry.Set(name, check);

type Notes = Pick<SchemaOptions, "description" | "examples" | "default">;

// `Type.Unsafe` below gives a text a type of its own, such as `CalendarDate`: what is checked is the schema within.

/** A name, a title, an id or another text of a few words, of at most 200 characters. */
export function ShortTextField(notes: Notes & { minLength?: number } = {}): TString {
  return Type.String({ maxLength: MAX_SHORT_TEXT, ...notes });
}

/** The line of an address, a host or an email address that need not look like one, of at most 254 characters. */
export function AddressTextField(notes: Notes = {}): TString {
  return Type.String({ maxLength: MAX_ADDRESS, ...notes });
}

/** What somebody writes in sentences, of at most 10,000 characters. */
export function FreeTextField(notes: Notes & { minLength?: number } = {}): TString {
  return Type.String({ maxLength: MAX_FREE_TEXT, ...notes });
}

/** A list of at most 500 elements. */
export function ListField<Item extends TSchema>(item: Item, notes: Notes = {}): TArray<Item> {
  return Type.Array(item, { maxItems: MAX_LIST, ...notes });
}

/** A date without a time, `YYYY-MM-DD`. */
export function CalendarDateField(notes: Notes = {}): TUnsafe<CalendarDate> {
  return Type.Unsafe<CalendarDate>(Type.String({ format: "date", ...notes }));
}

/** A moment; any offset is taken, and UTC with milliseconds is answered. */
export function InstantField(notes: Notes = {}): TUnsafe<Instant> {
  return Type.Unsafe<Instant>(Type.String({ format: "date-time", ...notes }));
}

/** An IANA time zone identifier in the database's own letter case. */
export function TimeZoneField(notes: Notes = {}): TUnsafe<TimeZone> {
  return Type.Unsafe<TimeZone>(Type.String({ format: "time-zone", ...notes }));
}

export function EmailField(notes: Notes = {}): TString {
  return Type.String({ format: "email", maxLength: MAX_ADDRESS, ...notes });
}

/** A number in E.164 at which somebody in the United States can be reached. */
export function UsPhoneField(notes: Notes = {}): TString {
  return Type.String({ format: "us-phone", pattern: "^\\+1[0-9]{10}$", ...notes });
}

/** Terms that are searched for, separated by white space. */
export function SearchField(notes: Notes = {}): TString {
  return Type.String({ maxLength: MAX_SHORT_TEXT, format: "search", ...notes });
}

/** A person's name: surrounding white space is not part of it, nor of its length. */
export function NameField(minLength: number, notes: Notes = {}): TString {
  return Type.String({ minLength, maxLength: MAX_SHORT_TEXT, trim: true, ...notes });
}

/**
 * One of a closed set of texts, matched exactly. `enum` names them once more, since `anyOf` reads poorly in a document.
 * One that may be null somewhere has an `$id`, by which it is one component of the document and one type of a client.
 */
export function EnumField<const Value extends string>(
  values: readonly Value[],
  notes: Notes & { $id?: string } = {},
): TUnsafe<Value> {
  const literals = values.map((value) => Type.Literal(value));
  // TypeBox finds no type of a union of which it does not know how many members there are.
  return Type.Unsafe<Value>(Type.Union(literals, { enum: [...values], ...notes }));
}

/**
 * Some of a closed set of texts, with commas between them: the values of `valuesOfList`. A parameter of a query is one
 * text, so this is no list.
 */
export function EnumListField<const Value extends string>(
  values: readonly Value[],
  notes: Notes = {},
): TUnsafe<EnumList<Value>> {
  const value = `(${values.join("|")})`;
  return Type.Unsafe<EnumList<Value>>(
    Type.String({
      pattern: `^${value}(,${value})*$`,
      "x-code": "invalid_enum_value",
      "x-message": `Invalid enum value. Expected ${expectedValues(values)}, or several with commas between them`,
      ...notes,
    }),
  );
}

export type EnumList<Value extends string> = Value | `${Value},${string}`;

/** The values of such a text, each once. */
export function valuesOfList<Value extends string>(list: EnumList<Value>): Value[] {
  return [...new Set(list.split(",") as Value[])];
}

/** The values of a closed set as a refusal names them. */
export function expectedValues(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(" | ");
}

/** A value or null. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> {
  return Type.Union([schema, Type.Null()]);
}

export function PublicIdField(notes: Notes = {}): TString {
  return Type.String({ format: "public-id", pattern: PUBLIC_ID, ...notes });
}

export function OrganizationIdField(notes: Notes = {}): TString {
  return Type.String({
    ...{ format: "public-id", pattern: ORGANIZATION_ID },
    "x-message": "Must not be -, which stands for no organization",
    ...notes,
  });
}

export function GoalIdField(notes: Notes = {}): TString {
  return Type.String({ format: "goal-id", pattern: GOAL_ID, ...notes });
}

/** An object of exactly one of several kinds, in an answer. */
export function OneOf<Kinds extends TSchema[]>(
  kinds: [...Kinds],
  notes: Notes & { $id?: string } = {},
): TUnion<Kinds> {
  return Type.Union(kinds, notes) as TUnion<Kinds>;
}

/** An object of exactly one of several kinds, told apart by a property that each kind gives its own value. */
export function DiscriminatedUnion<Kinds extends TSchema[]>(
  propertyName: string,
  kinds: [...Kinds],
  notes: Notes & { $id?: string } = {},
): TUnion<Kinds> {
  return Type.Union(kinds, { discriminator: { propertyName }, ...notes }) as TUnion<Kinds>;
}

/**
 * An object that contains others of its own kind. Their type is given, as the type of `Self`: TypeBox finds it, but not
 * one that users of the schema can read.
 */
export function RecursiveObject<Whole, Fields extends TProperties>(
  $id: string,
  fields: (Self: TUnsafe<Whole>) => Fields,
): TObject<Fields> {
  const schema = Type.Recursive((Self) => Type.Object(fields(Type.Unsafe<Whole>(Self))), { $id });
  return schema as TSchema as TObject<Fields>;
}

/** The `isActive` parameter of a list: only active rows, only soft-deleted ones, or both when left out. */
export function IsActiveParameter() {
  return EnumField(["true", "false"], {
    description:
      "`true` for active ones only, `false` for soft-deleted ones only; both when left out.",
  });
}

/** The filter that an `isActive` parameter asks for. */
export function isActiveFilter(parameter: "true" | "false" | undefined): { isActive?: boolean } {
  return parameter === undefined ? {} : { isActive: parameter === "true" };
}
