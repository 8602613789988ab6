import { getAll } from "./api.ts";
import type { DateRange } from "./dates.ts";
import { addDays, type TimeZone } from "./dates.ts";
import type { Ending } from "./rebinding.ts";
import type { Encounter, Session } from "./wire.ts";

/** Reads what is bound to authorizations and starts behind their ends: two requests for each. */
export function readEndings(
  authorizations: readonly ({ publicId: string; serviceLine: string } & DateRange)[],
  timezone: TimeZone,
  signal: AbortSignal,
): Promise<Ending[]> {
  return Promise.all(
    authorizations.map(async ({ publicId, serviceLine, endDate }) => {
      const query = { authorizationId: publicId, startDate: addDays(endDate, 1), timezone };
      const [sessions, encounters] = await Promise.all([
        getAll<Session>("sessions", query, signal),
        getAll<Encounter>("encounters", query, signal),
      ]);
      return { publicId, serviceLine, endDate, sessions, encounters };
    }),
  );
}
