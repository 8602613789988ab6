import type { Db } from "../../db/database.ts";
import { readPage } from "../../db/page.ts";
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
  page: PageSlice,
) {
  const list = selectMatching(db, organizationId, filter);
  const rows = list
    .select(["public_id as publicId", "patient_id as patientId", "name"])
    .orderBy("public_id");
  return readPage(list, rows, page);
}
