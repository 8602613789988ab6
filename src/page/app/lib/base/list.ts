import { useEffect, useState } from "preact/hooks";
import { type ResponseState, useRemembered } from "./response.ts";
import { get, getWhole, withQuery } from "./api.ts";
import { parameter } from "./place.ts";
import type { Query } from "./query.ts";
import type { PageOf } from "./wire.ts";

/** A list of the API, shown page by page, and printed and saved completely. */
export interface List<Page> {
  response: ResponseState<Page>;
  /** Loads all pages, prints them, and returns to the current page. */
  print(): void;
  readWhole(): Promise<Page>;
}

/** The current page of a list, by a query of all other parameters. */
export function useList<Page extends PageOf<unknown>>(path: string, query: Query): List<Page> {
  const [isWhole, setWhole] = useState(false);
  const address = withQuery(path, { ...query, page: parameter("page") });
  const response = useRemembered(isWhole ? `all of ${address}` : address, (reading) =>
    isWhole ? getWhole<Page>(path, query, reading) : get<Page>(address, reading),
  );
  const isReady = isWhole && !response.isLoading && response.failure === undefined;

  useEffect(() => {
    if (!isReady) return;
    const goBack = (): void => setWhole(false);
    addEventListener("afterprint", goBack);
    print();
    return () => removeEventListener("afterprint", goBack);
  }, [isReady]);

  return {
    response,
    print: () => setWhole(true),
    readWhole: () => getWhole<Page>(path, query),
  };
}
