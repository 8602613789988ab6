import { signal } from "@preact/signals";
import { signedIn } from "./signed-in.ts";

/** The id of the session whose dialog is open. */
export const openedSession = signal<string | undefined>(undefined);

// Reset on signing out.
signedIn.subscribe(() => {
  openedSession.value = undefined;
});
