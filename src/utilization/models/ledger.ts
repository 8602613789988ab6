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
      description: "What a clock on the wall shows at the start, with its distance from UTC.",
      examples: ["2026-01-08T09:00:00.000-05:00"],
    }),
    day: CalendarDateField({
      description:
        "The day that it counts on. The wall may show the day before, where clocks went back over midnight.",
    }),
    minutes: Nullable(Type.Integer({ description: "Whole minutes of a session." })),
    status: Nullable(SessionStatusField),
    rule: Type.String({ description: "How its units come about." }),
    units: Type.Number({ description: "What it has, whether it counts or not." }),
    period: Nullable(
      Type.Object(
        { startDate: CalendarDateField(), endDate: CalendarDateField() },
        {
          $id: "LedgerPeriod",
          description: "The period that it counts in, the pool's where there is a pool.",
        },
      ),
    ),
    reason: Nullable(Type.String({ description: "Why it counts in no period." })),
  },
  { $id: "LedgerEntry" },
);

export const UtilizationLedger = Type.Object(
  {
    ...Utilization.properties,
    ledger: Type.Array(LedgerEntry, { description: "By authorization, then start, then id." }),
  },
  { $id: "AuthorizationUtilizationLedger" },
);

export type LedgerEntry = Static<typeof LedgerEntry>;
