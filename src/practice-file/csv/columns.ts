import type { TObject, TSchema } from "@sinclair/typebox";
import { isNullable, type SchemaNode, valueSchema } from "../../schema/cleaning.ts";
import type { Instant } from "../../lib/instant.ts";
import { parseJson } from "../../lib/json.ts";
import { remembered } from "../../lib/remembered.ts";
import type { TimeZone } from "../../lib/time-zone.ts";
import { type RecordType, recordTypes } from "../../schema/record-types.ts";
import {
  type Calendar,
  type Read,
  readDate,
  readEnd,
  readTime,
  writeEnd,
  writeTime,
} from "../../lib/cells/times.ts";
import { HandOver } from "../../billing/line.ts";
import { variantsOf } from "../model.ts";
import { CredentialEntry, PayorEntry } from "../../users/stored-entries.ts";

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

/** A field of a variant, or a field of an object in it, such as `insuredAddress.city`. */
export interface Column {
  path: readonly string[];
  schema: TSchema;
  /** Whether the field is required, and the object that contains it. */
  isRequired: boolean;
}

const columns = new Map<TObject, ReadonlyMap<string, Column>>();

export function columnsOf(variant: TObject): ReadonlyMap<string, Column> {
  return remembered(
    columns,
    variant,
    () => new Map([...columnsIn(variant)].map((column) => [column.path.join("."), column])),
  );
}

function* columnsIn(
  { properties, required = [] }: TObject,
  outer: Pick<Column, "path" | "isRequired"> = { path: [], isRequired: true },
): Generator<Column> {
  for (const [name, schema] of Object.entries(properties)) {
    const isRequired = outer.isRequired && required.includes(name);
    const column = { path: [...outer.path, name], schema, isRequired };
    if (schema.type === "object") yield* columnsIn(schema as TObject, column);
    else yield column;
  }
}

/** The columns for the records of a type, of all variants. Lists with their own file are none. */
function columnsOfType(type: RecordType): string[] {
  const names = variantsOf(type).variants.flatMap((variant) => [...columnsOf(variant).keys()]);
  const others = ["type", ...(type === "user" ? userListNames : [])];
  return [...new Set(names)].filter((name) => !others.includes(name));
}

/** The files that a folder can contain, those of records in the order in which they are read, with their columns. */
export const csvFiles = new Map<string, readonly string[]>([
  ...recordTypes.map((type) => [fileOfType(type), [...columnsOfType(type), DELETED]] as const),
  ...userListNames.map(
    (list) => [fileOfList(list), [OWNER, ...columnsOf(userLists[list]).keys()]] as const,
  ),
]);

/** The columns of `encounter.csv` in exports before 1.0.0, in which an encounter had one hand-over at most. */
export const formerColumns: ReadonlyMap<string, Column> = new Map(
  (["batch", "at", "line"] as const).map((name) => {
    const column = { path: ["billed", name], schema: HandOver.properties[name], isRequired: false };
    return [column.path.join("."), column];
  }),
);

/** The columns of `session.csv` that offices have instead of `startTime` and `endTime`. */
export const OFFICE_TIMES = { date: "date", startTime: "start", endTime: "end" } as const;
const OFFICE_COLUMNS: readonly string[] = Object.values(OFFICE_TIMES);
const OFFICE_FIELDS: readonly string[] = Object.keys(OFFICE_TIMES).slice(1);

/** Whether the sessions of a file have their times in an office's columns. */
export function hasOfficeTimes(file: string, headings: readonly string[]): boolean {
  return file === fileOfType("session") && headings.some((name) => OFFICE_COLUMNS.includes(name));
}

/** A column that cannot stand beside the others of its file. */
export interface UnfitColumn {
  heading: string;
  message: string;
}

export function unknownColumns(file: string, headings: readonly string[]): string[] {
  const columns = csvFiles.get(file) ?? [];
  const others = [
    ...(hasOfficeTimes(file, headings) ? OFFICE_COLUMNS : []),
    ...(file === fileOfType("encounter") ? formerColumns.keys() : []),
  ];
  return headings.filter((heading) => !columns.includes(heading) && !others.includes(heading));
}

