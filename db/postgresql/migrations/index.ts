import type { Migration } from "../../migration.ts";
import { tables } from "./0013_tables.ts";
import { triggers } from "./0013_triggers.ts";
import { keySuccessors } from "./0014_key_successors.ts";

/** Every step in order: what SQLite's had made up to the thirteenth, and from there on steps named as they are. */
export const migrations: readonly Migration[] = [tables, triggers, keySuccessors];
