import { useShared } from "../../lib/base/response.ts";
import { getAll } from "../../lib/base/api.ts";
import type { NAMED_LISTS, PracticeType } from "../../lib/practice/practice.ts";
import type { NamedRecord } from "../../lib/base/wire.ts";
import type { Choice } from "./field.tsx";

type List = (typeof NAMED_LISTS)[PracticeType];

/** The elements of a list, by name; none until loaded, and without a list. */
export function useNamedList<Item extends NamedRecord = NamedRecord>(
  list: List | undefined,
): Item[] {
  const elements = useShared(list, () => getAll<Item>(list ?? "", {}));
  return elements.value ?? [];
}

/** Records as what can be chosen. */
export function choicesOf(records: readonly NamedRecord[]): Choice[] {
  return records.map(({ publicId, name }) => ({ value: publicId, name }));
}

/** The names of a list's elements by id; the id itself if the name is not loaded or unknown. */
export function useNamed(list: List): (id: string) => string {
  const names = new Map(useNamedList(list).map(({ publicId, name }) => [publicId, name]));
  return (id) => names.get(id) ?? id;
}
