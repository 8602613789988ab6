import { useResponse } from "../lib/response.ts";
import { findClashes } from "../lib/clashes.ts";
import type { TimeZone } from "../lib/dates.ts";
import { countText, whenText } from "../lib/format.ts";
import { useNames } from "../lib/people.ts";
import { askWhatIf } from "../lib/subject.ts";
import { presentAt } from "../../../lib/presence.ts";
import { holdsSlot } from "../lib/booking.ts";
import type { Session } from "../lib/wire.ts";

/** Warnings about planned sessions: overlaps, exceeded units, days outside the authorization. */
export interface Warnings {
  /** Whether both requests succeeded; a failure does not prevent the change. */
  isKnown: boolean;
  sentences: string[];
}

/** What sessions are to be, before they are booked or moved. */
export interface Planned {
  sessions: readonly Session[];
  /** An existing session that is moved, and sessions that are cancelled. */
  instead: readonly string[];
  authorizationId: string | undefined;
  zone: TimeZone;
}

/** Checks planned sessions. Warnings do not prevent the change. */
export function useWarnings({ sessions, instead, authorizationId, zone }: Planned): Warnings {
  const planned = sessions.filter(holdsSlot);
  const question =
    planned.length === 0 ? undefined : JSON.stringify([planned, instead, authorizationId, zone]);
  const overlapping = useResponse(question, (signal) =>
    findClashes(planned, instead, zone, signal),
  );
  const counted = useResponse(authorizationId && question, (signal) => {
    const add = planned.map(({ startTime, endTime }) => ({ startTime, endTime }));
    return askWhatIf(authorizationId ?? "", { timezone: zone, add, cancel: [...instead] }, signal);
  });
  const clashes = overlapping.value;
  const outcome = counted.value;
  const name = useNames(planned.flatMap(presentAt));

  const sentences = planned.flatMap((session) => {
    const when = whenText(session, zone);
    const booking = clashes?.get(session.publicId);
    if (booking === undefined) return [];
    return [
      ...[...booking.staff].map((id) => `${when}: ${name(id)} has another session at this time.`),
      ...(booking.isOfClient ? [`${when}: the patient has another session at this time.`] : []),
    ];
  });
  const over = Math.max(
    0,
    ...[...(outcome?.periods ?? []), ...(outcome?.poolPeriods ?? [])]
      .filter(({ unitsAfter, unitsCommitted }) => unitsAfter > unitsCommitted)
      .map(({ unitsOver }) => unitsOver),
  );
  if (over > 0) sentences.push(`${countText(over, "unit")} more than authorized in a period.`);
  const outside = outcome?.outside.length ?? 0;
  if (outside > 0)
    sentences.push(
      `${countText(outside, "session")} ${outside === 1 ? "is" : "are"} outside the dates of the authorization.`,
    );
  if (overlapping.failure !== undefined || counted.failure !== undefined)
    sentences.push("Not everything could be checked.");
  return { isKnown: !overlapping.isLoading && !counted.isLoading, sentences };
}

export function WarningList({ warnings: { isKnown, sentences } }: { warnings: Warnings }) {
  return (
    <ul class="warnings" aria-live="polite" aria-label="Warnings">
      {isKnown ? (
        sentences.map((sentence) => <li key={sentence}>⚠ {sentence}</li>)
      ) : (
        <li class="hint">Checking…</li>
      )}
    </ul>
  );
}
