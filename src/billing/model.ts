import { type Static, Type } from "@sinclair/typebox";
import {
  CalendarDateField,
  EnumField,
  EnumListField,
  InstantField,
  Nullable,
  ShortTextField,
} from "../schema/fields.ts";
import { MAX_PAGE, pageParameters, Pagination } from "../schema/pagination.ts";
import { reportParameters, reportTimeZone } from "../schema/report-window.ts";
import { handedOverFields, StoredLine } from "./line.ts";
import { type ProblemName, problemNames } from "./problems.ts";
import { type LineState, stateNames, states } from "./states.ts";

/** The greatest page of lines: whoever hands over a month reads thousands. */
const MAX_LINES = 1_000;

const State = EnumField(stateNames, { $id: "BillingState" });
const Problem = EnumField(problemNames, { $id: "BillingProblem" });

export const BillingQuery = Type.Object({
  ...reportParameters({
    startDate: "90 days before today, in the organization's time zone",
    endDate: "today",
  }),
  state: Type.Optional(
    EnumListField(State, { description: "Lines in these states. Default: all." }),
  ),
  problem: Type.Optional(
    EnumListField(Problem, {
      description: "Lines with any of these problems. Default: all lines.",
    }),
  ),
  patientId: Type.Optional(ShortTextField({ description: "Lines of this patient." })),
  providerId: Type.Optional(
    ShortTextField({ description: "Lines of sessions that this person delivered." }),
  ),
  payorId: Type.Optional(ShortTextField({ description: "Lines of this payor." })),
  batch: Type.Optional(
    ShortTextField({
      description:
        "Lines with a hand-over of this batch, taken back or not. Without `startDate` and `endDate`: of all days.",
    }),
  ),
  timezone: reportTimeZone,
  ...pageParameters(MAX_PAGE, MAX_LINES),
});

/** A hand-over, as it is stored. */
const Shown = Type.Object(
  {
    batch: Nullable(
      Type.String({
        description:
          "What was handed over, such as `2026-W47 Sunrise`; null where it was left as billed.",
      }),
    ),
    at: InstantField({ description: "When it was handed over." }),
    takenBackAt: Nullable(InstantField({ description: "When it was taken back." })),
    line: Type.Optional(Nullable(StoredLine)),
  },
  { $id: "HandOver" },
);

export const BillingLine = Type.Object(
  {
    encounterId: Type.String({ description: "The id of the encounter." }),
    ...handedOverFields,
    problems: Type.Array(Problem, { description: "What is wrong or missing, in order." }),
    state: State,
    changedFields: Type.Array(Type.String(), {
      description: "The fields that are other ones now than in the last hand-over that counts.",
    }),
    billed: Type.Array(Shown, {
      description:
        "The hand-overs, the oldest first. `line` is left out, but for the last that counts and the claim that stands.",
    }),
  },
  { $id: "BillingLine" },
);

/** Numbers of lines by state or problem. */
function counts<Name extends string>(descriptions: Record<Name, string>, $id: string) {
  const fields = Object.entries<string>(descriptions).map(([name, description]) => [
    name,
    Type.Integer({ description }),
  ]);
  const description = "The number of lines of each.";
  return Type.Unsafe<Record<Name, number>>(
    Type.Object(Object.fromEntries(fields), { $id, description }),
  );
}

const problemDescriptions: Record<ProblemName, string> = {
  NO_SESSION: "The encounter names no session: time, place and provider are unknown.",
  DELIVERED_UNHELD: "The session was declined, or the patient missed it.",
  DELIVERED_TWICE: "An earlier encounter with units names the same session.",
  OUTSIDE_AUTHORIZATION: "The day is outside the dates of the authorization.",
  CREDENTIALS_ENDED: "All credentials of the provider had expired when the session began.",
  OVER_AUTHORIZED:
    "With this encounter, more units are delivered in the period than the authorization or pool has.",
  NO_PAYOR: "The authorization has no payor.",
  NO_COVERAGE:
    "The patient has no insurance with this payor in force on the day, with a member id.",
  NO_CODE: "The service line has no procedure code.",
  NO_PROVIDER: "The session has neither a technician nor a clinician.",
  NO_NPI: "Neither the provider nor the supervisor has an NPI.",
  UNITS_DIFFER: "The units are other ones than the length of the session gives.",
  NO_UNITS: "The units are 0, and no hand-over counts: there is nothing to bill.",
  NOTHING_RECORDED:
    "The service line has `recordsData`, and nothing was recorded on a goal of the patient within the session or 30 minutes around it.",
};

export const BillingReport = Type.Object(
  {
    startDate: CalendarDateField({ description: "First day of the window." }),
    endDate: CalendarDateField({ description: "Last day of the window." }),
    totals: Type.Object(
      {
        lines: Type.Integer({ description: "The number of lines." }),
        states: counts<LineState>(states, "LinesByState"),
        problems: counts<ProblemName>(problemDescriptions, "LinesByProblem"),
      },
      {
        $id: "BillingTotals",
        description: "Numbers of lines on all pages, of any state and problem.",
      },
    ),
    batches: Type.Array(
      Type.Object(
        {
          batch: Type.String({ description: "The name of the batch." }),
          lines: Type.Integer({ description: "The number of its hand-overs in the window." }),
          takenBack: Type.Integer({ description: "How many of them are taken back." }),
          firstAt: InstantField({ description: "When the first of them was handed over." }),
          lastAt: InstantField({ description: "When the last of them was handed over." }),
        },
        { $id: "BillingBatch" },
      ),
      { description: "The batches of the lines, the latest first, at most 100." },
    ),
    data: Type.Array(BillingLine),
    pagination: Pagination,
  },
  { $id: "BillingReport" },
);

function listOf(names: Record<string, string>): string {
  return Object.entries(names)
    .map(([name, description]) => `- \`${name}\`: ${description}`)
    .join("\n");
}

export const BILLING_DESCRIPTION = `One line for each encounter that starts in the window, of active and inactive patients, ordered by date, patient's name, then encounter: all that is known of it for a claim, what is missing or wrong, and what was handed over of it. A line is handed over, and taken back, by a practice file with \`billed\` of its encounter: a list of hand-overs, to which is added; none is changed or lost.

States:

${listOf(states)}

Problems:

${listOf(problemDescriptions)}`;

export type BillingLine = Static<typeof BillingLine>;
export type BillingReport = Static<typeof BillingReport>;
