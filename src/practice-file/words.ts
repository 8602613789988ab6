import type { Messages } from "../schema/explanation.ts";

/**
 * Messages for mistakes in a line, for office staff rather than programmers. Each continues the name of the field, or
 * the refused value.
 */
export const OFFICE_MESSAGES: Messages = {
  required: "is required",
  wrongType: (expected, value) =>
    value === null ? "is required" : (TYPES.get(expected) ?? `must be ${expected}`),
  fraction: "must be a whole number",
  notOneOf: (values, name) => `is no ${name}: ${values.join(", ")}`,
  otherLiteral: (expected) => `must be ${String(expected)}`,
  noKind: (values, name) =>
    values.includes(true) ? YES_OR_NO : `is no ${name}: ${values.join(", ")}`,
  tooShort: (length) =>
    length === 1 ? "must not be empty" : `must have at least ${length} characters`,
  tooLong: (length) => `must have at most ${length.toLocaleString("en-US")} characters`,
  tooFew: (elements) => `must have at least ${elements} elements`,
  tooMany: (elements) => `must have at most ${elements.toLocaleString("en-US")} elements`,
  below: (minimum) => `must be ${minimum} or more`,
  notAbove: (minimum) => `must be more than ${minimum}`,
  above: (maximum) => `must be ${maximum} or less`,
  infinite: "must be a number",
  otherFormat: (format, message) => FORMATS[format] ?? message,
  forbiddenCharacter: "must not contain U+0000 or an unpaired surrogate",
  nestedTooDeeply: "is nested too deeply",
  unknownField: "is no field of this record",
  listsFieldsOfMissing: false,
};

const YES_OR_NO = "must be yes or no";

/** The required type of a value, by the name of the type in the schema. */
const TYPES = new Map([
  ["boolean", YES_OR_NO],
  ["string", "must be text"],
  ["number", "must be a number"],
  ["integer", "must be a whole number"],
  ["array", "must be a list"],
  ["object", "must be an object"],
]);

const FORMATS: Record<string, string> = {
  date: "must be a date that exists, such as 2026-03-01",
  "date-time": "must be a time with Z or an offset, such as 2026-03-01T14:00:00Z",
  "time-zone": "must be a time zone, such as America/New_York",
  "public-id": "must be an id of 1 to 128 letters, digits, underscores or hyphens",
  "goal-id": "must be an id that begins with goal_, of letters, digits, underscores or hyphens",
};
