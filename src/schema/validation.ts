import type { Static, TSchema } from "@sinclair/typebox";
import { hasForbiddenCharacter } from "../lib/text.ts";
import type { Issue, IssueCode } from "../lib/errors.ts";
import { textFormats } from "./fields.ts";

/**
 * Checks a value that came from outside against a model, and makes the value that the service works with:
 * unknown keys stripped, names trimmed, instants in UTC. One walk over the schema does both, in the order
 * of the schema, and reports for each offending field the first rule that it breaks (decisions 1).
 *
 * It reads the JSON Schema keywords that `fields.ts` and plain TypeBox types produce. TypeBox's own checker
 * is not used because its errors come in another order, several a field, and without the branch of a union.
 */

/** How many issues one answer lists. */
export const MAX_ISSUES = 50;

/** Deeper than any model goes; only a hostile nesting of child goals reaches it. */
const MAX_DEPTH = 64;

export interface ParseOptions {
  /**
   * What null means for an optional field that is not nullable: `absent` on a create, `refused` on an
   * update, whose models say which fields null clears.
   */
  nulls: "absent" | "refused";
  /** Bodies lose keys that the model does not name; a practice file must not contain any. */
  unknownKeys: "stripped" | "refused";
}

export type Parsed<Value> = { value: Value } | { issues: Issue[] };

/** Requests of every kind but updates. */
export const REQUEST: ParseOptions = { nulls: "absent", unknownKeys: "stripped" };

/** Updates, which clear a field by null where its model allows it. */
export const UPDATE: ParseOptions = { ...REQUEST, nulls: "refused" };

/** The checked and cleaned value, or all that is wrong with it. */
export function parse<Schema extends TSchema>(
  schema: Schema,
  input: unknown,
  options: ParseOptions = REQUEST,
): Parsed<Static<Schema>> {
  const walk = new Walk(options);
  const value = walk.visit(schema, input);
  if (walk.issues.length > 0) return { issues: walk.issues };
  return { value: value as Static<Schema> };
}

/** The keywords of JSON Schema that the models use. */
interface SchemaNode {
  $id?: string;
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: string[];
  format?: string;
  pattern?: string;
  /** What a text that does not match the pattern is told, which would say little to a person. */
  "x-message"?: string;
  trim?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  discriminator?: { propertyName: string };
}

type Path = (string | number)[];

class Walk {
  readonly issues: Issue[] = [];
  /** Where the walk is. It is copied for what is refused, and not for each value that is visited. */
  readonly #path: Path = [];
  /** The schemas that enclose the current one, for models that contain themselves. */
  readonly #named = new Map<string, SchemaNode>();

  constructor(private readonly options: ParseOptions) {}

