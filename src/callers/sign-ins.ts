import type { Db } from "../../db/database.ts";
import { fromBit } from "../../db/schema.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import type { Caller } from "./api-keys.ts";
import { seesOwnPatientsOnly } from "./permissions.ts";
import { isRole, isStaff } from "./roles.ts";
import { findSignInRow } from "./sign-in-repository.ts";
import { readToken } from "./tokens.ts";

/** A sign-in is locked when it was not used for this long, in milliseconds. */
const LOCKING_TIME = 15 * 60_000;

/** A valid sign-in, the credential of one browser. */
export interface SignIn {
  caller: Caller & { userId: string };
  /** Whether only a passkey makes the browser's next sign-in. */
  isLocked: boolean;
  createdAt: Instant;
}

/** Whether a person may sign in: only active people who work for the practice. */
export function maySignIn({ role, is_active }: { role: string; is_active: 0 | 1 }): boolean {
  return fromBit(is_active) && isStaff(role);
}

/**
 * The sign-in of a token, locked or not. Undefined if it is unknown, ended or expired, or its person may no longer sign
 * in.
 */
export async function findSignIn(db: Db, token: string, now: Instant): Promise<SignIn | undefined> {
  const stored = readToken(token);
  const row = stored && (await findSignInRow(db, { ...stored }));
  if (stored === undefined || row === undefined) return undefined;
  if (row.ended_at !== null || row.expires_at <= now || !maySignIn(row)) return undefined;
  if (!isRole(row.role)) return undefined;
  return {
    caller: {
      kind: "SIGN_IN",
      organizationId: stored.organizationId,
      keyId: row.id,
      role: row.role,
      userId: row.user_id,
      keyName: `${row.first_name} ${row.last_name}`,
      keyExpiresAt: row.expires_at,
      isReadOnly: false,
      ownPatientsOnly: seesOwnPatientsOnly(row.role, row.own_patients_only),
      keyLastUsedAt: row.last_used_at,
    },
    // A last use far in the future is that of a wrong clock.
    isLocked:
      Math.abs(epochMilliseconds(now) - epochMilliseconds(row.last_used_at)) >= LOCKING_TIME,
    createdAt: row.created_at,
  };
}
