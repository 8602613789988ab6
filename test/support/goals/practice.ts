import { newApiKey, newOrganization, newTreatmentPlan } from "../factories.ts";
import { type Answer, newService } from "../harness.ts";
import type { GoalType } from "../../../src/goals/models/common.ts";
import { goalsIn } from "../../../src/goals/document.ts";
import { findPlaces, readDocument } from "../../../src/goals/repository.ts";
import { type Json, required } from "./bodies.ts";

/** A practice with a treatment plan and a clinician's key, in a new service. */
export async function newPractice() {
  const service = await newService();
  const { database } = service;
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization, "CLINICIAN");
  const treatmentPlanId = await newTreatmentPlan(database, organization);

  /** The body that creates a goal of a type: the required fields, and more. */
  const bodyOf = (type: GoalType, more: Json = {}): Json => ({
    treatmentPlanId,
    ...required[type],
    ...more,
  });
  const create = (json: unknown): Promise<Answer> =>
    service.call("POST /api/v1/goals", { key, json });
  const update = (publicId: string, json: unknown): Promise<Answer> =>
    service.call(`PATCH /api/v1/goals/${publicId}`, { key, json });
  const remove = (publicId: string): Promise<Answer> =>
    service.call(`DELETE /api/v1/goals/${publicId}`, { key });

  /** The stored goal or child goal, as an export writes it; undefined if there is none. */
  const storedGoal = (publicId: string): Promise<Json | undefined> =>
    database.read(async (db) => {
      const [place] = await findPlaces(db, organization, [publicId]);
      if (place === undefined) return undefined;
      const tree = await readDocument(db, organization, place.top);
      return goalsIn(tree).find(({ goal }) => goal.publicId === publicId)?.goal;
    });

  return {
    service,
    database,
    organization,
    key,
    treatmentPlanId,
    bodyOf,
    create,
    update,
    remove,
    storedGoal,
  };
}
