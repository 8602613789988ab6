import type { IssueCode } from "../../../src/lib/errors.ts";

/** Kinds of inputs: which values each refuses, and with which words. Written apart from the schemas, as their oracle. */

type Refusal = readonly [value: unknown, code: IssueCode, message: string];

export interface Kind {
  /** Its type in JSON. A query has texts and integers only. */
  type: "string" | "integer" | "number" | "boolean" | "array" | "object";
  refused: readonly Refusal[];
  /** A value of the greatest length. */
  longest?: unknown;
  /** Whether one parameter holds several values, which programs tend to send as several parameters. */
  isSeveral?: boolean;
  fields?: Fields;
  item?: Field;
}

/** A field of a body: its kind, and whether a new record needs it. */
export type Field = Kind & { isRequired?: boolean; isNeverNull?: boolean };

export type Fields = Record<string, Field>;

/** Neither absent nor null in a new record; never null in an update. */
export const required = (kind: Kind): Field => ({ ...kind, isRequired: true, isNeverNull: true });

/** Absent in an update, or a value; never null. */
export const neverNull = (kind: Kind): Field => ({ ...kind, isNeverNull: true });

function refusing(code: IssueCode, message: string, values: readonly unknown[]): Refusal[] {
  return values.map((value) => [value, code, message]);
}

/** Texts that no input may contain. */
export const FORBIDDEN = "Must not contain U+0000 or an unpaired surrogate";
const forbidden = refusing("custom", FORBIDDEN, ["a\0b", "\0", "\ud800", "a\udc00b"]);

const tooShort = (least: number, values: readonly string[]) =>
  refusing("too_small", `String must contain at least ${least} character(s)`, values);

const tooLong = (most: number, text: string) =>
  refusing("too_big", `String must contain at most ${most} character(s)`, [text]);

export const text = (most = 200): Kind => ({
  type: "string",
  refused: [...forbidden, ...tooLong(most, "x".repeat(most + 1))],
  longest: "x".repeat(most),
});

export const prose = text(10_000);

/** A text that is not empty. */
export const filled = (kind: Kind): Kind => ({
  ...kind,
  refused: [...kind.refused, ...tooShort(1, [""])],
});

/** A name of a person or thing, whose surrounding white space does not count. */
export const name = (least: number): Kind => ({
  ...text(),
  refused: [
    ...text().refused,
    ...tooShort(least, [
      "",
      " \t\u00a0\u2003\n",
      "\u200b\u00ad",
      "\u2800 \u3164",
      ...(least > 1 ? ["L", "  L \n", "ñ"] : []),
    ]),
  ],
});

/** A text with a rule of its own. */
const form = (code: IssueCode, message: string, values: readonly string[]): Kind => ({
  type: "string",
  refused: [...forbidden, ...refusing(code, message, values)],
});

/** A text of a parameter that has a form of its own. */
export const matching = (message: string, values: readonly string[]) =>
  form("custom", message, values);

export const publicId = matching(
  "Must be an id of 1 to 128 letters, digits, underscores or hyphens",
  ["a/b", "/", "a.b", "a b", " a", "a\n", "Muñoz", "a'b", "*", "a%b", "a;b", "x".repeat(129)],
);

