import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { byEngine, isOneOf, valuesOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { countRows } from "../../db/page.ts";
import { writeRows } from "../../db/rows.ts";
import type { OrganizationRow } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import type { OwnedType } from "../schema/record-types.ts";
import type {
  List,
  OwnedTable,
  RecordKind,
  RecordRows,
  RecordTable,
  Row,
} from "./kinds/record-kind.ts";
import { columnOf, type Reference } from "./kinds/references.ts";

/** The records of a type. All types have the columns that are used here. */
function recordsOf(db: Db, organizationId: string, table: RecordTable) {
  return db.selectFrom(table as "users").where("organization_id", "=", organizationId);
}

/** Reads the records with the given ids and their lists. Unknown ids are skipped. */
export function findRecords(
  db: Db,
  organizationId: string,
  kind: RecordKind,
  ids: readonly string[],
): Promise<RecordRows[]> {
  return findRecordsOf(db, organizationId, kind, { column: "public_id", ids });
}

/** Reads the records with one of the given ids in a column, and their lists. */
export async function findRecordsOf(
  db: Db,
  organizationId: string,
  kind: RecordKind,
  { column, ids }: { column: string; ids: readonly string[] },
): Promise<RecordRows[]> {
  const query = recordsOf(db, organizationId, kind.table).where(isOneOf(column, ids));
  return withLists(db, organizationId, kind, await query.selectAll().execute());
}

/** Reads the next records after an id, ordered by id. */
export async function findRecordsAfter(
  db: Db,
  organizationId: string,
  kind: RecordKind,
  { after, limit }: { after: string; limit: number },
): Promise<RecordRows[]> {
  const query = recordsOf(db, organizationId, kind.table)
    .where("public_id", ">", after)
    .orderBy("public_id")
    .limit(limit);
  return withLists(db, organizationId, kind, await query.selectAll().execute());
}

/** The ids of all records of a type, or of those created or changed after a sequence, in order. */
export async function findIds(
  db: Db,
  organizationId: string,
  table: RecordTable,
  after?: number,
): Promise<string[]> {
  const all = recordsOf(db, organizationId, table).select("public_id");
  const rows = await (after === undefined ? all : all.where("sequence", ">", after)).execute();
  // Sorted in memory: with `order by`, SQLite would scan all records by id instead of using the index of sequences.
  return rows.map(({ public_id }) => public_id).sort();
}

export function countRecords(db: Db, organizationId: string, table: RecordTable): Promise<number> {
  return countRows(recordsOf(db, organizationId, table));
}

/** Reads some columns of records, by id. */
export async function findColumns<Columns extends object = Row>(
  db: Db,
  organizationId: string,
  {
    table,
    columns,
    ids,
  }: { table: RecordTable; columns: readonly string[]; ids: readonly string[] },
): Promise<Map<string, Columns>> {
  if (ids.length === 0) return new Map();
  const rows = await recordsOf(db, organizationId, table)
    .select(["public_id", ...columns] as "public_id"[])
    .where(isOneOf("public_id", ids))
    .execute();
  return new Map(rows.map((row) => [row.public_id, row as object as Columns]));
}

/** The records deleted after a sequence, by type and id, each with the sequence of its deletion. */
export async function findDeletions(
  db: Db,
  organizationId: string,
  sequence: number,
): Promise<{ type: string; public_id: string; sequence: number }[]> {
  return db
    .selectFrom("deletions")
    .select(["type", "public_id", "sequence"])
    .where("organization_id", "=", organizationId)
    .where("sequence", ">", sequence)
    .orderBy("type")
    .orderBy("public_id")
    .execute();
}

/** Which of some records of a type were deleted after a sequence. */
export async function findDeleted(
  db: Db,
  organizationId: string,
  { type, ids, after }: { type: OwnedType; ids: readonly string[]; after: number },
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("deletions")
    .select("public_id")
    .where("organization_id", "=", organizationId)
    .where("type", "=", type)
    .where(isOneOf("public_id", ids))
    .where("sequence", ">", after)
    .execute();
  return new Set(rows.map(({ public_id }) => public_id));
}

async function withLists(
  db: Db,
  organizationId: string,
  { lists }: RecordKind,
  rows: readonly Row[],
): Promise<RecordRows[]> {
  if (rows.length === 0) return [];
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
    const byOwner = Map.groupBy((await query.execute()) as Row[], (row) => row[owner]);
    for (const [id, listed] of byOwner) (records.get(id) as RecordRows).lists[table] = listed;
  }
  return [...records.values()];
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

/** Which of some records are referred to by records of a type, in any field. One of them is looked for, not all. */
export async function findNamed(
  db: Db,
  organizationId: string,
  fields: readonly Reference[],
  { ids, without }: NamedIds,
): Promise<string[]> {
  const isNamed = fields.map(
    (field) => sql`exists (${ownersOf(organizationId, field, without)} limit 1)`,
  );
  const { rows } = await sql<{ id: string }>`
    select value as id from ${valuesOf(ids)} as target where ${sql.join(isNamed, sql` or `)}
  `.execute(db);
  return rows.map(({ id }) => id);
}

interface NamedIds {
  ids: readonly string[];
  /** Referring records to ignore. */
  without: readonly string[];
}

/** Records that refer to a record: one of them, and their number. */
export interface Naming {
  target: string;
  owner: string;
  owners: number;
}

/** More records than this that refer to one are not counted. */
export const MOST_COUNTED = 1_000;

/** The records of a type that refer to some records, in any field. Far more than `MOST_COUNTED` are not counted. */
export async function findNaming(
  db: Db,
  organizationId: string,
  fields: readonly Reference[],
  { ids, without }: NamedIds,
): Promise<Naming[]> {
  // One more than is told of others, and the one that is named.
  const limit = sql.lit(MOST_COUNTED + 2);
  const owners = fields.map(
    (field) =>
      sql`select owner from (${ownersOf(organizationId, field, without)} limit ${limit}) as owners`,
  );
  // A list has an owner more than once where it names a record twice. Ids have no white space.
  const { rows } = await sql<{ target: string; naming: string }>`
    select value as target, (
      select count(*) || ' ' || min(owner) from (${sql.join(owners, sql` union `)}) as naming
    ) as naming
    from ${valuesOf(ids)} as target
  `.execute(db);
  return rows.flatMap(({ target, naming }) => {
    const [owners = "0", owner] = (naming ?? "0").split(" ");
    return owner === undefined ? [] : [{ target, owner, owners: Number(owners) }];
  });
}

/** The records with a field that refers to a row `target`. */
function ownersOf(
  organizationId: string,
  { table, owner, column }: Reference,
  without: readonly string[],
) {
  return sql`
    select distinct ${sql.ref(owner)} as owner from ${sql.table(table)}
    where organization_id = ${organizationId} and ${sql.ref(column)} = target.value
      and not ${isOneOf(owner, without)}`;
}

/** The valid API keys of users. */
export function findWorkingKeys(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
  now: Instant,
): Promise<Naming[]> {
  return db
    .selectFrom("api_keys as key")
    .innerJoin("users as user", byId("user", "key.user_id"))
    .select((select) => [
      "user_id as target",
      select.fn.min<string>("id").as("owner"),
      select.fn.countAll<number>().as("owners"),
    ])
    .where("key.organization_id", "=", organizationId)
    .where(isOneOf("user_id", userIds))
    .where("user.is_active", "=", 1)
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .groupBy("user_id")
    .$narrowType<{ target: string }>()
    .execute();
}

/** Removes users from their former API keys, which never work again. */
export async function releaseKeys(
  trx: Db,
  organizationId: string,
  userIds: readonly string[],
  now: Instant,
): Promise<void> {
  await trx
    .updateTable("api_keys")
    .set((key) => ({ user_id: null, revoked_at: key.fn.coalesce("revoked_at", key.val(now)) }))
    .where("organization_id", "=", organizationId)
    .where(isOneOf("user_id", userIds))
    .execute();
}

/** A record, and one of the records that conflict with it. */
export interface Odds {
  id: string;
  other: string;
}

/**
 * Records that do not meet the requirements of one that refers to them: a role, or what they must have in common. Of each
 * one, the first that is found.
 */
export async function findUnfit(
  db: Db,
  organizationId: string,
  { type, names, table, owner, column, roles, agreement }: Reference,
  { namedTable, ids }: { namedTable: RecordTable; ids: readonly string[] },
): Promise<Odds[]> {
  const differences = (agreement?.fields ?? []).map(({ own, other, isOptional }) => {
    const value = sql.ref(`naming.${columnOf(type, own)}`);
    const differs = isOptional ? sql`<>` : sql`is distinct from`;
    return sql`${value} ${differs} ${sql.ref(`target.${columnOf(names, other)}`)}`;
  });
  const isUnfit =
    roles === undefined
      ? sql.join(differences, sql` or `)
      : sql`target.role not in (${sql.join(roles)})`;
  const { rows } = await sql<{ id: string; other: string | null }>`
    select public_id as id, (
      select ${sql.ref(`naming.${owner}`)} from ${sql.table(table)} as naming
      where naming.organization_id = ${organizationId}
        and ${sql.ref(`naming.${column}`)} = target.public_id and (${isUnfit})
      limit 1
    ) as other
    from ${sql.table(namedTable)} as target
    where organization_id = ${organizationId} and ${isOneOf("public_id", ids)}
  `.execute(db);
  return rows.flatMap(({ id, other }) => (other === null ? [] : [{ id, other }]));
}

/** The owners named in more than so many rows of a table: some of them, or any. */
export async function countOwners(
  db: Db,
  organizationId: string,
  {
    table,
    column,
    ids,
    most,
  }: { table: OwnedTable; column: string; ids?: readonly string[] | undefined; most: number },
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom(table as "authorizations")
    .select((select) => [
      `${column as "patient_id"} as id`,
      select.fn.countAll<number>().as("total"),
    ])
    .where("organization_id", "=", organizationId)
    .where(ids === undefined ? sql<boolean>`${sql.ref(column)} is not null` : isOneOf(column, ids))
    .groupBy(column as "patient_id")
    .having((having) => having.fn.countAll<number>(), ">", most)
    .execute();
  return new Map(rows.map(({ id, total }) => [id, total]));
}

/** Columns in which something may be that an import refuses. */
export interface Outlying {
  dates?: readonly string[];
  numbers?: Readonly<Record<string, number>>;
  /** JSON with dates. */
  documents?: readonly string[];
  /** Likewise of rows that belong to the record. */
  below?: { table: OwnedTable; owner: string; document: string };
}

/** The ids of records with a date before 1900, or a number greater than the given one. */
export async function findOutlying(
  db: Db,
  organizationId: string,
  { table, dates = [], numbers = {}, documents = [], below }: Outlying & { table: RecordTable },
): Promise<string[]> {
  const conditions = [
    ...dates.map((column) => sql<SqlBool>`${sql.ref(column)} < '1900'`),
    ...Object.entries(numbers).map(([column, most]) => sql<SqlBool>`${sql.ref(column)} > ${most}`),
    ...documents.map(mayHaveEarlyDate),
    ...(below === undefined
      ? []
      : [
          sql<SqlBool>`public_id in (select ${sql.ref(below.owner)} from ${sql.table(below.table)} where organization_id = ${organizationId} and ${mayHaveEarlyDate(below.document)})`,
        ]),
  ];
  if (conditions.length === 0) return [];
  const rows = await recordsOf(db, organizationId, table)
    .select("public_id")
    .where(({ or }) => or(conditions))
    .execute();
  return rows.map(({ public_id }) => public_id);
}

/** Whether JSON has a text that begins as a date before 1900. */
function mayHaveEarlyDate(column: string): RawBuilder<SqlBool> {
  const document = sql.ref(column);
  return byEngine<SqlBool>({
    sqlite: sql`(${document} glob '*"0[0-9][0-9][0-9]-*' or ${document} glob '*"1[0-8][0-9][0-9]-*')`,
    postgresql: sql`${document} ~ '"(0[0-9]|1[0-8])[0-9]{2}-'`,
  });
}

/** The users with more than so many characters of entries: some of them, or any. */
export async function findLongUsers(
  db: Db,
  organizationId: string,
  { ids, most }: { ids?: readonly string[] | undefined; most: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("public_id")
    .where("organization_id", "=", organizationId)
    .where(ids === undefined ? sql<boolean>`true` : isOneOf("public_id", ids))
    .where(sql<boolean>`length(coalesce(payors, '')) + length(coalesce(credentials, '')) > ${most}`)
    .execute();
  return rows.map(({ public_id }) => public_id);
}

/** Ids that are used by both a pool and an authorization. */
export function findSharedIds(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Odds[]> {
  return db
    .selectFrom("authorization_pools as pool")
    .innerJoin("authorizations as authorization", byId("authorization", "pool.public_id"))
    .select(["pool.public_id as id", "pool.public_id as other"])
    .where("pool.organization_id", "=", organizationId)
    .where(isOneOf("pool.public_id", ids))
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

/** Forgets the deletions of records that exist again. Does not wait for it. */
export function forgetDeletions(
  trx: Db,
  organizationId: string,
  { type, ids }: { type: OwnedType; ids: readonly string[] },
): void {
  const deletion = trx
    .deleteFrom("deletions")
    .where("organization_id", "=", organizationId)
    .where("type", "=", type)
    .where(isOneOf("public_id", ids))
    .compile();
  trx.executor.add(deletion.sql, deletion.parameters);
}
