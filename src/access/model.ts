import { type Static, Type } from "@sinclair/typebox";
import { InstantField, Nullable, PublicIdField } from "../schema/fields.ts";
import { MAX_PAGE, Page, pageParameters } from "../schema/pagination.ts";
import { Passkey } from "../sign-in/model.ts";
import { RoleField } from "../users/model.ts";

/** Who may sign in, and with what. */

/** An invitation to register a passkey. */
export const Invitation = Type.Object(
  {
    url: Type.String({
      description:
        "The link with which the person registers a passkey, once. It is shown only here; its fragment is sent to no server.",
    }),
    expiresAt: InstantField(),
  },
  { $id: "Invitation" },
);

export const PasskeyList = Type.Object({ data: Type.Array(Passkey) }, { $id: "PasskeyList" });

const OpenInvitation = Type.Object(
  { createdAt: InstantField(), expiresAt: InstantField() },
  { $id: "OpenInvitation" },
);

const SignIn = Type.Object(
  {
    id: Type.String(),
    passkeyId: Type.String(),
    createdAt: InstantField(),
    lastUsedAt: InstantField(),
    expiresAt: InstantField(),
  },
  { $id: "SignIn", description: "The sign-in of one browser." },
);

const KeyOfPerson = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    lastUsedAt: Nullable(InstantField()),
    expiresAt: Nullable(InstantField()),
  },
  { $id: "KeyOfPerson" },
);

/** What a person can sign in with now, and the keys that are tied to them. */
export const PersonAccess = Type.Object(
  {
    userId: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    role: RoleField(),
    isActive: Type.Boolean({ description: "False when soft-deleted." }),
    invitation: Nullable(OpenInvitation),
    passkeys: Type.Array(Passkey),
    signIns: Type.Array(SignIn),
    keys: Type.Array(KeyOfPerson),
  },
  { $id: "PersonAccess" },
);

export type PersonAccess = Static<typeof PersonAccess>;

export const AccessPage = Page(PersonAccess, "AccessPage");

export const AccessQuery = Type.Object(pageParameters(MAX_PAGE));

export const UserPath = Type.Object({
  userId: PublicIdField({
    description: "The public id of the user.",
    examples: ["usr_technician_000001"],
  }),
});
export const PasskeyPath = Type.Object({
  passkeyId: PublicIdField({
    description: "The id of the passkey.",
    examples: ["passkey_000001"],
  }),
});

export const Removal = Type.Object({ success: Type.Literal(true) }, { $id: "Removal" });
