import type { ComponentChildren } from "preact";
import { addressOfSession } from "../../lib/base/place.ts";

/** Leads to the dialog of a session, above the current view. */
export function SessionLink({ id, children }: { id: string; children: ComponentChildren }) {
  return <a href={addressOfSession(id)}>{children}</a>;
}
