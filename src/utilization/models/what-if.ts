import { type Static, Type } from "@sinclair/typebox";
import type { Instant } from "../../lib/instant.ts";
import type { TimeZone } from "../../lib/time-zone.ts";
import {
  CalendarDateField,
  InstantField,
  Nullable,
  PublicIdField,
  ShortTextField,
  TimeZoneField,
} from "../../schema/fields.ts";

/** The what-if: the units of an authorization if sessions were added and cancelled. */

/** Maximum number of added sessions, and of cancelled ones, in a request. */
const MAX_SESSIONS = 500;

export const WhatIfPath = Type.Object({
  publicId: PublicIdField({
    description: "The id of an authorization, standalone or in a pool.",
    examples: ["auth_000001_1_97153"],
  }),
});

export const WhatIfBody = Type.Object(
  {
    timezone: Type.Optional(
      TimeZoneField({
        description: "IANA time zone of all dates. Default: the patient's.",
      }),
    ),
    add: Type.Optional(
      Type.Array(
        Type.Object(
          {
            startTime: InstantField(),
            endTime: InstantField({ description: "Not before `startTime`." }),
          },
          { $id: "WhatIfSession" },
        ),
        {
          maxItems: MAX_SESSIONS,
          description: "Sessions to book; they count like confirmed ones.",
        },
      ),
    ),
    cancel: Type.Optional(
      Type.Array(ShortTextField(), {
        maxItems: MAX_SESSIONS,
        description: "Ids of sessions of this authorization to cancel.",
      }),
    ),
  },
  { $id: "WhatIfBody" },
);

export const whatIfExamples = {
  booking: {
    summary: "Book two sessions",
    value: {
      timezone: "America/New_York" as TimeZone,
      add: [
        booked("2026-03-16T14:00:00.000Z", "2026-03-16T16:00:00.000Z"),
        booked("2026-03-18T14:00:00.000Z", "2026-03-18T16:00:00.000Z"),
      ],
    },
  },
  nothing: { summary: "Change nothing", value: {} },
};

function booked(startTime: string, endTime: string) {
  return { startTime: startTime as Instant, endTime: endTime as Instant };
}

const WhatIfPeriod = Type.Object(
  {
    startDate: CalendarDateField(),
    endDate: CalendarDateField({ description: "The last day of the period." }),
    unitsAuthorized: Nullable(
      Type.Number({ description: "Units authorized for a whole period; null if unlimited." }),
    ),
    unitsCommitted: Type.Number({
      description: "Units delivered, or booked and not delivered, before the change.",
    }),
    unitsAfter: Type.Number({ description: "The same after the change." }),
    unitsOver: Type.Number({ description: "By how much `unitsAfter` exceeds `unitsAuthorized`." }),
  },
  { $id: "WhatIfPeriod" },
);

export const WhatIf = Type.Object(
  {
    authorizationPublicId: Type.String(),
    poolPublicId: Nullable(Type.String({ description: "The pool of the authorization, if any." })),
    timezone: TimeZoneField({ description: "Time zone of all dates." }),
    fits: Type.Boolean({
      description:
        "True if all added sessions start within the authorization's dates, and none makes a period exceed its authorized units (or exceed them further).",
    }),
    periods: Type.Array(WhatIfPeriod, {
      description:
        "Periods of the authorization in which an added or cancelled session starts, in order.",
    }),
    poolPeriods: Nullable(
      Type.Array(WhatIfPeriod, {
        description: "The same for the pool, with the units of all members; null without a pool.",
      }),
    ),
    outside: Type.Array(Type.Integer(), {
      description:
        "Indexes of the sessions in `add` that start outside the authorization's own dates. They count in no period.",
    }),
  },
  { $id: "WhatIf" },
);

export type WhatIfBody = Static<typeof WhatIfBody>;
export type WhatIfPeriod = Static<typeof WhatIfPeriod>;
export type WhatIf = Static<typeof WhatIf>;
