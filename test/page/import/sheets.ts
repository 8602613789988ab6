import "./descriptions.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import type { TimeZone } from "../../../src/lib/time-zone.ts";
import {
  type CalendarDate,
  endOfDay as lastInstantOf,
} from "../../../src/page/app/lib/base/dates.ts";
import type { Fields } from "./expected.ts";

/** Imports of sheets without a browser or a server: what would be sent, and what a practice then has. */

const { sheetsOfFile, textSheet } = await import("../../../src/page/app/lib/import/sheet.ts");
const { buildImport } = await import("../../../src/page/app/lib/import/build.ts");
const { noteText, rowsText } = await import("../../../src/page/app/lib/import/notes.ts");
const { NewIds } = await import("../../../src/page/app/lib/import/practice.ts");

type Sheet = Exclude<Awaited<ReturnType<typeof sheetsOfFile>>, { refusal: string }>[number];
type Line = { type: string; publicId: string } & Fields;

export interface Practice {
  zone: TimeZone;
  now: Instant;
  lines: Line[];
  endOfDay: (day: string) => string;
}

export const NOW = `${new Date().getUTCFullYear()}-11-28T20:00:00.000Z` as Instant;

export function practiceOf(lines: readonly Fields[], zone: TimeZone, now = NOW): Practice {
  const endOfDay = (day: string): string => lastInstantOf(day as CalendarDate, zone);
  return { zone, now, lines: lines as Line[], endOfDay };
}

/** The sheet of a text file, pasted or of bytes. */
export async function sheetsIn(
  files: readonly (readonly [name: string, content: string | Uint8Array])[],
): Promise<Sheet[]> {
  const read = await Promise.all(
    files.map(([name, content]) =>
      sheetsOfFile(name, typeof content === "string" ? new TextEncoder().encode(content) : content),
    ),
  );
  return read.flatMap((each) => {
    if (!Array.isArray(each)) throw new Error(each.refusal);
    return each;
  });
}

export interface Said {
  /** What would be sent. */
  lines: Line[];
  /** The records that are new or change, as they then are. */
  changed: Line[];
  /** The notes by sheet. */
  said: [sheet: string, text: string][];
  /** `Status, rows 2, 3: is empty` */
  mistakes: string[];
  constants: [sheet: string, label: string, value: string, isAsked: boolean][];
  sheets: Sheet[];
  /** In milliseconds. */
  took: number;
  after: Practice;
}

export async function importOf(
  practice: Practice,
  files: readonly (readonly [name: string, content: string | Uint8Array])[],
  chosen: Partial<Sheet> = {},
): Promise<Said> {
  const sheets = (await sheetsIn(files)).map((sheet) => ({ ...sheet, ...chosen }));
  return importOfSheets(practice, sheets);
}

export function importOfSheets(practice: Practice, sheets: Sheet[]): Said {
  const ofType = (...types: string[]) => practice.lines.filter(({ type }) => types.includes(type));
  const others = practice.lines.filter(({ type }) => !["session", "encounter"].includes(type));
  const stored = { lines: others, sessions: ofType("session"), encounters: ofType("encounter") };
  const start = performance.now();
  const built = buildImport(sheets, { ...practice, stored, ids: new NewIds() } as never);
  const took = performance.now() - start;
  const lines = built.lines.map(({ line }) => line as Line);
  const before = new Map(practice.lines.map((line) => [line.publicId, line]));
  const after = new Map(before);
  for (const line of lines) after.set(line.publicId, { ...before.get(line.publicId), ...line });
  const isEqual = (line: Line | undefined, other: Line | undefined): boolean =>
    JSON.stringify(sorted(line)) === JSON.stringify(sorted(other));
  return {
    lines,
    changed: [...after.values()].filter((line) => !isEqual(line, before.get(line.publicId))),
    said: [...built.sheets].flatMap(([{ name, encoding }, { reader }]) => [
      ...(encoding === undefined || encoding === "UTF-8"
        ? []
        : ([[name, `Read as ${encoding}.`]] as [string, string][])),
      ...reader.said.map((note): [string, string] => [name, noteText(note)]),
    ]),
    mistakes: [...built.sheets.values()].flatMap(({ reader }) =>
      reader.mistakes.all.map(
        ({ heading, what, rows }) => `${heading}, row ${rowsText(rows)}: ${what}`,
      ),
    ),
    constants: [...built.sheets].flatMap(([{ name }, { constants }]) =>
      constants.map(({ label, value, isAsked }): [string, string, string, boolean] => [
        name,
        label,
        value,
        isAsked,
      ]),
    ),
    ...{ sheets, took },
    after: { ...practice, lines: [...after.values()] },
  };
}

/** Without what is null or empty, in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, each]) => each !== null && each !== "" && each !== undefined)
    .map(([field, each]) => [field, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export { textSheet };
