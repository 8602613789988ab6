import type { User } from "./wire.ts";

/** The records that the page writes. */
export type Written = "session" | "encounter" | "user" | "authorization";

/** Which roles may write them. The API enforces this; the page only hides what it would refuse. */
export const WRITERS: Record<Written, readonly User["role"][]> = {
  session: ["ADMIN", "SCHEDULING_MANAGER", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN"],
  encounter: ["ADMIN", "BILLING_MANAGER", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN"],
  user: ["ADMIN"],
  authorization: ["ADMIN", "BILLING_MANAGER"],
};
