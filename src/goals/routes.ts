import { endpoint } from "../http/endpoint.ts";
import { InvalidInput } from "../lib/errors.ts";
import { parse, UPDATE } from "../schema/validation.ts";
import { creationExamples, updateExamples } from "./examples.ts";
import { Goal, GoalDeletion, GoalPath, GoalUpdate, goalUpdates, NewGoal } from "./model.ts";
import type { GoalType } from "./models/common.ts";
import { deleteGoalRow } from "./repository.ts";
import { createGoal, requireGoal, requirePatientOfPlan, updateGoal } from "./service.ts";

const createGoalEndpoint = endpoint({
  method: "POST",
  path: "/v1/goals",
  operationId: "createGoal",
  tag: "Goals",
  summary: "Create a goal",
  description:
    "Puts a goal on a treatment plan. `type` says of which kind, and with it which fields the body takes.",
  permission: "writeGoals",
  errorStyle: "goal",
  body: NewGoal,
  examples: creationExamples,
  status: 201,
  answer: Goal,
  async write(trx, { principal: { organizationId }, body, now, patientIds }) {
    patientIds.add(await requirePatientOfPlan(trx, organizationId, body.treatmentPlanId));
    return createGoal(trx, organizationId, body, now);
  },
});

const updateGoalEndpoint = endpoint({
  method: "PATCH",
  path: "/v1/goals/{goalId}",
  operationId: "updateGoal",
  tag: "Goals",
  summary: "Update a goal",
  description:
    "Changes the fields that the body gives; all others stay as they are. The fields taken are those of the goal's kind, which cannot change. Null clears a field that may be left out when a goal is created.",
  permission: "writeGoals",
  errorStyle: "goal",
  params: GoalPath,
  body: GoalUpdate,
  checksOwnBody: true,
  examples: updateExamples,
  status: 200,
  answer: Goal,
  refusals: { 404: "The organization has no goal with this id." },
  async write(trx, { principal: { organizationId }, params, body, now, patientIds }) {
    const goal = await requireGoal(trx, organizationId, params.goalId);
    patientIds.add(await requirePatientOfPlan(trx, organizationId, goal.treatment_plan_id));
    return updateGoal(trx, goal, checkedUpdate(goal.type as GoalType, body), now);
  },
});

/** @throws InvalidInput */
function checkedUpdate(type: GoalType, body: unknown): GoalUpdate {
  const parsed = parse(goalUpdates[type], body, UPDATE);
  if ("issues" in parsed) throw new InvalidInput(parsed.issues);
  return parsed.value;
}

const deleteGoalEndpoint = endpoint({
  method: "DELETE",
  path: "/v1/goals/{goalId}",
  operationId: "deleteGoal",
  tag: "Goals",
  summary: "Delete a goal",
  description:
    "Deletes a goal of any kind for good: its metrics, its child goals, and what was recorded on any of them.",
  permission: "writeGoals",
  errorStyle: "goal",
  params: GoalPath,
  status: 200,
  answer: GoalDeletion,
  refusals: { 404: "The organization has no goal with this id." },
  async write(trx, { principal: { organizationId }, params, patientIds }) {
    const goal = await requireGoal(trx, organizationId, params.goalId);
    patientIds.add(await requirePatientOfPlan(trx, organizationId, goal.treatment_plan_id));
    await deleteGoalRow(trx, goal);
    return { success: true } as const;
  },
});

export const goalEndpoints = [createGoalEndpoint, updateGoalEndpoint, deleteGoalEndpoint];
