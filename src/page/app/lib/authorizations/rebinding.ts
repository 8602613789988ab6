import {
  type CalendarDate,
  coversDay,
  type DateRange,
  dateOf,
  type TimeZone,
} from "../base/dates.ts";
import { countText } from "../base/format.ts";
import { type Change, deletionOf, type Line } from "../base/lines.ts";
import { holdsSlot } from "../session/overlaps.ts";
import type { Encounter, Session } from "../base/wire.ts";

/** Sessions that move to another authorization, with the encounters that document them. */

interface Rebinding {
  /** Undefined for an encounter without one. */
  session: Session | undefined;
  from: string | null;
  to: string | null;
  /** Those that name the session, or the one without. */
  encounters: readonly Encounter[];
}

/** The lines that move sessions, and those that move them back. */
export function rebindingLines(rebindings: readonly Rebinding[]): { lines: Line[]; undo: Line[] } {
  const linesTo = (end: "from" | "to"): Line[] =>
    rebindings.flatMap((rebinding) => [
      ...(rebinding.session === undefined ? [] : [rebinding.session]).map(({ publicId }) => ({
        ...{ type: "session", publicId, authorizationId: rebinding[end] },
      })),
      ...rebinding.encounters.map(({ publicId }) => ({
        ...{ type: "encounter", publicId, authorizationId: rebinding[end] },
      })),
    ]);
  return { lines: linesTo("to"), undo: linesTo("from") };
}

export function sessionsIn(rebindings: readonly Rebinding[]): Session[] {
  return rebindings.flatMap(({ session }) => session ?? []);
}

/** What is made is called: several authorizations `them`; one, or a pool with its own, `it`. */
export function pronounOf(made: readonly Line[]): "it" | "them" {
  return made.length > 1 && made.every(({ type }) => type === "authorization") ? "them" : "it";
}

/** The change that makes records, and takes sessions along. */
export function takingAlong(
  done: string,
  made: readonly Line[],
  moving: readonly Rebinding[],
): Change {
  const { lines, undo } = rebindingLines(moving);
  const sessions = sessionsIn(moving);
  const moved = `${countText(sessions.length, "session")} moved to ${pronounOf(made)}`;
  const also = moving.length === 0 ? "" : ` ${moved}.`;
  return {
    ...{ done: done + also, sessions },
    lines: [...made, ...lines],
    undo: [...undo, ...deletionOf(made)],
  };
}

/** An authorization that ends, with what is bound to it and starts behind its end. */
export interface Ending {
  publicId: string;
  serviceLine: string;
  endDate: CalendarDate;
  sessions: readonly Session[];
  encounters: readonly Encounter[];
}

/** The term of an authorization, and its service: what decides which sessions can be bound to it. */
export interface ServiceTerm extends DateRange {
  publicId: string;
  serviceLine: string;
}

/** Those among lines, stored or of a form; none of an authorization until its dates are there. */
export function serviceTermsIn(lines: readonly Line[]): ServiceTerm[] {
  return lines.flatMap((line) => {
    const { publicId, serviceLineId, authorizationDate, authorizationExpirationDate } = line;
    if (typeof authorizationDate !== "string" || typeof authorizationExpirationDate !== "string")
      return [];
    return [
      {
        ...{ publicId, serviceLine: String(serviceLineId) },
        startDate: authorizationDate as CalendarDate,
        endDate: authorizationExpirationDate as CalendarDate,
      },
    ];
  });
}

/** An authorization among others, and those of the same service that end before it. */
export function endedBefore<Each extends ServiceTerm>(
  all: readonly Each[],
  id: string,
): { successor: Each | undefined; ended: Each[] } {
  const successor = all.find(({ publicId }) => publicId === id);
  const ended = all.filter(
    ({ serviceLine, endDate }) =>
      successor !== undefined &&
      serviceLine === successor.serviceLine &&
      endDate < successor.endDate,
  );
  return { successor, ended };
}

/**
 * Which sessions others take over: those of the same service that start on a day of their terms, and encounters without a
 * session. The others stay; what was declined or missed is neither, unless it is documented.
 */
export function takenOver(
  endings: readonly Ending[],
  successors: readonly ServiceTerm[],
  { zone, withDocumented }: { zone: TimeZone; withDocumented: boolean },
): { moving: Rebinding[]; staying: Session[] } {
  const moving: Rebinding[] = [];
  const staying: Session[] = [];
  for (const ending of endings) {
    const documenting = Map.groupBy(ending.encounters, ({ sessionId }) => sessionId);
    const successorOn = ({ startTime }: Session | Encounter): ServiceTerm | undefined => {
      const day = dateOf(startTime, zone);
      if (day <= ending.endDate) return undefined;
      return successors.find(
        (one) => one.serviceLine === ending.serviceLine && coversDay(one, day),
      );
    };
    for (const session of ending.sessions) {
      const encounters = documenting.get(session.publicId) ?? [];
      const isDocumented = encounters.length > 0;
      if (!isDocumented && !holdsSlot(session)) continue;
      const to = successorOn(session);
      if (to === undefined || (isDocumented && !withDocumented)) staying.push(session);
      else moving.push({ session, from: ending.publicId, to: to.publicId, encounters });
    }
    for (const encounter of documenting.get(null) ?? []) {
      const to = successorOn(encounter);
      if (to === undefined || !withDocumented) continue;
      const own = { from: ending.publicId, to: to.publicId, encounters: [encounter] };
      moving.push({ session: undefined, ...own });
    }
  }
  return { moving, staying };
}
