import type { ComponentChildren } from "preact";
import { openedSession } from "../lib/opened.ts";

/** Opens the dialog of a session. */
export function SessionLink({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <button type="button" class="link" onClick={() => (openedSession.value = id)}>
      {children}
    </button>
  );
}
