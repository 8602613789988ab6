import type { TObject, TSchema } from "@sinclair/typebox";
import { isNullable, type SchemaNode, valueSchema } from "../schema/cleaning.ts";
import type { Instant } from "../lib/instant.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { type RecordType, recordTypes } from "../schema/record-types.ts";
import { type Read, readDate, readTime, writeTime } from "./csv-times.ts";
import { variantsOf } from "./model.ts";
import { CredentialEntry, PayorEntry } from "./users.ts";

/** The files of a CSV folder, and the conversion between cells and fields. */

/** Lists of a user with their own files. Their rows name the user in the column `publicId`. */
export const userLists = { payors: PayorEntry, credentials: CredentialEntry } as const;
export type UserList = keyof typeof userLists;
export const userListNames = Object.keys(userLists) as UserList[];

/** The column with the user's id, in files of lists. */
export const OWNER = "publicId";

/** A column that marks a row as a deletion of its record. */
export const DELETED = "deleted";

export function fileOfType(type: RecordType): string {
  return `${type}.csv`;
}

export function fileOfList(list: UserList): string {
  return `user.${list}.csv`;
}

/** All files that a folder can contain, those of records in the order in which they are read. */
export const csvFiles: readonly string[] = [
  ...recordTypes.map(fileOfType),
  ...userListNames.map(fileOfList),
];

/** The columns for the records of a type, of all variants. */
export function columnsOfType(type: RecordType): string[] {
  const lists: readonly string[] = type === "user" ? userListNames : [];
  return columnsOf(variantsOf(type).variants).filter(
    (name) => name !== "type" && !lists.includes(name),
  );
}

export function columnsOfList(list: UserList): string[] {
  return [OWNER, ...columnsOf([userLists[list]])];
}

/** A field is a column; an object is one column per field, such as `insuredAddress.city`. */
function columnsOf(variants: readonly TObject[]): string[] {
  const names = variants.flatMap(({ properties }) =>
    Object.entries(properties).flatMap(([name, schema]) =>
      isObject(schema) ? columnsOf([schema]).map((inner) => `${name}.${inner}`) : [name],
    ),
  );
  return [...new Set(names)];
}

export function isObject(schema: TSchema): schema is TObject {
  return schema.type === "object";
}

/** The schema of a column, from the first variant that has it. */
export function schemaAt(
  variants: readonly TObject[],
  [name = "", ...inner]: readonly string[],
): TSchema | undefined {
  const schema = variants.find(({ properties }) => name in properties)?.properties[name];
  if (schema === undefined || inner.length === 0) return schema;
  return isObject(schema) ? schemaAt([schema], inner) : undefined;
}

/** Whether a variant requires a field and the objects that contain it. */
export function isRequired(variant: TObject, [name = "", ...inner]: readonly string[]): boolean {
  if (variant.required?.includes(name) !== true) return false;
  const schema = variant.properties[name] as TSchema;
  return inner.length === 0 || (isObject(schema) && isRequired(schema, inner));
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const BETWEEN = ";";

/**
 * Parses a cell. Text in the wrong format stays text, for the schema to refuse.
 *
 * @param zone the zone of times without an offset.
 */
export function readCell(cell: string, schema: TSchema, zone: TimeZone | undefined): Read<unknown> {
  const node: SchemaNode = isNullable(schema) ? valueSchema(schema) : schema;
  if (node.format === "date") return readDate(cell);
  if (node.format === "date-time") return readTime(cell, zone);
  return { value: plainValue(cell, node) };
}

function plainValue(cell: string, node: SchemaNode): unknown {
  const { type, items = {}, enum: words } = node;
  if (type === "boolean" || typeof node.const === "boolean") return truthOf(cell) ?? cell;
  if ((type === "number" || type === "integer") && NUMBER.test(cell)) return Number(cell);
  if (words !== undefined) return wordOf(cell, words);
  if (typeof node.const === "string") return wordOf(cell, [node.const]);
  if (type !== "array") return cell;
  if (cell.startsWith("[")) return fromJson(cell);
  if (items.type === "object" || items.$ref !== undefined) return cell;
  return cell.split(BETWEEN).map((text) => plainValue(text.trim(), items));
}

const TRUTHS = new Map([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false],
]);

/** Parses yes or no; undefined for other text. */
export function truthOf(cell: string): boolean | undefined {
  return TRUTHS.get(cell.toLowerCase());
}

/** The value of an enumeration that a cell means (ignoring case, with spaces or hyphens for underscores); otherwise the cell itself. */
function wordOf(cell: string, words: readonly string[]): string {
  const folded = foldWord(cell);
  return words.find((word) => foldWord(word) === folded) ?? cell;
}

function foldWord(word: string): string {
  return word.toUpperCase().replaceAll(/[\s-]+/g, "_");
}

/**
 * Formats a value as a cell. Lists are joined with `;`, or written as JSON if they could not be parsed back otherwise.
 */
export function cellOf(value: unknown, schema: TSchema, zone: TimeZone | undefined): string {
  if (value === undefined || value === null) return "";
  const node: SchemaNode = isNullable(schema) ? valueSchema(schema) : schema;
  if (node.format === "date-time") return writeTime(value as Instant, zone);
  if (!Array.isArray(value)) return String(value);
  if (value.length === 0) return "";
  return value.every(isPlain) && !value[0]?.startsWith("[")
    ? value.join(BETWEEN)
    : JSON.stringify(value);
}

function isPlain(item: unknown): item is string {
  return typeof item === "string" && item !== "" && item === item.trim() && !item.includes(BETWEEN);
}

function fromJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
