import { hasBegun } from "../base/dates.ts";
import { serverClock } from "../base/server-clock.ts";
import type { Session } from "../base/wire.ts";
import { holdsSlot } from "../session/overlaps.ts";

/** What is due in one's own sessions. */

/** Whether a session has ended, and counts for an authorization. */
export function isToDocument(session: Session): boolean {
  return session.isBillable && holdsSlot(session) && hasBegun(session.endTime);
}

const HOUR = 3_600_000;
/** For so long after a session its data may be recorded. */
const RECORDED_FOR = 14 * 24 * HOUR;

/** Whether there is data of a session to be recorded: from an hour before it. */
export function isToRecord({ clientId, startTime, isSupervision }: Session): boolean {
  const age = serverClock.now() - Date.parse(startTime);
  return clientId !== null && !isSupervision && age >= -HOUR && age <= RECORDED_FOR;
}
