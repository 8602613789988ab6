import type { ComponentChildren } from "preact";

/** The heading of a view, what it is about, and what can be done there. */
export function ViewHeader(properties: {
  title: ComponentChildren;
  lead: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <header class="view-header">
      <h1 tabIndex={-1}>{properties.title}</h1>
      <p class="lead">{properties.lead}</p>
      {properties.children}
    </header>
  );
}
