import { type Static, Type } from "@sinclair/typebox";
import { WEEK_DAYS } from "../lib/calendar-date.ts";
import { recordTypes } from "../schema/record-types.ts";
import { EnumField, InstantField, Nullable } from "../schema/fields.ts";
import { RoleField } from "../users/model.ts";

/** The organization of a key. */
export const Organization = Type.Object(
  {
    publicId: Type.String(),
    name: Type.String(),
    timezone: Nullable(Type.String()),
    weekStartsOn: EnumField(WEEK_DAYS),
  },
  { $id: "Organization" },
);

const ApiKey = Type.Object(
  {
    id: Type.String({ description: "As `caseload keys list` shows it; of a sign-in its own." }),
    name: Type.String({ description: "Of a sign-in, the name of the person." }),
    role: RoleField({ description: "If the key is tied to a user, the user's role." }),
    userId: Nullable(Type.String({ description: "The user to whom the key is tied, if any." })),
    isReadOnly: Type.Boolean({ description: "True if the key may only read." }),
    expiresAt: Nullable(InstantField()),
    kind: EnumField(["KEY", "SIGN_IN"], {
      description: "`SIGN_IN` on the page, for a person who has signed in with a passkey.",
    }),
    ownPatientsOnly: Type.Boolean({
      description: "Whether only own patients are shown, by the organization's setting.",
    }),
  },
  { $id: "ApiKey" },
);

/** Whose request it is. */
export const Me = Type.Object(
  {
    organization: Organization,
    key: ApiKey,
    writes: Type.Array(EnumField(recordTypes, { $id: "RecordType" }), {
      description: "The types of records that this key may send in a practice file.",
    }),
  },
  { $id: "Me" },
);

export type Me = Static<typeof Me>;
