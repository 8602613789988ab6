import { coversDay } from "./authorizations.ts";
import { type CalendarDate, type DateRange, dateOf, type TimeZone } from "./dates.ts";
import type { Line } from "./lines.ts";
import { holdsSlot } from "./overlaps.ts";
import type { Encounter, Session } from "./wire.ts";

/** Sessions that move to another authorization, with the encounters that document them. */

export interface Rebinding {
  session: Session;
  from: string | null;
  to: string | null;
  /** Those that name the session. */
  encounters: readonly Encounter[];
}

/** The lines that move sessions, and those that move them back. */
export function rebindingLines(rebindings: readonly Rebinding[]): { lines: Line[]; undo: Line[] } {
  const linesTo = (end: "from" | "to"): Line[] =>
    rebindings.flatMap((rebinding) => [
      { type: "session", publicId: rebinding.session.publicId, authorizationId: rebinding[end] },
      ...rebinding.encounters.map(({ publicId }) => ({
        ...{ type: "encounter", publicId, authorizationId: rebinding[end] },
      })),
    ]);
  return { lines: linesTo("to"), undo: linesTo("from") };
}

/** An authorization that ends, with what is bound to it and starts behind its end. */
export interface Ending {
  publicId: string;
  serviceLine: string;
  endDate: CalendarDate;
  sessions: readonly Session[];
  encounters: readonly Encounter[];
}

/** An authorization that sessions can move to. */
export interface Successor extends DateRange {
  publicId: string;
  serviceLine: string;
}

/**
 * Which sessions others take over: those of the same service that start on a day of their terms. The others stay; what
 * was declined or missed is neither, unless it is documented.
 */
export function takenOver(
  endings: readonly Ending[],
  successors: readonly Successor[],
  { zone, withDocumented }: { zone: TimeZone; withDocumented: boolean },
): { moving: Rebinding[]; staying: Session[] } {
  const moving: Rebinding[] = [];
  const staying: Session[] = [];
  for (const ending of endings) {
    const documenting = Map.groupBy(ending.encounters, ({ sessionId }) => sessionId);
    for (const session of ending.sessions) {
      const encounters = documenting.get(session.publicId) ?? [];
      const isDocumented = encounters.length > 0;
      if (!isDocumented && !holdsSlot(session)) continue;
      const day = dateOf(session.startTime, zone);
      const to = successors.find(
        (one) => one.serviceLine === ending.serviceLine && coversDay(one, day),
      );
      if (to === undefined || (isDocumented && !withDocumented)) staying.push(session);
      else moving.push({ session, from: ending.publicId, to: to.publicId, encounters });
    }
  }
  return { moving, staying };
}
