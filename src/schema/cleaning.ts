import type { TSchema } from "@sinclair/typebox";
import type { IssueCode } from "../lib/errors.ts";
import { hasForbiddenCharacter, isBlank } from "../lib/text.ts";
import { textFormats } from "./fields.ts";

/**
 * Normalizes external input before it is checked against its schema: removes unknown keys, trims names, converts
 * instants to UTC. Invalid values stay as they are, for the check to refuse.
 *
 * TypeBox's `Value.Clean` does not suffice: it keeps an own `__proto__` key, overflows the stack on deeply nested JSON,
 * and neither trims texts nor handles nulls.
 */

/** Greater than the depth of any model; only maliciously nested child goals reach it. */
const MAX_DEPTH = 64;

export interface CleaningOptions {
  /**
   * How null is treated in an optional field that is not nullable: as if the field were absent (creates), or as an
   * error (updates, whose models declare as nullable the fields that null clears).
   */
  nulls: "absent" | "rejected";
  /** Unknown keys are removed from request bodies; in a practice file they are errors. */
  unknownKeys: "stripped" | "rejected";
}

// Placeholders for values that must be refused. They are functions because no schema accepts a function. Symbols would
// do as well, but Elysia converts refused values to text, which throws for symbols.

/** Replaces a text with U+0000 or an unpaired surrogate. */
export function FORBIDDEN_TEXT(): void {}

/** Replaces a list that is nested too deeply. */
export function TOO_DEEP(): void {}

/** Property of a cleaned object that lists its unknown keys, where they are errors. */
export const UNKNOWN_KEYS = Symbol("unknown keys");

/** The keywords of JSON Schema that the models use. */
export interface SchemaNode {
  $id?: string;
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: string[];
  format?: string;
  pattern?: string;
  /** The message for a text that does not match the pattern; the pattern itself would tell a reader little. */
  "x-message"?: string;
  /** The issue code that goes with `x-message`. Default: `custom`. */
  "x-code"?: IssueCode;
  /** What a text that holds several values is a list of. */
  "x-item"?: SchemaNode;
  /** Whether each of them stands there once. */
  "x-once"?: boolean;
  /** Surrounding white space is removed. */
  trim?: boolean;
  /** A text in which nothing can be seen is as an empty one. */
  visible?: boolean;
  /** Of an optional property that is not nullable: that null is an error there, and never stands for absent. */
  "x-null"?: "rejected";
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  /** Of a record with arbitrary names: TypeBox describes them by one pattern. */
  patternProperties?: Record<string, SchemaNode>;
  required?: string[];
  anyOf?: SchemaNode[];
  discriminator?: { propertyName: string };
}

/** Normalizes a value by its schema, and returns whether it has unknown keys that must be refused. */
export function cleaned(
  schema: TSchema,
  input: unknown,
  options: CleaningOptions,
): { value: unknown; hasUnknownKeys: boolean } {
  const cleaning = new Cleaning(options);
  return { value: cleaning.clean(schema, input, 0), hasUnknownKeys: cleaning.hasUnknownKeys };
}

class Cleaning {
  hasUnknownKeys = false;
  /** Enclosing schemas by `$id`, to resolve references of recursive schemas. */
  readonly #models = new Map<string, SchemaNode>();

  constructor(private readonly options: CleaningOptions) {}

  clean(schema: SchemaNode, input: unknown, depth: number): unknown {
    if (schema.$id !== undefined) this.#models.set(schema.$id, schema);
    if (schema.$ref !== undefined)
      return this.clean(targetOf(schema.$ref, this.#models), input, depth);
    if (typeof input === "string") return cleanedText(schema, input);
    // Databases store -0 as 0.
    if (input === 0) return 0;
    if (typeof input !== "object" || input === null) return input;
    const chosen = chosenSchema(schema, input);
    if (Array.isArray(input))
      return chosen.type === "array" ? this.#list(chosen, input, depth) : [];
    return chosen.type === "object" ? this.#object(chosen, input, depth) : emptied(schema, input);
  }

  #list({ items = {}, maxItems }: SchemaNode, input: unknown[], depth: number): unknown {
    // One element too many is enough for the check to refuse; the elements themselves need not be cleaned.
    if (maxItems !== undefined && input.length > maxItems) return Array(maxItems + 1).fill(null);
    const nests = input.some((item) => typeof item === "object" && item !== null);
    if (nests && depth + 1 >= MAX_DEPTH) return TOO_DEEP;
    return input.map((item) => this.clean(items, item, depth + 1));
  }

  #object(schema: SchemaNode, input: object, depth: number): object {
    const value: Record<string | symbol, unknown> = {};
    let count = 0;
    for (const { name, property, isAbsentAsNull } of propertiesOf(schema)) {
      // Inherited properties, such as `constructor`, were not sent by the client.
      if (!Object.hasOwn(input, name)) continue;
      count += 1;
      const content = (input as Record<string, unknown>)[name];
      const isAbsent = content === null && isAbsentAsNull && this.options.nulls === "absent";
      if (content !== undefined && !isAbsent)
        value[name] = this.clean(property, content, depth + 1);
    }
    if (this.options.unknownKeys === "rejected" && count < Object.keys(input).length)
      this.#noteUnknown(value, schema.properties ?? {}, input);
    return value;
  }

