import { join } from "node:path";
import {
  billingRoles,
  creatableRoles,
  limitedRoles,
  permissions,
  practiceFileReach,
} from "../callers/permissions.ts";
import { MAX_SHORT_TEXT } from "../schema/fields.ts";
import { recordDescriptions } from "./record-fields.ts";

/**
 * Bundles a file of the page for browsers: itself, and the parts of it that are loaded later, by their names. Runs as a
 * macro: when `assets.ts` is loaded from a checkout, or once during the build of the binary, which then contains only
 * the texts.
 *
 * A macro cannot call `Bun.build`: it would wait for the bundler, which waits for the macro.
 *
 * @throws Error with the bundler's output.
 */
export function bundled(file: string): Record<string, string> {
  const define = {
    "process.env.NODE_ENV": "'production'",
    RECORD_DESCRIPTIONS: JSON.stringify(recordDescriptions()),
    MAX_SHORT_TEXT: String(MAX_SHORT_TEXT),
    CREATABLE_ROLES: JSON.stringify(creatableRoles),
    BILLING_ROLES: JSON.stringify(billingRoles),
    SUPPORT_ROLES: JSON.stringify(permissions.readBillingSupport.roles),
    GOAL_ROLES: JSON.stringify(permissions.writeGoals.roles),
    LIMITED_ROLES: JSON.stringify(limitedRoles),
    PRACTICE_FILE_REACH: JSON.stringify(practiceFileReach),
  };
  const { stdout, stderr, exitCode } = Bun.spawnSync([
    process.execPath,
    join(import.meta.dir, "bundler.ts"),
    join(import.meta.dir, "app", file),
    JSON.stringify(define),
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString());
}
