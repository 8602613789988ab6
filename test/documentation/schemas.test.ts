import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import {
  DiscriminatedUnion,
  EnumField,
  NameField,
  Nullable,
  OneOf,
} from "../../src/schema/fields.ts";
import { SchemaComponents } from "../../src/http/document/schema-components.ts";

/** How TypeBox models become schemas of the OpenAPI document. */

function reference(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

test("a named model becomes a component, and its users refer to it", () => {
  const components = new SchemaComponents();
  const Line = Type.Object({ name: Type.String() }, { $id: "Line", description: "A line." });
  expect(components.add(Type.Array(Line))).toEqual({ type: "array", items: reference("Line") });
  expect(components.schemas).toEqual({
    Line: {
      type: "object",
      description: "A line.",
      required: ["name"],
      properties: { name: { type: "string" } },
    },
  });
});

test("a recursive model refers to itself", () => {
  const components = new SchemaComponents();
  const Step = Type.Object({ steps: Type.Array(Type.Unsafe({ $ref: "Step" })) }, { $id: "Step" });
  expect(components.add(Step)).toEqual(reference("Step"));
  expect(components.schemas.Step?.properties).toEqual({
    steps: { type: "array", items: reference("Step") },
  });
});

test("two different models with the same name throw", () => {
  const components = new SchemaComponents();
  components.add(Type.Object({}, { $id: "Thing" }));
  expect(() => components.add(Type.Object({ more: Type.String() }, { $id: "Thing" }))).toThrow(
    "Two different models are named Thing",
  );
});

test("keywords that only our validation uses are left out", () => {
  expect(new SchemaComponents().add(NameField(2))).toEqual({
    type: "string",
    minLength: 2,
    maxLength: 200,
    pattern: "^[^\\x00]*$",
  });
});

test("a nullable field has null as a second type; a named enumeration is referenced", () => {
  const components = new SchemaComponents();
  expect(components.add(Nullable(Type.String({ maxLength: 5 })))).toEqual({
    type: ["string", "null"],
    maxLength: 5,
    pattern: "^[^\\x00]*$",
  });
  expect(components.add(Nullable(EnumField(["A", "B"])))).toEqual({
    type: ["string", "null"],
    enum: ["A", "B", null],
  });
  expect(components.add(Nullable(Type.Literal("A")))).toEqual({
    anyOf: [{ type: "string", const: "A" }, { type: "null" }],
  });
  expect(components.add(Nullable(Type.Object({}, { $id: "Thing" })))).toEqual({
    anyOf: [reference("Thing"), { type: "null" }],
  });
});

describe("null in an optional field", () => {
  const fields = {
    required: Type.String(),
    optional: Type.Optional(Type.String()),
    nullable: Type.Optional(Nullable(Type.String())),
  };

  test("is documented for a create, where it means absent", () => {
    expect(new SchemaComponents().addToCreate(Type.Object(fields)).properties).toEqual({
      required: { type: "string" },
      optional: { type: ["string", "null"] },
      nullable: { type: ["string", "null"] },
    });
  });

  test("is not documented elsewhere, unless the field is nullable", () => {
    expect(new SchemaComponents().add(Type.Object(fields)).properties).toEqual({
      required: { type: "string" },
      optional: { type: "string" },
      nullable: { type: ["string", "null"] },
    });
  });

  test("gives a model that is used for creates and elsewhere two components", () => {
    const components = new SchemaComponents();
    const Part = Type.Object(fields, { $id: "Part" });
    const Whole = Type.Object({ part: Part }, { $id: "Whole" });
    expect(components.add(Whole)).toEqual(reference("Whole"));
    expect(components.addToCreate(Whole)).toEqual(reference("WholeOnCreate"));
    expect(Object.keys(components.schemas).toSorted()).toEqual([
      "Part",
      "PartOnCreate",
      "Whole",
      "WholeOnCreate",
    ]);
    expect(components.schemas.WholeOnCreate?.properties).toEqual({
      part: reference("PartOnCreate"),
    });
  });

  test("gives a model without optional fields one component", () => {
    const components = new SchemaComponents();
    const Part = Type.Object({ required: Type.String() }, { $id: "Part" });
    expect(components.add(Part)).toEqual(reference("Part"));
    expect(components.addToCreate(Part)).toEqual(reference("Part"));
  });
});

describe("an object with several variants", () => {
  const kind = (name: string, values: string[]) =>
    Type.Object({ size: EnumField(["S", "L"]), kind: EnumField(values) }, { $id: name });

  test("has the first required property whose values differ in all variants as discriminator", () => {
    const components = new SchemaComponents();
    expect(components.add(OneOf([kind("One", ["a", "b"]), kind("Two", ["c"])]))).toEqual({
      oneOf: [reference("One"), reference("Two")],
      discriminator: {
        propertyName: "kind",
        mapping: {
          a: "#/components/schemas/One",
          b: "#/components/schemas/One",
          c: "#/components/schemas/Two",
        },
      },
    });
  });

  test("has its model's own discriminator", () => {
    const first = Type.Object({ type: Type.Literal("a") }, { $id: "First" });
    const second = Type.Object({ type: Type.Literal("b") }, { $id: "Second" });
    expect(
      new SchemaComponents().add(DiscriminatedUnion("type", [first, second])).discriminator,
    ).toEqual({
      propertyName: "type",
      mapping: { a: "#/components/schemas/First", b: "#/components/schemas/Second" },
    });
  });

  test("has no discriminator if variants share values or are not components", () => {
    const components = new SchemaComponents();
    const sharing = components.add(OneOf([kind("One", ["a", "b"]), kind("Two", ["b"])]));
    expect(sharing.discriminator).toBeUndefined();
    const unnamed = [
      Type.Object({ kind: Type.Literal("a") }),
      Type.Object({ kind: Type.Literal("b") }),
    ];
    expect(components.add(OneOf(unnamed)).discriminator).toBeUndefined();
  });
});
