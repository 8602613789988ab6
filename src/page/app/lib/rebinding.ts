import { coversDay } from "./authorizations.ts";
import { type DateRange, dateOf, type TimeZone } from "./dates.ts";
import type { Line } from "./lines.ts";
import type { Encounter, Session } from "./wire.ts";

/** Sessions that move to another authorization, with the encounters that document them. */

export interface Rebinding {
  session: Session;
  from: string | null;
  to: string | null;
  /** Those that name the session. */
  encounters: readonly Encounter[];
}

export interface Target extends DateRange {
  publicId: string;
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

/**
 * Which sessions of an authorization another one takes over: those that start on a day of its term. The others stay.
 *
 * @param encounters those of the authorization; without a session, they stay.
 */
export function takenOver(
  sessions: readonly Session[],
  encounters: readonly Encounter[],
  { from, to, zone }: { from: string; to: Target; zone: TimeZone },
): { moving: Rebinding[]; staying: Session[] } {
  const documenting = Map.groupBy(encounters, ({ sessionId }) => sessionId);
  const moving: Rebinding[] = [];
  const staying: Session[] = [];
  for (const session of sessions)
    if (coversDay(to, dateOf(session.startTime, zone)))
      moving.push({
        ...{ session, from, to: to.publicId },
        encounters: documenting.get(session.publicId) ?? [],
      });
    else staying.push(session);
  return { moving, staying };
}
