import type { Db } from "../../db/database.ts";
import type { PageSlice } from "../lib/page.ts";

export interface TreatmentPlanFilter {
  patientId?: string;
}

function selectMatching(db: Db, organizationId: string, { patientId }: TreatmentPlanFilter) {
  return db
    .selectFrom("treatment_plans")
    .where("organization_id", "=", organizationId)
    .$if(patientId !== undefined, (query) => query.where("patient_id", "=", patientId as string));
}

/** One page of an organization's treatment plans, ordered by id. */
export function listTreatmentPlans(
  db: Db,
  organizationId: string,
  filter: TreatmentPlanFilter,
  { pageSize, offset }: PageSlice,
) {
  return selectMatching(db, organizationId, filter)
    .select(["public_id as publicId", "patient_id as patientId", "name"])
    .orderBy("public_id")
    .limit(pageSize)
    .offset(offset)
    .execute();
}

/** Counts the treatment plans that match the filter. */
export async function countTreatmentPlans(
  db: Db,
  organizationId: string,
  filter: TreatmentPlanFilter,
): Promise<number> {
  const { total } = await selectMatching(db, organizationId, filter)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}
