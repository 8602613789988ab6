import { type SelectQueryBuilder, sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { contains } from "../../db/expressions.ts";
import { prepared } from "../../db/prepared.ts";
import { type Bit, toBit, type UserRow } from "../../db/schema.ts";
import {
  countFound,
  earliestFoundUsers,
  foundUsers,
  type IndexedSearch,
  indexedSearch,
} from "../../db/user-search.ts";
import type { Role } from "../access/roles.ts";
import type { Instant } from "../lib/instant.ts";
import { type PageSlice, skipGroups, WALKED_ROWS } from "../lib/page.ts";
import { columnsFor } from "../schema/record-map.ts";
import { userMap } from "../schema/users.ts";
import {
  AdministratorUser,
  CaregiverUser,
  ClinicianUser,
  PatientUser,
  TechnicianUser,
} from "./model.ts";

export interface UserFilter {
  /** Folded terms, all of which must occur. */
  searchTerms: string[];
  emailKey?: string;
  role?: Role;
  isActive?: boolean;
}

/** The columns by which a list of users may be ordered. */
export interface UserOrder {
  column: "created_at" | "updated_at";
  direction: "asc" | "desc";
}

/** The columns of a user that the API shows: those of all others would make a page slower. */
const shownColumns = columnsFor(
  userMap,
  PatientUser,
  ClinicianUser,
  TechnicianUser,
  AdministratorUser,
  CaregiverUser,
);

export type ShownUserRow = Pick<UserRow, (typeof shownColumns)[number]>;

/**
 * One page of an organization's users in the given order, then by id (decisions 3).
 *
 * @param total how many users pass the filter.
 */
export async function listUsers(
  db: Db,
  organizationId: string,
  filter: UserFilter,
  order: UserOrder[],
  page: PageSlice,
  total: number,
): Promise<ShownUserRow[]> {
  if (page.offset >= total) return [];
  const { searchTerms } = filter;
  const values = { ...matched(organizationId, filter), ...page };
  const search = searchOf(organizationId, filter);
  if (search !== undefined && isOfCreation(order))
    return pageOfEarliest(db, { ...values, ...search, end: page.offset + page.pageSize });
  if (search !== undefined && (await isSortedSooner(db, values, total)))
    return pageOfFound(order)(db, { ...values, ...search });
  if (searchTerms.length > 0) return selectPage(db, values, order, searchTerms).execute();
  if (page.offset < WALKED_ROWS || isNarrow(filter)) return pageInOrder(order)(db, values);
  const start = isByCreation(order) ? await startInMonth(db, values, order) : {};
  return start === undefined ? [] : deepPageInOrder(order)(db, { ...values, ...start });
}

/** Where a page begins that has many before it: in which month of creation, and after how many of that month. */
async function startInMonth(
  db: Db,
  values: Matched & PageSlice,
  order: UserOrder[],
): Promise<{ createdFrom?: Instant; createdTo?: Instant; offset: number } | undefined> {
  const months = await monthsOf(db, values);
  const isAscending = isOfCreation(order);
  const start = skipGroups(isAscending ? months : months.toReversed(), values.offset);
  if (start === undefined) return undefined;
  const { group, offset } = start;
  // No month has more days, and instants are compared as texts.
  return isAscending
    ? { createdFrom: `${group.month}-01T00:00:00.000Z` as Instant, offset }
    : { createdTo: `${group.month}-31T23:59:59.999Z` as Instant, offset };
}

/** How the index of texts answers a filter; undefined where it does not, or an address leaves one user at the most. */
function searchOf(
  organizationId: string,
  { searchTerms, emailKey }: UserFilter,
): IndexedSearch | undefined {
  return emailKey === undefined ? indexedSearch(organizationId, searchTerms) : undefined;
}

/** What it takes to find and sort a user by the index of texts, and to compare one in the order of the list, in µs. */
const SORTED_USER = 2.2;
const COMPARED_USER = 1.2;

/**
 * Whether a page of a search is read sooner by sorting all that it finds than by walking over the users in their
 * order until the page is full, as it soon is with terms that many have.
 */
async function isSortedSooner(
  db: Db,
  { offset, pageSize, ...matched }: Matched & PageSlice,
  total: number,
): Promise<boolean> {
  const users = await sumRoles(db, matched);
  const compared = Math.min(users, ((offset + pageSize) * users) / total);
  return total * SORTED_USER < compared * COMPARED_USER;
}

/** Whether an order is the one that a list has unless another is asked for. */
function isOfCreation(order: UserOrder[]): boolean {
  return isByCreation(order) && order[0]?.direction === "asc";
}

/** Whether an order is by creation alone, in either direction. */
function isByCreation([first, ...others]: UserOrder[]): boolean {
  return first?.column === "created_at" && others.length === 0;
}

/** How many users of the filter each month has. To walk over 200,000 users would take 6 ms. */
const monthsOf = prepared((db, { organizationId, role, isActive }: Matched) => {
  let query = db.selectFrom("user_month_counts").where("organization_id", "=", organizationId);
  if (role !== undefined) query = query.where("role", "=", role);
  if (isActive !== undefined) query = query.where("is_active", "=", isActive);
  return query
    .select((select) => ["month", select.fn.sum<number>("users").as("rows")])
    .groupBy("month")
    .orderBy("month");
});

/** A page in each of the twelve orders, prepared when it is first asked for. */
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
  prepared((db, values: Matched & PageSlice) => selectPage(db, values, order)),
);

const deepPageInOrder = inEachOrder((order) =>
  prepared((db, values: Matched & PageSlice) =>
    selectShown(db, values, selectMatching(db, values, []).select("public_id as id"), order),
  ),
);

