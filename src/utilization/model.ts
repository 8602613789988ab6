import { type Static, Type } from "@sinclair/typebox";
import {
  CalendarDateField,
  EnumField,
  Nullable,
  PublicIdField,
  TimeZoneField,
} from "../schema/fields.ts";

export const UtilizationPath = Type.Object({
  publicId: PublicIdField({
    description: "The id of an authorization (standalone or in a pool) or of a pool.",
    examples: ["auth_000001_1_97153"],
  }),
});

export const UtilizationQuery = Type.Object({
  startDate: Type.Optional(
    CalendarDateField({
      description:
        "First day of the window. Default: the start of the authorization; for a pool, the earliest start of its members.",
    }),
  ),
  endDate: Type.Optional(
    CalendarDateField({
      description:
        "Last day of the window, not before `startDate`. Default: six weeks from today. Shortened to one year after the start of the window if it is later.",
    }),
  ),
  timezone: Type.Optional(
    TimeZoneField({
      description: "IANA time zone of all dates. Default: the patient's.",
    }),
  ),
});

/** A period with its units. */
export const Period = Type.Object(
  {
    startDate: CalendarDateField(),
    endDate: CalendarDateField({ description: "The last day of the period." }),
    unitsUtilized: Type.Number({ description: "Delivered units, counted from encounters." }),
    unitsScheduled: Type.Number({
      description:
        "Units of booked sessions, past ones included: those with status `CONFIRMED`, `UNCONFIRMED` or `REQUESTED_TO_CANCEL`.",
    }),
  },
  { $id: "UtilizationPeriod" },
);

/** The response for an authorization or a pool. */
export const Utilization = Type.Object(
  {
    subject: EnumField(["AUTHORIZATION", "POOL"]),
    publicId: Type.String({ description: "The id of the request." }),
    startDate: CalendarDateField({ description: "First day of the window." }),
    endDate: CalendarDateField({ description: "Last day of the window." }),
    timezone: TimeZoneField({ description: "Time zone of all dates." }),
    pool: Nullable(
      Type.Object(
        {
          poolPublicId: Type.String(),
          periods: Type.Array(Period, { description: "Units of all members together." }),
        },
        { $id: "UtilizationPool" },
      ),
    ),
    members: Type.Array(
      Type.Object(
        {
          authorizationPublicId: Type.String(),
          serviceLinePublicId: Type.String(),
          periods: Type.Array(Period, { description: "Units of this authorization alone." }),
        },
        { $id: "UtilizationMember" },
      ),
      {
        description:
          "The authorization; for a pool or its member, all authorizations of the pool, ordered by start.",
      },
    ),
  },
  { $id: "AuthorizationUtilization" },
);

export type Utilization = Static<typeof Utilization>;
