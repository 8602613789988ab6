import { dateOf, today } from "./dates.ts";
import { isDocumentable } from "./own-days.ts";
import { me, practiceZone } from "./me.ts";
import type { Reach } from "../../../../callers/permissions.ts";
import type { Me, Role, Session } from "./wire.ts";

/** What the signed-in person may do. The API enforces this; the page only hides what it would refuse. */

/** The tables of the API, set when the page is bundled. */
declare const CREATABLE_ROLES: Record<Role, readonly Role[]>;
declare const BILLING_ROLES: readonly Role[];
declare const SUPPORT_ROLES: readonly Role[];
declare const GOAL_ROLES: readonly Role[];
declare const LIMITED_ROLES: Record<string, readonly Role[]>;
declare const PRACTICE_FILE_REACH: Record<Role, Partial<Record<RecordType, Reach>>>;

type RecordType = Me["writes"][number];

/** Which records of a type the holder of the key may write; undefined for none. */
function reachOf(type: RecordType): Reach | undefined {
  return me().writes.includes(type) ? PRACTICE_FILE_REACH[me().key.role][type] : undefined;
}

/** Whether the holder of the key may write at least some records of a type. */
export function mayWrite(type: RecordType): boolean {
  return reachOf(type) !== undefined;
}

/** Whether people of a role see own patients only, by the practice's setting. */
export function seesOwnPatientsOnly(role: Role, setting: unknown): boolean {
  return typeof setting === "string" && LIMITED_ROLES[setting]?.includes(role) === true;
}

/** The roles of people whom the role of the key may create. */
export function creatableRoles(): readonly Role[] {
  return CREATABLE_ROLES[me().key.role];
}

/** The roles of people whom the holder of the key may make and change. */
export function writableRoles(): readonly Role[] {
  return mayWrite("user") ? creatableRoles() : [];
}

/** Whether sessions may be made, moved to another day, given to others and deleted. */
export function mayPlan(): boolean {
  return reachOf("session") === "ALL";
}

/** Whether sessions may be put on another authorization of their patient. */
export function mayPutOnAuthorization(): boolean {
  return mayPlan() || reachOf("session") === "AUTHORIZATION";
}

/** Whether what was handed over for billing may be changed. */
export function mayBill(): boolean {
  return mayWrite("encounter") && BILLING_ROLES.includes(me().key.role);
}

/** Whether it may be read what supports a line, which says who changed what. */
export function maySupport(): boolean {
  return SUPPORT_ROLES.includes(me().key.role);
}

export function mayChangeGoals(): boolean {
  const { role, isReadOnly } = me().key;
  return !isReadOnly && GOAL_ROLES.includes(role);
}

/** Whether data of goals may be recorded. */
export function mayRecord(): boolean {
  const { role, userId, isReadOnly } = me().key;
  return mayChangeGoals() || (!isReadOnly && role === "TECHNICIAN" && userId !== null);
}

/** Whether encounters may go along with their sessions to another authorization. */
export function mayMoveEncounters(): boolean {
  return reachOf("encounter") === "ALL";
}

/** Whether what has become of a session may be written: in one's own days only of the last ones. */
export function mayDocument(type: "session" | "encounter", { startTime }: Session): boolean {
  const reach = reachOf(type);
  const zone = practiceZone();
  const isOfLastDays = (): boolean => isDocumentable(dateOf(startTime, zone), today(zone));
  return reach === "ALL" || (reach === "OWN_DAY" && isOfLastDays());
}
