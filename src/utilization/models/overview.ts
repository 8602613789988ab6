import { type Static, type TUnsafe, Type } from "@sinclair/typebox";
import {
  CalendarDateField,
  EnumField,
  Nullable,
  ShortTextField,
  TimeZoneField,
} from "../../schema/fields.ts";
import { MAX_PAGE, Page, pageParameters } from "../../schema/pagination.ts";
import { Period } from "../model.ts";
import { UNIT_FREQUENCIES } from "../periods.ts";

/** The overview: all current authorizations and pools, with their periods of one day. */

export type OverviewSort = "share" | "-share" | "endDate" | "-endDate";

/** A query parameter that is a decimal number, 0 or more. */
function ShareParameter(description: string) {
  return Type.String({
    pattern: "^[0-9]+(\\.[0-9]+)?$",
    "x-message": "Must be a decimal number, 0 or more, such as 0.85",
    description,
    examples: ["0.85"],
  });
}

function SortParameter(): TUnsafe<OverviewSort> {
  return Type.Unsafe<OverviewSort>(
    Type.String({
      pattern: "^-?(share|endDate)$",
      "x-message": "Must be one of share, -share, endDate and -endDate",
      default: "-share",
      examples: ["-share"],
      description:
        "`share` or `endDate`; a leading `-` sorts in descending order. Entries without a share come last in both orders. Ties are ordered by `publicId`.",
    }),
  );
}

export const OverviewQuery = Type.Object({
  ...pageParameters(MAX_PAGE),
  date: Type.Optional(
    CalendarDateField({
      description:
        "The periods that include this day are shown. Default: today, in the time zone of each entry.",
    }),
  ),
  timezone: Type.Optional(
    TimeZoneField({
      description:
        "One IANA time zone for all entries. Default: the patient's, else the organization's, else UTC.",
    }),
  ),
  patientId: Type.Optional(ShortTextField({ description: "Entries of this patient." })),
  payorId: Type.Optional(ShortTextField({ description: "Entries of this payor." })),
  minShare: Type.Optional(ShareParameter("Entries whose `share` is at least this number.")),
  maxShare: Type.Optional(ShareParameter("Entries whose `share` is at most this number.")),
  sort: Type.Optional(SortParameter()),
});

export const UtilizationEntry = Type.Object(
  {
    subject: EnumField(["AUTHORIZATION", "POOL"]),
    publicId: Type.String({ description: "The id of the authorization or pool." }),
    patientId: Type.String(),
    patientFirstName: Type.String(),
    patientLastName: Type.String(),
    authorizationNumber: Nullable(Type.String({ description: "Null for a pool." })),
    authorizationStatus: Nullable(Type.String({ description: "Null for a pool." })),
    serviceLinePublicId: Nullable(Type.String({ description: "Null for a pool." })),
    payorId: Nullable(
      Type.String({
        description: "The payor of the pool or of the standalone authorization, if any.",
      }),
    ),
    payorName: Nullable(Type.String()),
    startDate: CalendarDateField({
      description: "First day of the authorization; for a pool, the earliest of its members.",
    }),
    endDate: CalendarDateField({
      description: "Last day of the authorization; for a pool, the latest of its members.",
    }),
    timezone: TimeZoneField({ description: "Time zone of all dates of the entry." }),
    unitFrequency: EnumField(UNIT_FREQUENCIES),
    period: Period,
    unitsAuthorized: Nullable(
      Type.Number({
        description: "Units authorized for a whole period; null for an unlimited pool.",
      }),
    ),
    unitsOpen: Type.Number({
      description:
        "Booked but not delivered: units of the period's scheduled sessions without an encounter of the same authorization.",
    }),
    unitsCommitted: Type.Number({
      description: "The sum of `unitsUtilized` and `unitsOpen`, in which no session counts twice.",
    }),
    unitsLeft: Nullable(
      Type.Number({
        description: "`unitsAuthorized` minus `unitsCommitted`, at least 0; null if unlimited.",
      }),
    ),
    services: Type.Array(
      Type.Object(
        {
          authorizationId: Type.String(),
          serviceLinePublicId: Type.String(),
          serviceLineName: Type.String(),
        },
        { $id: "AuthorizedService" },
      ),
      {
        description:
          "The authorization and its service line; for a pool, those of its members, ordered by authorization.",
      },
    ),
    overFrom: Nullable(
      CalendarDateField({
        description:
          "First day of the first period after `period`, within the entry's dates, whose committed units exceed the authorized ones; null if there is none.",
      }),
    ),
    share: Nullable(
      Type.Number({
        description:
          "`unitsCommitted` divided by `unitsAuthorized`, rounded to four decimals; null if `unitsAuthorized` is null or 0.",
      }),
    ),
    elapsedShare: Type.Number({
      description:
        "The share of the period's days up to and including `date`, rounded to four decimals.",
    }),
  },
  { $id: "UtilizationEntry" },
);

export const UtilizationEntryPage = Page(UtilizationEntry, "UtilizationEntryPage");

export type OverviewQuery = Static<typeof OverviewQuery>;
export type UtilizationEntry = Static<typeof UtilizationEntry>;
