import type { ImportLine } from "./practice.ts";

/** How much is sent and read at once, and what is said of more. */

/** How many records are read one by one, such as those that an undo brings back. */
export const MOST_READ = 2_000;

/** In bytes, of what is sent at once. */
export const MOST_BYTES = 8 * 1024 * 1024;

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What is said of more than is sent at once: which sheet is to be left for a second import, the largest of several. */
export function tooLargeText(lines: readonly ImportLine[]): string {
  const sizes = new Map<string, number>();
  for (const { line, sheet } of lines)
    sizes.set(sheet.name, (sizes.get(sheet.name) ?? 0) + bytesOf(JSON.stringify(line)));
  const [largest] = [...sizes].sort((a, b) => b[1] - a[1]);
  return sizes.size > 1
    ? `These are more records than one import takes. Take “${largest?.[0]}” away, and choose it again afterwards.`
    : "These are more records than one import takes: leave some rows for a second file.";
}

/** Whether the stored records that an import changes are few enough to be read before it. */
export function canUndo(lines: readonly ImportLine[]): boolean {
  return lines.filter(({ isNew }) => !isNew).length <= MOST_READ;
}
