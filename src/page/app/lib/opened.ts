import { signal } from "@preact/signals";
import type { CalendarDate } from "./dates.ts";
import { signedIn } from "./signed-in.ts";

/** The id of the session whose dialog is open. */
export const openedSession = signal<string | undefined>(undefined);

/** What is already decided of a session that is being made. */
export interface Draft {
  day: CalendarDate;
  /** Minutes from midnight. */
  from?: number;
  to?: number;
  clientId?: string | null;
  technicianId?: string | null;
  clinicianId?: string | null;
}

/** The session that is being made, while its dialog is open. */
export const newSession = signal<Draft | undefined>(undefined);

// Reset on signing out.
signedIn.subscribe(() => {
  openedSession.value = undefined;
  newSession.value = undefined;
});
