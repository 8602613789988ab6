import type { ComponentType, JSX } from "preact";
import { useResponse } from "../../lib/base/response.ts";
import { ResponseView } from "./notices.tsx";

/**
 * What is seldom used, and whose script is loaded when it is first shown: the page begins without it.
 *
 * @param load imports it.
 */
export function later<Properties extends object>(
  load: () => Promise<ComponentType<Properties>>,
): (properties: Properties) => JSX.Element {
  let Loaded: ComponentType<Properties> | undefined;
  return function Later(properties) {
    const response = useResponse(Loaded === undefined ? "script" : undefined, async () => {
      Loaded = await load();
      return true;
    });
    if (Loaded !== undefined) return <Loaded {...properties} />;
    return (
      <div class="later">
        <ResponseView response={response}>{() => null}</ResponseView>
      </div>
    );
  };
}
