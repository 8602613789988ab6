import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { prepared } from "../../db/prepared.ts";
import type { Schema, UserRow } from "../../db/schema.ts";
import { type Role, clinicianRoles } from "../access/roles.ts";
import { emailKey } from "../lib/email.ts";

/** Statements for creating users. Lists of ids are passed as one parameter, whatever their length. */

/** The user of the organization, of any role and active or not, with an email address. */
export async function findUserWithEmail(
  db: Db,
  organizationId: string,
  email: string,
): Promise<Pick<UserRow, "public_id" | "role"> | undefined> {
  const [user] = await usersWithEmail(db, { organizationId, emailKey: emailKey(email) });
  return user;
}

const usersWithEmail = prepared(
  (db, { organizationId, emailKey }: { organizationId: string; emailKey: string }) =>
    db
      .selectFrom("users")
      .select(["public_id", "role"])
      .where("organization_id", "=", organizationId)
      .where("email_key", "=", emailKey),
);

/** A row with the sequence of the write that makes it, as its first and its last one. */
type NewUserRow = UserRow & { sequence: number; first_sequence: number };

/**
 * Inserts a user. Check before, in the same transaction, that the email address is free: PostgreSQL would write a
 * duplicate into its own log.
 */
export const insertUser = prepared((trx, user: NewUserRow) => trx.insertInto("users").values(user));

/** The user that links belong to. */
type UserKey = Pick<UserRow, "organization_id" | "public_id">;

/** Link tables of users, each with the column of the linked id. */
const userLinks = {
  locations: linksTo("locations", "user_locations", "location_id"),
  payors: linksTo("payors", "provider_payors", "payor_id"),
  specializations: linksTo("specializations", "provider_specializations", "specialization_id"),
} as const;

function linksTo(things: keyof Schema, links: keyof Schema, column: string) {
  return prepared(
    (_, user: { organizationId: string; userId: string; ids: string[] }) => sql`
      insert into ${sql.table(links)} (organization_id, user_id, ${sql.ref(column)})
      select organization_id, ${user.userId}, public_id from ${sql.table(things)}
      where organization_id = ${user.organizationId} and ${isOneOf("public_id", user.ids)}
    `,
  );
}

/** Links a new user to locations, payors or specializations. Ids that the organization does not have are skipped. */
export async function linkUser(
  trx: Db,
  { organization_id: organizationId, public_id: userId }: UserKey,
  things: keyof typeof userLinks,
  ids: string[],
): Promise<void> {
  await userLinks[things](trx, { organizationId, userId, ids });
}

/** Links a new clinician to technicians. Ids of other users are skipped. */
export async function linkTechnicians(
  trx: Db,
  clinician: UserKey,
  userIds: string[],
): Promise<void> {
  await trx
    .insertInto("care_team_links")
    .columns(["organization_id", "clinician_id", "technician_id"])
    .expression(
      selectUsers(trx, clinician.organization_id, ["TECHNICIAN"], userIds).select((select) => [
        "organization_id",
        select.val(clinician.public_id).as("clinician_id"),
        "public_id",
      ]),
    )
    .execute();
}

/**
 * Links a new technician to those of some users who are clinicians of the organization. It changes their records, which
 * name their technicians.
 */
export async function linkLeads(
  trx: Db,
  technician: Pick<NewUserRow, keyof UserKey | "sequence">,
  userIds: string[],
): Promise<void> {
  await trx
    .updateTable("users")
    .set({ sequence: technician.sequence })
    .where("organization_id", "=", technician.organization_id)
    .where("role", "in", clinicianRoles)
    .where(isOneOf("public_id", userIds))
    .execute();
  await trx
    .insertInto("care_team_links")
    .columns(["organization_id", "clinician_id", "technician_id"])
    .expression(
      selectUsers(trx, technician.organization_id, clinicianRoles, userIds).select((select) => [
        "organization_id",
        "public_id",
        select.val(technician.public_id).as("technician_id"),
      ]),
    )
    .execute();
}

function selectUsers(db: Db, organizationId: string, roles: readonly Role[], ids: string[]) {
  return db
    .selectFrom("users")
    .where("organization_id", "=", organizationId)
    .where("role", "in", roles)
    .where(isOneOf("public_id", ids));
}
