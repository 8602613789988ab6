import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "./connect.ts";
import { containsAll, likePattern } from "./expressions.ts";
import type { UserRow } from "./schema.ts";

/**
 * Users whose texts hold some terms, found by an index of each three characters in a row: those who are in the index,
 * and those who wait for it, of whom there are few (migration 0009).
 */

/** A search that the index can answer. */
export interface IndexedSearch {
  organizationId: string;
  /** For the index: all terms that it can find. */
  match: string;
  /** All terms, for who waits for the index. */
  patterns: string[];
  /** Terms that it cannot find, such as those that are too short. */
  otherPatterns?: string[] | undefined;
}

/** What the index can find: three characters or more. U+FFFE and U+FFFF, which are none, it takes for U+FFFD. */
const INDEXED = /^[^\ufffd-\uffff]{3,}$/u;

/** How the index is asked for some terms, all of which must occur; undefined where it can find none of them. */
export function indexedSearch(
  organizationId: string,
  terms: readonly string[],
): IndexedSearch | undefined {
  const distinct = [...new Set(terms)];
  const indexed = distinct.filter((term) => INDEXED.test(term));
  const others = distinct.filter((term) => !INDEXED.test(term));
  if (indexed.length === 0) return undefined;
  return {
    organizationId,
    match: indexed.map(quoted).join(" AND "),
    patterns: distinct.map(likePattern),
    otherPatterns: others.length === 0 ? undefined : others.map(likePattern),
  };
}

/** As a text in which nothing has a meaning to the index. Its trigrams in a row are the text itself. */
function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

/** What lists are filtered and ordered by. It is in an index beside the rowid, so that no other user is read. */
type FoundUserRow = Pick<UserRow, "public_id" | "role" | "is_active" | "created_at" | "updated_at">;

const foundColumns = sql`
  users.public_id, users.role, users.is_active, users.created_at, users.updated_at
`;

/** The users whom a search finds, as a table. */
export function foundUsers(search: IndexedSearch): RawBuilder<FoundUserRow> {
  return sql<FoundUserRow>`(
    select ${foundColumns} ${indexedUsers(search, sql`lowest and highest`)}
    union all
    select ${foundColumns} ${waitingUsers(search)}
  )`;
}

/**
 * Some of the users whom a search finds, as a table: the first `count` in the order of creation for whom all
 * conditions hold are among them. Most of the index is in that order, so that the others are never looked at.
 */
export function earliestFoundUsers(
  search: IndexedSearch,
  count: number,
  conditions: RawBuilder<unknown>[],
): RawBuilder<FoundUserRow> {
  const condition = sql.join([sql`true`, ...conditions], sql` and `);
  return sql<FoundUserRow>`(
    select * from (
      select ${foundColumns} ${indexedUsers(search, sql`center + 1 and highest`)} and ${condition}
      order by user_search.rowid limit ${count}
    )
    union all
    select ${foundColumns} ${indexedUsers(search, sql`lowest and center`)} and ${condition}
    union all
    select ${foundColumns} ${waitingUsers(search)} and ${condition}
  )`;
}

/** How many users a search finds, in one column `total`. Of those in the index, not one is read. */
export function countFound(search: IndexedSearch): RawBuilder<{ total: number }> {
  return sql<{ total: number }>`select (
      select count(*) from user_search_progress as progress
      cross join user_search
      where ${matches(search, sql`lowest and highest`)}
    ) + (
      select count(*) ${waitingUsers(search)}
    ) as total
  `;
}

/** Left to itself, SQLite would begin with the users, and with those of a role: hence `cross join` and `indexed by`. */
function indexedUsers(search: IndexedSearch, rowids: RawBuilder<unknown>): RawBuilder<unknown> {
  const { otherPatterns } = search;
  const others =
    otherPatterns === undefined ? sql`true` : containsAll("users.search_text", otherPatterns);
  return sql`
    from user_search_progress as progress
    cross join user_search
    cross join users indexed by users_by_search_rowid
      on users.organization_id = progress.organization_id
      and users.search_rowid = user_search.rowid
    where ${matches(search, rowids)} and ${others}
  `;
}

function matches(
  { organizationId, match }: IndexedSearch,
  rowids: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`progress.organization_id = ${organizationId}
    and user_search match ${match} and user_search.rowid between ${rowids}`;
}

function waitingUsers({ organizationId, patterns }: IndexedSearch): RawBuilder<unknown> {
  return sql`
    from users indexed by users_by_search_rowid
    where users.organization_id = ${organizationId} and users.search_rowid is null
      and ${containsAll("users.search_text", patterns)}
  `;
}

/**
 * Lets new and changed users of an organization wait until `mergeUserSearch`, however many they are. That has to
 * follow in the same transaction.
 */
export async function holdUserSearch(trx: Db, organizationId: string): Promise<void> {
  await updateProgress(trx, organizationId).set({ is_held: 1 }).execute();
}

/** After so many of a transaction, users who change stay in the index that is then made anew (migration 0009). */
const MOST_TAKEN_OUT = 250;

/** Users who may be out of the order of creation: so many in any case, and one in so many of those in it. */
const MOST_OUT_OF_ORDER = 1_000;
const IN_ORDER_TO_OUT_OF_ORDER = 50;

/** Takes all users of an organization into the index who wait for it since `holdUserSearch`. */
export async function mergeUserSearch(trx: Db, organizationId: string): Promise<void> {
  await merge(trx, organizationId);
  const { taken_out, center, lowest, highest } = await trx
    .selectFrom("user_search_progress")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  const mayBeOutOfOrder = Math.max(
    MOST_OUT_OF_ORDER,
    (highest - center) / IN_ORDER_TO_OUT_OF_ORDER,
  );
  if (taken_out >= MOST_TAKEN_OUT || center + 1 - lowest > mayBeOutOfOrder)
    await makeAnew(trx, organizationId);
  await updateProgress(trx, organizationId).set({ is_held: 0, taken_out: 0 }).execute();
}

async function merge(trx: Db, organizationId: string): Promise<void> {
  await updateProgress(trx, organizationId)
    .set((progress) => ({ merges: progress("merges", "+", 1) }))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("users")
          .select("public_id")
          .where("organization_id", "=", organizationId)
          .where(sql.ref("search_rowid"), "is", null),
      ),
    )
    .execute();
}

function updateProgress(trx: Db, organizationId: string) {
  return trx.updateTable("user_search_progress").where("organization_id", "=", organizationId);
}

/** Makes the index anew, with all users of an organization in order. It can only be emptied as a whole. */
async function makeAnew(trx: Db, organizationId: string): Promise<void> {
  await sql`insert into user_search (user_search) values ('delete-all')`.execute(trx);
  await sql`
    update users set search_rowid = null where organization_id = ${organizationId}
  `.execute(trx);
  await updateProgress(trx, organizationId)
    .set((progress) => ({ lowest: progress("center", "+", 1), highest: progress.ref("center") }))
    .execute();
  await sql`
    insert into user_search (rowid, search_text)
    select search_rowid, search_text from users
    where search_rowid is not null order by search_rowid
  `.execute(trx);
  await merge(trx, organizationId);
}
