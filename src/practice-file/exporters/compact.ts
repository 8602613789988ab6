/** A record on its way to a file, with its fields in the order of the practice file's table. */
export type Fields = Record<string, unknown>;

/** Leaves out what is null, at any depth: an optional field that has no value is not written. */
export function compact<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(compact) as Value;
  if (typeof value !== "object" || value === null) return value;
  const given = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(given.map(([name, field]) => [name, compact(field)])) as Value;
}

/** An optional list, which is not written when it is empty. */
export function optional<Item>(list: readonly Item[] | null = null): readonly Item[] | null {
  return list?.length === 0 ? null : list;
}
