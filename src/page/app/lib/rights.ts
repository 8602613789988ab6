import { me } from "./me.ts";
import type { Role } from "./people.ts";

/** The records that the page writes. */
export type Written = "session" | "encounter";

/** Who may write which of them. It is the API that refuses; the page offers nobody what it would refuse. */
export const WRITERS: Record<Written, readonly Role[]> = {
  session: ["ADMIN", "SCHEDULING_MANAGER", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN"],
  encounter: ["ADMIN", "BILLING_MANAGER", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN"],
};

/** Whether whose key it is may write records of a type. */
export function mayWrite(type: Written): boolean {
  const { role, isReadOnly } = me().key;
  return !isReadOnly && WRITERS[type].includes(role);
}