  visit(schema: SchemaNode, input: unknown): unknown {
    // The rest would not be listed: a megabyte of mistakes is not worth looking through.
    if (this.issues.length === MAX_ISSUES) return undefined;
    if (this.#path.length > MAX_DEPTH) return this.refuse("too_big", "Nested too deeply");
    if (schema.$id !== undefined) this.#named.set(schema.$id, schema);
    if (schema.$ref !== undefined) return this.visit(this.#target(schema.$ref), input);
    if (schema.oneOf !== undefined) return this.#union(schema, schema.oneOf, input);
    if (schema.anyOf !== undefined) return this.#nullable(schema.anyOf, input);
    if ("const" in schema) return this.#literal(schema.const, input);
    switch (schema.type) {
      case "string":
        return this.#text(schema, input);
      case "integer":
      case "number":
        return this.#number(schema, input);
      case "boolean":
        return typeof input === "boolean" ? input : this.#wrongType("boolean", input);
      case "array":
        return this.#list(schema, input);
      case "object":
        return this.#object(schema, input);
      default:
        throw new TypeError(`No rule for the schema at ${this.#path.join(".")}`);
    }
  }

  #visitBelow(step: string | number, schema: SchemaNode, input: unknown): unknown {
    this.#path.push(step);
    const value = this.visit(schema, input);
    this.#path.pop();
    return value;
  }

  refuse(code: IssueCode, message: string, ...below: Path): undefined {
    if (this.issues.length < MAX_ISSUES)
      this.issues.push({ code, message, path: [...this.#path, ...below] });
  }

  #target(name: string): SchemaNode {
    const target = this.#named.get(name);
    if (target === undefined) throw new TypeError(`No schema is named ${name}`);
    return target;
  }

  #wrongType(expected: string, input: unknown): undefined {
    if (input === undefined) return this.refuse("invalid_type", "Required");
    const received = typeName(input);
    return this.refuse("invalid_type", `Expected ${expected}, received ${received}`);
  }

  #literal(expected: unknown, input: unknown): unknown {
    if (input === expected) return input;
    if (input === undefined) return this.refuse("invalid_type", "Required");
    return this.refuse(
      "invalid_literal",
      `Invalid literal value, expected ${JSON.stringify(expected)}`,
    );
  }

  #text(schema: SchemaNode, input: unknown): unknown {
    if (typeof input !== "string") return this.#wrongType("string", input);
    if (hasForbiddenCharacter(input))
      return this.refuse("custom", "Must not contain U+0000 or an unpaired surrogate");
    const text = schema.trim === true ? input.trim() : input;
    if (schema.enum !== undefined && !schema.enum.includes(text)) {
      const expected = schema.enum.map((value) => `'${value}'`).join(" | ");
      return this.refuse("invalid_enum_value", `Invalid enum value. Expected ${expected}`);
    }
    if (schema.minLength !== undefined && characters(text) < schema.minLength)
      return this.refuse(
        "too_small",
        `String must contain at least ${schema.minLength} character(s)`,
      );
    if (schema.maxLength !== undefined && characters(text) > schema.maxLength)
      return this.refuse("too_big", `String must contain at most ${schema.maxLength} character(s)`);
    if (schema.format !== undefined) return this.#formatted(schema.format, text);
    if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(text))
      return this.refuse("custom", schema["x-message"] ?? `Must match ${schema.pattern}`);
    return text;
  }

  #formatted(name: string, text: string): unknown {
    const format = textFormats[name];
    if (format === undefined) throw new TypeError(`No text format is named ${name}`);
    return format.parse(text) ?? this.refuse(format.code, format.message);
  }

  #number(schema: SchemaNode, input: unknown): unknown {
    const isInteger = schema.type === "integer";
    if (typeof input !== "number") return this.#wrongType(isInteger ? "integer" : "number", input);
    if (!Number.isFinite(input)) return this.refuse("not_finite", "Number must be finite");
    if (isInteger && !Number.isInteger(input))
      return this.refuse("invalid_type", "Expected integer, received float");
    if (schema.minimum !== undefined && input < schema.minimum)
      return this.refuse("too_small", `Number must be greater than or equal to ${schema.minimum}`);
    if (schema.exclusiveMinimum !== undefined && input <= schema.exclusiveMinimum)
      return this.refuse("too_small", `Number must be greater than ${schema.exclusiveMinimum}`);
    if (schema.maximum !== undefined && input > schema.maximum)
      return this.refuse("too_big", `Number must be less than or equal to ${schema.maximum}`);
    return input;
  }

  #list(schema: SchemaNode, input: unknown): unknown {
    if (!Array.isArray(input)) return this.#wrongType("array", input);
    if (schema.minItems !== undefined && input.length < schema.minItems)
      return this.refuse("too_small", `Array must contain at least ${schema.minItems} element(s)`);
    const items = schema.items ?? {};
    return input.map((item, index) => this.#visitBelow(index, items, item));
  }

  #object(schema: SchemaNode, input: unknown): unknown {
    if (!isObject(input)) return this.#wrongType("object", input);
    const properties = schema.properties ?? {};
    const value: Record<string, unknown> = {};
    for (const name in properties) {
      const property = properties[name] as SchemaNode;
      // A key that every object inherits, such as `constructor`, is not the client's.
      const given = Object.hasOwn(input, name) ? input[name] : undefined;
      if (this.#isAbsent(schema, name, property, given)) continue;
      value[name] = this.#visitBelow(name, property, given);
    }
    if (this.options.unknownKeys === "refused") this.#refuseUnknown(properties, input);
    return value;
  }

  #isAbsent(schema: SchemaNode, name: string, property: SchemaNode, given: unknown): boolean {
    if (schema.required?.includes(name) === true) return false;
    if (given === undefined) return true;
    return given === null && this.options.nulls === "absent" && property.anyOf === undefined;
  }

  #refuseUnknown(properties: Record<string, SchemaNode>, input: object): void {
    for (const name of Object.keys(input))
      if (!Object.hasOwn(properties, name))
        this.refuse("custom", "Is no field of this record", name);
  }

  /** `Nullable` is the only `anyOf` of the models: its first branch, or null. */
  #nullable(branches: SchemaNode[], input: unknown): unknown {
    return input === null ? null : this.visit(branches[0] as SchemaNode, input);
  }

  #union(schema: SchemaNode, kinds: SchemaNode[], input: unknown): unknown {
    if (!isObject(input)) return this.#wrongType("object", input);
    const name = schema.discriminator?.propertyName ?? "";
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    const kind = kinds.find((candidate) => candidate.properties?.[name]?.const === given);
    if (kind !== undefined && given !== undefined) return this.visit(kind, input);
    const expected = kinds.map((candidate) => `'${candidate.properties?.[name]?.const}'`);
    return this.refuse(
      "invalid_union_discriminator",
      `Invalid discriminator value. Expected ${expected.join(" | ")}`,
      name,
    );
  }
}

/** JSON Schema counts code points, where JavaScript counts an emoji twice. */
function characters(text: string): number {
  return [...text].length;
}

function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

function typeName(input: unknown): string {
  if (input === null) return "null";
  return Array.isArray(input) ? "array" : typeof input;
}
