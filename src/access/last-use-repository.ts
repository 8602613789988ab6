import { type RawBuilder, sql, type SqlBool } from "kysely";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";

/** A last use is stored at most once in this time, in milliseconds. */
export const LAST_USE_RESOLUTION = 60_000;

/**
 * Condition: the stored last use is earlier than a use, or so much later that it is that of a clock which was wrong.
 */
export function isOtherUse(usedAt: Instant): RawBuilder<SqlBool> {
  const latest = toInstant(epochMilliseconds(usedAt) + LAST_USE_RESOLUTION);
  return sql<SqlBool>`(last_used_at < ${usedAt} or last_used_at >= ${latest})`;
}
