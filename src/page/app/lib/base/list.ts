import { useEffect, useState } from "preact/hooks";
import { type ResponseState, useRemembered } from "./response.ts";
import { get, getWhole, withQuery } from "./api.ts";
import type { Query } from "./query.ts";
import type { PageOf } from "./wire.ts";

/** A list of the API, shown page by page and printed completely. */
export interface List<Page> {
  response: ResponseState<Page>;
  /** Loads all pages, prints them, and returns to the current page. */
  print(): void;
}

/** The page of a list for a query. */
export function useList<Page extends PageOf<unknown>>(path: string, query: Query): List<Page> {
  const [isWhole, setWhole] = useState(false);
  const address = withQuery(path, query);
  const response = useRemembered(isWhole ? `all of ${address}` : address, (signal) =>
    isWhole ? getWhole<Page>(path, query, signal) : get<Page>(address, signal),
  );
  const isReady = isWhole && !response.isLoading && response.failure === undefined;

  useEffect(() => {
    if (!isReady) return;
    const goBack = (): void => setWhole(false);
    addEventListener("afterprint", goBack);
    print();
    return () => removeEventListener("afterprint", goBack);
  }, [isReady]);

  return { response, print: () => setWhole(true) };
}
