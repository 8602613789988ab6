import type { ComponentType, JSX } from "preact";
import { Failure } from "../lib/failure.ts";
import { useResponse } from "../lib/response.ts";
import { ResponseView } from "./notices.tsx";

/**
 * What is seldom used, and whose script is loaded when it is first shown: the page begins without it.
 *
 * @param load imports it.
 */
export function later<Properties extends object>(
  load: () => Promise<ComponentType<Properties>>,
): (properties: Properties) => JSX.Element {
  return function Later(properties) {
    const response = useResponse("script", () => load().then((Part) => ({ Part }), notLoaded));
    if (response.value === undefined)
      return (
        <div class="later">
          <ResponseView response={response}>{() => null}</ResponseView>
        </div>
      );
    const { Part } = response.value;
    return <Part {...properties} />;
  };
}

/** A page that was opened before the server was updated finds no scripts of its version. */
function notLoaded(): never {
  throw new Failure("This could not be loaded. Reload the page if it stays so.");
}
