import type { GoalRecord, TreatmentPlanRecord } from "../practice-file/model.ts";
import { patientId } from "./client.ts";
import type { Clinic } from "./clinic.ts";
import { behaviorGoal } from "./goals/behavior-goal.ts";
import { treatmentPlanId } from "./goals/frame.ts";
import { learners } from "./goals/learner.ts";
import { intervalGoal, ratingGoal } from "./goals/observed-goals.ts";
import { chainedSkillGoal, singleSkillGoal } from "./goals/skill-goals.ts";

/** A treatment plan for everybody whose therapy has begun. */
export function* treatmentPlans(clinic: Clinic): Generator<TreatmentPlanRecord> {
  for (const { client } of learners(clinic))
    yield {
      type: "treatmentPlan",
      publicId: treatmentPlanId(client),
      patientId: patientId(client.number),
      name: `Treatment plan ${client.startDate.slice(0, 4)}`,
    };
}

/** Five goals a plan, of every kind: of skills one that is taught in steps and one in a piece. */
export function* goals(clinic: Clinic): Generator<GoalRecord> {
  for (const learner of learners(clinic)) {
    yield behaviorGoal(learner, 1);
    yield chainedSkillGoal(learner, 2);
    yield singleSkillGoal(learner, 3);
    yield ratingGoal(learner, 4);
    yield intervalGoal(learner, 5);
  }
}
