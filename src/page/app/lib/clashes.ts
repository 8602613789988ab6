import { delivererOf, type DoubleBooking, doubleBookings } from "./booking.ts";
import { addDays, dateOf, daysBetween, type TimeZone } from "./dates.ts";
import { sessionsOfDays } from "./sessions.ts";
import type { Session } from "./wire.ts";

/** Asks what planned sessions would overlap, of whoever delivers them and of their client: by the planned one's id. */
export async function findClashes(
  planned: readonly Session[],
  zone: TimeZone,
  signal: AbortSignal,
): Promise<Map<string, DoubleBooking>> {
  const days = planned.map(({ startTime }) => dateOf(startTime, zone)).toSorted();
  const [from, to = from] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) return new Map();
  // A session of the day before may go on after midnight.
  const span = { first: addDays(from, -1), count: daysBetween(from, to) + 2, zone };
  const people = [
    ...new Set(planned.map(delivererOf)).values(),
    ...new Set(planned.map(({ clientId }) => clientId)).values(),
  ].filter((id) => id !== null);
  const lists = await Promise.all(
    people.flatMap((id) =>
      (["technicianId", "clinicianId", "clientId"] as const).map((filter) =>
        sessionsOfDays({ [filter]: id }, span, signal),
      ),
    ),
  );
  const plannedIds = new Set(planned.map(({ publicId }) => publicId));
  const others = new Map(lists.flat().map((session) => [session.publicId, session]));
  const booked = [...others.values()].filter(({ publicId }) => !plannedIds.has(publicId));
  return doubleBookings([...planned, ...booked]);
}
