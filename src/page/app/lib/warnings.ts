import { type DoubleBooking, holdsSlot } from "./overlaps.ts";
import { findClashes } from "./clashes.ts";
import { Failure } from "./failure.ts";
import { type Found, type Planned, questionsOf } from "./planned.ts";
import { askWhatIf } from "./summary.ts";

/** Asks what planned sessions overlap, and whether they fit their authorizations. */
export async function findWarnings(planned: Planned, signal: AbortSignal): Promise<Found> {
  const { instead, zone } = planned;
  const sessions = planned.sessions.filter(holdsSlot);
  let isPartial = false;
  const orElse =
    <Value>(value: Value) =>
    (error: unknown): Value => {
      if (!(error instanceof Failure)) throw error;
      isPartial = true;
      return value;
    };
  const [clashes, ...outcomes] = await Promise.all([
    findClashes(sessions, instead, zone, signal).catch(orElse(new Map<string, DoubleBooking>())),
    ...[...questionsOf({ ...planned, sessions })].map(([id, body]) =>
      askWhatIf(id, body, signal).catch(orElse(undefined)),
    ),
  ]);
  return { sessions, clashes, outcomes: outcomes.filter((each) => each !== undefined), isPartial };
}
