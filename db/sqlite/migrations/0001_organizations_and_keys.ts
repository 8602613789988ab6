import type { Migration } from "../../migration.ts";

export const organizationsAndKeys: Migration = {
  name: "0001_organizations_and_keys",
  statements: [
    `create table organizations (
      public_id text not null primary key,
      name text not null,
      time_zone text,
      week_starts_on text not null,
      created_at text not null
    ) strict`,

    // A key is found by its hash before its organization is known, so its hash alone is unique.
    `create table api_keys (
      organization_id text not null references organizations (public_id),
      id text not null unique,
      hash text not null unique,
      name text not null,
      role text not null,
      user_id text,
      created_at text not null,
      last_used_at text,
      expires_at text,
      revoked_at text,
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references users (organization_id, public_id)
    ) strict`,

    // Answers of POSTs that carried an Idempotency-Key.
    `create table idempotent_answers (
      organization_id text not null references organizations (public_id),
      route text not null,
      idempotency_key text not null,
      body_hash text not null,
      status integer not null,
      answer text not null,
      patient_ids text not null,
      created_at text not null,
      primary key (organization_id, route, idempotency_key)
    ) strict`,
    `create index idempotent_answers_by_age on idempotent_answers (organization_id, created_at)`,
  ],
};
