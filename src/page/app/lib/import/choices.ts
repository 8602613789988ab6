import { keepInBrowser, keptInBrowser } from "../base/browser-storage.ts";
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
  const { type, fields, constants, answers, grid } = sheet;
  const words = fixedWords(sheet.words);
  const choices: Choices = { type, fields, constants, words, answers };
  keepInBrowser(keyOf(organizationId, grid.headings), choices);
}

export function forgetChoices(organizationId: string, { headings }: Grid): void {
  keepInBrowser(keyOf(organizationId, headings), null);
}

/** A sheet with what is kept for its headings; what is unknown today is as if it had not been chosen. */
export function withKeptChoices(organizationId: string, sheet: Sheet): Sheet {
  const kept = keptInBrowser<unknown>(keyOf(organizationId, sheet.grid.headings));
  return { ...sheet, ...choicesIn(kept, sheet) };
}

/** What may be of choices that were read from the browser's store, which holds anything. */
export function choicesIn(kept: unknown, sheet: Choices & { grid: Grid }): Choices {
  const { type, fields, constants, words, answers } = (isObject(kept) ? kept : {}) as Record<
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
    answers: texts(answers),
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
