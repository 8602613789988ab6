import { dateOf, rangeOf, type TimeZone } from "../base/dates.ts";
import { countText, daysText, SESSION_STATUSES } from "../base/format.ts";
import type { Values } from "../base/form-values.ts";
import { type Change, deletionOf, type Line, newId } from "../base/lines.ts";
import { fieldsBefore, linesOf, sessionLine } from "./session-record.ts";
import type { Encounter, Session } from "../base/wire.ts";
import { removalOf } from "../billing/removal.ts";

/** The page's changes of sessions, each with its undo. */

/** Changes fields of a session. */
export function changeOf(session: Session, change: Partial<Session>, done: string): Change {
  const { publicId } = session;
  return {
    ...{ done, session },
    lines: [{ type: "session", publicId, ...change }],
    undo: [fieldsBefore(session, change)],
  };
}

/** The change of a session as somebody else has left it, whose undo brings that back. */
export function onTop(change: Change, now: Session): Change {
  const undo = change.undo?.map((line) =>
    line.publicId === now.publicId ? { ...line, ...fieldsBefore(now, line) } : line,
  );
  return { ...change, undo, session: now };
}

export function statusChange(session: Session, status: Session["status"]): Change {
  return changeOf(session, { status }, `The session is now: ${SESSION_STATUSES[status]}.`);
}

export function deletion(session: Session, authorizationId: string | undefined): Change {
  const { publicId } = session;
  return {
    ...{ done: "The session was deleted.", session },
    lines: [{ type: "session", publicId, deleted: true }],
    undo: [sessionLine(session, authorizationId)],
  };
}

/**
 * Deletes sessions.
 *
 * @param records their complete lines, which undo needs: the API's sessions lack their authorizations. Those without a
 * patient have none.
 */
export function deletionOfAll(
  sessions: readonly Session[],
  records: readonly Line[] = linesOf(sessions),
): Change {
  const were = records.length === 1 ? "was" : "were";
  return {
    ...{ done: `${countText(records.length, "session")} ${were} deleted.`, sessions },
    lines: deletionOf(records),
    undo: [...records],
  };
}

/** The longest id. */
const MAX_ID = 128;

/** The id of the encounter that documents a session: the same for two people who do so at once, so that one is refused. */
function encounterId(sessionId: string): string {
  const id = `enc_of_${sessionId}`;
  return id.length <= MAX_ID ? id : newId("enc_");
}

/**
 * A change of the encounter of a session. A line without fields says that the session must not have changed.
 *
 * @param fields what is written of the encounter, and `before` what brings back what was there.
 */
function ofEncounter(session: Session, done: string, fields: Fields, before: Fields): Change {
  const guard = { type: "session", publicId: session.publicId };
  return {
    ...{ done, session },
    lines: [guard, { type: "encounter", ...fields }],
    undo: [guard, { type: "encounter", ...before }],
  };
}

type Fields = Values & Pick<Encounter, "publicId">;

/** Documents a session: creates an encounter of its authorization. */
export function delivery(session: Session, authorizationId: string, units: number): Change {
  const { publicId: sessionId, startTime } = session;
  const publicId = encounterId(sessionId);
  const encounter = { publicId, authorizationId, sessionId, startTime, units };
  const done = `Delivered: ${countText(units, "unit")}.`;
  return ofEncounter(session, done, encounter, { publicId, deleted: true });
}

/** Corrects the units of an encounter. */
export function correction(
  session: Session,
  { publicId, units: before }: Encounter,
  units: number,
): Change {
  const done = `Corrected: ${countText(units, "unit")}.`;
  return ofEncounter(session, done, { publicId, units }, { publicId, units: before });
}

/**
 * Removes the encounter that documents a session, or while it is billed gives it 0 units.
 *
 * @param record the encounter as it is stored.
 */
export function undelivery(session: Session, record: Line | undefined): Change {
  const { lines, undo = [], done } = removalOf(record);
  const guard: Line = { type: "session", publicId: session.publicId };
  return { done, session, lines: [guard, ...lines], undo: [guard, ...undo] };
}

/** Books new sessions, each on its authorization if it has one, and declines others. It says on which days of a zone. */
export function booking(
  sessions: readonly Session[],
  authorizationOf: (id: string) => string | undefined,
  zone: TimeZone,
  declined: readonly Session[] = [],
): Change {
  const days = rangeOf(sessions.map(({ startTime }) => dateOf(startTime, zone)));
  const parts = [
    ...(days ? [`${countText(sessions.length, "session")} booked (${daysText(days)})`] : []),
    ...(declined.length > 0 ? [`${countText(declined.length, "session")} cancelled`] : []),
  ];
  const booked = sessions.map((each) => sessionLine(each, authorizationOf(each.publicId)));
  return {
    done: `${parts.join(" and ")}.`,
    lines: [
      ...booked,
      ...declined.map(({ publicId }) => ({
        type: "session" as const,
        publicId,
        status: "DECLINED",
      })),
    ],
    undo: [
      ...deletionOf(booked),
      ...declined.map((session) => fieldsBefore(session, { status: "DECLINED" })),
    ],
  };
}
