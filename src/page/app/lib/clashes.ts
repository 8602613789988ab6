import { presentAt } from "../../../lib/presence.ts";
import { type DoubleBooking, doubleBookings } from "./overlaps.ts";
import { addDays, dateOf, daysBetween, type TimeZone } from "./dates.ts";
import { sessionsOfDays } from "./sessions.ts";
import type { Session } from "./wire.ts";

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
  const days = planned.map(({ startTime }) => dateOf(startTime, zone)).toSorted();
  const [from, to = from] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) return new Map();
  // A session of the day before may go on after midnight.
  const span = { first: addDays(from, -1), count: daysBetween(from, to) + 2, zone };
  const lists = await Promise.all([
    ...idsOf(planned.flatMap(presentAt)).flatMap((id) =>
      (["technicianId", "clinicianId"] as const).map((filter) =>
        sessionsOfDays({ [filter]: id }, span, signal),
      ),
    ),
    ...idsOf(planned.map(({ clientId }) => clientId)).map((clientId) =>
      sessionsOfDays({ clientId }, span, signal),
    ),
  ]);
  const replaced = new Set([...planned.map(({ publicId }) => publicId), ...instead]);
  const others = new Map(lists.flat().map((session) => [session.publicId, session]));
  const booked = [...others.values()].filter(({ publicId }) => !replaced.has(publicId));
  return doubleBookings([...planned, ...booked]);
}

function idsOf(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null);
}
