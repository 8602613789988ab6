import { Elysia } from "elysia";
import { authorized } from "../http/authorized.ts";
import { requireOrigin } from "../http/origin.ts";
import {
  commonErrors,
  errorResponse,
  inputErrorResponse,
  orMalformedKey,
} from "../http/responses.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import {
  AccessPage,
  AccessQuery,
  Invitation,
  PasskeyList,
  PasskeyPath,
  Removal,
  UserPath,
} from "./model.ts";
import { invite, listAccess, removePasskey, revokeAccess } from "./service.ts";
import { presentPasskey } from "../sign-in/present.ts";
import { countStaff, listPasskeys } from "../sign-in/repository.ts";

const unknownUser = {
  404: errorResponse("The organization has no user with this id.", "User not found"),
};

/** Who may sign in, and with what. */
export const access = new Elysia({ tags: ["Access"] })
  .use(authorized)
  .get(
    "/access",
    ({ caller: { organizationId }, now, query, read }) =>
      read(async (db) => {
        const page = pageRequest(query);
        return {
          data: await listAccess(db, organizationId, page, now),
          pagination: pagination(page, await countStaff(db, organizationId)),
        };
      }),
    {
      permission: "readAccess",
      expensive: true,
      query: AccessQuery,
      response: { 200: AccessPage, ...commonErrors },
      detail: {
        operationId: "listAccess",
        summary: "List who has access",
        description:
          "The people who work for the practice, by last and first name, each with the invitation, passkeys, sign-ins and keys that are valid now. Keys without a user are in `caseload keys list`.",
        links: {
          inviteUser: { userId: "/data/0/userId" },
          revokeAccess: { userId: "/data/0/userId" },
        },
      },
    },
  )
  .post(
    "/users/:userId/invitation",
    ({ caller: { organizationId }, dependencies, now, params: { userId }, write }) =>
      write(201, (trx) => {
        const origin = requireOrigin(dependencies);
        return invite(trx, { organizationId, userId, origin }, now);
      }),
    {
      permission: "manageAccess",
      params: UserPath,
      response: {
        201: Invitation,
        ...commonErrors,
        400: inputErrorResponse(
          orMalformedKey("Nothing is stored under an `Idempotency-Key`: a retry makes a new link."),
        ),
        ...unknownUser,
        409: errorResponse(
          "The user is inactive or does not work for the practice, or the server has no origin.",
          "Only active staff can sign in",
          'Passkeys need "caseload serve --origin"',
        ),
      },
      detail: {
        operationId: "inviteUser",
        summary: "Invite a person to sign in",
        description:
          "Makes a link with which one person registers a passkey, once, within seven days. It replaces an earlier link.",
      },
    },
  )
  .delete(
    "/users/:userId/access",
    ({ caller: { organizationId }, now, params: { userId }, write }) =>
      write(200, async (trx) => {
        await revokeAccess(trx, { organizationId, userId }, now);
        return { success: true } as const;
      }),
    {
      permission: "manageAccess",
      params: UserPath,
      response: { 200: Removal, ...commonErrors, ...unknownUser },
      detail: {
        operationId: "revokeAccess",
        summary: "Take all access from a user",
        description:
          "Ends the invitation, passkeys, sign-ins and keys of a user at once. The user's record stays as it is.",
      },
    },
  )
  .get(
    "/passkeys",
    ({ caller: { organizationId, userId }, read }) =>
      read(async (db) => {
        const own = userId === null ? [] : await listPasskeys(db, organizationId, [userId]);
        return { data: own.map(presentPasskey) };
      }),
    {
      permission: "readOwnPasskeys",
      response: { 200: PasskeyList, ...commonErrors },
      detail: {
        operationId: "listPasskeys",
        summary: "List one's own passkeys",
        description:
          "The passkeys of the user of the request, oldest first; none for a key without a user.",
        links: { removePasskey: { passkeyId: "/data/0/id" } },
      },
    },
  )
  .delete(
    "/passkeys/:passkeyId",
    ({ caller, params, write }) =>
      write(200, async (trx) => {
        await removePasskey(trx, caller, params.passkeyId);
        return { success: true } as const;
      }),
    {
      permission: "removePasskeys",
      params: PasskeyPath,
      response: {
        200: Removal,
        ...commonErrors,
        404: errorResponse(
          "The user has no passkey with this id; of an `ADMIN`, nobody has.",
          "Passkey not found",
        ),
      },
      detail: {
        operationId: "removePasskey",
        summary: "Remove a passkey",
        description:
          "Removes one's own passkey, or as `ADMIN` anybody's, and ends the sign-ins made with it.",
      },
    },
  );
