/** Whether two values of plain data have the same parts. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [own, other] = [Object.entries(a), Object.entries(b)];
  return (
    own.length === other.length &&
    own.every(([name, value]) => name in b && isSame(value, b[name as keyof typeof b]))
  );
}
