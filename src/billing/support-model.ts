import { type Static, Type } from "@sinclair/typebox";
import {
  CalendarDateField,
  EnumField,
  InstantField,
  MonthField,
  Nullable,
  ShortTextField,
} from "../schema/fields.ts";
import { MAX_PAGE, pageParameters, Pagination } from "../schema/pagination.ts";
import { recordTypes } from "../schema/record-types.ts";
import { sessionStatuses } from "../sessions/model.ts";
import { BillingLine } from "./model.ts";

/** What supports a line, for whoever has to prove it. */

export const SupportQuery = Type.Object({
  encounterId: Type.Optional(ShortTextField({ description: "The line of this encounter." })),
  patientId: Type.Optional(
    ShortTextField({
      description: "The lines of this patient in a month.",
      example: "usr_patient_000001",
    }),
  ),
  month: Type.Optional(
    MonthField({
      description:
        "With `patientId`: the calendar month. Default: the one before today's, in the organization's time zone.",
    }),
  ),
  ...pageParameters(MAX_PAGE),
});

const Session = Type.Object(
  {
    sessionId: Type.String({ description: "The id of the session." }),
    status: EnumField(sessionStatuses),
    startTime: InstantField({ description: "When it begins." }),
    endTime: InstantField({ description: "When it ends." }),
    isSupervision: Type.Boolean({ description: "Whether it is a supervision." }),
    isClientPresent: Type.Boolean({ description: "Whether the client is present." }),
  },
  { $id: "SupportingSession" },
);

const Credential = Type.Object(
  {
    credentialType: Type.String({ description: "The type, such as `RBT`." }),
    credentialNumber: Type.String({ description: "The number." }),
    expiresAt: InstantField({ description: "When it ends." }),
  },
  { $id: "SupportingCredential" },
);

const count = (description: string) => Type.Integer({ description });

const Supervision = Type.Object(
  {
    supervisedMinutes: count(
      "The whole minutes of the session in which delivered supervision of the technician lasts.",
    ),
    month: Type.String({ description: "The month of the session, written YYYY-MM." }),
    shareDelivered: Nullable(
      Type.Number({ description: "The share of the month's service that was supervised." }),
    ),
    contactsDelivered: count("The delivered contacts of the month."),
    observedDelivered: count("How many of them with a client."),
  },
  { $id: "SupportingSupervision" },
);

const units = (description: string) => Nullable(Type.Number({ description }));

const Authorization = Type.Object(
  {
    status: Type.String({ description: "The status of the authorization." }),
    startDate: CalendarDateField({ description: "Its first day." }),
    endDate: CalendarDateField({ description: "Its last day." }),
    periodStartDate: Nullable(
      CalendarDateField({
        description:
          "The first day of the period of the authorization or pool; null where the encounter does not count.",
      }),
    ),
    periodEndDate: Nullable(CalendarDateField({ description: "The last day of the period." })),
    unitsAuthorized: units("The units of the period; null without a limit."),
    unitsBefore: units("The units delivered in the period before this encounter."),
    unitsLeft: units("What is left with it; below 0 where that is too much."),
  },
  { $id: "SupportingAuthorization" },
);

const time = (description: string) => Nullable(InstantField({ description }));

const Recorded = Type.Object(
  {
    entries: count("How much was recorded within the session and 30 minutes around it."),
    goals: count("On how many goals and steps."),
    firstAt: time("When the first of it happened."),
    lastAt: time("When the last of it happened."),
  },
  { $id: "SupportingData" },
);

const Change = Type.Object(
  {
    type: EnumField(recordTypes),
    publicId: Type.String({ description: "The id of the record." }),
    sequence: count("The number of its last write."),
    changedAt: time("When it was written; null where that is no longer known."),
    changedBy: Nullable(Type.String({ description: "The person, API key or operator who did." })),
    isSince: Type.Boolean({
      description: "Whether that is later than the last hand-over of the line that counts.",
    }),
  },
  { $id: "SupportingChange" },
);

export const Support = Type.Object(
  {
    line: BillingLine,
    session: Nullable(Session),
    credentials: Type.Array(Credential, {
      description: "Those of who rendered it that have not ended when the session begins.",
    }),
    supervision: Nullable(Supervision),
    authorization: Authorization,
    recorded: Nullable(Recorded),
    changes: Type.Array(Change, {
      description:
        "The last change of each record on which it rests: encounter, session, authorization, pool, payor, service line, patient, who rendered it, who supervises.",
    }),
  },
  { $id: "BillingSupport" },
);

export const SupportReport = Type.Object(
  { data: Type.Array(Support), pagination: Pagination },
  { $id: "BillingSupportReport" },
);

export const SUPPORT_DESCRIPTION = `For one line, or for those of a patient's month: who rendered it, with which credentials and under whose supervision, what was left of the authorization, what was recorded, and who has changed what it rests on. Records are as they are today; what was handed over is in \`billed\` of the line, with all its lines.`;

export type Support = Static<typeof Support>;
export type SupportReport = Static<typeof SupportReport>;
