import { type Static, Type } from "@sinclair/typebox";
import { CalendarDateField, EnumField, InstantField, Nullable } from "../../schema/fields.ts";
import { SessionStatusField } from "../../sessions/model.ts";
import { Utilization } from "../model.ts";

/** How a session or encounter counts, or why it does not, for people who check a sum. */
export const LedgerEntry = Type.Object(
  {
    type: EnumField(["session", "encounter"]),
    publicId: Type.String(),
    authorizationId: Type.String(),
    startTime: InstantField(),
    localStart: Type.String({
      description: "The start in local time, with the offset from UTC.",
      examples: ["2026-01-08T09:00:00.000-05:00"],
    }),
    day: CalendarDateField({
      description:
        "The day on which it counts. This may be the day after the local date of the start, if clocks went back over midnight.",
    }),
    minutes: Nullable(Type.Integer({ description: "Length of a session, in whole minutes." })),
    status: Nullable(SessionStatusField),
    rule: Type.String({ description: "How its units are calculated." }),
    units: Type.Number({ description: "Its units, whether they count or not." }),
    period: Nullable(
      Type.Object(
        { startDate: CalendarDateField(), endDate: CalendarDateField() },
        {
          $id: "LedgerPeriod",
          description: "The period in which it counts; in a pool, the pool's period.",
        },
      ),
    ),
    reason: Nullable(Type.String({ description: "Why it does not count; null if it counts." })),
  },
  { $id: "LedgerEntry" },
);

export const UtilizationLedger = Type.Object(
  {
    ...Utilization.properties,
    ledger: Type.Array(LedgerEntry, {
      description: "Ordered by authorization, then start, then id.",
    }),
  },
  { $id: "AuthorizationUtilizationLedger" },
);

export type UtilizationLedger = Static<typeof UtilizationLedger>;
export type LedgerEntry = Static<typeof LedgerEntry>;
