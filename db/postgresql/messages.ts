import { types } from "pg";

/** What PostgreSQL's messages say: https://www.postgresql.org/docs/current/protocol-message-formats.html */

export interface Column {
  name: string;
  /** Undefined for texts, which are what they are. */
  parse: ((text: string) => unknown) | undefined;
}

/** The types of the server's catalog that are read otherwise than pg reads them, or not at all. */
const BIGINT = 20;
const TEXT = 25;
const NUMERIC = 1700;

function parserOf(type: number): Column["parse"] {
  if (type === TEXT) return undefined;
  // Counts and sums are numbers, which hold all that there can be.
  return type === BIGINT || type === NUMERIC ? Number : types.getTypeParser(type, "text");
}

/** Of a RowDescription, whose number of columns and the columns begin at `start`. */
export function columnsOf(bytes: Buffer, start: number): Column[] {
  const columns: Column[] = [];
  let at = start + 2;
  for (let left = bytes.readUInt16BE(start); left > 0; left -= 1) {
    const end = bytes.indexOf(0, at);
    const name = bytes.toString("utf8", at, end);
    // Behind the name: table, column, type, size, modifier and format.
    columns.push({ name, parse: parserOf(bytes.readUInt32BE(end + 7)) });
    at = end + 19;
  }
  return columns;
}

/** Of a DataRow, whose number of values and the values are between `start` and `end`. */
export function rowOf(
  columns: readonly Column[],
  bytes: Buffer,
  { start, end }: { start: number; end: number },
): object {
  // To cut a text out of another takes a fifth of the time that it takes to decode one.
  const text = bytes.toString("latin1", start, end);
  const row: Record<string, unknown> = {};
  let at = start + 2;
  for (const { name, parse } of columns) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length === -1) {
      row[name] = null;
      continue;
    }
    const value = isAscii(bytes, at, at + length)
      ? text.slice(at - start, at - start + length)
      : bytes.toString("utf8", at, at + length);
    row[name] = parse === undefined ? value : parse(value);
    at += length;
  }
  return row;
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  let all = 0;
  for (let at = start; at < end; at += 1) all |= bytes[at] as number;
  return all < 0x80;
}

/** Of an ErrorResponse, whose fields begin at `start`: a letter each, and a text. */
export function errorOf(bytes: Buffer, start: number): Error {
  const fields: Record<string, string> = {};
  for (let at = start; bytes[at] !== 0;) {
    const end = bytes.indexOf(0, at);
    fields[String.fromCharCode(bytes[at] as number)] = bytes.toString("utf8", at + 1, end);
    at = end + 1;
  }
  const { M: message, C: code, V: severity } = fields;
  return Object.assign(new Error(message), { code, severity });
}

/** A value as it is sent: as text, a list as an array. */
export function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `{${value.map(toElement).join(",")}}`;
  return String(value);
}

function toElement(value: unknown): string {
  const text = toText(value);
  if (text === null) return "NULL";
  return Array.isArray(value) ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
