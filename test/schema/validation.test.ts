import { describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import type { Issue } from "../../src/lib/errors.ts";
import {
  CalendarDateField,
  EmailField,
  EnumField,
  GoalIdField,
  InstantField,
  NameField,
  PublicIdField,
  TimeZoneField,
  UsPhoneField,
} from "../../src/schema/fields.ts";
import { parse } from "../../src/schema/validation.ts";

/** `parse` of single fields: the resulting value or the issue. */

function issuesOf(schema: TSchema, input: unknown): Issue[] {
  const parsed = parse(schema, input);
  return "issues" in parsed ? parsed.issues : [];
}

/** The code and message for a field with `input`, or the resulting value. */
function resultOf(schema: TSchema, input: unknown): unknown {
  const parsed = parse(Type.Object({ field: schema }), { field: input });
  if ("value" in parsed) return { value: parsed.value.field };
  const [issue, ...others] = parsed.issues;
  expect([others, issue?.path]).toEqual([[], ["field"]]);
  return [issue?.code, issue?.message];
}

const forbidden = ["custom", "Must not contain U+0000 or an unpaired surrogate"];

describe("a string", () => {
  const text = Type.String();
  const short = Type.String({ minLength: 2, maxLength: 3 });
  const name = NameField(2);
  const letters = Type.String({ pattern: "^[a-z]+$" });
  const explained = Type.String({ pattern: "^[a-z]+$", "x-message": "Must be small letters" });
  const tooShort = ["too_small", "String must contain at least 2 character(s)"];
  const tooLong = ["too_big", "String must contain at most 3 character(s)"];

  test.each([
    ["any", text, "", { value: "" }],
    ["any, untrimmed", text, " Ana\n", { value: " Ana\n" }],
    ["any, in any script", text, "José 🙂", { value: "José 🙂" }],
    ["a number", text, 5, ["invalid_type", "Expected string, received number"]],
    ["a boolean", text, true, ["invalid_type", "Expected string, received boolean"]],
    ["null", text, null, ["invalid_type", "Expected string, received null"]],
    ["a list", text, ["a"], ["invalid_type", "Expected string, received array"]],
    ["an object", text, {}, ["invalid_type", "Expected string, received object"]],
    ["U+0000", text, "a\0b", forbidden],
    ["half a pair at the end", text, "a\ud83d", forbidden],
    ["half a pair at the start", text, "\ude42a", forbidden],
    ["a pair the wrong way round", text, "\ude42\ud83d", forbidden],
    ["minLength below", short, "a", tooShort],
    ["minLength at", short, "ab", { value: "ab" }],
    ["maxLength at", short, "abc", { value: "abc" }],
    ["maxLength above", short, "abcd", tooLong],
    ["an emoji is two units", short, "🙂", { value: "🙂" }],
    ["two emoji are four", short, "🙂🙂", tooLong],
    ["U+0000 before the length", short, "\0", forbidden],
    ["a name is trimmed", name, "\t Ana\u00a0\n", { value: "Ana" }],
    ["a name is trimmed before it is measured", name, "  a  ", tooShort],
    ["a name of white space", name, "    ", tooShort],
    ["white space within a name stays", name, "Ana  Ruiz", { value: "Ana  Ruiz" }],
    ["a pattern", letters, "abc", { value: "abc" }],
    ["another pattern", letters, "abC", ["custom", "Must match ^[a-z]+$"]],
    ["another pattern, explained", explained, "", ["custom", "Must be small letters"]],
  ])("%s", (_, schema, input, expected) => {
    expect(resultOf(schema, input)).toEqual(expected);
  });
});

describe("an enumeration", () => {
  const status = EnumField(["ON", "OFF"]);
  const refused = ["invalid_enum_value", "Invalid enum value. Expected 'ON' | 'OFF'"];
  test.each([
    ["ON", { value: "ON" }],
    ["on", refused],
    ["", refused],
    [" ON", refused],
    ["toString", refused],
    ["\0", forbidden],
    [1, ["invalid_type", "Expected string, received number"]],
  ])("%p", (input, expected) => {
    expect(resultOf(status, input)).toEqual(expected);
  });
});

describe("a string with a format", () => {
  const invalidDate = ["custom", "Must be a calendar date that exists, written YYYY-MM-DD"];
  const invalidInstant = [
    "invalid_date",
    "Must be an ISO 8601 timestamp with Z or an offset, such as 2025-03-01T14:00:00.000Z",
  ];
  const invalidTimeZone = [
    "custom",
    "Must be an IANA time zone identifier, such as America/New_York",
  ];
  const invalidEmail = ["invalid_string", "Invalid email"];
  const invalidPhone = [
    "custom",
    "Must be a deliverable US phone number in E.164 format, such as +14155552671",
  ];
  const noId = ["custom", "Must be an id of 1 to 128 letters, digits, underscores or hyphens"];
  const invalidGoalId = [
    "custom",
    'Must be a goal id: "goal_" and letters, digits, underscores or hyphens',
  ];
  test.each([
    [CalendarDateField(), "2024-02-29", { value: "2024-02-29" }],
    [CalendarDateField(), "2024-02-30", invalidDate],
    [CalendarDateField(), "", invalidDate],
    [CalendarDateField(), 20240229, ["invalid_type", "Expected string, received number"]],
    [InstantField(), "2025-03-01T09:00-05:00", { value: "2025-03-01T14:00:00.000Z" }],
    [InstantField(), "2025-03-01T14:00:00.123987Z", { value: "2025-03-01T14:00:00.123Z" }],
    [InstantField(), "2025-03-01", invalidInstant],
    [InstantField(), "2025-03-01T14:00:00", invalidInstant],
    [TimeZoneField(), "US/Pacific", { value: "US/Pacific" }],
    [TimeZoneField(), "us/pacific", invalidTimeZone],
    [TimeZoneField(), "+05:00", invalidTimeZone],
    [EmailField(), "Ana@Maple.example", { value: "Ana@Maple.example" }],
    [EmailField(), "", invalidEmail],
    [EmailField(), "ana", invalidEmail],
    [EmailField(), "a\0@maple.example", forbidden],
    [UsPhoneField(), "+14155552671", { value: "+14155552671" }],
    [UsPhoneField(), "14155552671", invalidPhone],
    [PublicIdField(), "usr_1", { value: "usr_1" }],
    [PublicIdField(), "x".repeat(128), { value: "x".repeat(128) }],
    [PublicIdField(), "x".repeat(129), noId],
    [PublicIdField(), "usr_1\n", noId],
    [PublicIdField(), "", noId],
    [GoalIdField(), "goal_1", { value: "goal_1" }],
    [GoalIdField(), `goal_${"x".repeat(123)}`, { value: `goal_${"x".repeat(123)}` }],
    [GoalIdField(), `goal_${"x".repeat(124)}`, invalidGoalId],
    [GoalIdField(), "usr_1", invalidGoalId],
    [GoalIdField(), "xgoal_1", invalidGoalId],
  ] as [TSchema, unknown, unknown][])("%j: %p", (schema, input, expected) => {
    expect(resultOf(schema, input)).toEqual(expected);
  });
});

describe("a number", () => {
  const number = Type.Number();
  const count = Type.Integer({ minimum: 1, maximum: 100 });
  const positive = Type.Number({ exclusiveMinimum: 0 });
  const tooSmall = ["too_small", "Number must be greater than or equal to 1"];
  test.each([
    ["any", number, -0.5, { value: -0.5 }],
    ["the largest", number, Number.MAX_VALUE, { value: Number.MAX_VALUE }],
    [
      "infinite, as JSON's 1e999",
      number,
      JSON.parse("1e999"),
      ["not_finite", "Number must be finite"],
    ],
    ["digits in a text", number, "5", ["invalid_type", "Expected number, received string"]],
    ["null", number, null, ["invalid_type", "Expected number, received null"]],
    ["an integer", count, 5, { value: 5 }],
    ["an integer with a point", count, JSON.parse("5.0"), { value: 5 }],
    ["a fraction", count, 5.5, ["invalid_type", "Expected integer, received float"]],
    [
      "digits in a text for an integer",
      count,
      "5",
      ["invalid_type", "Expected integer, received string"],
    ],
    [
      "infinite for an integer",
      count,
      Number.POSITIVE_INFINITY,
      ["not_finite", "Number must be finite"],
    ],
    ["the minimum", count, 1, { value: 1 }],
    ["below it", count, 0, tooSmall],
    ["minus zero", count, -0, tooSmall],
    ["the maximum", count, 100, { value: 100 }],
    ["above it", count, 101, ["too_big", "Number must be less than or equal to 100"]],
    ["an open minimum", positive, 0, ["too_small", "Number must be greater than 0"]],
    ["just above it", positive, Number.MIN_VALUE, { value: Number.MIN_VALUE }],
  ])("%s", (_, schema, input, expected) => {
    expect(resultOf(schema, input)).toEqual(expected);
  });
});

describe("a boolean, a literal and an array", () => {
  const ids = Type.Array(Type.String(), { minItems: 1 });
  test.each([
    [Type.Boolean(), false, { value: false }],
    [Type.Boolean(), "true", ["invalid_type", "Expected boolean, received string"]],
    [Type.Boolean(), 0, ["invalid_type", "Expected boolean, received number"]],
    [Type.Literal("a"), "a", { value: "a" }],
    [Type.Literal("a"), "b", ["invalid_literal", 'Invalid literal value, expected "a"']],
    [Type.Literal(true), "true", ["invalid_literal", "Invalid literal value, expected true"]],
    [ids, ["a", "b", "a"], { value: ["a", "b", "a"] }],
    [ids, [], ["too_small", "Array must contain at least 1 element(s)"]],
    [ids, "a", ["invalid_type", "Expected array, received string"]],
    [ids, { 0: "a" }, ["invalid_type", "Expected array, received object"]],
  ])("%j: %p", (schema, input, expected) => {
    expect(resultOf(schema, input)).toEqual(expected);
  });

  test("invalid elements are reported by index", () => {
    expect(issuesOf(Type.Object({ ids }), { ids: ["a", 5, "b", null] })).toEqual([
      { code: "invalid_type", message: "Expected string, received number", path: ["ids", 1] },
      { code: "invalid_type", message: "Expected string, received null", path: ["ids", 3] },
    ]);
  });
});

describe("an invalid model", () => {
  test.each([
    [Type.String({ format: "none" }), "No text format is named none"],
    [Type.Unsafe({ $ref: "None" }), "No schema is named None"],
  ])("%j throws", (schema, message) => {
    expect(() => resultOf(schema, "text")).toThrow(new TypeError(message));
  });
});
