import { addDays, type CalendarDate, today } from "./dates.ts";
import { me, practiceZone } from "./me.ts";
import type { Role } from "./people.ts";
import type { Me } from "./wire.ts";

/** What the signed-in person may do. The API enforces this; the page only hides what it would refuse. */

/** The table of the API, set when the page is bundled. */
declare const CREATABLE_ROLES: Record<Role, readonly Role[]>;

/** Whether the holder of the key may write records of a type. */
export function mayWrite(type: Me["writes"][number]): boolean {
  return me().writes.includes(type);
}

/** The roles of people whom the role of the key may create. */
export function creatableRoles(): readonly Role[] {
  return CREATABLE_ROLES[me().key.role];
}

/** The roles of people whom the holder of the key may make and change. */
export function writableRoles(): readonly Role[] {
  return mayWrite("user") ? creatableRoles() : [];
}

/** The roles that document their own days, and do not plan. */
const OWN_DAY_ROLES: readonly Role[] = ["CLINICIAN", "TECHNICIAN"];

/** How long one may document one's own sessions, in days before today. */
const OWN_DAYS = 14;

/** Whether sessions may be made, moved to another day, given to others and deleted. */
export function mayPlan(): boolean {
  return mayWrite("session") && !OWN_DAY_ROLES.includes(me().key.role);
}

/** Whether what happened on a day may be written: clinicians and technicians only for the last days. */
export function mayDocument(type: "session" | "encounter", day: CalendarDate): boolean {
  if (!mayWrite(type) || !OWN_DAY_ROLES.includes(me().key.role)) return mayWrite(type);
  const now = today(practiceZone());
  return addDays(now, -OWN_DAYS) <= day && day <= now;
}
