import type { User } from "./wire.ts";

/** The records that the page writes. */
export type Written = "session" | "encounter";

/** Who may write which of them. It is the API that refuses; the page offers nobody what it would refuse. */
export const WRITERS: Record<Written, readonly User["role"][]> = {
  session: ["ADMIN", "SCHEDULING_MANAGER", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN"],
  encounter: ["ADMIN", "BILLING_MANAGER", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN"],
};
