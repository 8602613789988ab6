import { presentAt } from "../../../../lib/presence.ts";
import type { TimeZone } from "../base/dates.ts";
import { Failure } from "../base/failure.ts";
import { type DoubleBooking, doubleBookings, holdsSlot } from "./overlaps.ts";
import { type Found, type Planned, questionsOf } from "./planned.ts";
import type { Query } from "../base/query.ts";
import { sessionsMeanwhile } from "./sessions.ts";
import { askWhatIf } from "../authorizations/summary.ts";
import type { Session } from "../base/wire.ts";

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

/**
 * Asks what planned sessions would overlap, of whoever is present and of their client: by the planned one's id.
 * Sessions that are moved or cancelled for them are left out.
 */
export async function findClashes(
  planned: readonly Session[],
  instead: readonly string[],
  zone: TimeZone,
  signal: AbortSignal,
): Promise<Map<string, DoubleBooking>> {
  if (planned.length === 0) return new Map();
  const meanwhile = (query: Query): Promise<Session[]> =>
    sessionsMeanwhile(query, planned, zone, signal);
  const lists = await Promise.all([
    ...idsOf(planned.flatMap(presentAt)).flatMap((id) =>
      ["technicianId", "clinicianId"].map((filter) => meanwhile({ [filter]: id })),
    ),
    ...idsOf(planned.map(({ clientId }) => clientId)).map((clientId) => meanwhile({ clientId })),
  ]);
  const replaced = new Set([...planned.map(({ publicId }) => publicId), ...instead]);
  const others = new Map(lists.flat().map((session) => [session.publicId, session]));
  const booked = [...others.values()].filter(({ publicId }) => !replaced.has(publicId));
  return doubleBookings([...planned, ...booked]);
}

function idsOf(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null);
}
