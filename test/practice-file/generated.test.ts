import { describe, expect, test } from "bun:test";
import fc, { type GeneratorValue } from "fast-check";
import { variantOf } from "../../src/practice-file/model.ts";
import type { RecordType } from "../../src/schema/record-types.ts";
import { newDatabase } from "../support/harness.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import { exportText, type Fields, mustImport } from "../support/practice-file/practice-file.ts";

/**
 * Random practices, derived from the full one by the schemas of its records. Optional fields are
 * present or absent, and texts, numbers and booleans have any valid value.
 */

interface SchemaNode {
  $id?: string;
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  visible?: boolean;
  trim?: boolean;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/** Fields on which other fields or records depend, or which must be unique. */
const KEPT = [
  "email",
  "clientId",
  "sessionId",
  "authorizationId",
  "authorizationPoolId",
  "authorizedUnitsQuantity",
  "authorizedUnitFrequency",
  "status",
  "phases",
];

/** Of numbers whose schemas have none. */
const MAXIMA: Record<string, number> = { units: 1_000_000, totalUnits: 1_000_000_000 };

function schemaOf(record: Fields): SchemaNode {
  return variantOf(record.type as RecordType, record) as SchemaNode;
}

function varied(schema: SchemaNode, value: unknown, random: GeneratorValue): unknown {
  const isFixed =
    "const" in schema || [schema.enum, schema.format, schema.pattern].some((rule) => rule);
  if (isFixed || value === null) return value;
  if (schema.anyOf !== undefined && value !== null)
    return varied(schema.anyOf[0] as SchemaNode, value, random);
  switch (schema.type) {
    case "string":
      return text(schema, random);
    case "integer":
      return random(fc.integer, {
        min: schema.minimum ?? (schema.exclusiveMinimum ?? -1) + 1,
        max: schema.maximum ?? 1_000,
      });
    case "number":
      return random(fc.double, {
        min: schema.minimum ?? schema.exclusiveMinimum ?? -1e300,
        max: schema.maximum ?? Number.MAX_VALUE,
        minExcluded: schema.exclusiveMinimum !== undefined,
        noNaN: true,
        noDefaultInfinity: true,
      });
    case "boolean":
      return random(fc.boolean);
    case "array":
      return (value as unknown[])
        .filter(() => random(fc.boolean))
        .map((item) => varied(schema.items ?? {}, item, random));
    case "object":
      return variedFields(schema, value as Fields, random);
    // Child goals, which refer to the schema that contains them, and null.
    default:
      return value;
  }
}

function variedFields(schema: SchemaNode, fields: Fields, random: GeneratorValue): Fields {
  const isKept = (name: string) =>
    KEPT.includes(name) || schema.required?.includes(name) === true || random(fc.boolean);
  const kept = Object.entries(fields).filter(([name]) => isKept(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      KEPT.includes(name) ? value : varied(schemaOfField(schema, name), value, random),
    ]),
  );
}

function schemaOfField({ properties }: SchemaNode, name: string): SchemaNode {
  const maximum = MAXIMA[name];
  return { ...properties?.[name], ...(maximum !== undefined && { maximum }) };
}

/** Any valid text, in any script. */
function text({ minLength = 0, visible, trim }: SchemaNode, random: GeneratorValue): string {
  const any = random(fc.string, { unit: "binary", minLength, maxLength: 12 }).replaceAll("\0", "-");
  return visible === true || trim === true ? `${any.trim()}x` : any;
}

function practice(random: GeneratorValue): Fields[] {
  const records = fullPractice.map((record) => variedFields(schemaOf(record), record, random));
  // As JSON represents it: without negative zero.
  return JSON.parse(JSON.stringify(records)) as Fields[];
}

/** Shrinking would take minutes of imports. The seed and the failing line are sufficient. */
const runs = { numRuns: 4, endOnFailure: true, includeErrorInReport: true };

describe("a random practice", () => {
  test("is exported as it was imported, whatever it is imported over", async () => {
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (random) => {
        const database = await newDatabase();
        await mustImport(database, practice(random));
        const exported = await exportText(database, "org_maple");
        await mustImport(database, exported);
        expect(await exportText(database, "org_maple")).toBe(exported);

        const other = await newDatabase();
        // What was handed over is taken away by no file.
        const before = practice(random).map(({ billed: _, ...record }) => record);
        await mustImport(other, before);
        await mustImport(other, exported);
        expect(await exportText(other, "org_maple")).toBe(exported);
      }),
      runs,
    );
  });

  test("keeps every value of its file", async () => {
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (random) => {
        const database = await newDatabase();
        const records = practice(random);
        await mustImport(database, records);
        const exported = (await exportText(database, "org_maple")).trimEnd().split("\n");
        // An export has additional fields, such as defaults. It never has other values.
        for (const [index, record] of records.entries())
          expect(JSON.parse(exported[index] ?? "null")).toMatchObject(expected(record));
      }),
      runs,
    );
  });
});

/** A record as an export has it: sorted lists of texts, and nothing for absent fields. */
function expected(record: Fields): Fields {
  const fields = Object.entries(record).map(([name, value]): [string, unknown] => {
    if (name === "phoneNumber" && value === "") return [name, null];
    if (name === "complianceCredentials") value = [...new Set(value as string[])].sort();
    return [name, Array.isArray(value) ? value.map(compacted) : value];
  });
  return Object.fromEntries(fields);
}

function compacted(item: unknown): unknown {
  return typeof item === "object" && item !== null && !("intervals" in item)
    ? expected(item as Fields)
    : item;
}
