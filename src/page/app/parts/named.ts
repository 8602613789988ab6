import { remembered, useAnswer } from "../lib/answer.ts";
import { getAll } from "../lib/api.ts";
import type { Named } from "../lib/wire.ts";

/** What the elements of a list are called, by id. Until that is known, and where it cannot be, an id is its own name. */
export function useNamed(list: "service-lines" | "locations"): (id: string) => string {
  const names = useAnswer(list, () =>
    remembered(list, async () => {
      const elements = await getAll<Named>(list, {}, new AbortController().signal);
      return new Map(elements.map(({ publicId, name }) => [publicId, name]));
    }),
  );
  return (id) => names.value?.get(id) ?? id;
}
