import type { Db } from "../../db/database.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import type { Role } from "./roles.ts";

/** Who sees own patients only (docs/decisions.md). */

/** Whose reads are limited, by the organization's setting. Without one, nobody's. */
const limitedRoles = {
  TECHNICIANS: ["TECHNICIAN"],
  TECHNICIANS_AND_CLINICIANS: ["TECHNICIAN", "CLINICIAN"],
} as const satisfies Record<string, readonly Role[]>;

export type OwnPatientsOnly = keyof typeof limitedRoles;

export const OWN_PATIENTS_ONLY = Object.keys(limitedRoles) as OwnPatientsOnly[];

/** Whether somebody of a role sees own patients only. */
export function seesOwnPatientsOnly(role: string, setting: string | null): boolean {
  if (setting === null) return false;
  const roles: readonly string[] = limitedRoles[setting as OwnPatientsOnly];
  return roles.includes(role);
}

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
