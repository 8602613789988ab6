import type { TObject, TSchema } from "@sinclair/typebox";
import { isNullable, type SchemaNode, valueSchema } from "../schema/cleaning.ts";
import type { Instant } from "../lib/instant.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { type RecordType, recordTypes } from "../schema/record-types.ts";
import { readDate, readTime, writeTime } from "./csv-times.ts";
import { recordKinds } from "./model.ts";
import { CredentialEntry, PayorEntry } from "./users.ts";

/** What the tables of a folder of CSV are, and how a cell holds a field. */

/** The lists of a user that are tables of their own, which name the user in the column `publicId`. */
export const userLists = { payors: PayorEntry, credentials: CredentialEntry } as const;
export type UserList = keyof typeof userLists;
export const userListNames = Object.keys(userLists) as UserList[];

/** The column that names the user whose entry a row is. */
export const OWNER = "publicId";

/** The column of a row that deletes its record; exports have none. */
export const DELETED = "deleted";

export function fileOfType(type: RecordType): string {
  return `${type}.csv`;
}

export function fileOfList(list: UserList): string {
  return `user.${list}.csv`;
}

/** All files that a folder may hold, those of the records in the order in which they are read. */
export const csvFiles: readonly string[] = [
  ...recordTypes.map(fileOfType),
  ...userListNames.map(fileOfList),
];

/** The columns of the records of a type, whatever their kind. */
export function columnsOfType(type: RecordType): string[] {
  const lists: readonly string[] = type === "user" ? userListNames : [];
  return columnsOf(recordKinds(type).kinds).filter(
    (name) => name !== "type" && !lists.includes(name),
  );
}

export function columnsOfList(list: UserList): string[] {
  return [OWNER, ...columnsOf([userLists[list]])];
}

/** A field is a column; an object is a column for each of its fields, such as `insuredAddress.city`. */
function columnsOf(kinds: readonly TObject[]): string[] {
  const names = kinds.flatMap(({ properties }) =>
    Object.entries(properties).flatMap(([name, schema]) =>
      isObject(schema) ? columnsOf([schema]).map((inner) => `${name}.${inner}`) : [name],
    ),
  );
  return [...new Set(names)];
}

export function isObject(schema: TSchema): schema is TObject {
  return schema.type === "object";
}

/** The schema of a column, in the first of some kinds that has it. */
export function schemaAt(
  kinds: readonly TObject[],
  [name = "", ...inner]: readonly string[],
): TSchema | undefined {
  const schema = kinds.find(({ properties }) => name in properties)?.properties[name];
  if (schema === undefined || inner.length === 0) return schema;
  return isObject(schema) ? schemaAt([schema], inner) : undefined;
}

/** Whether a kind needs a field, and the objects that it is in. */
export function isRequired(kind: TObject, [name = "", ...inner]: readonly string[]): boolean {
  if (kind.required?.includes(name) !== true) return false;
  const schema = kind.properties[name] as TSchema;
  return inner.length === 0 || (isObject(schema) && isRequired(schema, inner));
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const BETWEEN = ";";

/** The value of a cell, or what is wrong with it. */
export type ReadCell = { value: unknown } | { message: string };

/**
 * The value that a cell stands for. One that is none of its field's form stays text, which the schema then refuses.
 *
 * @param zone in which a time is that says none.
 */
export function readCell(cell: string, schema: TSchema, zone: TimeZone | undefined): ReadCell {
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

/** Yes or no; undefined of a cell that is neither. */
export function truthOf(cell: string): boolean | undefined {
  return TRUTHS.get(cell.toLowerCase());
}

/** The word of an enumeration that a cell means, or the cell itself. */
function wordOf(cell: string, words: readonly string[]): string {
  const folded = foldWord(cell);
  return words.find((word) => foldWord(word) === folded) ?? cell;
}

function foldWord(word: string): string {
  return word.toUpperCase().replaceAll(/[\s-]+/g, "_");
}

/** The cell for a value; for a list its texts with `;` between them, or JSON where that would not be read as it was. */
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
