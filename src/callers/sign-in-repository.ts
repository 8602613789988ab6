import type { Db } from "../../db/database.ts";
import { byId } from "../../db/join.ts";
import { preparedFirst } from "../../db/prepared.ts";
import type { Instant } from "../lib/instant.ts";
import type { StoredToken } from "./tokens.ts";

/** A sign-in, with the columns of its user that decide whether it is valid. */
export const findSignInRow = preparedFirst(
  (db, { organizationId, hash }: { organizationId: string; hash: string }) =>
    db
      .selectFrom("sign_ins as sign_in")
      .innerJoin("users as user", byId("user", "sign_in.user_id"))
      .innerJoin("organizations as organization", (join) =>
        join.onRef("organization.public_id", "=", "sign_in.organization_id"),
      )
      .where("sign_in.organization_id", "=", organizationId)
      .where("sign_in.hash", "=", hash)
      .select([
        "sign_in.id",
        "sign_in.user_id",
        "sign_in.created_at",
        "sign_in.last_used_at",
        "sign_in.expires_at",
        "sign_in.ended_at",
        "user.role",
        "user.is_active",
        "user.first_name",
        "user.last_name",
        "organization.own_patients_only",
      ]),
);

/** Ends a sign-in, if it is still valid. Its row stays, so that its challenge does not count again. */
export async function endSignIn(
  db: Db,
  { organizationId, hash }: StoredToken,
  now: Instant,
): Promise<void> {
  await db
    .updateTable("sign_ins")
    .set({ ended_at: now })
    .where("organization_id", "=", organizationId)
    .where("hash", "=", hash)
    .where("ended_at", "is", null)
    .execute();
}
