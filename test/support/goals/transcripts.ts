import type { GoalType } from "../../../src/goals/models/common.ts";
import type { Fields } from "../practice-file/practice-file.ts";
import type { Step } from "../transcript.ts";
import { user } from "../users/bodies.ts";
import { type Json, required } from "./bodies.ts";

/** Requests of goals in transcripts. */

/** A patient with a treatment plan. */
export const plan: Fields[] = [
  user("usr_kid", "PATIENT"),
  { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_kid" },
];

/** The body that creates a goal of a type: the required fields, and more. */
export const bodyOf = (type: GoalType, more: Json = {}): Json => ({
  ...{ treatmentPlanId: "tp_1", ...required[type], ...more },
});

/** A goal of a practice file. Its metrics are `metric_baseline` and so on. */
export function line(publicId: string, goalType: GoalType, more: Fields = {}): Fields {
  const { type, ...fields } = required[goalType];
  const named = Object.entries(fields).map(([name, value]) => [
    name,
    name.endsWith("Metric")
      ? { publicId: `metric_${name.slice(0, -6)}`, ...(value as Json) }
      : value,
  ]);
  const goal = { ...(Object.fromEntries(named) as Fields), goalType, publicId };
  return { ...{ type: "goal", treatmentPlanId: "tp_1" }, ...goal, ...more };
}

/** A goal below another one. */
export function child(publicId: string, more: Fields = {}): Fields {
  const { type, treatmentPlanId, ...fields } = line(publicId, "opportunity", more);
  return fields;
}

export const post = (type: GoalType, more: Json, status: number, body: unknown): Step => [
  "CLINICIAN: POST goals",
  bodyOf(type, more),
  status,
  body,
];
export const patch = (id: string, more: object | string, status: number, body?: unknown): Step => [
  `CLINICIAN: PATCH goals/${id}`,
  more,
  status,
  body,
];
export const get = (id: string, body: unknown): Step => [`CLINICIAN: GET goals/${id}`, 200, body];
/** The response of an unknown goal. */
export const unknown = { error: "Goal not found" };
