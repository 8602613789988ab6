import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import type { OrganizationRow, Schema } from "../../db/schema.ts";
import { COMMAND } from "../audit/chain.ts";
import type { Instant } from "../lib/instant.ts";

/** What an import is called in the audit trail. */
export const IMPORT = "import";

/** Tables whose rows are found by the organization and a public id. */
export type RecordTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_id: string; public_id: string }
    ? Table
    : never;
}[keyof Schema];

/** Tables of an organization's own rows. */
export type OwnedTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_id: string } ? Table : never;
}[keyof Schema];

/** A row as an import writes it: the organization is the file's. */
export type RowOf<Table extends OwnedTable> = Omit<Schema[Table], "organization_id">;

/** Some columns of those of some records that exist, with their ids. */
export async function findRows(
  db: Db,
  organizationId: string,
  { table, columns, ids }: { table: RecordTable; columns: readonly string[]; ids: string[] },
): Promise<({ public_id: string } & Record<string, unknown>)[]> {
  return db
    .selectFrom(table as "users")
    .select(["public_id", ...columns] as "public_id"[])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids))
    .execute();
}

/** The rows of a table that come after an id, in the order of their ids. */
export async function readRowsAfter<Table extends RecordTable>(
  db: Db,
  { table, organizationId, after }: { table: Table; organizationId: string; after: string },
  limit: number,
): Promise<Schema[Table][]> {
  const rows = await db
    .selectFrom(table as "locations")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("public_id", ">", after)
    .orderBy("public_id")
    .limit(limit)
    .execute();
  return rows as unknown as Schema[Table][];
}

/** The same of goals that are nobody's children, whose records hold the others. */
export function readTopGoalsAfter(db: Db, organizationId: string, after: string, limit: number) {
  return db
    .selectFrom("goals")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("parent_goal_id", "is", null)
    .where("public_id", ">", after)
    .orderBy("public_id")
    .limit(limit)
    .execute();
}

/** A table of links, the column of those whose lists it holds, and that of the ids in the lists. */
interface Links {
  table: OwnedTable;
  owner: string;
  linked: string;
}

/** The lists of some owners in a table of links, each in order; an owner without any has none. */
export async function linksOf(
  db: Db,
  organizationId: string,
  { table, owner, linked }: Links,
  ownerIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ owner: string; linked: string }>`
    select ${sql.ref(owner)} as owner, ${sql.ref(linked)} as linked from ${sql.table(table)}
    where organization_id = ${organizationId} and ${isOneOf(owner, ownerIds)}
    order by 1, 2
  `.execute(db);
  const lists = new Map<string, string[]>();
  for (const row of rows) {
    const list = lists.get(row.owner);
    if (list === undefined) lists.set(row.owner, [row.linked]);
    else list.push(row.linked);
  }
  return lists;
}

/** Deletes what hangs on some records. */
export async function deleteOwned(
  trx: Db,
  organizationId: string,
  { table, column, ids }: { table: OwnedTable; column: string; ids: readonly string[] },
): Promise<void> {
  await trx
    .deleteFrom(table as "user_locations")
    .where("organization_id", "=", organizationId)
    .where(isOneOf(column, ids))
    .execute();
}

/** Whether an import into an organization has been committed after a row of its audit trail. */
export async function wasImportedSince(
  db: Db,
  organizationId: string,
  sequence: number,
): Promise<boolean> {
  const row = await db
    .selectFrom("audit_entries")
    .select("sequence")
    .where("organization_id", "=", organizationId)
    .where("sequence", ">", sequence)
    .where("method", "=", COMMAND)
    .where("route", "=", IMPORT)
    .where("status", "=", 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes an organization that has nothing but its id yet; false if it exists. */
export async function makeOrganization(trx: Db, publicId: string, now: Instant): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("organizations")
    .values({
      public_id: publicId,
      name: "",
      time_zone: null,
      week_starts_on: "",
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateOrganization(
  trx: Db,
  { public_id, ...columns }: Partial<OrganizationRow> & Pick<OrganizationRow, "public_id">,
): Promise<void> {
  await trx.updateTable("organizations").set(columns).where("public_id", "=", public_id).execute();
}

/** Who has some email addresses. */
export function findEmailHolders(
  db: Db,
  organizationId: string,
  emailKeys: readonly string[],
): Promise<{ public_id: string; email_key: string | null }[]> {
  return db
    .selectFrom("users")
    .select(["public_id", "email_key"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("email_key", emailKeys))
    .execute();
}

/** Leaves users without an email address, until their own rows give another. */
export async function releaseEmails(
  trx: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable("users")
    .set({ email: null, email_key: null })
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", userIds))
    .execute();
}

/** How many of some authorizations have no encounter. */
export async function countWithoutEncounter(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<number> {
  const { count } = await db
    .selectFrom("authorizations as authorization")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("encounters as encounter")
            .select("encounter.public_id")
            .whereRef("encounter.organization_id", "=", "authorization.organization_id")
            .whereRef("encounter.authorization_id", "=", "authorization.public_id"),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return count;
}

/** Takes the members out of some pools, and says which they were. */
export async function releasePoolMembers(
  trx: Db,
  organizationId: string,
  poolIds: readonly string[],
): Promise<{ member: string; pool: string }[]> {
  const ofPools = trx
    .selectFrom("authorizations")
    .select(["public_id as member", "authorization_pool_id as pool"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("authorization_pool_id", poolIds))
    .orderBy("public_id")
    .$narrowType<{ pool: string }>();
  const members = await ofPools.execute();
  await trx
    .updateTable("authorizations")
    .set({ authorization_pool_id: null })
    .where("organization_id", "=", organizationId)
    .where(isOneOf("authorization_pool_id", poolIds))
    .execute();
  return members;
}
