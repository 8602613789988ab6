import { type Static, Type } from "@sinclair/typebox";
import { endDateParameter, startDateParameter, timeZoneParameter } from "../schema/days.ts";
import { InstantField, Nullable, ShortTextField } from "../schema/fields.ts";
import { MAX_PAGE, Page, pageParameters } from "../schema/pagination.ts";

/** Encounters that a session has at most. */
export const MOST_ENCOUNTERS = 50;

/** Delivered units. */
export const Encounter = Type.Object(
  {
    publicId: Type.String(),
    authorizationId: Type.String(),
    sessionId: Nullable(Type.String()),
    startTime: InstantField(),
    units: Type.Number(),
  },
  { $id: "Encounter" },
);

export const EncounterPage = Page(Encounter, "EncounterPage");

export const EncounterListQuery = Type.Object({
  ...pageParameters(MAX_PAGE),
  authorizationId: Type.Optional(
    ShortTextField({ description: "Encounters of this authorization." }),
  ),
  sessionId: Type.Optional(ShortTextField({ description: "Encounters of this session." })),
  patientId: Type.Optional(
    ShortTextField({ description: "Encounters of this patient's authorizations." }),
  ),
  startDate: startDateParameter,
  endDate: endDateParameter,
  timezone: timeZoneParameter,
});

export type Encounter = Static<typeof Encounter>;
