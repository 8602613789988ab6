import { signal } from "@preact/signals";
import { signedIn } from "./signed-in.ts";

/** The session whose dialog is open, by its id. */
export const openedSession = signal<string | undefined>(undefined);

// It is closed with everything else when one signs out.
signedIn.subscribe(() => {
  openedSession.value = undefined;
});