  #noteUnknown(value: Record<symbol, unknown>, properties: object, input: object): void {
    const unknown = Object.keys(input).filter((name) => !Object.hasOwn(properties, name));
    if (unknown.length === 0) return;
    this.hasUnknownKeys = true;
    value[UNKNOWN_KEYS] = unknown;
  }
}

/** A property of an object schema. `isAbsentAsNull`: optional and not nullable, so that null can stand for absent. */
interface Property {
  name: string;
  property: SchemaNode;
  isAbsentAsNull: boolean;
}

/** Caches by schema: an import cleans millions of values. */
const properties = new WeakMap<SchemaNode, Property[]>();
const texts = new WeakMap<SchemaNode, SchemaNode>();

function propertiesOf(schema: SchemaNode): Property[] {
  let list = properties.get(schema);
  if (list === undefined) {
    list = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      property,
      isAbsentAsNull:
        schema.required?.includes(name) !== true &&
        !isNullable(property) &&
        property["x-null"] !== "rejected",
    }));
    properties.set(schema, list);
  }
  return list;
}

/** The schema without `null`. Cached. */
function schemaOfText(schema: SchemaNode): SchemaNode {
  let type = texts.get(schema);
  if (type === undefined) {
    type = isNullable(schema) ? valueSchema(schema) : schema;
    texts.set(schema, type);
  }
  return type;
}

function cleanedText(schema: SchemaNode, input: string): unknown {
  const { type, enum: values, trim, visible, format } = schemaOfText(schema);
  if (type !== "string" && values === undefined) return input;
  if (hasForbiddenCharacter(input)) return FORBIDDEN_TEXT;
  if (visible === true && isBlank(input)) return "";
  const text = trim === true ? input.trim() : input;
  return format === undefined ? text : (textFormats[format]?.parse?.(text) ?? text);
}

/** For an object of an unknown kind, or in place of another type: an object with at most the discriminator. */
function emptied({ discriminator }: SchemaNode, input: object): object {
  const name = discriminator?.propertyName;
  const content = name === undefined ? undefined : (input as Record<string, unknown>)[name];
  return name === undefined || typeof content === "object" ? {} : { [name]: content };
}

export function isNullable({ anyOf }: SchemaNode): boolean {
  return anyOf?.some(({ type }) => type === "null") ?? false;
}

/** The schema of a nullable value without `null`. */
export function valueSchema({ anyOf = [] }: SchemaNode): SchemaNode {
  return anyOf.find(({ type }) => type !== "null") ?? {};
}

/** The member of a union that applies to an object or a list; the schema itself if it is no union. */
function chosenSchema(schema: SchemaNode, input: object): SchemaNode {
  if (isNullable(schema)) return chosenSchema(valueSchema(schema), input);
  return schema.discriminator === undefined ? schema : (kindOf(schema, input) ?? {});
}

/**
 * The member of a discriminated union that applies to an object. A member without the discriminating property applies
 * to objects that lack it, and a member that accepts any value of the property to objects that have it.
 */
export function kindOf(
  { anyOf, discriminator }: SchemaNode,
  input: object,
): SchemaNode | undefined {
  if (discriminator === undefined) return undefined;
  const name = discriminator.propertyName;
  const content = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : null;
  const isGiven = content !== null && content !== undefined;
  return anyOf?.find(({ properties }) => {
    const property = properties?.[name];
    if (property === undefined || !isGiven) return property === undefined && !isGiven;
    return !("const" in property) || property.const === content;
  });
}

/** The enclosing schema with the `$id`. @throws TypeError if there is none. */
export function targetOf(name: string, models: ReadonlyMap<string, SchemaNode>): SchemaNode {
  const target = models.get(name);
  if (target === undefined) throw new TypeError(`No schema is named ${name}`);
  return target;
}
