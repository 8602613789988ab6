import { type Static, Type } from "@sinclair/typebox";
import {
  CalendarDateField,
  MonthField,
  Nullable,
  ShortTextField,
  TimeZoneField,
} from "../schema/fields.ts";
import { MAX_PAGE, pageParameters, Pagination } from "../schema/pagination.ts";
import { reportParameters, reportTimeZone } from "../schema/report-window.ts";
import { sessionStatuses } from "../sessions/model.ts";
import type { SessionStatus } from "../sessions/model.ts";

export const DeliveryQuery = Type.Object({
  ...reportParameters({
    startDate: "the first day of last month, in the organization's time zone",
    endDate: "the last day of last month",
  }),
  month: Type.Optional(
    MonthField({
      description: "A month, instead of `startDate` and `endDate`.",
      examples: ["2026-02"],
    }),
  ),
  patientId: Type.Optional(ShortTextField({ description: "Authorizations of this patient." })),
  payorId: Type.Optional(ShortTextField({ description: "Authorizations of this payor." })),
  timezone: reportTimeZone,
  ...pageParameters(MAX_PAGE),
});

const encounters = Type.Integer({ description: "Number of encounters." });
const unitsDelivered = Type.Number({ description: "Sum of the encounters' units." });
const unitsOutside = Type.Number({
  description: "Units delivered outside the authorization's own dates; part of `unitsDelivered`.",
});

export const DeliveryEntry = Type.Object(
  {
    authorizationId: Type.String(),
    authorizationNumber: Type.String(),
    poolId: Nullable(Type.String()),
    payorId: Nullable(
      Type.String({ description: "The payor of the pool, or of a standalone authorization." }),
    ),
    payorName: Nullable(Type.String()),
    patientId: Type.String(),
    patientFirstName: Type.String(),
    patientLastName: Type.String(),
    internalRecordId: Nullable(Type.String()),
    serviceLinePublicId: Type.String(),
    authorizationStartDate: CalendarDateField({ description: "First day of the authorization." }),
    authorizationEndDate: CalendarDateField({ description: "Last day of the authorization." }),
    timezone: TimeZoneField({ description: "Time zone of the days." }),
    encounters,
    unitsDelivered,
    hoursDelivered: Nullable(
      Type.Number({
        description:
          "The hours of these units, by the minutes of the service line's unit, to two decimals; null for visits.",
      }),
    ),
    unitsOutside,
    sessions: Type.Unsafe<Record<SessionStatus, number>>(
      Type.Object(Object.fromEntries(sessionStatuses.map((status) => [status, Type.Integer()])), {
        $id: "SessionsByStatus",
        description: "The number of sessions, by status.",
      }),
    ),
  },
  { $id: "DeliveryEntry" },
);

const DeliveryByPayor = Type.Object(
  {
    payorId: Nullable(
      Type.String({ description: "Null for authorizations that have no payor; last." }),
    ),
    payorName: Nullable(Type.String({ description: "The payor's name." })),
    encounters,
    unitsDelivered,
    hoursDelivered: Type.Number({
      description: "The hours of service lines whose unit has minutes, to two decimals.",
    }),
    visits: Type.Number({ description: "The units of service lines whose unit is a visit." }),
  },
  { $id: "DeliveryByPayor" },
);

export const DeliveryReport = Type.Object(
  {
    startDate: CalendarDateField({ description: "First day of the window." }),
    endDate: CalendarDateField({ description: "Last day of the window." }),
    totals: Type.Object(
      { encounters, unitsDelivered, unitsOutside },
      { $id: "DeliveryTotals", description: "Sums over all pages." },
    ),
    byPayor: Type.Array(DeliveryByPayor, {
      description: "Sums over all pages by payor, ordered by name, then id.",
    }),
    data: Type.Array(DeliveryEntry),
    pagination: Pagination,
  },
  { $id: "DeliveryReport" },
);

export type DeliveryByPayor = Static<typeof DeliveryByPayor>;
export type DeliveryEntry = Static<typeof DeliveryEntry>;
export type DeliveryReport = Static<typeof DeliveryReport>;
