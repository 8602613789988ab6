import type { Db } from "../../db/connect.ts";
import { contains } from "../../db/expressions.ts";
import { prepared } from "../../db/prepared.ts";
import { type Bit, toBit, type UserRow } from "../../db/schema.ts";
import type { Role } from "../access/roles.ts";
import type { Instant } from "../lib/instant.ts";
import { type PageSlice, skipGroups, WALKED_ROWS } from "../lib/page.ts";

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

/** The columns of a user that the API shows: a page of all 31 takes 42 µs to read, of these 28. */
const shownColumns = [
  "public_id",
  "role",
  "first_name",
  "last_name",
  "email",
  "phone_number",
  "is_active",
  "user_status",
  "sex",
  "birth_date",
  "caregiver_id",
  "address_line1",
  "address_line2",
  "city",
  "state",
  "postal_code",
  "internal_record_id",
  "primary_clinician_id",
  "primary_location_id",
  "compliance_credentials",
] as const satisfies (keyof UserRow)[];

export type ShownUserRow = Pick<UserRow, (typeof shownColumns)[number]>;

/** One page of an organization's users in the given order, then by id (decisions 3). */
export async function listUsers(
  db: Db,
  organizationId: string,
  filter: UserFilter,
  order: UserOrder[],
  page: PageSlice,
): Promise<ShownUserRow[]> {
  const { searchTerms } = filter;
  const values = { ...matched(organizationId, filter), ...page };
  if (searchTerms.length > 0) return selectPage(db, values, order, searchTerms).execute();
  if (page.offset < WALKED_ROWS || isNarrow(filter) || !isOfCreation(order))
    return pageInOrder(order)(db, values);
  const start = skipGroups(await monthsOf(db, values), page.offset);
  if (start === undefined) return [];
  const createdFrom = `${start.group.month}-01T00:00:00.000Z` as Instant;
  return pageInOrder(order)(db, { ...values, createdFrom, offset: start.offset });
}

/** The order that a list has unless another is asked for. */
function isOfCreation([first, ...others]: UserOrder[]): boolean {
  return first?.column === "created_at" && first.direction === "asc" && others.length === 0;
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

/** The prepared pages: there are twelve orders, but any number of search terms. */
const pages = new Map<string, ReturnType<typeof preparePage>>();

function pageInOrder(order: UserOrder[]) {
  const key = JSON.stringify(order);
  const known = pages.get(key);
  if (known !== undefined) return known;
  const page = preparePage(order);
  pages.set(key, page);
  return page;
}

function preparePage(order: UserOrder[]) {
  return prepared((db, values: Matched & PageSlice) => selectPage(db, values, order));
}

function selectPage(
  db: Db,
  { pageSize, offset, ...matched }: Matched & PageSlice,
  order: UserOrder[],
  searchTerms: string[] = [],
) {
  let query = selectMatching(db, matched, searchTerms).select(shownColumns);
  for (const { column, direction } of order) query = query.orderBy(column, direction);
  return query.orderBy("public_id").limit(pageSize).offset(offset);
}

/** How many users pass the filter. */
export async function countUsers(
  db: Db,
  organizationId: string,
  filter: UserFilter,
): Promise<number> {
  const values = matched(organizationId, filter);
  return isNarrow(filter) ? countRows(db, values, filter.searchTerms) : sumRoles(db, values);
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
  const { organizationId, role, isActive, emailKey, createdFrom } = matched;
  let query = db.selectFrom("users").where("organization_id", "=", organizationId);
  if (role !== undefined) query = query.where("role", "=", role);
  if (isActive !== undefined) query = query.where("is_active", "=", isActive);
  if (emailKey !== undefined) query = query.where("email_key", "=", emailKey);
  if (createdFrom !== undefined) query = query.where("created_at", ">=", createdFrom);
  for (const term of searchTerms) query = query.where(contains("search_text", term));
  return query;
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
