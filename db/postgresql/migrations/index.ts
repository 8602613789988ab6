import type { Migration } from "../../migration.ts";
import { stepsOf } from "../../steps.ts";
import { tables } from "./0013_tables.ts";
import { triggers } from "./0013_triggers.ts";

/** Every step in order: what SQLite's had made up to the thirteenth, and then those since. */
export const migrations: readonly Migration[] = [tables, triggers, ...stepsOf("postgresql")];
