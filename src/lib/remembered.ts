/** The value of a key in a map; if there is none, a new one, which is stored. */
export function remembered<Key, Value>(
  values: Map<Key, Value>,
  key: Key,
  create: () => Value,
): Value {
  let value = values.get(key);
  if (value === undefined) values.set(key, (value = create()));
  return value;
}
