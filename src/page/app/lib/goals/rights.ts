import { me } from "../base/me.ts";

/** Who may change goals, and record on them. The API enforces this; the page only hides what it would refuse. */

const WRITERS = ["ADMIN", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN", "CLINICIAN"];

export function mayChangeGoals(): boolean {
  const { role, isReadOnly } = me().key;
  return !isReadOnly && WRITERS.includes(role);
}

export function mayRecord(): boolean {
  const { role, userId, isReadOnly } = me().key;
  return mayChangeGoals() || (!isReadOnly && role === "TECHNICIAN" && userId !== null);
}
