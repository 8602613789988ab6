import type { Line } from "./lines.ts";

/** What brings back what was there before an import. */

/** How many records an import may have to be undone: each is read before. */
export const MAX_UNDONE = 2_000;

/** The records as they were; those that were not there are deleted. */
export function undoOf(type: string, ids: readonly string[], before: readonly Line[]): Line[] {
  const stored = new Map(before.map((line) => [line.publicId, line]));
  return [...new Set(ids)].map(
    (publicId) => stored.get(publicId) ?? { type, publicId, deleted: true },
  );
}

/** What a row calls its record: a person's name, a title, a number; empty if it says none. */
export function nameOfRow(head: readonly string[], row: readonly string[]): string {
  const cell = (field: string): string => row[head.indexOf(field)] ?? "";
  const person = [cell("firstName"), cell("lastName")].filter(Boolean).join(" ");
  return person || cell("name") || cell("title") || cell("authorizationNumber");
}
