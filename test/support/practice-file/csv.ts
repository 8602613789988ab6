import { recordTypes } from "../../../src/schema/record-types.ts";
import type { Fields } from "./practice-file.ts";

/** Lines of a practice file as a folder of CSV. */

export interface Tables {
  files: Record<string, string>;
  /** The lines, numbered as in the practice file, in the order in which the folder is read. */
  inOrder: readonly number[];
  /** The file and row of a line, or of an entry of its lists, and the rest of the field's path. */
  place(
    line: number,
    path: readonly (string | number)[],
  ): { at: string; path: (string | number)[] };
}

/** Lists with files of their own. */
const LISTS = ["payors", "credentials"];

/**
 * Turns lines into tables: a field is a column, and one that a line leaves out, and another line of its type does not,
 * has its stored value.
 */
export function tablesOf(lines: readonly Fields[], stored: readonly Fields[] = []): Tables {
  const tables = new Map<string, Fields[]>();
  const places: string[] = [];
  const entryRows = new Map<string, string>();
  const add = (file: string, row: Fields): string => {
    const rows = tables.get(file) ?? [];
    tables.set(file, rows);
    return `${file}:${rows.push(row) + 1}`;
  };
  for (const [index, { type, ...fields }] of lines.entries()) {
    const own: Fields = {};
    for (const [name, value] of Object.entries(fields))
      if (type === "user" && LISTS.includes(name) && Array.isArray(value))
        for (const [position, entry] of value.entries())
          entryRows.set(
            `${index} ${name} ${position}`,
            add(`user.${name}.csv`, { publicId: fields.publicId, ...flat(entry as Fields) }),
          );
      else Object.assign(own, flat({ [name]: value }));
    places.push(add(`${type}.csv`, own));
  }
  const order = (line: number) => recordTypes.indexOf(lines[line - 1]?.type as "user");
  return {
    files: Object.fromEntries(
      [...tables].map(([file, rows]) => [
        file,
        tableOf(
          rows,
          stored.filter(({ type }) => file === `${type}.csv`),
        ),
      ]),
    ),
    inOrder: lines
      .map((_, index) => index + 1)
      .sort((one, other) => order(one) - order(other) || one - other),
    place: (line, path) => {
      const entry = entryRows.get(`${line - 1} ${path[0]} ${path[1]}`);
      return entry === undefined
        ? { at: places[line - 1] ?? "", path: [...path] }
        : { at: entry, path: path.slice(2) };
    },
  };
}

function tableOf(rows: readonly Fields[], stored: readonly Fields[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => {
    const known = flat(stored.find(({ publicId }) => publicId === row.publicId) ?? {});
    return columns.map((column) => cellOf(column in row ? row[column] : known[column]));
  });
  return [columns, ...cells].map((row) => `${row.join(",")}\n`).join("");
}

/** An object's fields as columns: `attribution.referrer`. An object within it is JSON. */
function flat(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([inner, each]) => [`${name}.${inner}`, each])
        : [[name, value]];
    }),
  );
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object" && !Array.isArray(value)) return quoted(JSON.stringify(value));
  if (!Array.isArray(value)) return quoted(String(value));
  const isPlain = value.every((each) => typeof each === "string");
  return quoted(isPlain ? value.join(";") : JSON.stringify(value));
}

function quoted(text: string): string {
  return text === "" || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
