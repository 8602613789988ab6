import type { Migration } from "../../migration.ts";

/**
 * Whose each key is. A key is looked up before its organization is known, and where organizations are on many servers,
 * only this table is on all of them.
 */
export const keyOrganizations: Migration = {
  name: "0015_key_organizations",
  statements: [
    `create table key_organizations (
      hash text not null primary key,
      key_id text not null unique,
      organization_id text not null
    ) strict, without rowid`,
    `insert into key_organizations (hash, key_id, organization_id)
      select hash, id, organization_id from api_keys`,
  ],
};
