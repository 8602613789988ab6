import type { Migration } from "../../migration.ts";

/** What an organization sets up once and other records name. */
export const referenceData: Migration = {
  name: "0002_reference_data",
  statements: [
    named("locations"),
    named("payors"),
    named("service_lines", "billing_unit_minutes integer check (billing_unit_minutes > 0),"),
    named("non_billable_codes"),
    named("specializations", "is_active integer not null,"),
    `create index specializations_by_name on specializations (organization_id, name, public_id)`,
    named(
      "intake_stages",
      "built_in_key text, position integer not null, is_active integer not null,",
    ),
    named("intake_labels"),
  ],
};

function named(table: string, columns = ""): string {
  return `create table ${table} (
    organization_id text not null references organizations (public_id),
    public_id text not null,
    name text not null,
    ${columns}
    primary key (organization_id, public_id)
  ) strict`;
}
