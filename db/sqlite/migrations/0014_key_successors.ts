import type { Migration } from "../../migration.ts";

/**
 * The key that a rotation made in the place of another: a key is rotated once. SQLite adds no column that a foreign
 * key of two is on; keys are never deleted, so it cannot lead nowhere.
 */
export const keySuccessors: Migration = {
  name: "0014_key_successors",
  statements: ["alter table api_keys add column successor_id text"],
};
