import { type Static, Type } from "@sinclair/typebox";
import { endDateParameter, startDateParameter, timeZoneParameter } from "../schema/days.ts";
import {
  EnumField,
  EnumListField,
  falseUnlessSaid,
  InstantField,
  Nullable,
  OneOf,
  PublicIdField,
  ShortTextField,
} from "../schema/fields.ts";
import { MAX_PAGE, Page, pageParameters } from "../schema/pagination.ts";

export const sessionStatuses = [
  "CONFIRMED",
  "UNCONFIRMED",
  "DECLINED",
  "PATIENT_NO_SHOW",
  "REQUESTED_TO_CANCEL",
] as const;

export const placesOfService = [
  "TELEHEALTH_PROVIDED_ELSEWHERE",
  "TELEHEALTH_PROVIDED_IN_PATIENT_HOME",
  "OFFICE",
  "HOME",
  "SCHOOL",
  "OTHER",
  "TEMPORARY_LODGING",
  "PLACE_OF_EMPLOYMENT",
  "COMMUNITY_MENTAL_HEALTH_CENTER",
] as const;

/** The direction of a list by start. */
export type Direction = "asc" | "desc";

export type SessionStatus = (typeof sessionStatuses)[number];
export type PlaceOfService = (typeof placesOfService)[number];

export const SessionStatusField = EnumField(sessionStatuses, { $id: "SessionStatus" });

const common = {
  publicId: Type.String(),
  title: Type.String(),
  status: SessionStatusField,
  startTime: InstantField(),
  endTime: InstantField(),
  isSupervision: Type.Boolean(),
  isClientPresent: Type.Boolean(),
  placeOfService: EnumField(placesOfService),
  locationId: Type.String(),
  technicianId: Nullable(Type.String()),
  clientId: Nullable(Type.String()),
};

export const BillableSession = Type.Object(
  {
    ...common,
    isBillable: Type.Literal(true),
    isTelehealth: Type.Boolean(),
    clinicianId: Nullable(Type.String()),
    providerLocationId: Nullable(Type.String()),
    services: Type.String(),
  },
  { $id: "BillableSession" },
);

export const NonBillableSession = Type.Object(
  {
    ...common,
    isBillable: Type.Literal(false),
    nonBillableCode: Type.String(),
  },
  { $id: "NonBillableSession" },
);

/** A session (appointment), billable or not, as `isBillable` says. */
export const Session = OneOf([BillableSession, NonBillableSession], { $id: "Session" });

export type Session = Static<typeof Session>;

export const SessionPage = Page(Session, "SessionPage");

export const SessionListQuery = Type.Object({
  ...pageParameters(MAX_PAGE),
  clientId: Type.Optional(ShortTextField({ description: "Sessions of this patient." })),
  technicianId: Type.Optional(ShortTextField({ description: "Sessions of this technician." })),
  clinicianId: Type.Optional(ShortTextField({ description: "Sessions of this clinician." })),
  authorizationId: Type.Optional(
    ShortTextField({ description: "Sessions booked on this authorization." }),
  ),
  startDate: startDateParameter,
  endDate: endDateParameter,
  status: Type.Optional(
    EnumListField(SessionStatusField, {
      description: "Sessions in one of these statuses.",
    }),
  ),
  timezone: timeZoneParameter,
  goesOn: falseUnlessSaid(
    "`true` also lists the sessions that began before `startDate`, which it needs, and end after its first instant. For whoever asks who is busy.",
  ),
  sort: Type.Optional(
    Type.Unsafe<`startTime_${Direction}`>(
      Type.String({
        pattern: "^startTime_(asc|desc)$",
        "x-message": "Must be startTime_asc or startTime_desc",
        default: "startTime_asc",
        description: "Earliest or latest start first.",
        examples: ["startTime_desc"],
      }),
    ),
  ),
});

export const SessionPath = Type.Object({
  sessionId: PublicIdField({ description: "The session's public id.", examples: ["apt_00000001"] }),
});
