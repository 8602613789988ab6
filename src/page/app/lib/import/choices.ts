import { keepInBrowser, keptInBrowser } from "../base/browser-storage.ts";
import { isSame } from "../base/same.ts";
import { FIELDS, type SheetType } from "./fields.ts";
import type { Grid } from "./grid.ts";
import type { Choices, Sheet } from "./sheet.ts";
import { isFixedValue } from "./words.ts";

/**
 * What was chosen for a sheet, kept in this browser for the next one with the same headings. Of words only those of
 * fixed values are kept, such as of a status: no name of a person stays in the browser.
 */

/** The key of some headings: a number, since a sheet without headings has data in its first row. */
export function keyOf(organizationId: string, headings: readonly string[]): string {
  // 64-bit FNV-1a
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(JSON.stringify([organizationId, headings])))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return `caseload-sheet-${hash.toString(16)}`;
}

export function keepChoices(organizationId: string, sheet: Sheet): void {
  const { type, fields, constants, grid } = sheet;
  const words = fixedWords(sheet.words);
  // What is answered at notes, such as that empty cells empty what is stored, is for this sheet alone.
  const choices: Omit<Choices, "answers"> = { type, fields, constants, words };
  keepInBrowser(keyOf(organizationId, grid.headings), choices);
}

export function forgetChoices(organizationId: string, { headings }: Grid): void {
  keepInBrowser(keyOf(organizationId, headings), null);
}

/**
 * A sheet with what was chosen for the one that it replaces, such as a corrected file, else with what is kept for its
 * headings; what is unknown today is as if it had not been chosen.
 */
export function withEarlierChoices(
  organizationId: string,
  sheet: Sheet,
  replaced: readonly Sheet[],
): Sheet {
  const before = replaced.find(
    ({ name, grid }) => name === sheet.name && isSame(grid.headings, sheet.grid.headings),
  );
  if (before !== undefined) {
    const { type, fields, constants, words, answers } = before;
    return { ...sheet, type, fields, constants, words, answers };
  }
  const kept = keptInBrowser<unknown>(keyOf(organizationId, sheet.grid.headings));
  return { ...sheet, ...choicesIn(kept, sheet) };
}

/** What may be of choices that were read from the browser's store, which holds anything. */
export function choicesIn(kept: unknown, sheet: Choices & { grid: Grid }): Choices {
  const { type, fields, constants, words } = (isObject(kept) ? kept : {}) as Record<
    string,
    unknown
  >;
  if (typeof type !== "string" || !Object.hasOwn(FIELDS, type)) return sheet;
  const own = FIELDS[type as SheetType];
  const { headings } = sheet.grid;
  const isWhole = Array.isArray(fields) && fields.length === headings.length;
  if (!isWhole) return sheet;
  return {
    type: type as SheetType,
    // What was left out is null in JSON.
    fields: fields.map((field) =>
      typeof field === "string" && Object.hasOwn(own, field) ? field : undefined,
    ),
    constants: texts(constants),
    words: fixedWords(isObject(words) ? words : {}),
    answers: {},
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function texts(value: unknown): Record<string, string> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function fixedWords(words: Record<string, unknown>): Choices["words"] {
  const entries = Object.entries(words).map(([field, chosen]) => {
    const own = Object.entries(texts(chosen)).filter(([, value]) => isFixedValue(field, value));
    return [field, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(entries.filter(([, own]) => Object.keys(own).length > 0));
}
