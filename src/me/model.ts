import { type Static, Type } from "@sinclair/typebox";
import { roles } from "../access/roles.ts";
import { WEEK_DAYS } from "../lib/calendar-date.ts";
import { EnumField, InstantField, Nullable } from "../schema/fields.ts";

/** The organization of a key. */
export const Organization = Type.Object(
  {
    publicId: Type.String(),
    name: Type.String(),
    timezone: Nullable(Type.String({ description: "As the IANA database spells it." })),
    weekStartsOn: EnumField(WEEK_DAYS),
  },
  { $id: "Organization" },
);

const ApiKey = Type.Object(
  {
    id: Type.String({ description: "As `caseload keys list` shows it." }),
    name: Type.String(),
    role: EnumField(roles, { description: "That of the user, where the key is tied to one." }),
    userId: Nullable(Type.String({ description: "The user that the key is tied to." })),
    isReadOnly: Type.Boolean({ description: "Whether the key may write nothing." }),
    expiresAt: Nullable(InstantField()),
  },
  { $id: "ApiKey" },
);

/** Whose request it is. */
export const Me = Type.Object({ organization: Organization, key: ApiKey }, { $id: "Me" });

export type Me = Static<typeof Me>;
