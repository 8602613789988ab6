import { useEffect, useState } from "preact/hooks";
import { type Answer, useAnswer } from "./answer.ts";
import { get, getWhole, type Query, withQuery } from "./api.ts";
import type { PageOf } from "./wire.ts";

/** A list of the API that is shown a page at a time, and printed whole. */
export interface List<Page> {
  answer: Answer<Page>;
  /** Reads all pages, prints them, and goes back to the page that was shown. */
  print(): void;
}

/** The page of a list that the query asks for. */
export function useList<Page extends PageOf<unknown>>(path: string, query: Query): List<Page> {
  const [isWhole, setWhole] = useState(false);
  const address = withQuery(path, query);
  const answer = useAnswer(isWhole ? `all of ${address}` : address, (signal) =>
    isWhole ? getWhole<Page>(path, query, signal) : get<Page>(address, signal),
  );
  const isReady = isWhole && !answer.isLoading && answer.failure === undefined;

  useEffect(() => {
    if (!isReady) return;
    const goBack = (): void => setWhole(false);
    addEventListener("afterprint", goBack);
    print();
    return () => removeEventListener("afterprint", goBack);
  }, [isReady]);

  return { answer, print: () => setWhole(true) };
}
