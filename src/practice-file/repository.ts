import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { writeRows } from "../../db/rows.ts";
import type { OrganizationRow } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import type { OwnedType } from "../schema/record-types.ts";
import type { List, OwnedTable, RecordKind, RecordRows, RecordTable, Row } from "./record-kind.ts";
import type { Reference } from "./references.ts";

/** Limit of problems found by one statement. */
const MAX_FOUND = 100;

/** Condition: the row is a record. Child goals are parts of the record of their root goal. */
function isRecord(table: OwnedTable): RawBuilder<boolean> {
  return table === "goals" ? sql<boolean>`parent_goal_id is null` : sql<boolean>`true`;
}

/** Reads the records with the given ids and their lists. Unknown ids are skipped. */
export async function findRecords(
  db: Db,
  organizationId: string,
  kind: RecordKind,
  ids: readonly string[],
): Promise<RecordRows[]> {
  const rows = await db
    .selectFrom(kind.table as "users")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids))
    .where(isRecord(kind.table))
    .execute();
  return withLists(db, organizationId, kind, rows as unknown as Row[]);
}

/** Reads the next records after an id, ordered by id. */
export async function findRecordsAfter(
  db: Db,
  organizationId: string,
  kind: RecordKind,
  { after, limit }: { after: string; limit: number },
): Promise<RecordRows[]> {
  const rows = await db
    .selectFrom(kind.table as "users")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("public_id", ">", after)
    .where(isRecord(kind.table))
    .orderBy("public_id")
    .limit(limit)
    .execute();
  return withLists(db, organizationId, kind, rows as unknown as Row[]);
}

/** The ids of existing records that were created or changed after a sequence, in order. */
export async function findChangedIds(
  db: Db,
  organizationId: string,
  { table }: RecordKind,
  sequence: number,
): Promise<string[]> {
  // Sorted in memory: with `order by`, SQLite would scan all records by id instead of using the index of sequences.
  const rows = await db
    .selectFrom(table as "users")
    .select("public_id")
    .where("organization_id", "=", organizationId)
    .where("sequence", ">", sequence)
    .where(isRecord(table))
    .execute();
  return rows.map((row) => row.public_id).sort();
}

/** The records deleted after a sequence, by type and id. */
export async function findDeletions(
  db: Db,
  organizationId: string,
  sequence: number,
): Promise<{ type: string; public_id: string }[]> {
  return db
    .selectFrom("deletions")
    .select(["type", "public_id"])
    .where("organization_id", "=", organizationId)
    .where("sequence", ">", sequence)
    .orderBy("type")
    .orderBy("public_id")
    .execute();
}

async function withLists(
  db: Db,
  organizationId: string,
  { lists, readLists }: RecordKind,
  rows: readonly Row[],
): Promise<RecordRows[]> {
  if (rows.length === 0) return [];
  if (readLists !== undefined) return readLists(db, organizationId, rows);
  const ids = rows.map((row) => String(row.public_id));
  const records = new Map(rows.map((row) => [row.public_id, { row, lists: {} } as RecordRows]));
  for (const { table, owner, order } of lists) {
    let query = db
      .selectFrom(table as "user_locations")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where(isOneOf(owner, ids))
      .orderBy(owner as "user_id");
    for (const column of order) query = query.orderBy(column as "location_id");
    const found = Map.groupBy(
      (await query.execute()) as unknown as Row[],
      (row) => row[owner] as string,
    );
    for (const [id, listed] of found) {
      const record = records.get(id);
      if (record !== undefined) record.lists[table] = listed;
    }
  }
  return [...records.values()];
}

/** Reads some columns of rows, by id. */
export async function findColumns(
  db: Db,
  organizationId: string,
  {
    table,
    columns,
    ids,
  }: { table: RecordTable; columns: readonly string[]; ids: readonly string[] },
): Promise<Map<string, Row>> {
  const rows = await db
    .selectFrom(table as "users")
    .select(["public_id", ...columns] as "public_id"[])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids))
    .execute();
  return new Map(rows.map((row) => [row.public_id, row as Row]));
}

/** Counts the records of a type. */
export async function countRecords(
  db: Db,
  organizationId: string,
  table: RecordTable,
): Promise<number> {
  const { total } = await db
    .selectFrom(table as "users")
    .select((select) => select.fn.countAll<number>().as("total"))
    .where("organization_id", "=", organizationId)
    .where(isRecord(table))
    .executeTakeFirstOrThrow();
  return total;
}

/** The ids of all records of a type. */
export async function listRecordIds(
  db: Db,
  organizationId: string,
  table: RecordTable,
): Promise<string[]> {
  const rows = await db
    .selectFrom(table as "users")
    .select("public_id")
    .where("organization_id", "=", organizationId)
    .where(isRecord(table))
    .orderBy("public_id")
    .execute();
  return rows.map(({ public_id }) => public_id);
}

