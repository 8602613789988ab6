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
  publicId: PublicIdField({ description: "An authorization, standalone or in a pool." }),
});

export const WhatIfBody = Type.Object(
  {
    timezone: Type.Optional(
      TimeZoneField({
        description:
          "The zone whose days are meant, as the IANA database spells it. Default: the patient's.",
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
          description: "Sessions that would be booked, counted as confirmed ones.",
        },
      ),
    ),
    cancel: Type.Optional(
      Type.Array(ShortTextField(), {
        maxItems: MAX_SESSIONS,
        description: "Sessions of the authorization that would be cancelled, by their ids.",
      }),
    ),
  },
  { $id: "WhatIfBody" },
);

export const whatIfExamples = {
  booking: {
    summary: "Two sessions would be booked",
    value: {
      timezone: "America/New_York" as TimeZone,
      add: [
        booked("2026-03-16T14:00:00.000Z", "2026-03-16T16:00:00.000Z"),
        booked("2026-03-18T14:00:00.000Z", "2026-03-18T16:00:00.000Z"),
      ],
    },
  },
  nothing: { summary: "Nothing would change", value: {} },
};

function booked(startTime: string, endTime: string) {
  return { startTime: startTime as Instant, endTime: endTime as Instant };
}

const WhatIfPeriod = Type.Object(
  {
    startDate: CalendarDateField(),
    endDate: CalendarDateField({ description: "The last day of the period." }),
    unitsAuthorized: Nullable(
      Type.Number({ description: "For one whole period; null where there is no limit." }),
    ),
    unitsCommitted: Type.Number({
      description:
        "Units as they stand: delivered, or of sessions that hold their slot and were not delivered.",
    }),
    unitsAfter: Type.Number({ description: "The same with the sessions of the question." }),
    unitsOver: Type.Number({ description: "By how much `unitsAfter` exceeds `unitsAuthorized`." }),
  },
  { $id: "WhatIfPeriod" },
);

export const WhatIf = Type.Object(
  {
    authorizationPublicId: Type.String(),
    poolPublicId: Nullable(Type.String({ description: "The pool that the authorization is in." })),
    timezone: TimeZoneField({ description: "The zone of all dates." }),
    fits: Type.Boolean({
      description:
        "Whether every added session starts within the authorization, and none brings a period over its limit or further over it.",
    }),
    periods: Type.Array(WhatIfPeriod, {
      description:
        "The authorization's periods in which an added or cancelled session starts, in order.",
    }),
    poolPeriods: Nullable(
      Type.Array(WhatIfPeriod, { description: "The same of the pool, with all members' units." }),
    ),
    outside: Type.Array(Type.Integer(), {
      description:
        "Indexes of `add` that start outside the authorization's own dates, and so are in no period.",
    }),
  },
  { $id: "WhatIf" },
);

export type WhatIfBody = Static<typeof WhatIfBody>;
export type WhatIfPeriod = Static<typeof WhatIfPeriod>;
export type WhatIf = Static<typeof WhatIf>;
