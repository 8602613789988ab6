import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { me } from "../../lib/base/me.ts";

/** The heading of a view, what it is about, and what can be done there. */
export function ViewHeader(properties: {
  title: ComponentChildren;
  lead: ComponentChildren;
  /** Whether it is about patients: then it says where they are those of the signed-in person alone. */
  isAboutPatients?: boolean;
  children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The view's script may have come after its place.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header class="view-header">
      <h1 ref={heading} tabIndex={-1}>
        {properties.title}
      </h1>
      {properties.isAboutPatients && me().key.ownPatientsOnly && (
        <span class="badge">Your patients</span>
      )}
      <p class="lead">{properties.lead}</p>
      {properties.children}
    </header>
  );
}
