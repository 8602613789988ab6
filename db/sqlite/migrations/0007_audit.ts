import type { Migration } from "../../migration.ts";

/**
 * The audit trail: one chain of rows an organization. The empty organization holds what no key said whose it
 * was, so there is no reference to organizations.
 */
export const audit: Migration = {
  name: "0007_audit",
  statements: [
    `create table audit_entries (
      organization_id text not null,
      sequence integer not null,
      time text not null,
      request_id text not null,
      key_id text,
      user_id text,
      role text,
      method text not null,
      route text not null,
      status integer not null,
      patient_ids text not null,
      hash text not null,
      primary key (organization_id, sequence)
    ) strict, without rowid`,

    // Where each chain ends, so that rows cut off its end are missed.
    `create table audit_heads (
      organization_id text not null,
      sequence integer not null,
      hash text not null,
      primary key (organization_id)
    ) strict, without rowid`,
  ],
};
