import { Elysia, t } from "elysia";
import { practice } from "../http/practice.ts";
import {
  goalBodyRefusals,
  goalCreationRefusals,
  goalRefusals,
  goalRefused,
} from "../http/responses.ts";
import { InvalidInput } from "../lib/errors.ts";
import { parse, UPDATE } from "../schema/validation.ts";
import { creationExamples, updateExamples } from "./examples.ts";
import { Goal, GoalDeletion, GoalPath, GoalUpdate, goalUpdates, NewGoal } from "./model.ts";
import type { GoalType } from "./models/common.ts";
import { deleteGoalRows } from "./repository.ts";
import { createGoal, requireGoal, requirePatientOfPlan, updateGoal } from "./service.ts";

const unknown = { 404: goalRefused("The organization has no goal with this id.") };

export const goals = new Elysia({ prefix: "/goals", tags: ["Goals"] })
  .use(practice)
  .post(
    "",
    ({ caller: { organizationId }, body, now, patientIds, write }) =>
      write(201, async (trx) => {
        patientIds.add(await requirePatientOfPlan(trx, organizationId, body.treatmentPlanId));
        return createGoal(trx, organizationId, body, now);
      }),
    {
      permission: "writeGoals",
      body: NewGoal,
      response: { 201: Goal, ...goalCreationRefusals },
      detail: {
        operationId: "createGoal",
        summary: "Create a goal",
        description:
          "Puts a goal on a treatment plan. `type` says of which kind, and with it which fields the body takes.",
        examples: creationExamples,
        links: { updateGoal: { goalId: "/publicId" }, deleteGoal: { goalId: "/publicId" } },
      },
    },
  )
  .patch(
    "/:goalId",
    ({ caller: { organizationId }, params, body, now, patientIds, write }) =>
      write(200, async (trx) => {
        const goal = await requireGoal(trx, organizationId, params.goalId);
        patientIds.add(await requirePatientOfPlan(trx, organizationId, goal.treatment_plan_id));
        return updateGoal(trx, goal, checkedUpdate(goal.type as GoalType, body), now);
      }),
    {
      permission: "writeGoals",
      params: GoalPath,
      // Which fields it takes depends on the kind of the stored goal.
      body: t.NoValidate(GoalUpdate),
      response: { 200: Goal, ...goalRefusals, ...goalBodyRefusals, ...unknown },
      detail: {
        operationId: "updateGoal",
        summary: "Update a goal",
        description:
          "Changes the fields that the body gives; all others stay as they are. The fields taken are those of the goal's kind, which cannot change. Null clears a field that may be left out when a goal is created.",
        examples: updateExamples,
        links: { deleteGoal: { goalId: "/publicId" } },
      },
    },
  )
  .delete(
    "/:goalId",
    ({ caller: { organizationId }, params, patientIds, write }) =>
      write(200, async (trx) => {
        const goal = await requireGoal(trx, organizationId, params.goalId);
        patientIds.add(await requirePatientOfPlan(trx, organizationId, goal.treatment_plan_id));
        await deleteGoalRows(trx, organizationId, [goal.public_id]);
        return { success: true } as const;
      }),
    {
      permission: "writeGoals",
      params: GoalPath,
      response: { 200: GoalDeletion, ...goalRefusals, ...unknown },
      detail: {
        operationId: "deleteGoal",
        summary: "Delete a goal",
        description:
          "Deletes a goal of any kind for good: its metrics, its child goals, and what was recorded on any of them.",
      },
    },
  );

/** @throws InvalidInput */
function checkedUpdate(type: GoalType, body: unknown): GoalUpdate {
  const parsed = parse(goalUpdates[type], body, UPDATE);
  if ("issues" in parsed) throw new InvalidInput(parsed.issues);
  return parsed.value;
}
