import { describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import type { Issue, IssueCode } from "../../src/lib/errors.ts";
import { DiscriminatedUnion, NameField, Nullable, OneOf } from "../../src/schema/fields.ts";
import { MAX_ISSUES } from "../../src/schema/explanation.ts";
import { type ParseOptions, parse, REQUEST } from "../../src/schema/validation.ts";

/** `parse` of objects: keys, nulls, discriminated unions, recursive models. */

const UPDATE: ParseOptions = { nulls: "rejected", unknownKeys: "stripped" };
const RECORD: ParseOptions = { nulls: "absent", unknownKeys: "rejected" };

function issuesOf(schema: TSchema, input: unknown, options?: ParseOptions): Issue[] {
  const parsed = parse(schema, input, options);
  return "issues" in parsed ? parsed.issues : [];
}

describe("an object", () => {
  const person = Type.Object({
    name: NameField(2),
    age: Type.Optional(Type.Integer()),
    home: Type.Optional(Type.Object({ city: Type.String() })),
  });

  test("drops unknown fields, including inherited and special names", () => {
    const input = JSON.parse(
      '{"name":" Ana ","extra":1,"__proto__":{"age":5},"constructor":1,"home":{"city":"X","zip":1}}',
    );
    const parsed = parse(person, input) as { value: object };
    expect(parsed).toEqual({ value: { name: "Ana", home: { city: "X" } } });
    expect(Object.keys(parsed.value)).toEqual(["name", "home"]);
    expect(Object.getPrototypeOf(parsed.value)).toBe(Object.prototype);
  });

  test("does not treat inherited properties as given", () => {
    const model = Type.Object({
      constructor: Type.String(),
      toString: Type.Optional(Type.String()),
    });
    expect(issuesOf(model, {})).toEqual([
      { code: "invalid_type", message: "Required", path: ["constructor"] },
    ]);
  });

  test.each([
    [undefined, "Required"],
    [null, "Expected object, received null"],
    [[], "Expected object, received array"],
    ["{}", "Expected object, received string"],
  ])("%p is not an object", (input, message) => {
    expect(issuesOf(person, input)).toEqual([{ code: "invalid_type", message, path: [] }]);
  });

  test("has one issue per field, for all fields in the order of the model, with paths into nested values", () => {
    expect(issuesOf(person, { home: {}, age: "x", name: "\0" })).toEqual([
      {
        code: "custom",
        message: "Must not contain U+0000 or an unpaired surrogate",
        path: ["name"],
      },
      { code: "invalid_type", message: "Expected integer, received string", path: ["age"] },
      { code: "invalid_type", message: "Required", path: ["home", "city"] },
    ]);
  });

  test("refuses unknown fields in a record of a practice file", () => {
    const input = { name: "Ana", extra: 1, home: { city: "X", zip: "1" } };
    const message = "Is no field of this record";
    expect(issuesOf(person, input, RECORD)).toEqual([
      { code: "custom", message, path: ["home", "zip"] },
      { code: "custom", message, path: ["extra"] },
    ]);
    expect(parse(person, { name: "Ana" }, RECORD)).toEqual({ value: { name: "Ana" } });
  });

  test(`at most ${MAX_ISSUES} issues are listed`, () => {
    const list = Type.Object({ list: Type.Array(Type.String()), last: Type.String() });
    const first50 = Array.from({ length: 50 }, (_, index) => ["list", index]);
    const issues = issuesOf(list, { list: Array.from({ length: 60 }, () => 5) });
    expect(issues.map(({ path }) => path)).toEqual(first50);
    const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x${index}`, 1]));
    expect(issuesOf(Type.Object({}), unknown, RECORD)).toHaveLength(MAX_ISSUES);
  });

  test(`${MAX_ISSUES - 1} issues are all listed`, () => {
    const list = Type.Object({ list: Type.Array(Type.String()), last: Type.String() });
    const issues = issuesOf(list, { list: Array.from({ length: 48 }, () => 5) });
    expect(issues.map(({ path }) => path).at(-1)).toEqual(["last"]);
  });
});

describe("null and absent fields", () => {
  const model = Type.Object({
    required: Type.String(),
    optional: Type.Optional(Type.String()),
    nullable: Nullable(Type.String()),
    optionalNullable: Type.Optional(Nullable(Type.String())),
  });
  const expected = (name: string, received?: string): [IssueCode, string, string] => [
    "invalid_type",
    received === undefined ? "Required" : `Expected string, received ${received}`,
    name,
  ];
  const nothing = {};
  const nulls = { required: null, optional: null, nullable: null, optionalNullable: null };
  const full = { required: "a", nullable: null };

  test.each([
    ["absent on create", nothing, REQUEST, [expected("required"), expected("nullable")]],
    ["null on create", nulls, REQUEST, [expected("required", "null")]],
    ["absent on update", nothing, UPDATE, [expected("required"), expected("nullable")]],
    ["null on update", nulls, UPDATE, [expected("required", "null"), expected("optional", "null")]],
  ])("%s", (_, input, options, issues) => {
    const actual = issuesOf(model, input, options);
    expect(actual.map(({ code, message, path }) => [code, message, path.join(".")])).toEqual(
      issues,
    );
  });

  test("null in an optional field is absent on create", () => {
    expect(parse(model, { ...full, optional: null })).toEqual({ value: full });
  });

  test("null in a nullable field remains null, and an absent field remains absent", () => {
    const value = { ...full, optionalNullable: null };
    expect(parse(model, value)).toEqual({ value });
    expect(parse(model, value, UPDATE)).toEqual({ value });
    expect(Object.keys((parse(model, full) as { value: object }).value)).toEqual([
      "required",
      "nullable",
    ]);
  });

  test("undefined is absent", () => {
    const input = { ...full, optional: undefined };
    expect(Object.hasOwn((parse(model, input) as { value: object }).value, "optional")).toBe(false);
  });
});

describe("a discriminated union", () => {
  const sized = Type.Object({ type: Type.Literal("a"), plan: Type.String(), size: Type.Integer() });
  const colored = Type.Object({
    type: Type.Literal("b"),
    plan: Type.String(),
    color: Type.String(),
  });
  const union = DiscriminatedUnion("type", [sized, colored]);
  const unknown: Issue = {
    code: "invalid_union_discriminator",
    message: "Invalid discriminator value. Expected 'a' | 'b'",
    path: ["type"],
  };

  test("applies only the rules of the selected variant", () => {
    expect(issuesOf(union, { type: "a", plan: 5, size: "x", color: 5 })).toEqual([
      { code: "invalid_type", message: "Expected string, received number", path: ["plan"] },
      { code: "invalid_type", message: "Expected integer, received string", path: ["size"] },
    ]);
    expect(parse(union, { type: "b", plan: "p", size: "x", color: "red" })).toEqual({
      value: { type: "b", plan: "p", color: "red" },
    });
  });

  test.each([{}, { type: "c" }, { type: null }, { type: 5 }, { type: "A" }, { type: ["a"] }])(
    "refuses an unknown discriminator with one issue: %j",
    (input) => {
      expect(issuesOf(union, input)).toEqual([unknown]);
    },
  );

  test("refuses input that is not an object", () => {
    expect(issuesOf(union, [])).toEqual([
      { code: "invalid_type", message: "Expected object, received array", path: [] },
    ]);
  });

  test("can be discriminated by the presence of an id", () => {
    const known = Type.Object({ id: Type.String(), size: Type.Optional(Type.Number()) });
    const fresh = Type.Object({ size: Type.Number(), id2: Type.Optional(Type.String()) });
    const schema = DiscriminatedUnion("id", [known, fresh]);
    expect<object>(parse(schema, { id: "a", id2: "b" })).toEqual({ value: { id: "a" } });
    expect<object>(parse(schema, { id: null, size: 1, id2: "b" })).toEqual({
      value: { size: 1, id2: "b" },
    });
    expect(issuesOf(schema, { id: 5, size: "x" }).map(({ path }) => path)).toEqual([
      ["id"],
      ["size"],
    ]);
    expect(issuesOf(schema, { id2: 5 }).map(({ path }) => path)).toEqual([["size"], ["id2"]]);
  });

  test("without a discriminator is for responses only", () => {
    expect(issuesOf(OneOf([sized, colored]), { type: "a" })[0]?.code).toBe(
      "invalid_union_discriminator",
    );
  });
});

describe("a recursive model", () => {
  const tree = Type.Recursive(
    (Self) => Type.Object({ name: NameField(1), children: Type.Optional(Type.Array(Self)) }),
    { $id: "Tree" },
  );
  const chain = (depth: number): object =>
    depth === 0 ? { name: "leaf" } : { name: "branch", children: [chain(depth - 1)] };

  test("is validated and cleaned at every depth", () => {
    const input = { name: " a ", children: [{ name: " b ", x: 1, children: [{ name: " c " }] }] };
    expect(parse(tree, input)).toEqual({
      value: { name: "a", children: [{ name: "b", children: [{ name: "c" }] }] },
    });
    expect(issuesOf(tree, { name: "a", children: [{ name: "b" }, { children: [{}] }] })).toEqual([
      { code: "invalid_type", message: "Required", path: ["children", 1, "name"] },
      { code: "invalid_type", message: "Required", path: ["children", 1, "children", 0, "name"] },
    ]);
  });

  test("allows paths of at most 64 properties and indexes", () => {
    expect(issuesOf(tree, chain(31))).toEqual([]);
    const [issue, ...others] = issuesOf(tree, chain(32));
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ code: "too_big", message: "Nested too deeply" });
    expect(issue?.path).toHaveLength(63);
    const messages = issuesOf(tree, chain(5_000)).map(({ message }) => message);
    expect(new Set(messages)).toEqual(new Set(["Nested too deeply"]));
  });
});