export function unfitColumns(file: string, headings: readonly string[]): UnfitColumn[] {
  const seen = new Set<string>();
  const twice = headings.filter((name) => seen.size === seen.add(name).size);
  const wrong = twice.map((heading) => ({ heading, message: "occurs twice in the header" }));
  if (!hasOfficeTimes(file, headings)) return wrong;
  const isWhole = OFFICE_COLUMNS.every((name) => headings.includes(name));
  const isMixed = OFFICE_FIELDS.some((name) => headings.includes(name));
  if (isWhole && !isMixed) return wrong;
  const message = "stands only with all of date, start and end, without startTime and endTime";
  const office = headings.filter((name) => OFFICE_COLUMNS.includes(name));
  return [...wrong, ...office.map((heading) => ({ heading, message }))];
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const GROUPED_NUMBER = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/;
const BETWEEN = ";";

/**
 * Parses a cell. Text in the wrong format stays text, for the schema to refuse.
 */
export function readCell(
  cell: string,
  { path, schema }: Pick<Column, "path" | "schema">,
  calendar: Calendar,
): Read<unknown> {
  const node: SchemaNode = isNullable(schema) ? valueSchema(schema) : schema;
  if (node.format === "date")
    return readDate(cell, calendar, /birthdate$/i.test(path.at(-1) ?? ""));
  if (node.format === "date-time")
    return isEnd(path) ? readEnd(cell, calendar) : readTime(cell, calendar);
  return { value: plainValue(cell, node) };
}

/** Whether a time is one until when something is valid, which offices write as its last day. */
function isEnd(path: readonly string[]): boolean {
  return ["expiresAt", "recertificationDate"].includes(path.at(-1) ?? "");
}

function plainValue(cell: string, node: SchemaNode): unknown {
  const { type, items = {}, enum: words } = node;
  if (type === "boolean" || typeof node.const === "boolean") return truthOf(cell) ?? cell;
  if (type === "number" || type === "integer") {
    if (NUMBER.test(cell)) return Number(cell);
    return GROUPED_NUMBER.test(cell) ? Number(cell.replaceAll(",", "")) : cell;
  }
  if (words !== undefined) return wordOf(cell, words);
  if (typeof node.const === "string") return wordOf(cell, [node.const]);
  if (type === "object" && cell.startsWith("{")) return fromJson(cell);
  if (type !== "array") return cell;
  if (cell.startsWith("[")) return fromJson(cell);
  if (items.type === "object" || items.$ref !== undefined) return cell;
  const texts = cell.split(BETWEEN).map((text) => text.trim());
  return texts.filter((text) => text !== "").map((text) => plainValue(text, items));
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

/** Words of offices for values of enumerations. */
const SYNONYMS = new Map([
  ["NO_SHOW", "PATIENT_NO_SHOW"],
  ["CANCELLED", "DECLINED"],
  ["CANCELED", "DECLINED"],
]);

/**
 * The value of an enumeration that a cell means (ignoring case, with spaces or hyphens for underscores, or by an office's
 * word); otherwise the cell itself.
 */
function wordOf(cell: string, words: readonly string[]): string {
  const folded = foldWord(cell);
  const synonym = SYNONYMS.get(folded);
  return words.find((word) => [folded, synonym].includes(foldWord(word))) ?? cell;
}

function foldWord(word: string): string {
  return word.toUpperCase().replaceAll(/[\s-]+/g, "_");
}

/**
 * Formats a value as a cell. Lists are joined with `;`, or written as JSON if they could not be parsed back otherwise;
 * objects that have no columns of their own are JSON.
 */
export function cellOf(
  value: unknown,
  { path, schema }: Pick<Column, "path" | "schema">,
  zone: TimeZone | undefined,
): string {
  if (value === undefined || value === null) return "";
  const node: SchemaNode = isNullable(schema) ? valueSchema(schema) : schema;
  if (node.format === "date-time")
    return isEnd(path) ? writeEnd(value as Instant, zone) : writeTime(value as Instant, zone);
  if (!Array.isArray(value))
    return typeof value === "object" ? JSON.stringify(value) : String(value);
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
    return parseJson(cell);
  } catch {
    return cell;
  }
}
