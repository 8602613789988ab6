import type { Db } from "../../db/database.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { findOwnPatientIds } from "./repository.ts";

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

/** Somebody's own patients, whatever the practice's setting is. A key without a user has none. */
export async function ownPatientsOf(
  { organizationId, userId }: Reader,
  db: Db,
  now: Instant,
): Promise<string[]> {
  if (userId == null) return [];
  const since = toInstant(epochMilliseconds(now) - STAYS_OWN);
  return findOwnPatientIds(db, { organizationId, userId, since });
}

/**
 * What somebody may read of a database. Whose patients these are is found once, so `db` is a snapshot, or a transaction that
 * books nobody after this.
 */
export async function readableBy(reader: Reader, db: Db, now: Instant): Promise<Db> {
  if (reader.ownPatientsOnly !== true) return db;
  // Loaded on first use, so that a server starts quickly.
  const { limitedTo } = await import("../../db/limited.ts");
  const { organizationId, userId } = reader;
  const patientIds = await ownPatientsOf(reader, db, now);
  return limitedTo(db, { organizationId, userId: userId ?? "", patientIds });
}
