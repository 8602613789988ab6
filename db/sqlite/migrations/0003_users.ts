import type { Migration } from "../../migration.ts";

/**
 * Users of all roles in one table, as the specification lists them together. References between users are
 * checked at the commit, since a practice file may name users that stand further down.
 */
export const users: Migration = {
  name: "0003_users",
  statements: [
    `create table users (
      organization_id text not null references organizations (public_id),
      public_id text not null,
      role text not null check (role in (
        'ADMIN', 'BILLING_MANAGER', 'SCHEDULING_MANAGER', 'CLINICIAN', 'TECHNICIAN', 'PATIENT', 'CAREGIVER',
        'CLINICAL_ADMIN', 'PAYROLL_ADMIN', 'CLINICAL_SUPERADMIN'
      )),
      first_name text not null,
      last_name text not null,
      email text,
      email_key text,
      phone_number text,
      is_active integer not null,
      user_status text,
      sex text,
      birth_date text,
      caregiver_id text,
      address_line1 text,
      address_line2 text,
      city text,
      state text,
      postal_code text,
      country text,
      time_zone text,
      internal_record_id text,
      primary_clinician_id text,
      primary_location_id text,
      npi_number text,
      should_send_sms integer not null,
      recertification_date text,
      compliance_credentials text,
      search_text text not null,
      created_at text not null,
      updated_at text not null,
      primary key (organization_id, public_id),
      unique (organization_id, email_key),
      foreign key (organization_id, caregiver_id) references users (organization_id, public_id)
        deferrable initially deferred,
      foreign key (organization_id, primary_clinician_id) references users (organization_id, public_id)
        deferrable initially deferred,
      foreign key (organization_id, primary_location_id) references locations (organization_id, public_id)
    ) strict`,
    `create index users_by_creation on users (organization_id, created_at, public_id)`,
    `create index users_by_update on users (organization_id, updated_at, public_id)`,
    `create index users_by_role on users (organization_id, role, created_at, public_id)`,

    link("user_locations", "user_id", "location_id", "locations"),
    link("provider_specializations", "user_id", "specialization_id", "specializations"),
    link("provider_payors", "user_id", "payor_id", "payors"),
    link("patient_clinicians", "patient_id", "clinician_id", "users"),
    link("care_team_links", "clinician_id", "technician_id", "users"),
    `create index care_team_links_by_technician
      on care_team_links (organization_id, technician_id, clinician_id)`,

    `create table patient_payors (
      organization_id text not null,
      patient_id text not null,
      position integer not null,
      payor_id text not null,
      priority text not null,
      relationship_to_patient text not null,
      insured_birth_date text not null,
      insured_address text not null,
      member_id text not null,
      group_id text not null,
      plan_holder text not null,
      effective_start_date text not null,
      effective_end_date text,
      primary key (organization_id, patient_id, position),
      foreign key (organization_id, patient_id) references users (organization_id, public_id),
      foreign key (organization_id, payor_id) references payors (organization_id, public_id)
    ) strict`,

    `create table provider_credentials (
      organization_id text not null,
      user_id text not null,
      position integer not null,
      credential_type text not null,
      practice_area text not null,
      credential_number text not null,
      expires_at text not null,
      credential_status text not null,
      primary key (organization_id, user_id, position),
      foreign key (organization_id, user_id) references users (organization_id, public_id)
    ) strict`,
    `create table payor_credentialing (
      organization_id text not null,
      user_id text not null,
      credential_position integer not null,
      position integer not null,
      public_id text not null,
      payor_id text not null,
      status text not null,
      start_date text not null,
      end_date text,
      notes text,
      primary key (organization_id, user_id, credential_position, position),
      foreign key (organization_id, user_id, credential_position)
        references provider_credentials (organization_id, user_id, position) on delete cascade,
      foreign key (organization_id, payor_id) references payors (organization_id, public_id)
    ) strict`,

    // Totals of user lists, kept by triggers in the transaction of each write, so that no list counts rows.
    `create table user_counts (
      organization_id text not null,
      role text not null,
      is_active integer not null,
      users integer not null,
      primary key (organization_id, role, is_active)
    ) strict, without rowid`,
    `create trigger users_count_insert after insert on users begin
      ${countUser("new", 1)}
    end`,
    `create trigger users_count_delete after delete on users begin
      ${countUser("old", -1)}
    end`,
    `create trigger users_count_update after update of role, is_active on users
      when old.role <> new.role or old.is_active <> new.is_active begin
      ${countUser("old", -1)}
      ${countUser("new", 1)}
    end`,
  ],
};

function link(table: string, from: string, to: string, target: string): string {
  return `create table ${table} (
    organization_id text not null,
    ${from} text not null,
    ${to} text not null,
    primary key (organization_id, ${from}, ${to}),
    foreign key (organization_id, ${from}) references users (organization_id, public_id)
      deferrable initially deferred,
    foreign key (organization_id, ${to}) references ${target} (organization_id, public_id)
      deferrable initially deferred
  ) strict, without rowid`;
}

function countUser(row: "old" | "new", change: 1 | -1): string {
  return `insert into user_counts (organization_id, role, is_active, users)
    values (${row}.organization_id, ${row}.role, ${row}.is_active, ${change})
    on conflict do update set users = users + excluded.users;`;
}
