/** A field that holds a list, left out where the list is empty: as an export has it. */
export function optionalList<Name extends string, Item>(
  name: Name,
  list: Item[],
): Partial<Record<Name, Item[]>> {
  return list.length === 0 ? {} : ({ [name]: list } as Record<Name, Item[]>);
}
