import { remembered, useAnswer } from "../lib/answer.ts";
import { getAll } from "../lib/api.ts";
import type { Named, ServiceLine } from "../lib/wire.ts";

/** Lists of the practice's own words: services, places, payors. */
type List = "service-lines" | "locations" | "payors";

/** The elements of a list, by name; none until they are known. */
export function useNamedList(list: List): Named[] {
  const elements = useAnswer(list, () =>
    remembered(list, () => getAll<Named>(list, {}, new AbortController().signal)),
  );
  return elements.value ?? [];
}

/** A service with its billing unit; undefined while it is not known. */
export function useServiceLine(id: string | undefined): ServiceLine | undefined {
  const lines = useNamedList("service-lines") as ServiceLine[];
  return lines.find(({ publicId }) => publicId === id);
}

/** What the elements of a list are called, by id. Until that is known, and where it cannot be, an id is its own name. */
export function useNamed(list: List): (id: string) => string {
  const names = new Map(useNamedList(list).map(({ publicId, name }) => [publicId, name]));
  return (id) => names.get(id) ?? id;
}
