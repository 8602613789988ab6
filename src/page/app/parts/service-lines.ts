import { remembered, useAnswer } from "../lib/answer.ts";
import { getAll } from "../lib/api.ts";
import type { Named } from "../lib/wire.ts";

/** What service lines are called, by id. Until that is known, and where it cannot be, an id is its own name. */
export function useServiceLines(): (id: string) => string {
  const names = useAnswer("service-lines", () =>
    remembered("service-lines", async () => {
      const lines = await getAll<Named>("service-lines", {}, new AbortController().signal);
      return new Map(lines.map(({ publicId, name }) => [publicId, name]));
    }),
  );
  return (id) => names.value?.get(id) ?? id;
}
