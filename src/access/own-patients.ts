import type { Db } from "../../db/database.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";

/** What somebody reads who sees own patients only (docs/decisions.md). */

/** A patient is one's own for this long after a session, in milliseconds: 90 days of 24 hours. */
const STAYS_OWN = 90 * 86_400_000;

/** Who reads. */
export interface Reader {
  organizationId: string;
  userId?: string | null;
  /** Whether they see own patients only. */
  ownPatientsOnly?: boolean;
}

/** What somebody may read of a database. */
export async function readableBy(reader: Reader, db: Db, now: Instant): Promise<Db> {
  if (reader.ownPatientsOnly !== true) return db;
  // Loaded on first use, so that a server starts quickly.
  const { limitedTo } = await import("../../db/limited.ts");
  const { organizationId, userId = null } = reader;
  return limitedTo(db, {
    organizationId,
    userId,
    since: toInstant(epochMilliseconds(now) - STAYS_OWN),
  });
}
