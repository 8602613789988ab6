/**
 * The value of a key in a map; if there is none, a new one, which is stored.
 *
 * @param most as many values are kept: then all are forgotten.
 */
export function remembered<Key, Value>(
  values: Map<Key, Value>,
  key: Key,
  create: () => Value,
  most = Number.POSITIVE_INFINITY,
): Value {
  let value = values.get(key);
  if (value !== undefined) return value;
  if (values.size >= most) values.clear();
  values.set(key, (value = create()));
  return value;
}
