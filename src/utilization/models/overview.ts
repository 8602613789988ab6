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

/** The overview: all live authorizations and pools, with their periods of one day. */

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
        "`share` or `endDate`, with a `-` before it for the greatest first. What has no share comes last in both orders of it; what is equal is in the order of `publicId`.",
    }),
  );
}

export const OverviewQuery = Type.Object({
  ...pageParameters(MAX_PAGE),
  date: Type.Optional(
    CalendarDateField({
      description: "The day whose periods are shown. Default: today in the zone of each entry.",
    }),
  ),
  timezone: Type.Optional(
    TimeZoneField({
      description:
        "One zone for all entries, as the IANA database spells it. Default: that of the patient, else of the organization, else UTC.",
    }),
  ),
  patientId: Type.Optional(ShortTextField({ description: "Entries of this patient." })),
  payorId: Type.Optional(ShortTextField({ description: "Entries of this payor's units." })),
  minShare: Type.Optional(
    ShareParameter("Entries with a `share`, as it is shown, of at least so much."),
  ),
  maxShare: Type.Optional(
    ShareParameter("Entries with a `share`, as it is shown, of at most so much."),
  ),
  sort: Type.Optional(SortParameter()),
});

export const UtilizationEntry = Type.Object(
  {
    subject: EnumField(["AUTHORIZATION", "POOL"]),
    publicId: Type.String({ description: "The authorization's id, or the pool's." }),
    patientId: Type.String(),
    patientFirstName: Type.String(),
    patientLastName: Type.String(),
    authorizationNumber: Nullable(Type.String({ description: "Null for a pool." })),
    authorizationStatus: Nullable(Type.String({ description: "Null for a pool." })),
    serviceLinePublicId: Nullable(Type.String({ description: "Null for a pool." })),
    payorId: Nullable(Type.String({ description: "Whose units they are; of a pool the pool's." })),
    payorName: Nullable(Type.String()),
    startDate: CalendarDateField({
      description: "First day of the authorization, or the earliest of the pool's members.",
    }),
    endDate: CalendarDateField({
      description: "Last day of the authorization, or the latest of the pool's members.",
    }),
    timezone: TimeZoneField({ description: "The zone of all dates of the entry." }),
    unitFrequency: EnumField(UNIT_FREQUENCIES),
    period: Period,
    unitsAuthorized: Nullable(
      Type.Number({ description: "For one whole period; null for an unlimited pool." }),
    ),
    unitsOpen: Type.Number({
      description:
        "Units of the period's scheduled sessions for which no encounter of the same authorization names the session.",
    }),
    unitsCommitted: Type.Number({
      description: "`unitsUtilized` and `unitsOpen`, in which nothing is counted twice.",
    }),
    unitsLeft: Nullable(
      Type.Number({
        description:
          "`unitsAuthorized` without `unitsCommitted`, 0 where that is more; null without a limit.",
      }),
    ),
    share: Nullable(
      Type.Number({
        description:
          "`unitsCommitted` of `unitsAuthorized`, to four decimals; null where that is null or 0.",
      }),
    ),
    elapsedShare: Type.Number({
      description: "How much of the period's days has passed, the day itself included.",
    }),
  },
  { $id: "UtilizationEntry" },
);

export const UtilizationEntryPage = Page(UtilizationEntry, "UtilizationEntryPage");

export type OverviewQuery = Static<typeof OverviewQuery>;
export type UtilizationEntry = Static<typeof UtilizationEntry>;
