import type { Migration } from "../../migration.ts";
import { tables } from "./0013_tables.ts";
import { triggers } from "./0013_triggers.ts";
import { commonSteps } from "../../common-steps.ts";
import { keyOrganizations } from "./0015_key_organizations.ts";

/** Every step in order: what SQLite's had made up to the thirteenth, then those of both, then its own. */
export const migrations: readonly Migration[] = [
  tables,
  triggers,
  ...commonSteps,
  keyOrganizations,
];
