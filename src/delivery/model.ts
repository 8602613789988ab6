import { type Static, Type } from "@sinclair/typebox";
import { CalendarDateField, Nullable, ShortTextField, TimeZoneField } from "../schema/fields.ts";
import { MAX_PAGE, pageParameters, Pagination } from "../schema/pagination.ts";
import { reportParameters, reportTimeZone } from "../schema/report-window.ts";
import { sessionStatuses } from "../sessions/model.ts";
import type { SessionStatus } from "../sessions/model.ts";

export const DeliveryQuery = Type.Object({
  ...reportParameters({
    startDate: "the first day of last month, in the organization's time zone",
    endDate: "the last day of last month",
  }),
  patientId: Type.Optional(ShortTextField({ description: "Authorizations of this patient." })),
  payorId: Type.Optional(ShortTextField({ description: "Authorizations of this payor." })),
  timezone: reportTimeZone,
  ...pageParameters(MAX_PAGE),
});

const delivered = {
  encounters: Type.Integer(),
  unitsDelivered: Type.Number({ description: "Sum of the encounters' units." }),
  unitsOutside: Type.Number({
    description: "Units delivered outside the authorization's own dates; part of `unitsDelivered`.",
  }),
};

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
    timezone: TimeZoneField({ description: "Time zone of the days." }),
    ...delivered,
    sessions: Type.Unsafe<Record<SessionStatus, number>>(
      Type.Object(Object.fromEntries(sessionStatuses.map((status) => [status, Type.Integer()])), {
        $id: "SessionsByStatus",
        description: "The number of sessions, by status.",
      }),
    ),
  },
  { $id: "DeliveryEntry" },
);

export const DeliveryReport = Type.Object(
  {
    startDate: CalendarDateField({ description: "First day of the window." }),
    endDate: CalendarDateField({ description: "Last day of the window." }),
    totals: Type.Object(delivered, { $id: "DeliveryTotals", description: "Sums over all pages." }),
    data: Type.Array(DeliveryEntry),
    pagination: Pagination,
  },
  { $id: "DeliveryReport" },
);

export type DeliveryEntry = Static<typeof DeliveryEntry>;
export type DeliveryReport = Static<typeof DeliveryReport>;
