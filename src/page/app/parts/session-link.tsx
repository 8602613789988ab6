import type { ComponentChildren } from "preact";
import { openedSession } from "../lib/opened.ts";
import { Button } from "./button.tsx";

/** Opens the dialog of a session. */
export function SessionLink({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <Button class="link" onClick={() => (openedSession.value = id)}>
      {children}
    </Button>
  );
}
