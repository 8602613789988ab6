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

export const ChecksQuery = Type.Object({
  ...reportParameters({
    startDate: "28 days before today, in the organization's zone",
    endDate: "28 days after today",
  }),
  check: Type.Optional(
    EnumListField(checkNames, {
      description: "Findings of these checks. Default: all.",
      examples: ["OUTSIDE_AUTHORIZATION,OVER_AUTHORIZED"],
    }),
  ),
  patientId: Type.Optional(ShortTextField({ description: "Findings about this patient." })),
  providerId: Type.Optional(ShortTextField({ description: "Findings about this provider." })),
  payorId: Type.Optional(ShortTextField({ description: "Findings about this payor's units." })),
  timezone: reportTimeZone,
  ...pageParameters(MAX_PAGE),
});

const PersonId = (description: string) => Nullable(Type.String({ description }));

export const Finding = Type.Object(
  {
    check: EnumField(checkNames),
    date: CalendarDateField({ description: "The day that the finding is about." }),
    timezone: TimeZoneField({ description: "The zone of the day." }),
    patientId: PersonId("Null where no patient is concerned."),
    patientFirstName: Nullable(Type.String()),
    patientLastName: Nullable(Type.String()),
    providerId: PersonId("Who delivers it; null where nobody does."),
    providerFirstName: Nullable(Type.String()),
    providerLastName: Nullable(Type.String()),
    sessionIds: Type.Array(Type.String(), {
      description: "In order of start. A session that overlaps others stands last, behind them.",
    }),
    encounterIds: Type.Array(Type.String(), { description: "In order of start." }),
    authorizationId: Nullable(Type.String()),
    poolId: Nullable(
      Type.String({ description: "The pool that the authorization is in, or that is meant." }),
    ),
    payorId: Nullable(Type.String({ description: "Of the pool where there is one." })),
    units: Nullable(Type.Number({ description: "How many units are in question." })),
    message: Type.String({ description: "A sentence with dates and numbers and no names." }),
  },
  { $id: "Finding" },
);

const Totals = Type.Unsafe<Partial<Record<CheckName, number>>>(
  Type.Object(Object.fromEntries(checkNames.map((name) => [name, Type.Optional(Type.Integer())])), {
    $id: "CheckTotals",
    description: "Findings in all pages, of each check that was asked for.",
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

export const CHECKS_DESCRIPTION = `What needs somebody's attention, such as a session after its authorization has ended. A report and no gate: nothing is refused because of a finding.\n\n${checkList}`;

export type Finding = Static<typeof Finding>;
