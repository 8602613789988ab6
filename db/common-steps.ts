import type { Migration } from "./migration.ts";

/**
 * The steps that both engines take since PostgreSQL is one of them, in order, after those of each one's own folder.
 * They are said in what both understand. A step that was released never changes, and takes nothing from the program,
 * since it must do the same in years.
 */
export const commonSteps: readonly Migration[] = [
  {
    // The key that a rotation made in the place of another: a key is rotated once. SQLite adds no column that a
    // foreign key of two is on; keys are never deleted, so it cannot lead nowhere.
    name: "0014_key_successors",
    statements: ["alter table api_keys add column successor_id text"],
  },
];