/** Deletes the list rows of records. */
export async function deleteListed(
  trx: Db,
  organizationId: string,
  { table, owner }: Pick<List, "table" | "owner">,
  ids: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom(table as "user_locations")
    .where("organization_id", "=", organizationId)
    .where(isOneOf(owner, ids))
    .execute();
}

/** The stored organization; undefined if it does not exist. */
export function findOrganization(db: Db, publicId: string) {
  return db
    .selectFrom("organizations")
    .selectAll()
    .where("public_id", "=", publicId)
    .executeTakeFirst();
}

/** Creates or updates the organization. */
export async function writeOrganization(
  trx: Db,
  columns: Pick<OrganizationRow, "public_id" | "name" | "time_zone" | "week_starts_on">,
  now: Instant,
): Promise<void> {
  const { public_id, ...changed } = columns;
  await trx
    .insertInto("organizations")
    .values({ ...columns, created_at: now })
    .onConflict((conflict) => conflict.column("public_id").doUpdateSet(changed))
    .execute();
}

/** Finds users by email address. */
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

/**
 * Makes the email addresses of users available to others, until their own rows set new ones. `email` stays, so that it
 * still counts as the stored value when a line of the file changes it.
 */
export async function releaseEmails(
  trx: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable("users")
    .set({ email_key: null })
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", userIds))
    .execute();
}

/** For goals that are child goals, or contain them, finds the root goal. */
export async function findTopGoals(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const parents = async (of: readonly string[]) => {
    const rows = await db
      .selectFrom("goals")
      .select(["public_id", "parent_goal_id"])
      .where("organization_id", "=", organizationId)
      .where(isOneOf("public_id", of))
      .execute();
    return rows.map(({ public_id, parent_goal_id }) => [public_id, parent_goal_id] as const);
  };
  const parentOf = new Map(await parents(ids));
  for (;;) {
    const unknown = [...parentOf.values()].filter((id) => id !== null && !parentOf.has(id));
    if (unknown.length === 0) break;
    for (const [id, parent] of await parents(unknown as string[])) parentOf.set(id, parent);
  }
  const topOf = (id: string): string => {
    const parent = parentOf.get(id) ?? null;
    return parent === null ? id : topOf(parent);
  };
  return new Map(ids.filter((id) => parentOf.has(id)).map((id) => [id, topOf(id)]));
}

/** The records that refer to a record: the first one, and their number. */
export interface Naming {
  named: string;
  owner: string;
  owners: number;
}

/**
 * Finds which of some records are referred to by records of a type, in any field.
 *
 * @param without referring records to ignore.
 */
export async function findNaming(
  db: Db,
  organizationId: string,
  fields: readonly Reference[],
  { ids, without }: { ids: readonly string[]; without: readonly string[] },
): Promise<Naming[]> {
  const each = fields.map(
    ({ table, owner, column }) => sql`
      select ${sql.ref(column)} as named, ${sql.ref(owner)} as owner from ${sql.table(table)}
      where organization_id = ${organizationId} and ${isOneOf(column, ids)} and ${isRecord(table)}`,
  );
  const { rows } = await sql<Naming>`
    select named, min(owner) as owner, count(*) as owners
    from (${sql.join(each, sql` union `)}) as naming
    where not ${isOneOf("owner", without)}
    group by named
  `.execute(db);
  return rows;
}

/** The valid API keys of users. */
export function findWorkingKeys(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
  now: Instant,
): Promise<Naming[]> {
  return db
    .selectFrom("api_keys")
    .select((select) => [
      "user_id as named",
      select.fn.min<string>("id").as("owner"),
      select.fn.countAll<number>().as("owners"),
    ])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("user_id", userIds))
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .groupBy("user_id")
    .$narrowType<{ named: string }>()
    .execute();
}

/** Removes users from their former API keys. */
export async function releaseKeys(
  trx: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable("api_keys")
    .set({ user_id: null })
    .where("organization_id", "=", organizationId)
    .where(isOneOf("user_id", userIds))
    .execute();
}

/** A record, and one of the records that conflict with it. */
export interface Odds {
  id: string;
  other: string;
}

/** Users that are referred to in a field that requires another role. */
export async function findMisfits(
  db: Db,
  organizationId: string,
  { table, owner, column, roles = [] }: Reference,
  userIds: readonly string[],
): Promise<Odds[]> {
  const named = sql.ref(`naming.${column}`);
  const { rows } = await sql<Odds>`
    select ${named} as id, min(${sql.ref(`naming.${owner}`)}) as other
    from ${sql.table(table)} as naming
    join users as named
      on named.organization_id = naming.organization_id and named.public_id = ${named}
    where naming.organization_id = ${organizationId}
      and ${isOneOf(`naming.${column}`, userIds)}
      and named.role not in (${sql.join(roles)})
    group by 1 limit ${MAX_FOUND}
  `.execute(db);
  return rows;
}

