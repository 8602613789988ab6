/** Orders numbers by value, and texts by code unit, the same everywhere. */
export function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
