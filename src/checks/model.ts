import { type Static, Type } from "@sinclair/typebox";
import {
  CalendarDateField,
  EnumField,
  EnumListField,
  Nullable,
  ShortTextField,
  TimeZoneField,
} from "../schema/fields.ts";
import { MAX_PAGE, pageParameters, Pagination } from "../schema/pagination.ts";
import { reportParameters, reportTimeZone } from "../schema/report-window.ts";
import { type CheckName, checkNames, checks } from "./checks.ts";

/** The descriptions of the checks, as a list for the OpenAPI document. */
const checkList = checkNames.map((name) => `- \`${name}\`: ${checks[name].description}`).join("\n");

const CheckName = EnumField(checkNames, { $id: "CheckName" });

export const ChecksQuery = Type.Object({
  ...reportParameters({
    startDate: "28 days before today, in the organization's time zone",
    endDate: "28 days after today",
  }),
  check: Type.Optional(
    EnumListField(CheckName, {
      description: "Findings of these checks. Default: all.",
    }),
  ),
  patientId: Type.Optional(ShortTextField({ description: "Findings about this patient." })),
  providerId: Type.Optional(ShortTextField({ description: "Findings about this provider." })),
  payorId: Type.Optional(ShortTextField({ description: "Findings about units of this payor." })),
  timezone: reportTimeZone,
  ...pageParameters(MAX_PAGE),
});

const PersonId = (description: string) => Nullable(Type.String({ description }));

export const Finding = Type.Object(
  {
    check: CheckName,
    date: CalendarDateField({ description: "The day of the finding." }),
    timezone: TimeZoneField({ description: "Time zone of `date`." }),
    patientId: PersonId("Null if the finding is about no patient."),
    patientFirstName: Nullable(Type.String()),
    patientLastName: Nullable(Type.String()),
    providerId: PersonId("The provider who delivers the session or period, if there is one."),
    providerFirstName: Nullable(Type.String()),
    providerLastName: Nullable(Type.String()),
    sessionIds: Type.Array(Type.String(), {
      description:
        "The first 100, ordered by start; where there are more, the message says how many. Of an overlap, the overlapping session is last, after the first 20 of those that it overlaps.",
    }),
    encounterIds: Type.Array(Type.String(), {
      description:
        "The first 100, ordered by start; where there are more, the message says how many.",
    }),
    authorizationId: Nullable(Type.String()),
    poolId: Nullable(
      Type.String({
        description: "The pool of the authorization, or the pool that the finding is about.",
      }),
    ),
    payorId: Nullable(
      Type.String({ description: "The payor of the pool, or of a standalone authorization." }),
    ),
    authorizationStartDate: Nullable(
      CalendarDateField({
        description: "First day of the authorization, or of the pool that the finding is about.",
      }),
    ),
    authorizationEndDate: Nullable(
      CalendarDateField({ description: "Last day of that authorization or pool." }),
    ),
    units: Nullable(
      Type.Number({
        description: "Number of affected units; null for findings that are not about units.",
      }),
    ),
    message: Type.String({
      description: "A sentence with dates and numbers, without names of people.",
    }),
    goalId: Nullable(Type.String({ description: "The goal; null for findings of others." })),
  },
  { $id: "Finding" },
);

export const FindingChanges = Type.Object(
  {
    brought: Type.Array(Finding, {
      description: "The first 100 that are found with the file and not without it, in order.",
    }),
    mended: Type.Array(Finding, {
      description: "The first 100 that are found without the file and not with it, in order.",
    }),
    totals: Type.Object(
      {
        brought: Type.Integer({ description: "Number of findings that it brings." }),
        mended: Type.Integer({ description: "Number of findings that it mends." }),
      },
      { $id: "FindingChangeTotals" },
    ),
  },
  { $id: "FindingChanges" },
);

export type FindingChanges = Static<typeof FindingChanges>;

const Totals = Type.Unsafe<Partial<Record<CheckName, number>>>(
  Type.Object(Object.fromEntries(checkNames.map((name) => [name, Type.Optional(Type.Integer())])), {
    $id: "CheckTotals",
    description: "Number of findings on all pages, for each requested check.",
  }),
);

export const ChecksReport = Type.Object(
  {
    startDate: CalendarDateField({ description: "First day of the window." }),
    endDate: CalendarDateField({ description: "Last day of the window." }),
    totals: Totals,
    data: Type.Array(Finding),
    pagination: Pagination,
  },
  { $id: "ChecksReport" },
);

export const CHECKS_DESCRIPTION = `Findings in the records of the window, such as a session after the end of its authorization. Findings do not block any write.\n\n${checkList}`;

export type Finding = Static<typeof Finding>;
