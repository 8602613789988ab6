/** A readable id, its number padded so that ids sort by it: `numbered("apt_", 17, 8)` is `apt_00000017`. */
export function numbered(prefix: string, number: number, width = 6): string {
  return prefix + String(number).padStart(width, "0");
}
