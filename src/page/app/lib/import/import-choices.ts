import { keepInBrowser, keptInBrowser } from "../base/browser-storage.ts";
import type { Sheet } from "./import-sheet.ts";

/**
 * What was chosen for a sheet, kept in this browser for the next one with the same headings. Of words only those of
 * fixed values are kept, such as of a status: no name of a person stays in the browser.
 */

export type Choices = Pick<Sheet, "type" | "role" | "fields" | "words">;

/** The key of some headings: a number, since a sheet without headings has data in its first row. */
export function keyOf(organizationId: string, headings: readonly string[]): string {
  // 64-bit FNV-1a
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(JSON.stringify([organizationId, headings])))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return `caseload-import-${hash.toString(16)}`;
}

/** Those that are kept; without any, they are guessed. */
export function keptChoices(
  organizationId: string,
  headings: readonly string[],
): Choices | undefined {
  return keptInBrowser(keyOf(organizationId, headings));
}

/** @param isFixed whether the words of a field stand for fixed values. */
export function keepChoices(
  organizationId: string,
  sheet: Sheet,
  isFixed: (field: string) => boolean,
): void {
  const { headings, type, role, fields } = sheet;
  const words = Object.fromEntries(Object.entries(sheet.words).filter(([field]) => isFixed(field)));
  const choices: Choices = { type, role, fields, words };
  keepInBrowser(keyOf(organizationId, headings), choices);
}
