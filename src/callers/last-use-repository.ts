import { sql, type SqlBool } from "kysely";
import type { Db } from "../../db/database.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";

/** A last use is stored at most once in this time, in milliseconds. */
export const LAST_USE_RESOLUTION = 60_000;

/**
 * Sets the last use of a key or sign-in, unless a slightly later one is stored, as concurrent requests finish in any
 * order. One that is much later is that of a clock which was wrong.
 */
export async function setLastUsed(
  db: Db,
  table: "api_keys" | "sign_ins",
  { organizationId, id }: { organizationId: string; id: string },
  usedAt: Instant,
): Promise<void> {
  const latest = toInstant(epochMilliseconds(usedAt) + LAST_USE_RESOLUTION);
  await db
    .updateTable(table)
    .set({ last_used_at: usedAt })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where(
      sql<SqlBool>`(last_used_at is null or last_used_at < ${usedAt} or last_used_at >= ${latest})`,
    )
    .execute();
}
