import type { ComponentChildren } from "preact";

/** Controls of a toolbar that are seldom needed, behind a button. */
export function More({ children }: { children: ComponentChildren }) {
  return (
    <details class="more">
      <summary class="button">More filters</summary>
      <div class="more-fields">{children}</div>
    </details>
  );
}
