import type { Migration } from "../../migration.ts";
import { tables } from "./0013_tables.ts";
import { triggers } from "./0013_triggers.ts";
import { commonSteps } from "../../common-steps.ts";

/** Every step in order: what SQLite's had made up to the thirteenth, and then those of both. */
export const migrations: readonly Migration[] = [tables, triggers, ...commonSteps];
