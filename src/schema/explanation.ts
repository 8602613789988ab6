import type { TSchema } from "@sinclair/typebox";
import type { Issue, IssueCode } from "../lib/errors.ts";
import {
  FORBIDDEN_TEXT,
  isNullable,
  kindOf,
  type SchemaNode,
  targetOf,
  TOO_DEEP,
  UNKNOWN_KEYS,
  valueSchema,
} from "./cleaning.ts";
import { expectedValues, type TextFormat, textFormats } from "./fields.ts";

/**
 * Says what is wrong with a value that its schema refused: for each offending field the first rule that it breaks,
 * in the order of the schema, in Zod's codes. TypeBox's own errors come in another order, several a field, and
 * without the kind of a union.
 */

/** How many issues one answer lists. */
export const MAX_ISSUES = 50;

/** What is wrong with a cleaned value; nothing where the schema takes it. */
export function explain(schema: TSchema, value: unknown): Issue[] {
  const explanation = new Explanation();
  explanation.visit(schema, value);
  return explanation.issues;
}

type Path = (string | number)[];

class Explanation {
  readonly issues: Issue[] = [];
  /** Where the walk is. It is copied for what is refused, and not for each value that is visited. */
  readonly #path: Path = [];
  /** The schemas that enclose the current one, for those that contain themselves. */
  readonly #named = new Map<string, SchemaNode>();

  visit(schema: SchemaNode, value: unknown): void {
    // The rest would not be listed: a megabyte of mistakes is not worth looking through.
    if (this.issues.length === MAX_ISSUES) return;
    if (schema.$id !== undefined) this.#named.set(schema.$id, schema);
    if (schema.$ref !== undefined) this.visit(targetOf(schema.$ref, this.#named), value);
    else if (value === FORBIDDEN_TEXT)
      this.#refuse("custom", "Must not contain U+0000 or an unpaired surrogate");
    else if (value === TOO_DEEP) this.#refuse("too_big", "Nested too deeply");
    else if (isNullable(schema)) value !== null && this.visit(valueSchema(schema), value);
    else if (schema.enum !== undefined) this.#closedSet(schema.enum, value);
    else if (schema.anyOf !== undefined) this.#union(schema, schema.anyOf, value);
    else if ("const" in schema) this.#literal(schema.const, value);
    else this.#ofType(schema, value);
  }

  #ofType(schema: SchemaNode, value: unknown): void {
    switch (schema.type) {
      case "string":
        return this.#text(schema, value);
      case "integer":
      case "number":
        return this.#number(schema, value);
      case "boolean":
        if (typeof value !== "boolean") this.#wrongType("boolean", value);
        return;
      case "array":
        return this.#list(schema, value);
      case "object":
        return this.#object(schema, value);
      default:
        throw new TypeError(`No rule for the schema at ${this.#path.join(".")}`);
    }
  }

  #visitBelow(step: string | number, schema: SchemaNode, value: unknown): void {
    this.#path.push(step);
    this.visit(schema, value);
    this.#path.pop();
  }

  #refuse(code: IssueCode, message: string, ...below: Path): void {
    if (this.issues.length < MAX_ISSUES)
      this.issues.push({ code, message, path: [...this.#path, ...below] });
  }

  #wrongType(expected: string, value: unknown): void {
    this.#refuse(
      "invalid_type",
      value === undefined ? "Required" : `Expected ${expected}, received ${typeName(value)}`,
    );
  }

  #closedSet(values: string[], value: unknown): void {
    if (typeof value !== "string") return this.#wrongType("string", value);
    if (values.includes(value)) return;
    this.#refuse("invalid_enum_value", `Invalid enum value. Expected ${expectedValues(values)}`);
  }

  #literal(expected: unknown, value: unknown): void {
    if (value === expected) return;
    if (value === undefined) return this.#refuse("invalid_type", "Required");
    const literal = JSON.stringify(expected);
    this.#refuse("invalid_literal", `Invalid literal value, expected ${literal}`);
  }

  #text(schema: SchemaNode, value: unknown): void {
    if (typeof value !== "string") return this.#wrongType("string", value);
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format, pattern } = schema;
    if (value.length < minLength)
      return this.#refuse("too_small", `String must contain at least ${minLength} character(s)`);
    if (value.length > maxLength)
      return this.#refuse("too_big", `String must contain at most ${maxLength} character(s)`);
    const textFormat = format === undefined ? undefined : formatNamed(format);
    if (textFormat !== undefined && !textFormat.check(value))
      this.#refuse(textFormat.code, textFormat.message);
    else if (pattern !== undefined && !new RegExp(pattern).test(value))
      this.#refuse(schema["x-code"] ?? "custom", schema["x-message"] ?? `Must match ${pattern}`);
  }

  #number(schema: SchemaNode, value: unknown): void {
    const { type = "number", minimum, exclusiveMinimum, maximum } = schema;
    if (typeof value !== "number") return this.#wrongType(type, value);
    if (!Number.isFinite(value)) return this.#refuse("not_finite", "Number must be finite");
    if (type === "integer" && !Number.isInteger(value))
      return this.#refuse("invalid_type", "Expected integer, received float");
    if (minimum !== undefined && value < minimum)
      this.#refuse("too_small", `Number must be greater than or equal to ${minimum}`);
    else if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
      this.#refuse("too_small", `Number must be greater than ${exclusiveMinimum}`);
    else if (maximum !== undefined && value > maximum)
      this.#refuse("too_big", `Number must be less than or equal to ${maximum}`);
  }

  #list(schema: SchemaNode, value: unknown): void {
    if (!Array.isArray(value)) return this.#wrongType("array", value);
    const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (value.length < minItems)
      return this.#refuse("too_small", `Array must contain at least ${minItems} element(s)`);
    if (value.length > maxItems)
      return this.#refuse("too_big", `Array must contain at most ${maxItems} element(s)`);
    for (const [index, item] of value.entries()) this.#visitBelow(index, items, item);
  }

  #object({ properties = {}, required }: SchemaNode, value: unknown): void {
    if (!isObject(value)) return this.#wrongType("object", value);
    for (const [name, property] of Object.entries(properties)) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given !== undefined || required?.includes(name) === true)
        this.#visitBelow(name, property, given);
    }
    for (const name of (value[UNKNOWN_KEYS] ?? []) as string[])
      this.#refuse("custom", "Is no field of this record", name);
  }

  #union(schema: SchemaNode, kinds: SchemaNode[], value: unknown): void {
    if (!isObject(value)) return this.#wrongType("object", value);
    const kind = kindOf(schema, value);
    if (kind !== undefined) return this.visit(kind, value);
    const name = schema.discriminator?.propertyName ?? "";
    const expected = kinds.map((each) => `'${each.properties?.[name]?.const}'`);
    this.#refuse(
      "invalid_union_discriminator",
      `Invalid discriminator value. Expected ${expected.join(" | ")}`,
      name,
    );
  }
}

function isObject(value: unknown): value is Record<string | symbol, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function formatNamed(name: string): TextFormat {
  const format = textFormats[name];
  if (format === undefined) throw new TypeError(`No text format is named ${name}`);
  return format;
}
