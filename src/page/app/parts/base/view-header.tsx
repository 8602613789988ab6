import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { me } from "../../lib/base/me.ts";

/** The band of a view: its heading, how much there is, which of it is shown, and what can be done. */
export function ViewHeader(properties: {
  title: ComponentChildren;
  /** How much is shown, of which days; a few words. */
  lead?: ComponentChildren;
  /** Whether it is about patients: then it says where they are those of the signed-in person alone. */
  isAboutPatients?: boolean | undefined;
  /** Its filters. */
  filters?: ComponentChildren;
  /** What can be done: the elements with the class `actions`. */
  children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The view's script may have come after its place.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header class="band">
      <h1 ref={heading} tabIndex={-1}>
        {properties.title}
      </h1>
      {properties.isAboutPatients && me().key.ownPatientsOnly && (
        <span class="badge">Your patients</span>
      )}
      {properties.lead && <p class="lead">{properties.lead}</p>}
      {properties.filters}
      {properties.children}
    </header>
  );
}
