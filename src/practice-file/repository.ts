import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import type { OrganizationRow, Row, Schema } from "../../db/schema.ts";
import { COMMAND } from "../audit/chain.ts";
import type { Instant } from "../lib/instant.ts";
import type { RecordType } from "./model.ts";
import { MAX_BAD_LINES } from "./problems.ts";
import type { UserReference } from "./user-references.ts";

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

/** Where the records of each type have their rows. The organization's own is told by its id alone. */
export const recordTables = {
  location: "locations",
  payor: "payors",
  serviceLine: "service_lines",
  nonBillableCode: "non_billable_codes",
  specialization: "specializations",
  intakeStage: "intake_stages",
  intakeLabel: "intake_labels",
  user: "users",
  authorizationPool: "authorization_pools",
  authorization: "authorizations",
  session: "sessions",
  encounter: "encounters",
  intakeLead: "intake_leads",
  treatmentPlan: "treatment_plans",
  goal: "goals",
} as const satisfies Record<Exclude<RecordType, "organization">, RecordTable>;

/** A row as an import writes it: the organization is the file's. */
export type RowOf<Table extends OwnedTable> = Omit<Row<Table>, "organization_id">;

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

/** What hangs on some records: all rows that name one of them in a column. */
export interface Deletion {
  table: OwnedTable;
  column: string;
  ids: readonly string[];
}

export async function deleteOwned(
  trx: Db,
  organizationId: string,
  { table, column, ids }: Deletion,
): Promise<void> {
  await trx
    .deleteFrom(table as "user_locations")
    .where("organization_id", "=", organizationId)
    .where(isOneOf(column, ids))
    .execute();
}

/** How an import over HTTP is recorded. */
const IMPORT_REQUEST = { method: "POST", route: "/v1/practice-file", status: 200 };

/** What one asks for that is but a dry run. However else a client may write it, such a row passes for an import. */
const DRY_RUN_TARGET = `/api${IMPORT_REQUEST.route}?dryRun=true`;

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
    .where(({ or, and }) =>
      or([
        and({ method: COMMAND, route: IMPORT, status: 0 }),
        and(IMPORT_REQUEST).and("target", "is distinct from", DRY_RUN_TARGET),
      ]),
    )
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
            // An index has all that this asks for.
            .select("encounter.authorization_id")
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

/**
 * Of some users with new roles, those whom a record names that needs another role: one such record each.
 *
 * @param owners records of the file that name them, and whose own lines tell.
 */
export async function findMisfits(
  db: Db,
  organizationId: string,
  { table, owner, user, roles }: UserReference,
  { userIds, owners }: { userIds: readonly string[]; owners: readonly string[] },
): Promise<{ owner: string; user: string }[]> {
  const named = sql.ref(`reference.${user}`);
  const naming = sql.ref(`reference.${owner}`);
  const { rows } = await sql<{ owner: string; user: string }>`
    select min(${naming}) as owner, ${named} as "user"
    from ${sql.table(table)} as reference
    join users as named
      on named.organization_id = reference.organization_id and named.public_id = ${named}
    where reference.organization_id = ${organizationId}
      and ${isOneOf(`reference.${user}`, userIds)}
      and named.role not in (${sql.join(roles)})
      and not ${isOneOf(`reference.${owner}`, owners)}
    group by ${named}
    limit ${MAX_BAD_LINES}
  `.execute(db);
  return rows;
}

/** Of some authorizations, those with a session of another client or service line: one such session each. */
export function findBrokenBindings(
  db: Db,
  organizationId: string,
  authorizationIds: readonly string[],
): Promise<{ authorization: string; session: string }[]> {
  return db
    .selectFrom("authorizations as authorization")
    .innerJoin("sessions as session", (join) =>
      join
        .onRef("session.organization_id", "=", "authorization.organization_id")
        .onRef("session.authorization_id", "=", "authorization.public_id"),
    )
    .select((select) => [
      "authorization.public_id as authorization",
      select.fn.min<string>("session.public_id").as("session"),
    ])
    .where("authorization.organization_id", "=", organizationId)
    .where(isOneOf("authorization.public_id", authorizationIds))
    .where((where) =>
      where.or([
        where("session.client_id", "is", null),
        where("session.client_id", "<>", where.ref("authorization.patient_id")),
        where("session.service_line_id", "<>", where.ref("authorization.service_line_id")),
      ]),
    )
    .groupBy("authorization.public_id")
    .limit(MAX_BAD_LINES)
    .execute();
}

/** Of some sessions, those with an encounter of another authorization: one such encounter each. */
export function findBrokenEncounters(
  db: Db,
  organizationId: string,
  sessionIds: readonly string[],
): Promise<{ session: string; encounter: string }[]> {
  return db
    .selectFrom("encounters as encounter")
    .innerJoin("sessions as session", (join) =>
      join
        .onRef("session.organization_id", "=", "encounter.organization_id")
        .onRef("session.public_id", "=", "encounter.session_id"),
    )
    .select((select) => [
      "session.public_id as session",
      select.fn.min<string>("encounter.public_id").as("encounter"),
    ])
    .where("encounter.organization_id", "=", organizationId)
    .where(isOneOf("encounter.session_id", sessionIds))
    .where((where) =>
      where.or([
        where("session.authorization_id", "is", null),
        where("session.authorization_id", "<>", where.ref("encounter.authorization_id")),
      ]),
    )
    .groupBy("session.public_id")
    .limit(MAX_BAD_LINES)
    .execute();
}
