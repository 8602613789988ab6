import type { TSchema } from "@sinclair/typebox";
import type { IssueCode } from "../lib/errors.ts";
import { hasForbiddenCharacter } from "../lib/text.ts";
import { textFormats } from "./fields.ts";

/**
 * Makes of a value that came from outside the one that is checked against its schema: keys that the schema does not
 * name are gone, names are trimmed, instants are in UTC. What the schema will refuse is left for it to refuse.
 *
 * TypeBox's `Value.Clean` keeps `__proto__` as a key of its own, overflows the stack where JSON nests deeply, and
 * knows neither names nor nulls.
 */

/** Deeper than any model goes; only a hostile nesting of child goals reaches it. */
const MAX_DEPTH = 64;

export interface CleaningOptions {
  /**
   * What null means for an optional field that is not nullable: `absent` on a create, `refused` on an update, whose
   * models say which fields null clears.
   */
  nulls: "absent" | "refused";
  /** Bodies lose keys that the model does not name; a practice file must not contain any. */
  unknownKeys: "stripped" | "refused";
}

// No schema takes a function: one in the place of a value that cannot be cleaned sees to it that it is refused. A
// symbol would, too, but Elysia writes what it refuses into a text.

/** A text with U+0000 or an unpaired surrogate. */
export function FORBIDDEN_TEXT(): void {}

/** A list whose elements nest too deeply. */
export function TOO_DEEP(): void {}

/** Names of keys that the schema does not have, on an object that must not have any. */
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
  /** What a text that does not match the pattern is told, which would say little to a person. */
  "x-message"?: string;
  /** The code of that, where it is not `custom`. */
  "x-code"?: IssueCode;
  trim?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  anyOf?: SchemaNode[];
  discriminator?: { propertyName: string };
}

/** The value, cleaned, and whether it has keys that must not be there. */
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
  /** The schemas that enclose the current one, for those that contain themselves. */
  readonly #named = new Map<string, SchemaNode>();

  constructor(private readonly options: CleaningOptions) {}

  clean(schema: SchemaNode, input: unknown, depth: number): unknown {
    if (schema.$id !== undefined) this.#named.set(schema.$id, schema);
    if (schema.$ref !== undefined)
      return this.clean(targetOf(schema.$ref, this.#named), input, depth);
    if (typeof input === "string") return cleanedText(schema, input);
    if (typeof input !== "object" || input === null) return input;
    const chosen = chosenSchema(schema, input);
    if (Array.isArray(input))
      return chosen.type === "array" ? this.#list(chosen, input, depth) : [];
    return chosen.type === "object" ? this.#object(chosen, input, depth) : emptied(schema, input);
  }

  #list({ items = {}, maxItems }: SchemaNode, input: unknown[], depth: number): unknown {
    // One more than may be is refused like a hundred thousand, without a look at each of them.
    if (maxItems !== undefined && input.length > maxItems) return Array(maxItems + 1).fill(null);
    const nests = input.some((item) => typeof item === "object" && item !== null);
    if (nests && depth + 1 >= MAX_DEPTH) return TOO_DEEP;
    return input.map((item) => this.clean(items, item, depth + 1));
  }

  #object(schema: SchemaNode, input: object, depth: number): object {
    const value: Record<string | symbol, unknown> = {};
    let known = 0;
    for (const { name, property, isAbsentAsNull } of propertiesOf(schema)) {
      // A key that every object inherits, such as `constructor`, is not the client's.
      if (!Object.hasOwn(input, name)) continue;
      known += 1;
      const given = (input as Record<string, unknown>)[name];
      const isAbsent = given === null && isAbsentAsNull && this.options.nulls === "absent";
      if (given !== undefined && !isAbsent) value[name] = this.clean(property, given, depth + 1);
    }
    if (this.options.unknownKeys === "refused" && known < Object.keys(input).length)
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

/** A property of an object, and whether null stands for no value of it where nulls mean that. */
interface Property {
  name: string;
  property: SchemaNode;
  isAbsentAsNull: boolean;
}

/** What is found out of a schema once: an import asks a million times. */
const properties = new WeakMap<SchemaNode, Property[]>();
const texts = new WeakMap<SchemaNode, SchemaNode>();

function propertiesOf(schema: SchemaNode): Property[] {
  let known = properties.get(schema);
  if (known === undefined) {
    known = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      property,
      isAbsentAsNull: schema.required?.includes(name) !== true && !isNullable(property),
    }));
    properties.set(schema, known);
  }
  return known;
}

/** The schema of a value that is not null. */
function schemaOfText(schema: SchemaNode): SchemaNode {
  let known = texts.get(schema);
  if (known === undefined) {
    known = isNullable(schema) ? valueSchema(schema) : schema;
    texts.set(schema, known);
  }
  return known;
}

function cleanedText(schema: SchemaNode, input: string): unknown {
  const { type, enum: values, trim, format } = schemaOfText(schema);
  if (type !== "string" && values === undefined) return input;
  if (hasForbiddenCharacter(input)) return FORBIDDEN_TEXT;
  const text = trim === true ? input.trim() : input;
  return format === undefined ? text : (textFormats[format]?.parse?.(text) ?? text);
}

/** What there is to check of an object of no known kind, or where no object is due. */
function emptied({ discriminator }: SchemaNode, input: object): object {
  const name = discriminator?.propertyName;
  const given = name === undefined ? undefined : (input as Record<string, unknown>)[name];
  return name === undefined || typeof given === "object" ? {} : { [name]: given };
}

export function isNullable({ anyOf }: SchemaNode): boolean {
  return anyOf?.some(({ type }) => type === "null") ?? false;
}

/** What a nullable value is where it is not null. */
export function valueSchema({ anyOf = [] }: SchemaNode): SchemaNode {
  return anyOf.find(({ type }) => type !== "null") ?? {};
}

/** The schema of a union that speaks for an object or a list; a schema that is no union is its own. */
function chosenSchema(schema: SchemaNode, input: object): SchemaNode {
  if (isNullable(schema)) return chosenSchema(valueSchema(schema), input);
  return schema.discriminator === undefined ? schema : (kindOf(schema, input) ?? {});
}

/**
 * The kind of object that a discriminator names. Of a kind without the property are objects that give none, and of
 * one that takes any value of it those that do.
 */
export function kindOf(
  { anyOf, discriminator }: SchemaNode,
  input: object,
): SchemaNode | undefined {
  if (discriminator === undefined) return undefined;
  const name = discriminator.propertyName;
  const given = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : null;
  const isGiven = given !== null && given !== undefined;
  return anyOf?.find(({ properties }) => {
    const property = properties?.[name];
    if (property === undefined || !isGiven) return property === undefined && !isGiven;
    return !("const" in property) || property.const === given;
  });
}

/** @throws TypeError where no schema around a reference has its name. */
export function targetOf(name: string, named: ReadonlyMap<string, SchemaNode>): SchemaNode {
  const target = named.get(name);
  if (target === undefined) throw new TypeError(`No schema is named ${name}`);
  return target;
}
