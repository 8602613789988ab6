import type { Line } from "../base/lines.ts";
import type { SessionChoice } from "./session-choices.ts";
import type { Session } from "../base/wire.ts";

/** Sessions as lines of a practice file. */

/** The complete session as a line, with its authorization, which is not part of the API's session. */
export function sessionLine(session: Session, authorizationId: string | undefined): Line {
  return { type: "session", ...bound(session, authorizationId) };
}

/** Sessions of the API as lines, of which no authorization is known. */
export function linesOf(sessions: readonly Session[]): Line[] {
  return sessions.map((session) => ({ type: "session", ...session }));
}

/** The authorization of a session, of which there is a complete line. */
export function authorizationIn(lines: readonly Line[], sessionId: string): string | undefined {
  const line = lines.find(({ publicId }) => publicId === sessionId);
  return typeof line?.authorizationId === "string" ? line.authorizationId : undefined;
}

/** A session with its authorization, which the API's session lacks. */
type BoundSession = Session & { authorizationId?: string | null };

export function bound(session: Session, authorizationId: string | undefined): BoundSession {
  return session.isBillable ? { ...session, authorizationId: authorizationId ?? null } : session;
}

/** What a session becomes by another service, code or authorization; where nothing is chosen, it stays as it is. */
export function kindOfChoice(choice: SessionChoice | undefined): Partial<BoundSession> {
  if (choice === undefined) return {};
  const { isBillable, id, authorizationId = null } = choice;
  return isBillable
    ? { isBillable, services: id, authorizationId }
    : { isBillable, nonBillableCode: id };
}

/** The fields that differ from the session. */
export function changedFields(
  session: BoundSession,
  wanted: Partial<BoundSession>,
): Partial<BoundSession> {
  const entries = Object.entries(wanted).filter(([field, value]) => {
    const stored = session[field as keyof Session];
    const isTime = field === "startTime" || field === "endTime";
    // Time fields have no seconds; an unchanged time keeps its own.
    return isTime ? String(stored).slice(0, 16) !== String(value).slice(0, 16) : stored !== value;
  });
  return Object.fromEntries(entries) as Partial<Session>;
}

/** The earlier values of the fields of a change; all of them, if it drops some of its kind. */
export function fieldsBefore(session: BoundSession, change: Partial<BoundSession>): Line {
  if ("isBillable" in change) return { type: "session", ...session };
  const before = Object.entries(session).filter(([field]) => field in change);
  return { type: "session", publicId: session.publicId, ...Object.fromEntries(before) };
}
