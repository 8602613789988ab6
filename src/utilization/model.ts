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
    description: "An authorization, standalone or in a pool, or an authorization pool.",
  }),
});

export const UtilizationQuery = Type.Object({
  startDate: Type.Optional(
    CalendarDateField({
      description:
        "First day of the window. Default: the authorization's start, or the earliest of the pool's members.",
    }),
  ),
  endDate: Type.Optional(
    CalendarDateField({
      description:
        "Last day of the window, not before `startDate`. Default: six weeks from today. A year after the window's start at the latest: a later day is shortened to that.",
    }),
  ),
  timezone: Type.Optional(
    TimeZoneField({
      description:
        "The zone whose days are meant, as the IANA database spells it. Default: the patient's.",
    }),
  ),
});

/** A period with its units. */
export const Period = Type.Object(
  {
    startDate: CalendarDateField(),
    endDate: CalendarDateField({ description: "The last day of the period." }),
    unitsUtilized: Type.Number({ description: "Delivered units, by encounters." }),
    unitsScheduled: Type.Number({
      description: "Units of the sessions that hold their slot, past ones included.",
    }),
  },
  { $id: "UtilizationPeriod" },
);

/** The response for an authorization or a pool. */
export const Utilization = Type.Object(
  {
    subject: EnumField(["AUTHORIZATION", "POOL"]),
    publicId: Type.String({ description: "The id that was asked for." }),
    startDate: CalendarDateField({ description: "First day of the window." }),
    endDate: CalendarDateField({ description: "Last day of the window." }),
    timezone: TimeZoneField({ description: "The zone of all dates." }),
    pool: Nullable(
      Type.Object(
        {
          poolPublicId: Type.String(),
          periods: Type.Array(Period, { description: "With the units of all members." }),
        },
        { $id: "UtilizationPool" },
      ),
    ),
    members: Type.Array(
      Type.Object(
        {
          authorizationPublicId: Type.String(),
          serviceLinePublicId: Type.String(),
          periods: Type.Array(Period, { description: "With its own units only." }),
        },
        { $id: "UtilizationMember" },
      ),
      { description: "The authorization, or all authorizations of the pool by start." },
    ),
  },
  { $id: "AuthorizationUtilization" },
);

export type Utilization = Static<typeof Utilization>;
