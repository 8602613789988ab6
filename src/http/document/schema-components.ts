import { isDeepStrictEqual } from "node:util";
import { meaningOf } from "../../schema/meanings.ts";

/**
 * Converts models to OpenAPI 3.1, i.e. plain JSON Schema: named models become components, and keywords that are only
 * used by our validation are removed.
 */

/** A JSON Schema: of a model as input, of the document as output. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $id?: string;
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  maxLength?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: string[] | undefined;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
}

/**
 * How null is treated in optional fields that are not nullable. In creates, null means absent; so the same model
 * accepts more there than in a response or an update.
 */
type Nulls = "absent" | "rejected";

/** Keywords that are only used by our validation. */
const INTERNAL = new Set([
  ...[
    "trim",
    "visible",
    "x-message",
    "x-code",
    "x-item",
    "x-once",
    "x-null",
    "noValidate",
    "mediaType",
    "otherMediaTypes",
    "maxBytes",
    "shortBytes",
  ],
]);

/** Input has maximum lengths, and no text with U+0000 (see `explanation.ts`). Written so that every language reads it. */
const WITHOUT_NUL = "^[^\\x00]*$";

/** What our format of time zones accepts at most: names of the IANA database, and no offsets. */
const TIME_ZONE = "^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$";

/** Keywords for readers, which do not restrict the values. */
const NOTES = new Set(["description", "default", "examples"]);

/** Collects the named models of a document while its operations are generated. */
export class SchemaComponents {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #names = new Map<string, string>();
  readonly #models = new Map<string, JsonSchema>();

  /** The schema of a response, a parameter or an update. */
  add(model: JsonSchema): JsonSchema {
    return this.#write(plain(model), "rejected");
  }

  /**
   * The schema of the body of a create. A model that is also used elsewhere, accepting fewer nulls, gets a second
   * component `NameOnCreate`. To detect this, call `add` for all other models first.
   */
  addToCreate(model: JsonSchema): JsonSchema {
    return this.#write(plain(model), "absent");
  }

  #write(model: JsonSchema, nulls: Nulls): JsonSchema {
    const { $id, $ref } = model;
    if ($ref !== undefined) return reference(this.#names.get(`${nulls} ${$ref}`) ?? $ref);
    if ($id === undefined) return this.#inline(model, nulls);
    if (model.enum !== undefined) return this.#closedSet($id, model);
    this.#expectOneModel($id, model);
    let name = this.#names.get(`${nulls} ${$id}`);
    if (name === undefined) {
      const differs = nulls === "absent" && takesNullAsAbsent(model);
      name = differs && $id in this.schemas ? `${$id}OnCreate` : $id;
      // Registered before the content is generated, since a recursive model refers to itself.
      this.#names.set(`${nulls} ${$id}`, name);
      this.schemas[name] ??= this.#inline(model, nulls);
    }
    return reference(name);
  }

