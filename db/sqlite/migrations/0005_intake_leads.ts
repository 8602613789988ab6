import type { Migration } from "../../migration.ts";

export const intakeLeads: Migration = {
  name: "0005_intake_leads",
  statements: [
    `create table intake_leads (
      organization_id text not null,
      public_id text not null,
      client_id text not null,
      caregiver_id text not null,
      relationship text not null,
      stage_id text,
      attribution text,
      source text,
      channel text,
      campaign text,
      created_at text not null,
      primary key (organization_id, public_id),
      foreign key (organization_id, client_id) references users (organization_id, public_id),
      foreign key (organization_id, caregiver_id) references users (organization_id, public_id),
      foreign key (organization_id, stage_id) references intake_stages (organization_id, public_id)
    ) strict`,
    `create table intake_lead_labels (
      organization_id text not null,
      lead_id text not null,
      label_id text not null,
      primary key (organization_id, lead_id, label_id),
      foreign key (organization_id, lead_id) references intake_leads (organization_id, public_id),
      foreign key (organization_id, label_id) references intake_labels (organization_id, public_id)
    ) strict, without rowid`,
  ],
};
