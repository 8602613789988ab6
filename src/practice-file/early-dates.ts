import type { TSchema } from "@sinclair/typebox";
import { isNullable, type SchemaNode, targetOf, valueSchema } from "../schema/cleaning.ts";
import { FIRST_YEAR } from "../schema/fields.ts";
import type { Path } from "./kinds/problem.ts";

/** A date or instant of a record that is too early to be meant. */
export interface EarlyDate {
  path: Path;
  value: string;
}

/**
 * The dates and instants of a record that are before 1900, wherever in it.
 *
 * @param schema that of the record's variant.
 */
export function earlyDates(schema: TSchema, record: unknown): EarlyDate[] {
  const found: EarlyDate[] = [];
  const models = new Map<string, SchemaNode>();
  const visit = (node: SchemaNode, value: unknown, path: Path): void => {
    if (value === null || value === undefined) return;
    if (node.$id !== undefined) models.set(node.$id, node);
    if (node.$ref !== undefined) return visit(targetOf(node.$ref, models), value, path);
    if (isNullable(node)) return visit(valueSchema(node), value, path);
    if (isDate(node)) {
      if (typeof value === "string" && value < String(FIRST_YEAR)) found.push({ path, value });
    } else if (Array.isArray(value)) {
      const { items = {} } = node;
      if (hasDates(items))
        for (const [index, item] of value.entries()) visit(items, item, [...path, index]);
    } else {
      for (const [name, property] of datedProperties(node))
        visit(property, (value as Record<string, unknown>)[name], [...path, name]);
    }
  };
  visit(schema, record, []);
  return found;
}

function isDate({ format }: SchemaNode): boolean {
  return format === "date" || format === "date-time";
}

/** By schema: an import looks at hundreds of thousands of records. */
const dated = new WeakMap<SchemaNode, readonly [string, SchemaNode][]>();

/** The properties in which a date can be. */
function datedProperties(node: SchemaNode): readonly [string, SchemaNode][] {
  let properties = dated.get(node);
  if (properties === undefined) {
    properties = Object.entries(node.properties ?? {}).filter(([, property]) => hasDates(property));
    dated.set(node, properties);
  }
  return properties;
}

function hasDates(node: SchemaNode): boolean {
  if (node.$ref !== undefined || isDate(node)) return true;
  if (isNullable(node)) return hasDates(valueSchema(node));
  if (node.items !== undefined) return hasDates(node.items);
  return datedProperties(node).length > 0;
}
