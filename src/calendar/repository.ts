import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { prepared } from "../../db/prepared.ts";
import { isLive } from "../callers/repository.ts";
import type { Instant } from "../lib/instant.ts";

/** The calendars of an organization or of one user that are live: neither revoked nor expired. */
export function listLiveCalendars(
  db: Db,
  {
    organizationId,
    userId,
    now,
  }: { organizationId: string; userId?: string | undefined; now: Instant },
) {
  return db
    .selectFrom("api_keys")
    .select([
      "id",
      "user_id as userId",
      "name",
      "created_at as createdAt",
      "last_used_at as lastUsedAt",
    ])
    .where("organization_id", "=", organizationId)
    .where("kind", "=", "CALENDAR")
    .where("user_id", "is not", null)
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId as string))
    .where(isLive(now))
    .orderBy("created_at")
    .orderBy("id")
    .$narrowType<{ userId: string }>()
    .execute();
}

/** Deletes a person's revoked calendars, except for the newest. */
export async function deleteRevokedCalendars(
  trx: Db,
  { organizationId, userId, kept }: { organizationId: string; userId: string; kept: number },
): Promise<void> {
  const revoked = await trx
    .selectFrom("api_keys")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("kind", "=", "CALENDAR")
    .where("revoked_at", "is not", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const ids = revoked.slice(kept).map(({ id }) => id);
  if (ids.length === 0) return;
  for (const [table, column] of [
    ["key_organizations", "key_id"],
    ["api_keys", "id"],
  ] as const)
    await trx
      .deleteFrom(table)
      .where("organization_id", "=", organizationId)
      .where(isOneOf(column, ids))
      .execute();
}

/** Sessions in one feed. */
const MAX_SESSIONS = 2_000;

interface FeedRequest {
  organizationId: string;
  userId: string;
  from: Instant;
  to: Instant;
}

/** The sessions of a user's feed, as technician or clinician, by start, then id. Nothing of the client is read. */
export const listFeedSessions = prepared((db, { organizationId, userId, from, to }: FeedRequest) =>
  db
    .selectFrom("sessions as session")
    .innerJoin("locations as location", byId("location", "session.location_id"))
    .leftJoin("service_lines as service", byId("service", "session.service_line_id"))
    .leftJoin("non_billable_codes as code", byId("code", "session.non_billable_code_id"))
    .select([
      "session.public_id as publicId",
      "session.sequence",
      "session.status",
      "session.start_time as startTime",
      "session.end_time as endTime",
      "session.is_supervision as isSupervision",
      "session.place_of_service as placeOfService",
      "location.name as locationName",
      "service.name as serviceName",
      "code.name as codeName",
    ])
    .where("session.organization_id", "=", organizationId)
    .where((where) =>
      where.or([
        where("session.technician_id", "=", userId),
        where("session.clinician_id", "=", userId),
      ]),
    )
    .where("session.start_time", ">=", from)
    .where("session.start_time", "<=", to)
    .orderBy("session.start_time")
    .orderBy("session.public_id")
    .limit(MAX_SESSIONS),
);

export type FeedSession = Awaited<ReturnType<typeof listFeedSessions>>[number];
