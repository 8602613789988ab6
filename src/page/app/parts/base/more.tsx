import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { parameters } from "../../lib/base/place.ts";

/** Controls of a toolbar that are seldom needed, behind a button; what they offer is asked for once they are shown. */
export function More(properties: {
  /** The parameters that they set: how many are set is said. */
  of: readonly string[];
  children: ComponentChildren;
}) {
  const { of, children } = properties;
  const [isOpen, setIsOpen] = useState(false);
  const count = Object.values(parameters(of)).filter((value) => value !== undefined).length;
  return (
    <details class="more" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary class={count > 0 ? "button set" : "button"}>
        Filter{count > 0 && ` · ${count}`}
      </summary>
      <div class="more-fields">{isOpen && children}</div>
    </details>
  );
}