const pageOfFound = inEachOrder((order) =>
  prepared((db, values: Found & PageSlice) =>
    selectShown(db, values, selectFound(db, values).select("found.public_id as id"), order),
  ),
);

/** The order of creation, in which most of the index is: the first page of what all have takes no longer than any. */
const byCreation: UserOrder[] = [{ column: "created_at", direction: "asc" }];

const pageOfEarliest = prepared((db, values: Found & PageSlice & { end: number }) => {
  const { role, isActive, end } = values;
  const conditions = [
    ...(role === undefined ? [] : [sql`users.role = ${role}`]),
    ...(isActive === undefined ? [] : [sql`users.is_active = ${isActive}`]),
  ];
  const earliest = earliestFoundUsers(values, end, conditions);
  const found = db.selectFrom(earliest.as("found")).select("found.public_id as id");
  return selectShown(db, values, found, byCreation);
});

/** A page of some users, of whom no others are read: the inner query is of ids alone, which indexes have. */
function selectShown<Tables, Table extends keyof Tables & ("users" | "found")>(
  db: Db,
  { organizationId, pageSize, offset }: Matched & PageSlice,
  users: SelectQueryBuilder<Tables, Table, { id: string }>,
  order: UserOrder[],
) {
  const page = ordered(users, order).limit(pageSize).offset(offset);
  const shown = db
    .selectFrom(page.as("page"))
    .crossJoin("users")
    .whereRef("users.public_id", "=", "page.id")
    .where("users.organization_id", "=", organizationId)
    .select(shownColumns);
  return ordered(shown, order);
}

function selectPage(
  db: Db,
  { pageSize, offset, ...matched }: Matched & PageSlice,
  order: UserOrder[],
  searchTerms: string[] = [],
) {
  return ordered(selectMatching(db, matched, searchTerms).select(shownColumns), order)
    .limit(pageSize)
    .offset(offset);
}

/** How many users pass the filter. */
export async function countUsers(
  db: Db,
  organizationId: string,
  filter: UserFilter,
): Promise<number> {
  const values = matched(organizationId, filter);
  if (!isNarrow(filter)) return sumRoles(db, values);
  const search = searchOf(organizationId, filter);
  if (search === undefined) return countRows(db, values, filter.searchTerms);
  const [{ total } = { total: 0 }] = await totalOfFound(db, { ...values, ...search });
  return total;
}

type Found = Matched & IndexedSearch;

const totalOfFound = prepared((db, values: Found) => {
  const { role, isActive, otherPatterns } = values;
  const isOfIndexAlone = (role ?? isActive ?? otherPatterns) === undefined;
  return isOfIndexAlone
    ? countFound(values)
    : selectFound(db, values).select((select) => select.fn.countAll<number>().as("total"));
});

function selectFound(db: Db, values: Found) {
  const { role, isActive } = values;
  let query = db.selectFrom(foundUsers(values).as("found"));
  if (role !== undefined) query = query.where("role", "=", role);
  if (isActive !== undefined) query = query.where("is_active", "=", isActive);
  return query;
}

/** Whether the filter looks at more than what users are counted by. */
function isNarrow({ searchTerms, emailKey }: UserFilter): boolean {
  return searchTerms.length > 0 || emailKey !== undefined;
}

/** What rows are compared with. */
interface Matched {
  organizationId: string;
  role?: Role | undefined;
  isActive?: Bit | undefined;
  emailKey?: string | undefined;
  createdFrom?: Instant | undefined;
  createdTo?: Instant | undefined;
}

function matched(organizationId: string, { role, isActive, emailKey }: UserFilter): Matched {
  return {
    organizationId,
    role,
    isActive: isActive === undefined ? undefined : toBit(isActive),
    emailKey,
  };
}

function selectMatching(db: Db, matched: Matched, searchTerms: string[]) {
  const { organizationId, role, isActive, emailKey, createdFrom, createdTo } = matched;
  let query = db.selectFrom("users").where("organization_id", "=", organizationId);
  if (role !== undefined) query = query.where("role", "=", role);
  if (isActive !== undefined) query = query.where("is_active", "=", isActive);
  if (emailKey !== undefined) query = query.where("email_key", "=", emailKey);
  if (createdFrom !== undefined) query = query.where("created_at", ">=", createdFrom);
  if (createdTo !== undefined) query = query.where("created_at", "<=", createdTo);
  for (const term of searchTerms) query = query.where(contains("search_text", term));
  return query;
}

/** In the order asked for, and then by id. */
function ordered<Tables, Table extends keyof Tables & ("users" | "found"), Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  order: UserOrder[],
) {
  for (const { column, direction } of order) query = query.orderBy(sql.ref(column), direction);
  return query.orderBy(sql.ref("public_id"));
}

async function countRows(db: Db, matched: Matched, searchTerms: string[]): Promise<number> {
  const { total } = await selectMatching(db, matched, searchTerms)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** The organization may have many users, so their number is kept by role and activity. */
async function sumRoles(db: Db, matched: Matched): Promise<number> {
  const [{ total } = { total: null }] = await sumOfRoles(db, matched);
  return total ?? 0;
}

const sumOfRoles = prepared((db, { organizationId, role, isActive }: Matched) => {
  let query = db.selectFrom("user_counts").where("organization_id", "=", organizationId);
  if (role !== undefined) query = query.where("role", "=", role);
  if (isActive !== undefined) query = query.where("is_active", "=", isActive);
  return query.select((select) => select.fn.sum<number | null>("users").as("total"));
});
