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
 * Lists the issues of a value that its schema refused: for each invalid field the first broken rule, in the order of
 * the schema, with Zod's codes. TypeBox's own errors are in another order, several per field, and do not select the
 * member of a discriminated union.
 */

/** Limit of issues in one response. */
export const MAX_ISSUES = 50;

/** The messages for each rule that a value can break. */
export interface Messages {
  required: string;
  wrongType(expected: string, value: unknown): string;
  fraction: string;
  /** `name` is that of the field, or of the list that holds the value. */
  notOneOf(values: readonly string[], name: string): string;
  otherLiteral(expected: unknown): string;
  noKind(values: readonly unknown[], name: string): string;
  tooShort(length: number): string;
  tooLong(length: number): string;
  tooFew(elements: number): string;
  tooMany(elements: number): string;
  below(minimum: number): string;
  notAbove(minimum: number): string;
  above(maximum: number): string;
  infinite: string;
  /** `message` is what the format says of itself. */
  otherFormat(format: string, message: string): string;
  forbiddenCharacter: string;
  nestedTooDeeply: string;
  unknownField: string;
  /** Whether the required fields of a missing object are listed, too. A line of a practice file may leave it out. */
  listsFieldsOfMissing: boolean;
}

/** The messages of the API: those of Zod 3, which the specification's examples have. */
const API_MESSAGES: Messages = {
  required: "Required",
  wrongType: (expected, value) => `Expected ${expected}, received ${typeName(value)}`,
  fraction: "Expected integer, received float",
  notOneOf: (values) => `Invalid enum value. Expected ${expectedValues(values)}`,
  otherLiteral: (expected) => `Invalid literal value, expected ${JSON.stringify(expected)}`,
  noKind: (values) =>
    `Invalid discriminator value. Expected ${values.map((each) => `'${each}'`).join(" | ")}`,
  tooShort: (length) => `String must contain at least ${length} character(s)`,
  tooLong: (length) => `String must contain at most ${length} character(s)`,
  tooFew: (elements) => `Array must contain at least ${elements} element(s)`,
  tooMany: (elements) => `Array must contain at most ${elements} element(s)`,
  below: (minimum) => `Number must be greater than or equal to ${minimum}`,
  notAbove: (minimum) => `Number must be greater than ${minimum}`,
  above: (maximum) => `Number must be less than or equal to ${maximum}`,
  infinite: "Number must be finite",
  otherFormat: (_, message) => message,
  forbiddenCharacter: "Must not contain U+0000 or an unpaired surrogate",
  nestedTooDeeply: "Nested too deeply",
  unknownField: "Is no field of this record",
  listsFieldsOfMissing: true,
};

/** The issues of a cleaned value, at most `MAX_ISSUES`; empty if it is valid. */
export function explain(
  schema: TSchema,
  value: unknown,
  messages: Messages = API_MESSAGES,
): Issue[] {
  const explanation = new Explanation(messages);
  explanation.visit(schema, value);
  return explanation.issues;
}

type Path = (string | number)[];

class Explanation {
  readonly issues: Issue[] = [];
  /** The path of the current value. Mutable; each issue gets a copy. */
  readonly #path: Path = [];
  /** Enclosing schemas by `$id`, to resolve references of recursive schemas. */
  readonly #models = new Map<string, SchemaNode>();

  constructor(private readonly messages: Messages) {}

  visit(schema: SchemaNode, value: unknown): void {
    // Stop early: further issues would not be listed, and a hostile body may have very many.
    if (this.issues.length === MAX_ISSUES) return;
    if (schema.$id !== undefined) this.#models.set(schema.$id, schema);
    if (schema.$ref !== undefined) this.visit(targetOf(schema.$ref, this.#models), value);
    else if (value === FORBIDDEN_TEXT) this.#addIssue("custom", this.messages.forbiddenCharacter);
    else if (value === TOO_DEEP) this.#addIssue("too_big", this.messages.nestedTooDeeply);
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

  #addIssue(code: IssueCode, message: string, ...below: Path): void {
    if (this.issues.length < MAX_ISSUES)
      this.issues.push({ code, message, path: [...this.#path, ...below] });
  }

  /** The name of the field where the walk is, or of the list. */
  #name(): string {
    return this.#path.findLast((step) => typeof step === "string") ?? "value";
  }

  #wrongType(expected: string, value: unknown): void {
    this.#addIssue(
      "invalid_type",
      value === undefined ? this.messages.required : this.messages.wrongType(expected, value),
    );
  }

  #closedSet(values: string[], value: unknown): void {
    if (typeof value !== "string") return this.#wrongType("string", value);
    if (values.includes(value)) return;
    this.#addIssue("invalid_enum_value", this.messages.notOneOf(values, this.#name()));
  }

  #literal(expected: unknown, value: unknown): void {
    if (value === expected) return;
    if (value === undefined) return this.#addIssue("invalid_type", this.messages.required);
    this.#addIssue("invalid_literal", this.messages.otherLiteral(expected));
  }

