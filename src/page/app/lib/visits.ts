import { today } from "./dates.ts";
import { me, practiceZone } from "./me.ts";
import { signedIn } from "./signed-in.ts";

/**
 * The practice's sequences at the beginning of the days on which this browser was here, so that changes since then can
 * be asked for. They are numbers without any data of the practice, and stay when somebody signs out.
 */

export interface Visit {
  day: string;
  sequence: number;
}

const MAX_VISITS = 60;

function key(): string {
  return `caseload-visits-${me().organization.publicId}`;
}

/** The days, the latest first. */
export function visits(): Visit[] {
  try {
    return JSON.parse(localStorage.getItem(key()) ?? "[]") as Visit[];
  } catch {
    return [];
  }
}

/** Remembers the sequence, if it is the first of this day. */
export function noteVisit(sequence: number): void {
  if (signedIn.value === undefined) return;
  const day = today(practiceZone());
  const earlier = visits();
  if (earlier[0]?.day === day) return;
  try {
    const all = [{ day, sequence }, ...earlier].slice(0, MAX_VISITS);
    localStorage.setItem(key(), JSON.stringify(all));
  } catch {
    // A browser that stores nothing only knows today.
  }
}
