import type { Migration } from "../../migration.ts";

/** As SQLite's step of this name; what made a hash and an id unique among all organizations is in this table now. */
export const keyOrganizations: Migration = {
  name: "0015_key_organizations",
  statements: [
    `create table key_organizations (
      hash text not null primary key,
      key_id text not null unique,
      organization_id text not null
    )`,
    `insert into key_organizations (hash, key_id, organization_id)
      select hash, id, organization_id from api_keys`,
    `alter table api_keys
      drop constraint api_keys_hash_key,
      drop constraint api_keys_id_key,
      add unique (organization_id, hash)`,
  ],
};