  /** A named enumeration. Descriptions of a particular use are placed next to the reference. */
  #closedSet($id: string, { enum: values = [], ...model }: JsonSchema): JsonSchema {
    const schema: JsonSchema = { type: "string", enum: values };
    this.#expectOneModel($id, schema);
    this.schemas[$id] ??= schema;
    const notes = Object.entries(model).filter(([keyword]) => NOTES.has(keyword));
    if (notes.length === 0) return reference($id);
    return { allOf: [reference($id)], ...Object.fromEntries(notes) };
  }

  #inline(model: JsonSchema, nulls: Nulls): JsonSchema {
    const { $id, items, properties, patternProperties, anyOf, discriminator, ...rest } = model;
    // TypeBox describes a record with arbitrary names by a pattern.
    const [values] = Object.values(patternProperties ?? {});
    const keywords = Object.fromEntries(
      Object.entries(rest).filter(([keyword]) => !INTERNAL.has(keyword)),
    );
    if (model.enum !== undefined) {
      const { const: _, ...closedSet } = keywords;
      return { type: "string", ...closedSet };
    }
    if (model.type === "Uint8Array") return { ...keywords, type: "string" };
    if (Number.isInteger(model.const)) return { ...keywords, type: "integer" };
    if (typeof model.const === "boolean") return untyped(keywords);
    if (anyOf !== undefined) return { ...this.#alternatives(model, anyOf, nulls), ...keywords };
    return {
      ...patternOf(model),
      ...keywords,
      ...(items !== undefined && { items: this.#write(items, nulls) }),
      ...(properties !== undefined && { properties: this.#properties(model, nulls) }),
      ...(values !== undefined && { additionalProperties: this.#write(values, nulls) }),
    };
  }

  #properties(model: JsonSchema, nulls: Nulls): Record<string, JsonSchema> {
    const { $id: owner = "", properties = {}, required = [] } = model;
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const schema = this.#write(property, nulls);
        const takesNull = nulls === "absent" && isOptional(property, name, required);
        const description = schema.description ?? meaningOf(owner, name);
        const note = description === undefined ? {} : { description };
        return [name, { ...(takesNull ? nullable(schema) : schema), ...note }];
      }),
    );
  }

  /** Converts `Nullable`, objects of several types, and, for documented bodies, a choice of models. */
  #alternatives(model: JsonSchema, anyOf: JsonSchema[], nulls: Nulls): JsonSchema {
    if (distinguishingProperty(anyOf, valuesOf) !== undefined)
      return this.#kinds(model, anyOf, nulls);
    const values = anyOf.filter(({ type }) => type !== "null");
    const schemas = values.map((value) => this.#write(value, nulls));
    const [only, ...others] = schemas;
    const types = schemas.flatMap(({ type, ...more }) =>
      Object.keys(more).length > 0 ? [] : type,
    );
    // Some client generators do not support several types in one schema.
    if (types.length === anyOf.length) return { oneOf: schemas };
    const schema = only !== undefined && others.length === 0 ? only : { anyOf: schemas };
    return values.length < anyOf.length ? nullable(schema) : schema;
  }

  #kinds(model: JsonSchema, kinds: JsonSchema[], nulls: Nulls): JsonSchema {
    const oneOf = kinds.map((kind) => this.#write(kind, nulls));
    const propertyName = model.discriminator?.propertyName ?? distinguishingProperty(kinds, texts);
    // The mapping of a discriminator consists of component names, so every type must be one.
    if (propertyName === undefined || oneOf.some(({ $ref }) => $ref === undefined))
      return { oneOf };
    const mapping = Object.fromEntries(
      kinds.flatMap((kind, index) =>
        texts(kind.properties?.[propertyName]).map((text) => [text, oneOf[index]?.$ref ?? ""]),
      ),
    );
    return { oneOf, discriminator: { propertyName, mapping } };
  }

  #expectOneModel($id: string, model: JsonSchema): void {
    const earlier = this.#models.get($id) ?? model;
    if (!isDeepStrictEqual(earlier, model))
      throw new TypeError(`Two different models are named ${$id}`);
    this.#models.set($id, model);
  }
}

/** Without TypeBox's symbols, which differ between uses of one model. */
function plain(model: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(model)) as JsonSchema;
}

/** A pattern for rules that validation does not check by one. */
function patternOf({ type, format, maxLength }: JsonSchema): { pattern?: string } {
  if (format === "time-zone") return { pattern: TIME_ZONE };
  return type === "string" && maxLength !== undefined ? { pattern: WITHOUT_NUL } : {};
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** With a type, client generators treat a constant as arbitrary text. */
function untyped({ type: _, ...keywords }: JsonSchema): JsonSchema {
  return keywords;
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type, allOf, ...rest } = schema;
  if (allOf !== undefined) return { anyOf: [...allOf, { type: "null" }], ...rest };
  if (typeof type !== "string" || "const" in schema) return { anyOf: [schema, { type: "null" }] };
  const values = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  return { ...schema, type: [type, "null"], ...values };
}

function isOptional(property: JsonSchema, name: string, required: string[]): boolean {
  return !required.includes(name) && !property.anyOf?.some(({ type }) => type === "null");
}

/** Whether a model, or a nested one, has an optional field for which creates accept null. */
function takesNullAsAbsent(model: JsonSchema): boolean {
  const { properties = {}, required = [], items, anyOf = [] } = model;
  const within = [...Object.values(properties), ...anyOf, ...(items ? [items] : [])];
  return (
    Object.entries(properties).some(([name, property]) => isOptional(property, name, required)) ||
    within.some(takesNullAsAbsent)
  );
}

/** The allowed values of a property; empty if they are not enumerated. */
function valuesOf(property: JsonSchema | undefined): unknown[] {
  if (property === undefined) return [];
  return "const" in property ? [property.const] : (property.enum ?? []);
}

/**
 * The first required property with different values in every type, such as a user's `role`. Undefined if there is none,
 * or only one type.
 */
function distinguishingProperty(
  kinds: JsonSchema[],
  valuesIn: (property: JsonSchema | undefined) => unknown[],
): string | undefined {
  const [first, ...others] = kinds;
  if (others.length === 0) return undefined;
  return first?.required?.find((name) => {
    const all = kinds.map((kind) => valuesIn(kind.properties?.[name]));
    return all.every((own) => own.length > 0) && new Set(all.flat()).size === all.flat().length;
  });
}

/** The allowed texts of a property; empty if it is not an enumeration of texts. */
function texts(property: JsonSchema | undefined): string[] {
  const values = valuesOf(property);
  return values.every((value) => typeof value === "string") ? values : [];
}
