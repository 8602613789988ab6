import { type Static, Type } from "@sinclair/typebox";
import {
  CalendarDateField,
  EnumField,
  EnumListField,
  InstantField,
  Nullable,
  ShortTextField,
} from "../schema/fields.ts";
import { MAX_PAGE, Page, pageParameters } from "../schema/pagination.ts";
import { goalStatuses, goalTypes } from "../goals/models/common.ts";
import { successCriteria } from "../goals/models/metric.ts";
import { clockUnits, pointStates, pointUnits, valueUnits } from "./units.ts";

/** The progress of goals, in requests and responses. */

const Status = EnumField(goalStatuses, { $id: "GoalStatus" });
const Count = Type.Integer();

const GoalPoint = Type.Object(
  {
    startDate: CalendarDateField({ description: "The first day of the point." }),
    endDate: CalendarDateField({ description: "The last day of the point." }),
    state: EnumField(pointStates, {
      description:
        "The first that holds: `RUNNING`, its last day is not over; `SILENT`, sessions were held and nothing was recorded; `UNKNOWN`, it has no value; `FEW`, it has fewer trials than `minTrialsCount`; `EARLIER`, it is of before the status that the criterion is for; `COUNTS`.",
    }),
    value: Nullable(
      Type.Number({
        description: "In `valueUnit`, rounded to millionths. Null for what was not measured.",
      }),
    ),
    count: Type.Number({
      description: "Successes, intervals with the behavior, ratings, or how often it occurred.",
    }),
    total: Nullable(Type.Number({ description: "Trials, or intervals." })),
    sessions: Type.Integer({ description: "The sessions held with the patient that begin in it." }),
    meets: Nullable(Type.Boolean({ description: "Whether the value meets the criterion." })),
    providerIds: Type.Array(Type.String(), {
      description:
        "Who delivers the sessions in whose time something was recorded; at most 20, by id.",
    }),
  },
  { $id: "GoalPoint" },
);

const GoalCriterion = Type.Object(
  {
    purpose: EnumField(["success", "maintenance"], {
      description: "Which metric it is of: that of maintenance for goals that are met already.",
    }),
    value: Type.Number(),
    criteria: EnumField(successCriteria, {
      $id: "SuccessCriteria",
      description: "How a value is compared with `value`.",
    }),
    points: Type.Integer({ description: "How many points in a row meet it before it is met." }),
  },
  { $id: "GoalCriterion" },
);

const GoalPhase = Type.Object(
  {
    status: Status,
    since: Nullable(InstantField({ description: "Null where nobody knows." })),
    isAutomatic: Type.Boolean({ description: "Whether the goal went on by itself." }),
  },
  { $id: "GoalPhase" },
);

/** What recording on a goal, and its progress, say of its criterion. */
export const criterionFields = {
  isMet: Nullable(
    Type.Boolean({
      description:
        "Whether the last points that count meet the criterion; null without one, or where too few count.",
    }),
  ),
  inARow: Nullable(
    Type.Integer({ description: "How many of the last points that count meet the criterion." }),
  ),
  next: Nullable(
    EnumField(goalStatuses, {
      $id: "GoalStatus",
      description: "The status in which a goal may go on whose criterion is met.",
    }),
  ),
};

const { isMet, inARow, next } = criterionFields;

export const GoalProgress = Type.Object(
  {
    goalId: Type.String({ description: "The id of the goal." }),
    parentGoalId: Nullable(
      Type.String({ description: "The goal that it is a step of; null without one." }),
    ),
    orderAmongSiblings: Nullable(
      Type.Integer({ description: "The place among the steps of that goal." }),
    ),
    type: EnumField(goalTypes),
    status: Status,
    patientId: Type.String(),
    patientFirstName: Type.String(),
    patientLastName: Type.String(),
    treatmentPlanId: Type.String(),
    name: Type.String({ description: "The goal in at most 80 characters." }),
    statement: Nullable(
      Type.String({ description: "The `goalStatement`; null of kinds without." }),
    ),
    timezone: Type.String({ description: "The zone of the days." }),
    pointUnit: EnumField(pointUnits, { description: "What a point is of." }),
    valueUnit: EnumField(valueUnits, { description: "The unit of values." }),
    valuePer: Nullable(
      Type.Object(
        {
          amount: Type.Number({ description: "How many of `unit`." }),
          unit: EnumField(clockUnits, { description: "The unit of `amount`." }),
        },
        { $id: "GoalValuePer" },
      ),
    ),
    baseline: Nullable(
      Type.Number({
        description: "The value of `baselineMetric`; null where it is on another scale.",
      }),
    ),
    baselineDate: Nullable(CalendarDateField()),
    targetDate: Nullable(CalendarDateField({ description: "When the goal is to be reached." })),
    criterion: Nullable(GoalCriterion),
    isMet,
    inARow,
    metSince: Nullable(
      CalendarDateField({ description: "The last day of the point with which it was met." }),
    ),
    metWith: Type.Array(Type.String(), {
      description: "Who recorded the points in a row; at most 20, by id.",
    }),
    next,
    lastRecordedAt: Nullable(InstantField({ description: "When the last entry happened." })),
    sessionsSince: Type.Integer({
      description: "The sessions held since, in the last 366 days.",
    }),
    steps: Nullable(
      Type.Object(
        { total: Count, mastered: Count },
        { $id: "GoalSteps", description: "Its own child goals, and how many are mastered." },
      ),
    ),
    phases: Type.Array(GoalPhase, { description: "What the status became, oldest first." }),
    points: Type.Array(GoalPoint),
  },
  { $id: "GoalProgress" },
);

export const GoalProgressPage = Page(GoalProgress, "GoalProgressPage");

export const GoalProgressQuery = Type.Object({
  ...pageParameters(MAX_PAGE),
  patientId: Type.Optional(ShortTextField({ description: "Goals of this patient." })),
  treatmentPlanId: Type.Optional(ShortTextField({ description: "Goals on this treatment plan." })),
  providerId: Type.Optional(
    ShortTextField({ description: "Goals of the patients that are this user's own." }),
  ),
  goalId: Type.Optional(ShortTextField({ description: "This goal, and the goals below it." })),
  status: Type.Optional(
    EnumListField(EnumField(goalStatuses), {
      description: "Goals in one of these statuses, each named once.",
      eachOnce: true,
    }),
  ),
  startDate: Type.Optional(
    CalendarDateField({
      description:
        "Points whose last day is this one or later. Default: 182 days before today. It changes no judgement.",
    }),
  ),
});

export type GoalProgress = Static<typeof GoalProgress>;
export type GoalProgressQuery = Static<typeof GoalProgressQuery>;
