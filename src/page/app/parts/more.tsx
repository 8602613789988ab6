import type { ComponentChildren } from "preact";

/** Controls of a toolbar that are seldom needed, behind a button. */
export function More({ name = "More", children }: { name?: string; children: ComponentChildren }) {
  return (
    <details class="more">
      <summary class="button">{name}</summary>
      <div class="more-fields">{children}</div>
    </details>
  );
}
