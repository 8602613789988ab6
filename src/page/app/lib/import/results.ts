import type { Issue } from "../base/failure.ts";
import { countText } from "../base/format.ts";
import { nameOfLine } from "../base/lines.ts";
import { plainText } from "../base/mistakes.ts";
import type { Built } from "./build.ts";
import { COLUMNS } from "./columns.ts";
import { type Note, Notes } from "./notes.ts";
import type { ImportLine } from "./practice.ts";
import type { SheetReader } from "./reader.ts";

/** What the API says of the lines of an import, as each sheet's office reads it. */

/** The sheet's own columns of a record's field. */
function columnsOf({ isGuardian }: ImportLine, field: string): readonly string[] {
  const own = COLUMNS[field] ?? [field];
  return isGuardian ? [`guardian.${field}`, ...own.map((each) => `guardian.${each}`)] : own;
}

/** What a message says of the line of another record. */
const OF_OTHER_LINE = /(\S+) on line (\d+)\.$/;

/** The mistakes of each sheet: first its own; what the API finds in rows that have one already is their consequence. */
export function mistakesOf(
  { lines, sheets }: Built,
  issues: readonly Issue[],
): Map<SheetReader, Note[]> {
  const readers = [...sheets.values()].map(({ reader }) => reader);
  const found = new Map(readers.map((reader) => [reader, new Notes(reader.mistakes.all)]));
  const wrong = new Map(
    readers.map((reader) => [reader, new Set(reader.mistakes.all.flatMap(({ rows }) => rows))]),
  );
  // Whoever refers to a row with a mistake has none of their own.
  const isAnywhere = [...wrong.values()].some(({ size }) => size > 0);
  for (const issue of issues) {
    const [number, field] = issue.path;
    const line = lines[Number(number) - 2];
    if (line === undefined) continue;
    const { rows } = line;
    const reader = sheets.get(line.sheet)?.reader;
    if (reader === undefined) continue;
    const hasOwn = rows.some((row) => wrong.get(reader)?.has(row));
    const isReference = /^is no \w+ of the file/.test(issue.message.replace(/^.*: /, ""));
    if (hasOwn || (isAnywhere && isReference)) continue;
    const heading = field === undefined ? "" : reader.headingOf(columnsOf(line, String(field)));
    const what = plainText(issue).replace(OF_OTHER_LINE, (whole, _, other) => {
      const { line: record, rows: [row] = [] } = lines[Number(other) - 2] ?? {};
      return record === undefined
        ? whole
        : `${nameOfLine(record)} in row ${row}: only one can have it.`;
    });
    found.get(reader)?.add({ heading, what, rows: rows.slice(0, 1) });
  }
  return new Map([...found].map(([reader, mistakes]) => [reader, mistakes.all]));
}

const OF_IDS = /^(.*): ([\w-]+(?:, [\w-]+)*)(?:, …)?$/;
const NO_EMAIL = /^[\d,]+ users? ha(?:s|ve) no email/;

/** The notes of the API by sheet, with rows for ids. That patients have no email is nothing to say. */
export function notesOf(
  { lines, sheets }: Built,
  notes: readonly string[],
): Map<SheetReader, Note[]> {
  const byId = new Map(lines.map((line) => [line.line.publicId, line]));
  const found = new Map<SheetReader, Note[]>();
  const add = (reader: SheetReader | undefined, what: string, rows: number[]): void => {
    if (reader !== undefined)
      found.set(reader, [...(found.get(reader) ?? []), { key: what, heading: "", what, rows }]);
  };
  const readers = [...sheets.values()].map(({ reader }) => reader);
  const readerOf = (line: ImportLine | undefined) => line && sheets.get(line.sheet)?.reader;
  const calendar = readers.find(({ sheet }) => sheet.type === "appointments");
  for (const note of notes) {
    if (NO_EMAIL.test(note)) continue;
    const [, what = note, ids = ""] = OF_IDS.exec(note) ?? [];
    const named = ids.split(", ").flatMap((id) => byId.get(id) ?? []);
    if (named.length === 0) add(calendar ?? readers[0], note, []);
    else add(readerOf(named[0]), what, [...new Set(named.flatMap(({ rows }) => rows.slice(0, 1)))]);
  }
  for (const reader of readers) {
    const without = lines.filter(
      (each) => each.sheet === reader.sheet && each.isNew && isStaffWithoutEmail(each),
    );
    if (without.length > 0)
      add(
        reader,
        `${countText(without.length, "user")} ${without.length === 1 ? "has" : "have"} no email`,
        without.map(({ rows }) => rows[0] ?? 0),
      );
  }
  return found;
}

function isStaffWithoutEmail({ line }: ImportLine): boolean {
  return line.type === "user" && line.role !== "PATIENT" && !line.email;
}
