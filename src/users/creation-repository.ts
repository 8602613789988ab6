import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { prepared } from "../../db/prepared.ts";
import type { Schema, UserRow } from "../../db/schema.ts";
import { type Role, clinicianRoles } from "../callers/roles.ts";
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

/** Tables of links of users, each with the table of what is linked. */
const userLinks = {
  locations: linksTo("locations", "user_locations", "location_id"),
  payors: linksTo("payors", "provider_payors", "payor_id"),
  specializations: linksTo("specializations", "provider_specializations", "specialization_id"),
  technicians: linksTo("users", "care_team_links", "technician_id", {
    user: "clinician_id",
    roles: ["TECHNICIAN"],
  }),
  leads: linksTo("users", "care_team_links", "clinician_id", {
    user: "technician_id",
    roles: clinicianRoles,
  }),
} as const;

/** @param roles of linked users. */
function linksTo(
  things: keyof Schema,
  links: keyof Schema,
  column: string,
  { user = "user_id", roles }: { user?: string; roles?: readonly Role[] } = {},
) {
  const ofRole = roles === undefined ? sql`` : sql`and ${isOneOf("role", roles)}`;
  return prepared(
    (_, link: { organizationId: string; userId: string; ids: string[] }) => sql`
      insert into ${sql.table(links)} (organization_id, ${sql.ref(user)}, ${sql.ref(column)})
      select organization_id, ${link.userId}, public_id from ${sql.table(things)}
      where organization_id = ${link.organizationId} and ${isOneOf("public_id", link.ids)} ${ofRole}
    `,
  );
}

/** Links a new user to others of the organization. Ids that it does not have, or has of other roles, are skipped. */
export async function linkUser(
  trx: Db,
  {
    organization_id: organizationId,
    public_id: userId,
  }: Pick<UserRow, "organization_id" | "public_id">,
  things: keyof typeof userLinks,
  ids: string[] = [],
): Promise<void> {
  if (ids.length > 0) await userLinks[things](trx, { organizationId, userId, ids });
}

/** Which of some users have more than so many links, in one of the columns of a table of links. */
export async function findUsersWithLinks(
  db: Db,
  organizationId: string,
  { table, column, userIds, most }: UserLinks,
): Promise<string[]> {
  const rows = await db
    .selectFrom(table as "care_team_links")
    .select(`${column as "technician_id"} as userId`)
    .where("organization_id", "=", organizationId)
    .where(isOneOf(column, userIds))
    .groupBy(column as "technician_id")
    .having((having) => having.fn.countAll<number>(), ">", most)
    .execute();
  return rows.map(({ userId }) => userId);
}

interface UserLinks {
  table: keyof Schema;
  column: string;
  userIds: readonly string[];
  most: number;
}

/** Marks those of some users who are clinicians as changed by a write: their records name their technicians. */
export async function touchLeads(
  trx: Db,
  { organization_id, sequence }: Pick<NewUserRow, "organization_id" | "sequence">,
  userIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable("users")
    .set({ sequence })
    .where("organization_id", "=", organization_id)
    .where("role", "in", clinicianRoles)
    .where(isOneOf("public_id", userIds))
    .execute();
}