const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`).join(" | ");

const otherWords = ([value = ""]: readonly string[]) => [
  ...["", "NOPE", " ", `${value} `, ` ${value}`, `${value},${value.slice(1)}`],
  value === value.toLowerCase() ? value.toUpperCase() : value.toLowerCase(),
];

export const oneOf = (values: readonly string[]): Kind =>
  form("invalid_enum_value", `Invalid enum value. Expected ${quoted(values)}`, otherWords(values));

/** Several values in one parameter. */
export const severalOf = (values: readonly string[], eachOnce = false): Kind => ({
  ...form(
    "invalid_enum_value",
    `Invalid enum value. Expected ${quoted(values)}, or several with commas between them${eachOnce ? ", each once" : ""}`,
    [
      ...[...otherWords(values), `${values[0]},`, `,${values[0]}`, `${values[0]}, ${values[1]}`],
      ...(eachOnce ? [`${values[0]},${values[1]},${values[0]}`] : []),
    ],
  ),
  isSeveral: true,
});

export const yesOrNo = oneOf(["true", "false"]);

const longEmail = (length: number) =>
  `${"l".repeat(60)}@${`${"d".repeat(62)}.`.repeat(4)}`.slice(0, length - 6) + "d.test";

export const email: Kind = {
  ...form("invalid_string", "Invalid email", [
    ...["", "ana", "ana@", "ana@localhost", " ana@maple.example"],
    `${"a".repeat(65)}@maple.example`,
  ]),
  longest: longEmail(254),
};
email.refused = [...email.refused, ...tooLong(254, longEmail(255))];

export const phone = form(
  "custom",
  "Must be a deliverable US phone number in E.164 format, such as +14155552671",
  [
    ...["", "4155552671", "+1 415 555 2671", "+16042345678", "+12025550123", "+18005551234"],
    ...["+12345678901", "+12222222222"],
  ],
);

export const date = form("custom", "Must be a calendar date that exists, written YYYY-MM-DD", [
  ...["", "2024-02-30", "2026-02-29", "2024-2-3", "2024-02-3", "0000-01-01", "2024-13-01"],
  ...["2024-00-10", "2024-01-00", "20240203", "2024/02/03", "03-02-2024", "2024-02-03T00:00:00Z"],
  ...["2024-02-03 ", " 2024-02-03", "2024-02-03\n", "+002024-02-03", "-2024-02-03", "12024-02-03"],
  ...["2024-02", "2024-W05-6", "24-02-03", "٢024-02-03", "today", "0", "1707000000", "null", "%"],
]);

const TOO_EARLY = "Must not be before 1900";

/** A date that is stored. */
export const writtenDate: Kind = {
  ...date,
  refused: [
    ...date.refused,
    ...refusing("custom", TOO_EARLY, ["0019-04-05", "0001-01-01", "1899-12-31"]),
  ],
};

export const month = form("custom", "Must be a calendar month, written YYYY-MM", [
  ...["2026-13", "2026-00", "0000-01", "2026-3", "2026-03-01", "", "march"],
]);

export const instant = form(
  "invalid_date",
  "Must be an ISO 8601 timestamp with Z or an offset, such as 2025-03-01T14:00:00.000Z",
  [
    ...["", "2026-03-01", "2025-02-29T00:00:00Z", "2026-03-01T09:00:00", "2025-03-01T24:00:00Z"],
    "tomorrow",
  ],
);

/** An instant that is stored. */
export const writtenInstant: Kind = {
  ...instant,
  refused: [
    ...instant.refused,
    ...refusing("custom", TOO_EARLY, [
      ...["0026-12-02T15:00:00.000Z", "0026-12-02T15:00:00-05:00", "1899-12-31T23:59:59.999Z"],
      "1900-01-01T04:59:00+05:00",
    ]),
  ],
};

export const timeZone = form(
  "custom",
  "Must be an IANA time zone identifier, such as America/New_York",
  [
    ...[
      "+05:00",
      "-05:00",
      "+0500",
      "Z",
      "GMT+5",
      "UTC+05:00",
      "UTC-5",
      "PST",
      "EDT",
      "utc",
      "Utc",
    ],
    ...["america/new_york", "AMERICA/NEW_YORK", "America", "New_York", "", " ", "0", "Factory"],
    ...["America/New_York ", " America/New_York", "America/New York", "America/New_York\n"],
    ...["Etc/GMT 5", "Europe/Atlantis", "Eastern Standard Time", "posix/UTC", "../UTC", "null"],
    ...["EST5EDT,M3.2.0,M11.1.0", "constructor", "undefined"],
  ],
);

export const toggle: Kind = { type: "boolean", refused: [] };
export const number: Kind = { type: "number", refused: [] };

const atLeast = (least: number, values: readonly number[]) =>
  refusing("too_small", `Number must be greater than or equal to ${least}`, values);

const moreThan0 = (values: readonly number[]) =>
  refusing("too_small", "Number must be greater than 0", values);

export const positive: Kind = { type: "number", refused: moreThan0([0, -0.001, -1]) };
export const notNegative: Kind = { type: "number", refused: atLeast(0, [-0.001]) };

const LARGEST = Number.MAX_SAFE_INTEGER;

const integer = (refused: readonly Refusal[]): Kind => ({
  type: "integer",
  refused: [
    ...refusing("invalid_type", "Expected integer, received float", [1.5, 0.5]),
    ...refusing("too_big", `Number must be less than or equal to ${LARGEST}`, [LARGEST + 1, 1e300]),
    ...refused,
  ],
});

export const count = integer(atLeast(0, [-1]));
export const positiveCount = integer(moreThan0([0, -1]));
export const place = integer(atLeast(-LARGEST, [-LARGEST - 1]));

/** A list of at most 500 elements. */
export const list = (item: Kind, elementOf: (index: number) => unknown): Kind => ({
  type: "array",
  refused: refusing("too_big", "Array must contain at most 500 element(s)", [
    Array.from({ length: 501 }, (_, index) => elementOf(index)),
  ]),
  longest: Array.from({ length: 500 }, (_, index) => elementOf(index)),
  item: neverNull(item),
});

export const ids = list(text(), (index) => `id_${index}`);

export const object = (fields: Fields): Kind => ({ type: "object", refused: [], fields });

export type Path = readonly (string | number)[];

export interface Place {
  path: Path;
  field: Field;
}

/** Every field with its path; of lists the first element. */
export function* placesIn(fields: Fields, above: Path = []): Generator<Place> {
  for (const [name, field] of Object.entries(fields)) yield* placesOf(field, [...above, name]);
}

export function* placesOf(field: Field, path: Path): Generator<Place> {
  yield { path, field };
  if (field.fields !== undefined) yield* placesIn(field.fields, path);
  if (field.item !== undefined) yield* placesOf(field.item, [...path, 0]);
}
