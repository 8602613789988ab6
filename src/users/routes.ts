import { creatableRoles, creationRefusal } from "../access/permissions.ts";
import { endpoint } from "../http/endpoint.ts";
import { isActiveFilter } from "../schema/fields.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { emailKey } from "../lib/email.ts";
import { searchTerms } from "../lib/text.ts";
import { readUserDetails } from "./details.ts";
import { UserListQuery, UserPage } from "./model.ts";
import { DEFAULT_ROLE, NewUser, newUserExamples, UserCreation } from "./new-user.ts";
import { presentUser } from "./present.ts";
import { listUsers, type UserFilter, type UserOrder } from "./repository.ts";
import { createUser } from "./service.ts";

const listUsersEndpoint = endpoint({
  method: "GET",
  path: "/v1/users",
  operationId: "listUsers",
  tag: "Users",
  summary: "List users",
  description:
    "Users of all roles, soft-deleted ones included, in order of creation unless `sort` says otherwise. What a user has depends on the role.",
  permission: "readUsers",
  query: UserListQuery,
  status: 200,
  answer: UserPage,
  async read(db, { principal: { organizationId }, query, patientIds }) {
    const page = pageRequest(query);
    const order = orderOf(query.sort);
    const { rows, total } = await listUsers(db, organizationId, filterOf(query), order, page);
    for (const { role, public_id } of rows) if (role === "PATIENT") patientIds.add(public_id);
    const details = await readUserDetails(db, organizationId, rows);
    return {
      data: rows.map((row) => presentUser(row, details)),
      pagination: pagination(page, total),
    };
  },
});

function filterOf({ search, email, role, isActive }: UserListQuery): UserFilter {
  return {
    searchTerms: searchTerms(search ?? ""),
    ...(email !== undefined && { emailKey: emailKey(email) }),
    ...(role !== undefined && { role }),
    ...isActiveFilter(isActive),
  };
}

const sortColumns = { createdAt: "created_at", updatedAt: "updated_at" } as const;

/** The order that a `sort` asks for, whose form its model has checked. */
function orderOf(sort = "createdAt_asc"): UserOrder[] {
  return sort.split(",").map((part) => {
    const [field, direction] = part.split("_");
    return {
      column: sortColumns[field as keyof typeof sortColumns],
      direction: direction as UserOrder["direction"],
    };
  });
}

/** Who may create whom, in words. */
const hierarchy = Object.entries(creatableRoles)
  .filter(([, created]) => created.length > 0)
  .map(([caller, created]) => `${caller} may create ${created.join(", ")}`)
  .join("; ");

const createUserEndpoint = endpoint({
  method: "POST",
  path: "/v1/users",
  operationId: "createUser",
  tag: "Users",
  summary: "Create a user",
  description:
    "Creates a user in the key's organization; a patient begins with the status `LEAD`. Nothing is sent to the user.",
  permission: "createUsers",
  body: NewUser,
  examples: newUserExamples,
  status: 200,
  answer: UserCreation,
  refusals: {
    400: "A specialization that is unknown or inactive is answered in one sentence that names it.",
    403: `Nor may it create users of every role: ${hierarchy}.`,
  },
  bodyRefusal: ({ principal, body }) => creationRefusal(principal.role, body.role ?? DEFAULT_ROLE),
  async write(trx, { principal, body, now, patientIds }) {
    const user = await createUser(trx, principal.organizationId, body, now);
    if (user.role === "PATIENT") patientIds.add(user.publicId);
    return { message: "User created successfully" as const, user };
  },
});

export const userEndpoints = [listUsersEndpoint, createUserEndpoint];
