import { type Static, Type } from "@sinclair/typebox";
import { CalendarDateField, EnumField, Nullable, TimeZoneField } from "../../schema/fields.ts";
import { UNIT_FREQUENCIES } from "../periods.ts";

/** The summary: an authorization or a pool with all that a view of it shows. */

const Units = (description: string) => Type.Number({ description });

const SummaryPeriod = Type.Object(
  {
    startDate: CalendarDateField({ description: "First day of the period." }),
    endDate: CalendarDateField({ description: "Last day of the period." }),
    unitsAuthorized: Nullable(
      Units("Units authorized for a whole period; null if nothing limits it."),
    ),
    unitsUtilized: Units("Delivered units, counted from encounters."),
    unitsScheduled: Units("Units of booked sessions, past and delivered ones included."),
    unitsOpen: Units("Units of booked sessions without an encounter of the same authorization."),
    unitsCommitted: Units("The sum of `unitsUtilized` and `unitsOpen`."),
    unitsLeft: Nullable(
      Units(
        "`unitsAuthorized` minus `unitsCommitted`, at least 0; null for a member of a pool, and if nothing limits it.",
      ),
    ),
  },
  { $id: "SummaryPeriod" },
);

const RecordsOutside = Type.Object(
  {
    records: Type.Integer({ description: "Number of findings of `OUTSIDE_AUTHORIZATION`." }),
    firstDate: CalendarDateField({ description: "Day of the first one." }),
    lastDate: CalendarDateField({ description: "Day of the last one." }),
  },
  { $id: "RecordsOutside" },
);

const ofAuthorization = (description: string) =>
  Nullable(Type.String({ description: `${description} Null for a pool.` }));

const SummarySeries = Type.Object(
  {
    authorizationId: ofAuthorization("The authorization's id."),
    authorizationNumber: ofAuthorization("The payor's number."),
    authorizationStatus: ofAuthorization("Such as `AUTHORIZED`."),
    serviceLinePublicId: ofAuthorization("The id of the service line."),
    serviceLineName: ofAuthorization("The name of the service line."),
    startDate: Nullable(
      CalendarDateField({ description: "First day; null for a pool without members." }),
    ),
    endDate: Nullable(
      CalendarDateField({ description: "Last day; null for a pool without members." }),
    ),
    unitsAuthorized: Nullable(
      Units("Units authorized for a whole period; null if nothing limits it."),
    ),
    periods: Type.Array(SummaryPeriod, { description: "The periods that overlap the window." }),
    outside: Nullable(
      Type.Object(
        { before: Nullable(RecordsOutside), after: Nullable(RecordsOutside) },
        {
          $id: "OutsideAuthorization",
          description:
            "Encounters and booked sessions before the first and after the last day of the authorization, over all time; null for a pool.",
        },
      ),
    ),
  },
  { $id: "SummarySeries" },
);

export const UtilizationSummary = Type.Object(
  {
    subject: EnumField(["AUTHORIZATION", "POOL"]),
    publicId: Type.String({ description: "The id of the request." }),
    poolId: Nullable(Type.String({ description: "The pool of an authorization, if any." })),
    patientId: Type.String({ description: "The patient's id." }),
    patientFirstName: Type.String({ description: "The patient's first name." }),
    patientLastName: Type.String({ description: "The patient's last name." }),
    payorId: Nullable(
      Type.String({ description: "The payor of the pool, or of a standalone authorization." }),
    ),
    payorName: Nullable(Type.String({ description: "The payor's name." })),
    startDate: Nullable(
      CalendarDateField({
        description:
          "First day of the authorization, or the earliest of the pool's members; null without members.",
      }),
    ),
    endDate: Nullable(
      CalendarDateField({
        description:
          "Last day of the authorization, or the latest of the pool's members; null without members.",
      }),
    ),
    timezone: TimeZoneField({ description: "Time zone of all dates." }),
    unitFrequency: EnumField(UNIT_FREQUENCIES),
    unitsAuthorized: Nullable(
      Units(
        "Units authorized for a whole period. For a member of a pool its own, if it has some for such periods; null if nothing limits it.",
      ),
    ),
    series: Type.Array(SummarySeries, {
      description:
        "The authorization; for a pool, first the pool and then its members, ordered by id.",
    }),
  },
  { $id: "AuthorizationUtilizationSummary" },
);

export type UtilizationSummary = Static<typeof UtilizationSummary>;
export type SummarySeries = Static<typeof SummarySeries>;
export type RecordsOutside = Static<typeof RecordsOutside>;
