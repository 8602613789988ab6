import { Elysia } from "elysia";
import { writableTypes } from "../callers/permissions.ts";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { getOrganization } from "../organizations/repository.ts";
import { organizationMap } from "../schema/reference-data.ts";
import { presenter } from "../schema/record-map.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { Me, Organization } from "./model.ts";

const presentOrganization = presenter(organizationMap, Organization);

export const me = new Elysia({ prefix: "/me", tags: ["Me"] }).use(authorized).get(
  "",
  ({ caller, read }) =>
    read(async (db) => {
      const organization = await getOrganization(db, caller.organizationId);
      return {
        organization: presentOrganization(organization),
        key: {
          id: caller.keyId,
          name: caller.keyName,
          role: caller.role,
          userId: caller.userId,
          isReadOnly: caller.isReadOnly,
          expiresAt: caller.keyExpiresAt,
          kind: caller.kind === "SIGN_IN" ? caller.kind : ("KEY" as const),
          ownPatientsOnly: caller.ownPatientsOnly,
        },
        writes: writableTypes(caller),
      };
    }),
  {
    permission: "readOwnKey",
    response: { 200: Me, ...commonErrors },
    detail: {
      operationId: "getMe",
      summary: "Read the API key of the request",
      headers: [SEQUENCE],
      description:
        "The key of the request (or, on the page, the sign-in), with its role, its organization, and what it may write by `POST /v1/practice-file`.",
      links: { getUser: { userId: "/key/userId" } },
    },
  },
);
