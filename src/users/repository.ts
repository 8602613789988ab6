import { type SelectQueryBuilder, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isLike, isOneOf, likePattern, rowCount } from "../../db/engine.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import { type Bit, toBit, type UserRow } from "../../db/schema.ts";
import { providerRoles, type Role } from "../callers/roles.ts";
import type { PageSlice } from "../lib/page.ts";
import { digitsOfTerm } from "../lib/text.ts";
import { columnsFor } from "../schema/record-map.ts";
import { userMap } from "../schema/users.ts";
import {
  AdministratorUser,
  CaregiverUser,
  ClinicianUser,
  MOST_PROVIDERS,
  PatientUser,
  NamedUser,
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
  const names = order.map(({ column, direction }): Order => `${column} ${direction}`);
  const orders = Object.fromEntries(names.map((name) => [name, true]));
  // Both statements share one round trip to PostgreSQL.
  const [rows, total] = await Promise.all([
    pageOfUsers(db, { ...values, ...orders, ...page }),
    countOf(db, values),
  ]);
  return { rows, total };
}

/** The inner query reads only an index, so that the rows of users before the page are not read. */
const pageOfUsers = prepared((db, page: OrderedPage) => {
  const { organizationId, pageSize, offset } = page;
  const ids = ordered(selectMatching(db, page).select("public_id as id"), page)
    .limit(rowCount(pageSize))
    .offset(rowCount(offset));
  const shown = db
    .selectFrom(ids.as("page"))
    .crossJoin("users")
    .whereRef("users.public_id", "=", "page.id")
    .where("users.organization_id", "=", organizationId)
    .select(shownColumns);
  return ordered(shown, page);
});

/** One user of the organization. */
export const findUser = preparedFirst(
  (db, { organizationId, publicId }: { organizationId: string; publicId: string }) =>
    db
      .selectFrom("users")
      .select(shownColumns)
      .where("organization_id", "=", organizationId)
      .where("public_id", "=", publicId),
);

/** The names of the users with these ids, in any order. */
export const findNames = prepared(
  (db, { organizationId, ids }: { organizationId: string; ids: readonly string[] }) =>
    db
      .selectFrom("users")
      .select(columnsFor(userMap, NamedUser))
      .where("organization_id", "=", organizationId)
      .where(isOneOf("public_id", ids)),
);

/** The names of the active providers, by last name, first name and id; at most `MOST_PROVIDERS`. */
export const findProviderNames = prepared((db, { organizationId }: { organizationId: string }) =>
  db
    .selectFrom("users")
    .select(columnsFor(userMap, NamedUser))
    .where("organization_id", "=", organizationId)
    .where("role", "in", providerRoles)
    .where("is_active", "=", 1)
    .orderBy("last_name_key")
    .orderBy("first_name_key")
    .orderBy("public_id")
    .limit(MOST_PROVIDERS),
);

/** Counts the users of a role, or of all roles. */
export function countUsers(db: Db, organizationId: string, role?: Role): Promise<number> {
  return countOf(db, { organizationId, role });
}

async function countOf(db: Db, values: Matched): Promise<number> {
  const [{ total } = { total: 0 }] = await totalsOfUsers(db, values);
  return total;
}

const totalsOfUsers = prepared((db, values: Matched) =>
  selectMatching(db, values).select((select) => select.fn.countAll<number>().as("total")),
);

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

type Order = `${UserOrder["column"]} ${UserOrder["direction"]}`;

/** The order is part of the names, since each order is another statement. */
type OrderedPage = Matched & PageSlice & { [order in Order]?: true };

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

function selectMatching(db: Db, values: Matched) {
  const { organizationId, role, isActive, emailKey } = values;
  let query = db.selectFrom("users").where("organization_id", "=", organizationId);
  if (role !== undefined) query = query.where("role", "=", role);
  if (isActive !== undefined) query = query.where("is_active", "=", isActive);
  if (emailKey !== undefined) query = query.where("email_key", "=", emailKey);
  for (let index = 0, pattern; (pattern = values[`pattern${index}`]) !== undefined; index += 1) {
    const digits = values[`digits${index}`];
    const patterns = digits === undefined ? [pattern] : [pattern, digits];
    query = query.where(({ or }) => or(patterns.map((each) => isLike("search_text", each))));
  }
  return query;
}

/** Orders by the criteria in the names of the values, then by id. */
function ordered<Tables, Row>(
  query: SelectQueryBuilder<Tables, keyof Tables & "users", Row>,
  values: OrderedPage,
) {
  for (const name of Object.keys(values)) {
    const [column = "", direction] = name.split(" ") as [string, UserOrder["direction"]?];
    if (direction !== undefined) query = query.orderBy(sql.ref(column), direction);
  }
  return query.orderBy(sql.ref("public_id"));
}
