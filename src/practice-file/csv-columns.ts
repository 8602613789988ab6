import type { TObject, TSchema } from "@sinclair/typebox";
import { recordKinds, type RecordType, recordTypes } from "./model.ts";
import { CredentialEntry, PayorEntry } from "./users.ts";

/** What the tables of a folder of CSV are, and how a cell holds a field. */

/** The lists of a user that are tables of their own, which name the user in the column `publicId`. */
export const userLists = { payors: PayorEntry, credentials: CredentialEntry } as const;
export type UserList = keyof typeof userLists;
export const userListNames = Object.keys(userLists) as UserList[];

/** The column that names the user whose entry a row is. */
export const OWNER = "publicId";

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

/** Whether the one kind that a record is of needs a field, and the objects that it is in. */
export function isRequired(
  kinds: readonly TObject[],
  [name = "", ...inner]: readonly string[],
): boolean {
  const [kind] = kinds;
  if (kinds.length !== 1 || kind?.required?.includes(name) !== true) return false;
  const schema = kind.properties[name] as TSchema;
  return inner.length === 0 || (isObject(schema) && isRequired([schema], inner));
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const BETWEEN = ";";

/** The value that a cell stands for. One that is none of its field's form stays text, which the schema then refuses. */
export function valueOf(cell: string, schema: TSchema): unknown {
  const { type, items } = withoutNull(schema);
  if (type === "boolean" && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === "true";
  if ((type === "number" || type === "integer") && NUMBER.test(cell)) return Number(cell);
  if (type !== "array") return cell;
  if (cell.startsWith("[")) return fromJson(cell);
  return isObject(items as TSchema) ? cell : cell.split(BETWEEN).map((text) => text.trim());
}

/** The cell for a value: a list as its texts with `;` between them, or as JSON where that would not be read as it was. */
export function cellOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return String(value);
  return value.length > 0 && value.every(isPlain) && !value[0]?.startsWith("[")
    ? value.join(BETWEEN)
    : JSON.stringify(value);
}

function isPlain(item: unknown): item is string {
  return typeof item === "string" && item !== "" && item === item.trim() && !item.includes(BETWEEN);
}

export function isNullable(schema: TSchema): boolean {
  return withoutNull(schema) !== schema;
}

function withoutNull(schema: TSchema): TSchema {
  const { anyOf = [] } = schema as { anyOf?: TSchema[] };
  const others = anyOf.filter(({ type }) => type !== "null");
  return others.length === 1 ? (others[0] as TSchema) : schema;
}

function fromJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
