import { getAll, type Reading } from "../base/api.ts";
import { addDays, type TimeZone } from "../base/dates.ts";
import type { Ending, ServiceTerm } from "./rebinding.ts";
import type { Encounter, Session } from "../base/wire.ts";

/** How far from its session an encounter may be, in days. */
export const AROUND = 31;

/** Reads what is bound to authorizations and starts behind their ends: two requests for each. */
export function readEndings(
  authorizations: readonly ServiceTerm[],
  timezone: TimeZone,
  reading?: Reading,
): Promise<Ending[]> {
  return Promise.all(
    authorizations.map(async ({ publicId, serviceLine, endDate }) => {
      const query = { authorizationId: publicId, startDate: addDays(endDate, 1), timezone };
      const [sessions, encounters] = await Promise.all([
        getAll<Session>("sessions", query, reading),
        getAll<Encounter>(
          "encounters",
          { ...query, startDate: addDays(query.startDate, -AROUND) },
          reading,
        ),
      ]);
      return { publicId, serviceLine, endDate, sessions, encounters };
    }),
  );
}
