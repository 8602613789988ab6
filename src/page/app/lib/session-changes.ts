import { get, type Query, withQuery } from "./api.ts";
import { authorizationsOf } from "./authorizations.ts";
import { dateOf, type TimeZone } from "./dates.ts";
import { Failure } from "./failure.ts";
import { countText, SESSION_STATUSES } from "./format.ts";
import { readPerson } from "./people.ts";
import { newId } from "./lines.ts";
import { fieldsBefore, sessionLine } from "./session-record.ts";
import { type Change, HAS_CHANGED } from "./write.ts";
import type { Encounter, PageOf, Session } from "./wire.ts";

/** The page's changes of sessions, each with its undo and with the state that it expects. */

/** Somebody else has changed the session in the meantime. */
export class ChangedMeanwhile extends Failure {
  readonly expected: Session | undefined;
  /** The current session; undefined if it was deleted. */
  readonly current: Session | undefined;

  constructor(expected: Session | undefined, current: Session | undefined) {
    super(
      current === undefined
        ? "Somebody else has deleted this session meanwhile."
        : "Somebody else has changed this session meanwhile. Nothing was written.",
      HAS_CHANGED,
    );
    this.expected = expected;
    this.current = current;
  }
}

export function getSession(id: string, signal: AbortSignal): Promise<Session> {
  return get<Session>(`sessions/${encodeURIComponent(id)}`, signal);
}

const NOT_FOUND = 404;

/** @throws ChangedMeanwhile if the session is not as expected; undefined expects that there is none. */
async function expectSession(
  id: string,
  expected: Session | undefined,
  signal: AbortSignal,
): Promise<void> {
  const current = await getSession(id, signal).catch((error: unknown) => {
    if (error instanceof Failure && error.status === NOT_FOUND) return undefined;
    throw error;
  });
  if (!isSame(current, expected)) throw new ChangedMeanwhile(expected, current);
}

function isSame(a: Session | undefined, b: Session | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Session>;
  return [...fields].every((field) => a[field] === b[field]);
}

/** Changes fields of a session. */
export function changeOf(session: Session, change: Partial<Session>, done: string): Change {
  const { publicId } = session;
  const after = { ...session, ...change } as Session;
  return {
    done,
    lines: [{ type: "session", publicId, ...change }],
    undo: [fieldsBefore(session, change)],
    since: undefined,
    check: (isUndo, signal) => expectSession(publicId, isUndo ? after : session, signal),
  };
}

export function statusChange(session: Session, status: Session["status"]): Change {
  return changeOf(session, { status }, `The session is now: ${SESSION_STATUSES[status]}.`);
}

export function deletion(session: Session, authorizationId: string | undefined): Change {
  const { publicId } = session;
  return {
    done: "The session was deleted.",
    lines: [{ type: "session", publicId, deleted: true }],
    undo: [sessionLine(session, authorizationId)],
    since: undefined,
    check: (isUndo, signal) => expectSession(publicId, isUndo ? undefined : session, signal),
  };
}

export async function encountersOf(sessionId: string, signal: AbortSignal): Promise<Encounter[]> {
  const path = withQuery("encounters", { sessionId, pageSize: 100 });
  return (await get<PageOf<Encounter>>(path, signal)).data;
}

/** Documents a session: creates an encounter of its authorization. */
export function delivery(session: Session, authorizationId: string, units: number): Change {
  const publicId = newId("enc_");
  const { publicId: sessionId, startTime } = session;
  return {
    done: `Delivered: ${countText(units, "unit")}.`,
    lines: [{ type: "encounter", publicId, authorizationId, sessionId, startTime, units }],
    undo: [{ type: "encounter", publicId, deleted: true }],
    since: undefined,
    async check(isUndo, signal) {
      await expectSession(sessionId, session, signal);
      const encounters = await encountersOf(sessionId, signal);
      const others = encounters.filter((encounter) => encounter.publicId !== publicId);
      if (others.length > 0 && !isUndo)
        throw new Failure("Somebody else has documented this session meanwhile.");
    },
  };
}

/** Books new sessions of an authorization, and declines others. */
export function booking(
  sessions: readonly Session[],
  declined: readonly Session[],
  authorizationId: string | undefined,
): Change {
  const parts = [
    ...(sessions.length > 0 ? [`${countText(sessions.length, "session")} booked`] : []),
    ...(declined.length > 0 ? [`${countText(declined.length, "session")} declined`] : []),
  ];
  return {
    done: `${parts.join(" and ")}.`,
    lines: [
      ...sessions.map((session) => sessionLine(session, authorizationId)),
      ...declined.map(({ publicId }) => ({
        type: "session" as const,
        publicId,
        status: "DECLINED",
      })),
    ],
    undo: [
      ...sessions.map(({ publicId }) => ({ type: "session" as const, publicId, deleted: true })),
      ...declined.map((session) => fieldsBefore(session, { status: "DECLINED" })),
    ],
    since: undefined,
    async check(isUndo, signal) {
      for (const session of sessions)
        await expectSession(session.publicId, isUndo ? session : undefined, signal);
      for (const session of declined) {
        const after = { ...session, status: "DECLINED" as const };
        await expectSession(session.publicId, isUndo ? after : session, signal);
      }
    },
  };
}
