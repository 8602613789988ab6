import type { Database as SqliteFile } from "bun:sqlite";
import { createHash } from "node:crypto";

/** The schema of a database file, in a form in which that of an upgraded database equals that of a new one. */

/** All of a schema but the statistics of `analyze`. */
const SCHEMA =
  "select type || ' ' || name as entry, sql from sqlite_schema where name not in ('sqlite_stat1', 'sqlite_stat4')";

/** Each table, index, trigger and view, and its statement. */
export type FileSchema = ReadonlyMap<string, string>;

export function schemaOf(file: SqliteFile): FileSchema {
  const rows = file.query<{ entry: string; sql: string | null }, []>(SCHEMA).all();
  return new Map(rows.map(({ entry, sql }) => [entry, sameForm(sql ?? "")]));
}

/** A hash of a schema, by which that of a released version is known. */
export function schemaHash(file: SqliteFile): string {
  const entries = [...schemaOf(file)].map((entry) => entry.join("\n")).sort();
  return createHash("sha256").update(entries.join("\n")).digest("hex");
}

/** An entry of a schema that another one does not have, or has otherwise. */
export function foreignTo(own: FileSchema, present: FileSchema): string | undefined {
  return [...present.keys()].find((entry) => own.get(entry) !== present.get(entry));
}

/** `alter table` adds a column behind the constraints, and quotes a new name. */
function sameForm(sql: string): string {
  const text = sql.replaceAll('"', "").replaceAll(/\s+/g, " ").trim();
  const [begin, end] = [text.indexOf("("), text.lastIndexOf(")")];
  if (!/^create table /i.test(text) || begin < 0) return text;
  const definitions = split(text.slice(begin + 1, end)).sort();
  return `${text.slice(0, begin).trim()} (${definitions.join(", ")})${text.slice(end + 1)}`;
}

/** Splits at the commas outside of parentheses and texts. */
function split(list: string): string[] {
  const parts = [""];
  let depth = 0;
  let isInText = false;
  for (const character of list) {
    if (character === "'") isInText = !isInText;
    else if (!isInText) depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    if (character === "," && depth === 0 && !isInText) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
