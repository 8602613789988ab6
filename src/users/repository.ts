import { type SelectQueryBuilder, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { byEngine, isLike, likePattern, rowCount } from "../../db/engine.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import { type Bit, type Schema, toBit, type UserRow } from "../../db/schema.ts";
import type { Role } from "../access/roles.ts";
import { type PageSlice, WALKED_ROWS } from "../lib/page.ts";
import { digitsOfTerm } from "../lib/text.ts";
import { columnsFor } from "../schema/record-map.ts";
import { userMap } from "../schema/users.ts";
import {
  AdministratorUser,
  CaregiverUser,
  ClinicianUser,
  PatientUser,
  TechnicianUser,
} from "./model.ts";

/**
 * SQL condition: whether a user refers to other users. When writing many users, write those without references first:
 * while a deferred foreign key is unresolved, SQLite scans all users for each insert, which makes imports quadratic.
 */
export const NAMES_ANOTHER_USER = "(caregiver_id is not null or primary_clinician_id is not null)";

export interface UserFilter {
  /** Folded terms; a user must match all of them. */
  searchTerms: string[];
  emailKey?: string;
  role?: Role;
  isActive?: boolean;
}

/** What the total under each filter is counted in. A new filter does not compile until it is here. */
const countedIn: Record<keyof UserFilter, "users" | "user_counts"> = {
  searchTerms: "users",
  emailKey: "users",
  role: "user_counts",
  isActive: "user_counts",
};

const filtersOfRows = (Object.keys(countedIn) as (keyof UserFilter)[]).filter(
  (name) => countedIn[name] === "users",
);

/** Whether the counters do not have the total. */
function isCountedInRows(filter: UserFilter): boolean {
  return filtersOfRows.some((name) => {
    const value = filter[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
}

/** One sort criterion of a list of users. */
export interface UserOrder {
  column: "created_at" | "updated_at" | "last_name_key" | "first_name_key";
  direction: "asc" | "desc";
}

export interface OrderedSlice extends PageSlice {
  order: UserOrder[];
}

/** The columns that the API shows. Selecting only these keeps pages fast. */
const shownColumns = columnsFor(
  userMap,
  PatientUser,
  ClinicianUser,
  TechnicianUser,
  AdministratorUser,
  CaregiverUser,
);

export type ShownUserRow = Pick<UserRow, (typeof shownColumns)[number]>;

/** A page of users, and the total on all pages. */
export interface UserPage {
  rows: ShownUserRow[];
  total: number;
}

/** One page of an organization's users, in the given order, then by id. */
export async function listUsers(
  db: Db,
  organizationId: string,
  filter: UserFilter,
  { order, ...page }: OrderedSlice,
): Promise<UserPage> {
  const values = matched(organizationId, filter);
  if (isCountedInRows(filter)) return pageOfSearch(db, { ...values, ...page }, order);
  const total = await sumRoles(db, values);
  const rows = page.offset < total ? await pageOfRoles(db, { ...values, ...page }, order) : [];
  return { rows, total };
}

/** One user of the organization. */
export const findUser = preparedFirst(
  (db, { organizationId, publicId }: { organizationId: string; publicId: string }) =>
    db
      .selectFrom("users")
      .select(shownColumns)
      .where("organization_id", "=", organizationId)
      .where("public_id", "=", publicId),
);

/** Counts the users of a role, or of all roles. */
export function countUsers(db: Db, organizationId: string, role?: Role): Promise<number> {
  return sumRoles(db, { organizationId, role });
}

function pageOfRoles(db: Db, values: MatchedPage, order: UserOrder[]): Promise<ShownUserRow[]> {
  return values.offset < WALKED_ROWS
    ? pageInOrder(order)(db, values)
    : deepPageInOrder(order)(db, values);
}

/** Matches for at most these pages are sorted. For more, reading the list until the page is full is faster. */
const MAX_SORTED_PAGES = 5;

/**
 * A page of a search, and its total. On SQLite, the total comes with the row ids of the matches, so that texts need not
 * be compared again to sort them.
 */
async function pageOfSearch(db: Db, values: MatchedPage, order: UserOrder[]): Promise<UserPage> {
  const { offset, pageSize, ...matched } = values;
  const [{ total, rowIds } = { total: 0, rowIds: null }] = await matchesOf(db, matched);
  if (offset >= total) return { rows: [], total };
  const { organizationId } = values;
  const rows =
    rowIds === null || total > MAX_SORTED_PAGES * pageSize
      ? await pageOfFound(order)(db, values)
      : await pageOfRowIds(order)(db, { organizationId, rowIds, offset, pageSize });
  return { rows, total };
}

/** Prepares one statement for each order, on first use. */
function inEachOrder<Page>(prepare: (order: UserOrder[]) => Page): (order: UserOrder[]) => Page {
  const pages = new Map<string, Page>();
  return (order) => {
    const key = JSON.stringify(order);
    const page = pages.get(key) ?? prepare(order);
    pages.set(key, page);
    return page;
  };
}

const pageInOrder = inEachOrder((order) =>
  prepared((db, values: MatchedPage) => selectPage(db, values, order)),
);

const deepPageInOrder = inEachOrder((order) =>
  prepared((db, values: MatchedPage) =>
    selectShown(db, values, selectMatching(db.selectFrom("users"), values), order),
  ),
);

const pageOfFound = inEachOrder((order) =>
  prepared((db, values: MatchedPage) =>
    isOneAtMost(values)
      ? selectPage(db, values, order)
      : selectShown(db, values, selectFound(db, values, "users_by_creation"), order),
  ),
);

const pageOfRowIds = inEachOrder((order) =>
  prepared((db, values: RowIds & PageSlice) => {
    const { organizationId, rowIds } = values;
    const users = db
      .selectFrom(sql<UserRow>`users`.as<"users">(sql`users not indexed`))
      .where("organization_id", "=", organizationId)
      .where(sql<boolean>`users.rowid in (select value from json_each(${rowIds}))`);
    return selectShown(db, values, users, order);
  }),
);

/** Users by SQLite's row ids, a JSON array. Without the hint, it would read the whole list to find them in order. */
interface RowIds {
  organizationId: string;
  rowIds: string;
}

function selectPage(db: Db, values: MatchedPage, order: UserOrder[]) {
  const { pageSize, offset, role, isActive, emailKey } = values;
  const isOfAll = role === undefined && isActive === undefined && emailKey === undefined;
  const query = selectMatching(db.selectFrom("users"), values).select(shownColumns);
  return isOfAll
    ? ordered(query, order).limit(rowCount(pageSize)).offset(rowCount(offset))
    : ordered(query, order).limit(pageSize).offset(offset);
}

/** Selects a page of users. The inner query selects only ids, from an index, so that rows before the page are not read. */
function selectShown(
  db: Db,
  { organizationId, pageSize, offset }: PageSlice & { organizationId: string },
  users: SelectQueryBuilder<Schema, "users", object>,
  order: UserOrder[],
) {
  const page = ordered(users.select("public_id as id"), order).limit(pageSize).offset(offset);
  const shown = db
    .selectFrom(page.as("page"))
    .crossJoin("users")
    .whereRef("users.public_id", "=", "page.id")
    .where("users.organization_id", "=", organizationId)
    .select(shownColumns);
  return ordered(shown, order);
}

/** Counts the users that match a search. SQLite also gives their row ids. */
const matchesOf = prepared((db, values: Matched) =>
  (isOneAtMost(values)
    ? selectMatching(db.selectFrom("users"), values)
    : selectFound(db, values, "users_by_text")
  ).select((select) => [
    select.fn.countAll<number>().as("total"),
    byEngine<string | null>({
      sqlite: sql`json_group_array(users.rowid)`,
      postgresql: sql`null`,
    }).as("rowIds"),
  ]),
);

/**
 * Selects users by their search text. The hint makes SQLite use an index that covers the search; it would choose the
 * index of roles and look up every user's row.
 */
function selectFound(db: Db, values: Matched, index: "users_by_text" | "users_by_creation") {
  const byText = byEngine({
    sqlite: sql`users indexed by ${sql.ref(index)}`,
    postgresql: sql`users`,
  });
  return selectMatching(db.selectFrom(sql<UserRow>`users`.as<"users">(byText)), values);
}

/** Whether the filter is by email address: it matches at most one user, so the index of texts is not needed. */
function isOneAtMost({ emailKey }: Matched): boolean {
  return emailKey !== undefined;
}

/** Parameters of the conditions. */
interface Matched {
  organizationId: string;
  role?: Role | undefined;
  isActive?: Bit | undefined;
  emailKey?: string | undefined;
  /** LIKE patterns of the search text. Longest first: long terms are mostly the rarest. */
  [pattern: `pattern${number}`]: string;
  /** Alternative LIKE patterns of terms that may be digits of a phone number. */
  [digits: `digits${number}`]: string | undefined;
}

type MatchedPage = Matched & PageSlice;

function matched(organizationId: string, filter: UserFilter): Matched {
  const { searchTerms, role, isActive, emailKey } = filter;
  const terms = searchTerms.toSorted((one, other) => other.length - one.length);
  const patterns = terms.map((term, index) => [`pattern${index}`, likePattern(term)]);
  const digits = terms.map((term, index) => {
    const marks = digitsOfTerm(term);
    return [`digits${index}`, marks && likePattern(marks)];
  });
  return {
    organizationId,
    role,
    isActive: isActive === undefined ? undefined : toBit(isActive),
    emailKey,
    ...Object.fromEntries([...patterns, ...digits]),
  };
}

function selectMatching(users: SelectQueryBuilder<Schema, "users", object>, values: Matched) {
  const { organizationId, role, isActive, emailKey } = values;
  let query = users.where("organization_id", "=", organizationId);
  if (role !== undefined) query = query.where("role", "=", role);
  if (isActive !== undefined) query = query.where("is_active", "=", isActive);
  if (emailKey !== undefined) query = query.where("email_key", "=", emailKey);
  for (let index = 0, pattern; (pattern = values[`pattern${index}`]) !== undefined; index += 1) {
    const digits = values[`digits${index}`];
    query = query.where(({ or }) =>
      or([
        isLike("search_text", pattern),
        ...(digits === undefined ? [] : [isLike("search_text", digits)]),
      ]),
    );
  }
  return query;
}

/** Orders by the given criteria, then by id. */
function ordered<Tables, Row>(
  query: SelectQueryBuilder<Tables, keyof Tables & "users", Row>,
  order: UserOrder[],
) {
  for (const { column, direction } of order) query = query.orderBy(sql.ref(column), direction);
  return query.orderBy(sql.ref("public_id"));
}

/** Sums the counters per role and activity, since counting all users of a large organization is slow. */
async function sumRoles(db: Db, values: Matched): Promise<number> {
  const [{ total } = { total: null }] = await sumOfRoles(db, values);
  return total ?? 0;
}

const sumOfRoles = prepared((db, { organizationId, role, isActive }: Matched) => {
  let query = db.selectFrom("user_counts").where("organization_id", "=", organizationId);
  if (role !== undefined) query = query.where("role", "=", role);
  if (isActive !== undefined) query = query.where("is_active", "=", isActive);
  return query.select((select) => select.fn.sum<number | null>("users").as("total"));
});