  #text(schema: SchemaNode, value: unknown): void {
    // Some generated clients send a list as several parameters.
    if (schema["x-item"] !== undefined && Array.isArray(value))
      return this.#addIssue("invalid_type", "Separate several values with commas");
    if (typeof value !== "string") return this.#wrongType("string", value);
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format, pattern } = schema;
    if (value === "" && format === "public-ids")
      return this.#addIssue("invalid_type", this.messages.required);
    if (value.length < minLength)
      return this.#addIssue("too_small", this.messages.tooShort(minLength));
    if (value.length > maxLength)
      return this.#addIssue("too_big", this.messages.tooLong(maxLength));
    const textFormat = format === undefined ? undefined : formatNamed(format);
    if (format !== undefined && textFormat !== undefined && !textFormat.accepts(value))
      this.#addIssue(textFormat.code, this.messages.otherFormat(format, textFormat.message));
    else if (pattern !== undefined && !new RegExp(pattern).test(value))
      this.#addIssue(schema["x-code"] ?? "custom", schema["x-message"] ?? `Must match ${pattern}`);
  }

  #number(schema: SchemaNode, value: unknown): void {
    const { type = "number", minimum, exclusiveMinimum, maximum } = schema;
    if (typeof value !== "number") return this.#wrongType(type, value);
    if (!Number.isFinite(value)) return this.#addIssue("not_finite", this.messages.infinite);
    if (type === "integer" && !Number.isInteger(value))
      return this.#addIssue("invalid_type", this.messages.fraction);
    if (minimum !== undefined && value < minimum)
      this.#addIssue("too_small", this.messages.below(minimum));
    else if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
      this.#addIssue("too_small", this.messages.notAbove(exclusiveMinimum));
    else if (maximum !== undefined && value > maximum)
      this.#addIssue("too_big", this.messages.above(maximum));
  }

  #list(schema: SchemaNode, value: unknown): void {
    if (!Array.isArray(value)) return this.#wrongType("array", value);
    const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (value.length < minItems) return this.#addIssue("too_small", this.messages.tooFew(minItems));
    if (value.length > maxItems) return this.#addIssue("too_big", this.messages.tooMany(maxItems));
    for (const [index, item] of value.entries()) this.#visitBelow(index, items, item);
  }

  #object({ properties = {}, required }: SchemaNode, value: unknown): void {
    const isMissing = value === undefined && this.#path.length > 0;
    if (!isObject(value)) this.#wrongType("object", value);
    if (isMissing && this.messages.listsFieldsOfMissing)
      for (const name of required ?? []) this.#visitBelow(name, properties[name] ?? {}, undefined);
    if (!isObject(value)) return;
    for (const [name, property] of Object.entries(properties)) {
      const content = Object.hasOwn(value, name) ? value[name] : undefined;
      if (content !== undefined || required?.includes(name) === true)
        this.#visitBelow(name, property, content);
    }
    for (const name of (value[UNKNOWN_KEYS] ?? []) as string[])
      this.#addIssue("custom", this.messages.unknownField, name);
  }

  #union(schema: SchemaNode, kinds: SchemaNode[], value: unknown): void {
    if (!isObject(value)) return this.#wrongType("object", value);
    const kind = kindOf(schema, value);
    if (kind !== undefined) return this.visit(kind, value);
    const name = schema.discriminator?.propertyName ?? "";
    const expected = kinds.map((each) => each.properties?.[name]?.const);
    this.#addIssue("invalid_union_discriminator", this.messages.noKind(expected, name), name);
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
