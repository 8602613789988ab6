import { Elysia } from "elysia";
import { creatableRoles, creationDenialMessage } from "../callers/permissions.ts";
import { authorized } from "../http/authorized.ts";
import {
  creationErrors,
  orMalformedKey,
  commonErrors,
  errorResponse,
  inputErrorResponse,
} from "../http/responses.ts";
import { idsOfList, isActiveFilter } from "../schema/fields.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { emailKey } from "../lib/email.ts";
import { DomainError } from "../lib/errors.ts";
import { searchTerms } from "../lib/text.ts";
import { haveMuch, readUserDetails } from "./details.ts";
import {
  DEFAULT_ROLE,
  Names,
  NamesQuery,
  NewUser,
  newUserExamples,
  User,
  UserCreation,
  UserListQuery,
  UserPage,
  UserPath,
} from "./model.ts";
import { findUserWithEmail } from "./creation-repository.ts";
import { presentName, presentUser } from "./present.ts";
import {
  findNames,
  findProviderNames,
  findUser,
  listUsers,
  type UserFilter,
  type UserOrder,
} from "./repository.ts";
import { createUser } from "./service.ts";

/** Describes which roles may create users of which roles, for the documentation. */
const hierarchy = Object.entries(creatableRoles)
  .filter(([, created]) => created.length > 0)
  .map(([caller, created]) => `${caller} may create ${created.join(", ")}`)
  .join("; ");

export const users = new Elysia({ prefix: "/users", tags: ["Users"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, query, shows, read, handOverIf }) =>
      read(async (db) => {
        const page = pageRequest(query);
        const { rows, total } = await listUsers(db, organizationId, filterOf(query), {
          ...page,
          order: orderOf(query.sort),
        });
        handOverIf(await haveMuch(db, organizationId, rows));
        shows(rows);
        // Even past the last page, the total discloses that a user has the address.
        if (query.email !== undefined && rows.length === 0 && total > 0)
          shows(await findUserWithEmail(db, organizationId, query.email));
        const details = await readUserDetails(db, organizationId, rows);
        const data = rows.map((row): User => presentUser(row, details));
        return { data, pagination: pagination(page, total) };
      }),
    {
      permission: "readUsers",
      query: UserListQuery,
      response: { 200: UserPage, ...commonErrors },
      detail: {
        operationId: "listUsers",
        summary: "List users",
        headers: [SEQUENCE],
        description:
          "Users of all roles, including soft-deleted ones, ordered by creation unless `sort` is given. The fields of a user depend on the role.",
        links: {
          getUser: { userId: "/data/0/publicId" },
          listSessions: { clientId: "/data/0/publicId" },
          readAuthorizationUtilization: { publicId: "/data/0/authorizations/0/publicId" },
        },
      },
    },
  )
  .get(
    "/:userId",
    ({ caller: { organizationId }, params, shows, read, handOverIf }) =>
      read(async (db) => {
        const row = await findUser(db, { organizationId, publicId: params.userId });
        if (row === undefined) throw new DomainError("notFound", "User not found");
        handOverIf(await haveMuch(db, organizationId, [row]));
        shows(row);
        return presentUser(row, await readUserDetails(db, organizationId, [row]));
      }),
    {
      permission: "readUsers",
      params: UserPath,
      response: {
        200: User,
        ...commonErrors,
        404: errorResponse("The organization has no user with this id.", "User not found"),
      },
      detail: {
        operationId: "getUser",
        summary: "Read one user",
        headers: [SEQUENCE],
        description: "One user of any role, including soft-deleted ones.",
        links: {
          listSessions: { clientId: "/publicId" },
          readAuthorizationUtilization: { publicId: "/authorizations/0/publicId" },
        },
      },
    },
  )
  .post(
    "",
    ({ caller, body, now, shows, write }) => {
      const denied = creationDenialMessage(caller.role, body.role ?? DEFAULT_ROLE);
      if (denied !== undefined) throw new DomainError("notAllowed", denied);
      return write(200, async (trx) => {
        const user = await createUser(trx, caller.organizationId, body, now);
        if (user.role === "PATIENT") shows(user.publicId);
        return { message: "User created successfully" as const, user };
      });
    },
    {
      permission: "createUsers",
      body: NewUser,
      response: {
        200: UserCreation,
        ...creationErrors,
        400: inputErrorResponse(
          orMalformedKey(
            "If a specialization is unknown or inactive, the response is one sentence that names it.",
          ),
        ),
        403: errorResponse(`Which users it may create depends on the role: ${hierarchy}.`),
      },
      detail: {
        operationId: "createUser",
        summary: "Create a user",
        headers: [SEQUENCE],
        description:
          "Creates a user in the key's organization; a patient begins with the status `LEAD`. Nothing is sent to the user.",
        examples: newUserExamples,
        links: {
          getUser: { userId: "/user/publicId" },
          listSessions: { clientId: "/user/publicId" },
        },
      },
    },
  );

export const names = new Elysia({ prefix: "/names", tags: ["Users"] }).use(authorized).get(
  "",
  ({ caller: { organizationId }, query, shows, read }) =>
    read(async (db) => {
      const ids = idsOfList(query.ids);
      const [rows, providers] = await Promise.all([
        findNames(db, { organizationId, ids }),
        query.providers === "true" ? findProviderNames(db, { organizationId }) : [],
      ]);
      shows(rows);
      const named = new Map(
        [...rows, ...providers].map((row) => [row.public_id, presentName(row)]),
      );
      const order = new Set([...ids, ...named.keys()]);
      return { data: [...order].flatMap((id) => named.get(id) ?? []) };
    }),
  {
    permission: "readUsers",
    query: NamesQuery,
    response: { 200: Names, ...commonErrors },
    detail: {
      operationId: "listNames",
      summary: "List names of users",
      headers: [SEQUENCE],
      description:
        "Names and roles of users by their ids, in the order of `ids`, such as the people of a list of sessions. Unknown ids are left out. With `providers`, also everybody who could have sessions, for the rows of a schedule.",
      links: { getUser: { userId: "/data/0/publicId" } },
    },
  },
);

function filterOf({ search, email, role, isActive }: UserListQuery): UserFilter {
  return {
    searchTerms: searchTerms(search ?? ""),
    ...(email !== undefined && { emailKey: emailKey(email) }),
    ...(role !== undefined && { role }),
    ...isActiveFilter(isActive),
  };
}

/** The columns of each sort field. Users with equal last names are ordered by their first names. */
const sortColumns: Record<string, UserOrder["column"][]> = {
  createdAt: ["created_at"],
  updatedAt: ["updated_at"],
  lastName: ["last_name_key", "first_name_key"],
};

/** Parses `sort`, which the model has validated. */
function orderOf(sort = "createdAt_asc"): UserOrder[] {
  return sort.split(",").flatMap((part) => {
    const [field = "", direction] = part.split("_") as [string, UserOrder["direction"]];
    return (sortColumns[field] ?? []).map((column) => ({ column, direction }));
  });
}
