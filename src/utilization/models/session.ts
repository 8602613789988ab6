import { type Static, Type } from "@sinclair/typebox";
import { Encounter } from "../../encounters/model.ts";
import { Nullable } from "../../schema/fields.ts";

/** How one session counts. */
export const SessionUtilization = Type.Object(
  {
    sessionId: Type.String({ description: "The session's id." }),
    authorizationId: Nullable(
      Type.String({ description: "The authorization on which it is booked, if any." }),
    ),
    poolId: Nullable(Type.String({ description: "The pool of the authorization, if any." })),
    units: Nullable(
      Type.Integer({
        description: "Its scheduled units, by its service line; null if it is not billable.",
      }),
    ),
    counts: Type.Boolean({
      description: "Whether it counts in `unitsScheduled` of the authorization.",
    }),
    reason: Nullable(Type.String({ description: "Why it does not count; null if it counts." })),
    encounters: Type.Array(Encounter, {
      description: "The encounters that refer to it, ordered by start: at most 50.",
    }),
  },
  { $id: "SessionUtilization" },
);

export type SessionUtilization = Static<typeof SessionUtilization>;
