import { me } from "./me.ts";
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
