import { hasOwnDay } from "../base/home.ts";
import { me } from "../base/me.ts";
import { creatableRoles, mayWrite } from "../base/rights.ts";
import type { Role } from "../base/wire.ts";
import { PRACTICE_TYPES } from "./practice.ts";

/** The places of the page, and who is offered which. */

export interface Place {
  /** The first part of the paths of its views. */
  path: string;
  name: string;
  /** Whether it is offered to who is signed in; to everybody if left out. */
  isOffered?: () => boolean;
}

const isAdmin = (): boolean => me().key.role === "ADMIN";

const PLACES: readonly Place[] = [
  { path: "today", name: "My day", isOffered: hasOwnDay },
  { path: "attention", name: "Attention" },
  { path: "schedule", name: "Schedule" },
  { path: "utilization", name: "Utilization" },
  { path: "delivered", name: "Delivered" },
  { path: "billing", name: "Billing" },
  { path: "supervision", name: "Supervision" },
  { path: "people", name: "People" },
  { path: "goals", name: "Goals" },
  { path: "leads", name: "Leads", isOffered: () => creatableRoles().includes("PATIENT") },
  { path: "changes", name: "Changes", isOffered: isAdmin },
  { path: "done", name: "Done", isOffered: () => me().writes.length > 0 },
  { path: "import", name: "Import", isOffered: isAdmin },
  { path: "practice", name: "Practice", isOffered: () => PRACTICE_TYPES.some(mayWrite) },
  { path: "access", name: "Access", isOffered: isAdmin },
];

/** What each role does most, in this order; of others what an administrator does. */
const FIRST: Partial<Record<Role, readonly string[]>> = {
  BILLING_MANAGER: ["billing", "attention", "delivered", "utilization"],
  SCHEDULING_MANAGER: ["schedule", "attention", "people", "supervision"],
  TECHNICIAN: ["today", "schedule", "people", "utilization"],
  CLINICIAN: ["today", "goals", "schedule", "people"],
  PAYROLL_ADMIN: ["delivered", "schedule", "supervision", "people"],
};
const FIRST_OF_OTHERS = ["attention", "schedule", "people", "billing"];

/** The places for who is signed in: those that their role needs most, then all others. */
export function placesOffered(): { first: Place[]; rest: Place[] } {
  if (!hasViews()) return { first: [], rest: [] };
  const order = FIRST[me().key.role] ?? FIRST_OF_OTHERS;
  const all = PLACES.filter(({ isOffered }) => isOffered?.() ?? true);
  const first = order.flatMap((path) => all.find((each) => each.path === path) ?? []);
  return { first, rest: all.filter((each) => !first.includes(each)) };
}

/** The API answers people who are treated here, and their families, nothing that a view shows. */
export function hasViews(): boolean {
  return !["PATIENT", "CAREGIVER"].includes(me().key.role);
}
