import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** Controls of a toolbar that are seldom needed, behind a button; what they offer is asked for once they are shown. */
export function More({ children }: { children: ComponentChildren }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="more" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary class="button">More filters</summary>
      <div class="more-fields">{isOpen && children}</div>
    </details>
  );
}
