import {
  FormatRegistry,
  Kind,
  type SchemaOptions,
  type TArray,
  type TNull,
  type TObject,
  type TProperties,
  type TSchema,
  type TString,
  type TThis,
  type TUnion,
  type TUnsafe,
  Type,
} from "@sinclair/typebox";
import { type CalendarDate, parseCalendarDate, parseMonth } from "../lib/calendar-date.ts";
import { isEmail } from "../lib/email.ts";
import { type Instant, parseInstant } from "../lib/instant.ts";
import { isDeliverableUsPhone } from "../lib/phone.ts";
import { searchTerms } from "../lib/text.ts";
import { parseTimeZone, type TimeZone } from "../lib/time-zone.ts";
import { InvalidInput, type IssueCode } from "../lib/errors.ts";

/** Field types of all models, as TypeBox schemas: static type, validation and OpenAPI in one declaration. */

/** The form of ids in paths. Ids in queries and bodies are opaque. */
const PUBLIC_ID = "^[A-Za-z0-9_-]{1,128}$";
/** With commas between them. How many there may be, `idsOfList` says. */
const PUBLIC_IDS = "^[A-Za-z0-9_-]{1,128}(,[A-Za-z0-9_-]{1,128})*$";
/** Excludes `-`, which stands for "no organization" on the command line and in printed heads of the audit trail. */
const ORGANIZATION_ID = `^(?!-$)${PUBLIC_ID.slice(1)}`;
const GOAL_ID = "^(?=goal_)[A-Za-z0-9_-]{1,128}$";

/** Each term is compared with every user's text. Ten exceed what is useful to find a person. */
const MAX_SEARCH_TERMS = 10;

/**
 * Maximum lengths of input, in requests and practice files. They bound the size of pages. Responses are not checked,
 * since records stored earlier may be longer.
 */
export const MAX_SHORT_TEXT = 200;
const MAX_ADDRESS = 254;
const MAX_FREE_TEXT = 10_000;
const MAX_LIST = 500;
/** Distinct ids in a query. */
const MAX_IDS = 100;

/** The rules of a string `format`. */
export interface TextFormat {
  /** Whether a text is valid. */
  accepts(text: string): boolean;
  /** The canonical form of a valid text, for formats in which different texts denote the same value. */
  parse?(text: string): string | undefined;
  code: IssueCode;
  message: string;
}

export const textFormats: Record<string, TextFormat> = {
  date: {
    accepts: (text) => parseCalendarDate(text) !== undefined,
    code: "custom",
    message: "Must be a calendar date that exists, written YYYY-MM-DD",
  },
  month: {
    accepts: (text) => parseMonth(text) !== undefined,
    code: "custom",
    message: "Must be a calendar month, written YYYY-MM",
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
    accepts: isEmail,
    code: "invalid_string",
    message: "Invalid email",
  },
  "us-phone": {
    accepts: isDeliverableUsPhone,
    code: "custom",
    message: "Must be a deliverable US phone number in E.164 format, such as +14155552671",
  },
  search: {
    accepts: (text) => searchTerms(text).length <= MAX_SEARCH_TERMS,
    code: "too_big",
    message: `Must contain at most ${MAX_SEARCH_TERMS} different terms`,
  },
  "public-id": {
    accepts: matching(PUBLIC_ID),
    code: "custom",
    message: "Must be an id of 1 to 128 letters, digits, underscores or hyphens",
  },
  "public-ids": {
    accepts: matching(PUBLIC_IDS),
    code: "custom",
    message:
      "Must be ids of 1 to 128 letters, digits, underscores or hyphens, with commas between them",
  },
  "goal-id": {
    accepts: matching(GOAL_ID),
    code: "custom",
    message: 'Must be a goal id: "goal_" and letters, digits, underscores or hyphens',
  },
};

function readBy(
  parse: (text: string) => string | undefined,
): Pick<TextFormat, "accepts" | "parse"> {
  return { parse, accepts: (text) => parse(text) !== undefined };
}

function matching(pattern: string): (text: string) => boolean {
  const expression = new RegExp(pattern);
  return (text) => expression.test(text);
}

for (const [name, { accepts }] of Object.entries(textFormats)) FormatRegistry.Set(name, accepts);

type Notes = Pick<SchemaOptions, "description" | "examples" | "default"> & {
  /** Of an optional parameter: what the documentation page fills in. */
  example?: string;
};

// `Type.Unsafe` below sets the static type, such as `CalendarDate`; the wrapped schema is what is checked.

