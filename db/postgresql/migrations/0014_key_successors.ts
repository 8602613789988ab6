import type { Migration } from "../../migration.ts";

/** As SQLite's step of this name. */
export const keySuccessors: Migration = {
  name: "0014_key_successors",
  statements: ["alter table api_keys add column successor_id text"],
};