/** Authorizations with a session of another client or service line. */
export async function findBrokenBindings(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Odds[]> {
  const { rows } = await sql<Odds>`
    select session.authorization_id as id, min(session.public_id) as other
    from sessions as session
    join authorizations as bound on bound.organization_id = session.organization_id
      and bound.public_id = session.authorization_id
    where session.organization_id = ${organizationId}
      and ${isOneOf("session.authorization_id", ids)}
      and (session.client_id is distinct from bound.patient_id
        or session.service_line_id is distinct from bound.service_line_id)
    group by 1 limit ${MAX_FOUND}
  `.execute(db);
  return rows;
}

/** Sessions with an encounter of another authorization. */
export async function findBrokenEncounters(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Odds[]> {
  const { rows } = await sql<Odds>`
    select encounter.session_id as id, min(encounter.public_id) as other
    from encounters as encounter
    join sessions as session on session.organization_id = encounter.organization_id
      and session.public_id = encounter.session_id
    where encounter.organization_id = ${organizationId}
      and ${isOneOf("encounter.session_id", ids)}
      and session.authorization_id is distinct from encounter.authorization_id
    group by 1 limit ${MAX_FOUND}
  `.execute(db);
  return rows;
}

/** Pools with a member of another patient or payor. */
export async function findBrokenPools(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Odds[]> {
  const { rows } = await sql<Odds>`
    select pool.public_id as id, min(member.public_id) as other
    from authorization_pools as pool
    join authorizations as member on member.organization_id = pool.organization_id
      and member.authorization_pool_id = pool.public_id
    where pool.organization_id = ${organizationId}
      and ${isOneOf("pool.public_id", ids)}
      and (member.patient_id <> pool.patient_id or member.payor_id <> pool.payor_id)
    group by 1 limit ${MAX_FOUND}
  `.execute(db);
  return rows;
}

/** The pools of authorizations that exceed the limit of members, each with one member. */
export async function findFullPools(
  db: Db,
  organizationId: string,
  authorizationIds: readonly string[],
  most: number,
): Promise<Odds[]> {
  const { rows } = await sql<Odds>`
    select max(written.public_id) as id, written.authorization_pool_id as other
    from authorizations as written
    where written.organization_id = ${organizationId}
      and ${isOneOf("written.public_id", authorizationIds)}
      and (
        select count(*) from authorizations as member
        where member.organization_id = ${organizationId}
          and member.authorization_pool_id = written.authorization_pool_id
      ) > ${most}
    group by written.authorization_pool_id limit ${MAX_FOUND}
  `.execute(db);
  return rows;
}

/** Ids that are used by both a pool and an authorization. */
export async function findSharedIds(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom("authorization_pools as pool")
    .innerJoin("authorizations as authorization", (join) =>
      join
        .onRef("authorization.organization_id", "=", "pool.organization_id")
        .onRef("authorization.public_id", "=", "pool.public_id"),
    )
    .select("pool.public_id")
    .where("pool.organization_id", "=", organizationId)
    .where(isOneOf("pool.public_id", ids))
    .limit(MAX_FOUND)
    .execute();
  return rows.map(({ public_id }) => public_id);
}

/** Marks records with the sequence of the write that changed them. */
export async function setSequence(
  trx: Db,
  organizationId: string,
  { table, ids, sequence }: { table: RecordTable; ids: readonly string[]; sequence: number },
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable(table as "users")
    .set({ sequence })
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids))
    .execute();
}

/** Records that records of a type were deleted, for exports of changes. */
export async function noteDeletions(
  trx: Db,
  organization_id: string,
  {
    type,
    ids,
    ...deletion
  }: { type: OwnedType; ids: readonly string[]; sequence: number; deleted_at: Instant },
): Promise<void> {
  const rows = ids.map((public_id) => ({ organization_id, type, public_id, ...deletion }));
  await writeRows(trx, "deletions", rows, ["organization_id", "type", "public_id"]);
}

/** Forgets the deletions of records that exist again. */
export async function forgetDeletions(
  trx: Db,
  organizationId: string,
  { type, ids }: { type: OwnedType; ids: readonly string[] },
): Promise<void> {
  await trx
    .deleteFrom("deletions")
    .where("organization_id", "=", organizationId)
    .where("type", "=", type)
    .where(isOneOf("public_id", ids))
    .execute();
}