/** A short text, such as a name, title or id; at most 200 characters. */
export function ShortTextField(notes: Notes & { minLength?: number } = {}): TString {
  return Type.String({ maxLength: MAX_SHORT_TEXT, ...notes });
}

/** A line of a postal address, a host, or an email address that is not validated; at most 254 characters. */
export function AddressTextField(notes: Notes & { trim?: true } = {}): TString {
  return Type.String({ maxLength: MAX_ADDRESS, ...notes });
}

/** Prose; at most 10,000 characters. */
export function FreeTextField(notes: Notes & { minLength?: number } = {}): TString {
  return Type.String({ maxLength: MAX_FREE_TEXT, ...notes });
}

/** A list; at most 500 elements. */
export function ListField<Item extends TSchema>(item: Item, notes: Notes = {}): TArray<Item> {
  return Type.Array(item, { maxItems: MAX_LIST, ...notes });
}

/** A date without a time, `YYYY-MM-DD`. */
export function CalendarDateField(notes: Notes = {}): TUnsafe<CalendarDate> {
  return Type.Unsafe<CalendarDate>(Type.String({ format: "date", ...notes }));
}

/** A month, such as `2026-02`. */
export function MonthField(notes: Notes = {}): TString {
  return Type.String({ format: "month", pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$", ...notes });
}

/** An instant. Input may have any offset; output is UTC with milliseconds. */
export function InstantField(notes: Notes = {}): TUnsafe<Instant> {
  return Type.Unsafe<Instant>(Type.String({ format: "date-time", ...notes }));
}

/** What is dated earlier is a slip, such as the year 26 for 2026, which nobody would find again. */
export const FIRST_YEAR = 1900;
const SINCE_FIRST_YEAR = {
  pattern: "^(19|[2-9][0-9])",
  "x-message": `Must not be before ${FIRST_YEAR}`,
};

/** A date that is written; `CalendarDateField` is one that is asked for, or was written before. */
export function WrittenDateField(notes: Notes = {}): TUnsafe<CalendarDate> {
  return CalendarDateField({ ...SINCE_FIRST_YEAR, ...notes });
}

/** An instant that is written; `InstantField` is one that is asked for, or was written before. */
export function WrittenInstantField(notes: Notes = {}): TUnsafe<Instant> {
  return InstantField({ ...SINCE_FIRST_YEAR, ...notes });
}

/** An IANA time zone identifier in the database's own letter case. */
export function TimeZoneField(notes: Notes = {}): TUnsafe<TimeZone> {
  return Type.Unsafe<TimeZone>(Type.String({ format: "time-zone", ...notes }));
}

export function EmailField(notes: Notes = {}): TString {
  return Type.String({ format: "email", maxLength: MAX_ADDRESS, ...notes });
}

/** A deliverable United States phone number in E.164; see `isDeliverableUsPhone`. */
export function UsPhoneField(notes: Notes = {}): TString {
  return Type.String({ format: "us-phone", pattern: "^\\+1([2-9][0-9]{2}){2}[0-9]{4}$", ...notes });
}

/** Search terms, separated by white space. */
export function SearchField(notes: Notes = {}): TString {
  return Type.String({ maxLength: MAX_SHORT_TEXT, format: "search", ...notes });
}

/** A person's name. Surrounding white space is removed before the length is checked. */
export function NameField(minLength: number, notes: Notes = {}): TString {
  return NameOfRecordField({ minLength, trim: true, ...notes });
}

/** A name of what is no person. White space around it is kept: other systems may compare it. */
export function NameOfRecordField(notes: Notes & { minLength?: number; trim?: true } = {}) {
  return Type.String({ minLength: 1, maxLength: MAX_SHORT_TEXT, visible: true, ...notes });
}

/**
 * One of a fixed set of texts, case-sensitive. `enum` repeats them because `anyOf` reads poorly in documentation. A set
 * that is nullable anywhere needs an `$id`, so that OpenAPI has one component, and generated clients one type, for it.
 */
export function EnumField<const Value extends string>(
  values: readonly Value[],
  notes: Notes & { $id?: string } = {},
): TUnsafe<Value> {
  const literals = values.map((value) => Type.Literal(value));
  // TypeBox cannot infer the type of a union whose number of members is not known at compile time.
  return Type.Unsafe<Value>(Type.Union(literals, { enum: [...values], ...notes }));
}

/**
 * Several values of an `EnumField`, separated by commas in one query parameter, which OpenAPI describes as a list. Split
 * with `valuesOfList`.
 *
 * @param eachOnce whether a value that is named twice is refused.
 */
export function EnumListField<Value extends string>(
  item: TUnsafe<Value>,
  { eachOnce = false, ...notes }: Notes & { eachOnce?: boolean } = {},
): TUnsafe<EnumList<Value>> {
  const values = item.enum as Value[];
  const value = `(${values.join("|")})`;
  const twice = eachOnce ? "(?!.*\\b(\\w+)\\b.*\\b\\1\\b)" : "";
  return Type.Unsafe<EnumList<Value>>(
    Type.String({
      pattern: `^${twice}${value}(,${value})*$`,
      "x-item": item,
      "x-once": eachOnce,
      "x-code": "invalid_enum_value",
      "x-message": `Invalid enum value. Expected ${expectedValues(values)}, or several with commas between them${eachOnce ? ", each once" : ""}`,
      ...notes,
    }),
  );
}

export type EnumList<Value extends string> = Value | `${Value},${string}`;

/** The distinct values of an `EnumListField`. */
export function valuesOfList<Value extends string>(list: EnumList<Value>): Value[] {
  return [...new Set(list.split(",") as Value[])];
}

/** The values of a fixed set, quoted for an error message. */
export function expectedValues(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(" | ");
}

/** A value or null. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> {
  return Type.Union([schema, Type.Null()]);
}

/** A parameter that is `true` or `false`, which is the default. */
export function falseUnlessSaid(description: string) {
  return Type.Optional(EnumField(["true", "false"], { default: "false", description }));
}

export function PublicIdField(notes: Notes = {}): TString {
  return Type.String({ format: "public-id", pattern: PUBLIC_ID, ...notes });
}

/**
 * Ids, separated by commas in one query parameter, which OpenAPI describes as a list. Split with `idsOfList`, which
 * limits their number.
 */
export function PublicIdListField(notes: Notes = {}): TString {
  return Type.String({
    ...{ format: "public-ids", pattern: PUBLIC_IDS, "x-item": PublicIdField() },
    ...notes,
  });
}

/**
 * The distinct ids of a `PublicIdListField` named `ids`.
 *
 * @throws InvalidInput if there are more than 100.
 */
export function idsOfList(list: string): string[] {
  const ids = [...new Set(list.split(","))];
  if (ids.length <= MAX_IDS) return ids;
  const message = `Must have at most ${MAX_IDS} different ids`;
  throw new InvalidInput([{ code: "too_big", message, path: ["ids"] }]);
}

export function OrganizationIdField(notes: Notes = {}): TString {
  return Type.String({
    ...{ format: "public-id", pattern: ORGANIZATION_ID },
    "x-message": "must not be -, which stands for no organization",
    ...notes,
  });
}

export function GoalIdField(notes: Notes = {}): TString {
  return Type.String({ format: "goal-id", pattern: GOAL_ID, ...notes });
}

/** An object of exactly one of several types, in a response. */
export function OneOf<Kinds extends TSchema[]>(
  kinds: [...Kinds],
  notes: Notes & { $id?: string } = {},
): TUnion<Kinds> {
  return Type.Union(kinds, notes) as TUnion<Kinds>;
}

/** An object of exactly one of several types, each with its own constant value of the discriminating property. */
export function DiscriminatedUnion<Kinds extends TSchema[]>(
  propertyName: string,
  kinds: [...Kinds],
  notes: Notes & { $id?: string } = {},
): TUnion<Kinds> {
  return Type.Union(kinds, { discriminator: { propertyName }, ...notes }) as TUnion<Kinds>;
}

/**
 * A reference to the schema that contains it, by its `$id`. `Type.Recursive` makes the same, but copies all of the
 * schema, which takes milliseconds of every start.
 */
export function Itself($id: string): TThis {
  return { [Kind]: "This", $ref: $id } as TThis;
}

/**
 * An object that contains objects of its own type. `Whole` is that type; the one TypeBox would infer is unreadable in
 * editors and error messages.
 */
export function RecursiveObject<Whole, Fields extends TProperties>(
  $id: string,
  fields: (Self: TUnsafe<Whole>) => Fields,
): TObject<Fields> {
  return Type.Object(fields(Type.Unsafe<Whole>(Itself($id))), { $id });
}

/** The `isActive` parameter of a list: only active rows, only soft-deleted ones, or both when left out. */
export function IsActiveParameter() {
  return EnumField(["true", "false"], {
    description:
      "`true` for active ones only, `false` for soft-deleted ones only; both when left out.",
  });
}

/** Converts an `isActive` parameter to a filter. */
export function isActiveFilter(parameter: "true" | "false" | undefined): { isActive?: boolean } {
  return parameter === undefined ? {} : { isActive: parameter === "true" };
}
