import { type Static, Type } from "@sinclair/typebox";
import { PART_OF_ONE } from "../lib/rounding.ts";
import {
  CalendarDateField,
  EnumField,
  EnumListField,
  Nullable,
  ShortTextField,
  TimeZoneField,
  MonthField,
} from "../schema/fields.ts";
import { MAX_PAGE, pageParameters, Pagination } from "../schema/pagination.ts";
import { DEFAULT_REQUIRED_SHARE, states, type SupervisionState } from "./states.ts";

const State = EnumField(states, {
  $id: "SupervisionState",
  description:
    "`SHORT`: something is still to be booked. `BOOKED`: enough is booked. `MET`: what was delivered is enough for all that is booked. `NO_HOURS`: no service.",
});

export const SupervisionQuery = Type.Object({
  month: Type.Optional(
    MonthField({
      description: "A calendar month. Default: the current one, in the organization's time zone.",
      examples: ["2026-11"],
    }),
  ),
  requiredShare: Type.Optional(
    Type.String({
      pattern: PART_OF_ONE,
      "x-message": "Must be a decimal number from 0 to 1, such as 0.05",
      default: DEFAULT_REQUIRED_SHARE,
      description: "How much of the hours of service must be supervised.",
      examples: ["0.1"],
    }),
  ),
  technicianId: Type.Optional(ShortTextField({ description: "Only this technician." })),
  state: Type.Optional(
    EnumListField(State, {
      description: "Technicians in these states; `totals` counts all. Default: all.",
    }),
  ),
  ...pageParameters(MAX_PAGE),
});

const Hours = (description: string) => Type.Number({ description });
const Share = (description: string) => Nullable(Type.Number({ description }));
const Contacts = (description: string) => Type.Integer({ description });

export const SupervisionEntry = Type.Object(
  {
    technicianId: Type.String(),
    technicianFirstName: Type.String(),
    technicianLastName: Type.String(),
    hoursDelivered: Hours("Hours of service that were delivered."),
    hoursBooked: Hours("All booked hours of service, delivered or not, past or to come."),
    supervisedDelivered: Hours("Hours of supervision that were delivered."),
    supervisedBooked: Hours("All booked hours of supervision."),
    contactsDelivered: Contacts(
      "Number of stretches of delivered supervision with gaps between them.",
    ),
    contactsBooked: Contacts("Number of stretches of booked supervision with gaps between them."),
    observedDelivered: Contacts("Delivered contacts in which a client was present."),
    observedBooked: Contacts("Booked contacts in which a client is present."),
    shareDelivered: Share(
      "Supervision divided by service, of what was delivered, rounded to four decimals. Null without service.",
    ),
    shareBooked: Share("The same of all that is booked. Null without service."),
    hoursNeeded: Hours(
      "Hours of supervision still to be booked, rounded up to the next hundredth.",
    ),
    contactsNeeded: Type.Integer({
      description: "Contacts still to be booked, so that there are two.",
    }),
    observationNeeded: Type.Boolean({
      description: "Whether a contact with a client is still to be booked.",
    }),
    state: State,
  },
  { $id: "SupervisionEntry" },
);

export const SupervisionReport = Type.Object(
  {
    month: Type.String({ description: "The calendar month, written YYYY-MM." }),
    startDate: CalendarDateField({ description: "First day of the month." }),
    endDate: CalendarDateField({ description: "Last day of the month." }),
    timezone: TimeZoneField({ description: "Time zone of the month: the organization's, or UTC." }),
    requiredShare: Type.Number({ description: "The required share of supervision." }),
    elapsedShare: Type.Number({
      description:
        "How much of the month has passed: its days up to and including today, divided by all, rounded to four decimals.",
    }),
    totals: Type.Unsafe<Record<SupervisionState, number>>(
      Type.Object(Object.fromEntries(states.map((state) => [state, Type.Integer()])), {
        $id: "SupervisionTotals",
        description: "Number of entries on all pages, by state.",
      }),
    ),
    data: Type.Array(SupervisionEntry),
    pagination: Pagination,
  },
  { $id: "SupervisionReport" },
);

export type SupervisionEntry = Static<typeof SupervisionEntry>;
export type SupervisionReport = Static<typeof SupervisionReport>;
