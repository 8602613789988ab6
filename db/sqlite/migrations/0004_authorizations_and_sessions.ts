import type { Migration } from "../../migration.ts";

export const authorizationsAndSessions: Migration = {
  name: "0004_authorizations_and_sessions",
  statements: [
    `create table authorization_pools (
      organization_id text not null,
      public_id text not null,
      patient_id text not null,
      payor_id text not null,
      total_units real not null,
      unit_frequency text not null,
      is_unlimited integer not null,
      primary key (organization_id, public_id),
      unique (organization_id, patient_id, public_id),
      foreign key (organization_id, patient_id) references users (organization_id, public_id),
      foreign key (organization_id, payor_id) references payors (organization_id, public_id)
    ) strict`,

    // The patient is part of the reference to the pool: a pool's members are its own patient's.
    `create table authorizations (
      organization_id text not null,
      public_id text not null,
      patient_id text not null,
      authorization_pool_id text,
      authorization_number text not null,
      authorization_status text not null,
      authorized_units_quantity real,
      authorized_unit_frequency text,
      service_line_id text not null,
      authorization_date text not null,
      authorization_expiration_date text not null,
      primary key (organization_id, public_id),
      check (authorization_date <= authorization_expiration_date),
      foreign key (organization_id, patient_id) references users (organization_id, public_id),
      foreign key (organization_id, patient_id, authorization_pool_id)
        references authorization_pools (organization_id, patient_id, public_id),
      foreign key (organization_id, service_line_id) references service_lines (organization_id, public_id)
    ) strict`,
    `create index authorizations_by_patient
      on authorizations (organization_id, patient_id, authorization_date, public_id)`,
    `create index authorizations_by_pool
      on authorizations (organization_id, authorization_pool_id, authorization_date, public_id)
      where authorization_pool_id is not null`,

    `create table sessions (
      organization_id text not null,
      public_id text not null,
      title text not null,
      status text not null,
      start_time text not null,
      end_time text not null,
      is_supervision integer not null,
      is_client_present integer not null,
      place_of_service text not null,
      location_id text not null,
      technician_id text,
      client_id text,
      is_billable integer not null,
      is_telehealth integer,
      clinician_id text,
      provider_location_id text,
      service_line_id text,
      non_billable_code_id text,
      authorization_id text,
      primary key (organization_id, public_id),
      check (start_time <= end_time),
      check ((service_line_id is not null) = is_billable),
      check ((non_billable_code_id is null) = is_billable),
      foreign key (organization_id, location_id) references locations (organization_id, public_id),
      foreign key (organization_id, technician_id) references users (organization_id, public_id),
      foreign key (organization_id, client_id) references users (organization_id, public_id),
      foreign key (organization_id, clinician_id) references users (organization_id, public_id),
      foreign key (organization_id, provider_location_id) references locations (organization_id, public_id),
      foreign key (organization_id, service_line_id) references service_lines (organization_id, public_id),
      foreign key (organization_id, non_billable_code_id)
        references non_billable_codes (organization_id, public_id),
      foreign key (organization_id, authorization_id) references authorizations (organization_id, public_id)
    ) strict`,
    `create index sessions_by_start on sessions (organization_id, start_time, public_id)`,
    sessionsOf("client_id"),
    sessionsOf("technician_id"),
    sessionsOf("clinician_id"),
    // Covers what utilization reads of a session.
    `create index sessions_by_authorization
      on sessions (organization_id, authorization_id, start_time, end_time, status)
      where authorization_id is not null`,

    `create table encounters (
      organization_id text not null,
      public_id text not null,
      authorization_id text not null,
      session_id text,
      start_time text not null,
      units real not null check (units >= 0),
      primary key (organization_id, public_id),
      foreign key (organization_id, authorization_id) references authorizations (organization_id, public_id),
      foreign key (organization_id, session_id) references sessions (organization_id, public_id)
    ) strict`,
    `create index encounters_by_authorization
      on encounters (organization_id, authorization_id, start_time, units)`,

    // Totals of session lists by UTC day of the start, kept by triggers in the transaction of each write.
    `create table session_counts (
      organization_id text not null,
      day text not null,
      sessions integer not null,
      primary key (organization_id, day)
    ) strict, without rowid`,
    `create trigger sessions_count_insert after insert on sessions begin
      ${countSession("new", 1)}
    end`,
    `create trigger sessions_count_delete after delete on sessions begin
      ${countSession("old", -1)}
    end`,
    `create trigger sessions_count_update after update of start_time on sessions
      when substr(old.start_time, 1, 10) <> substr(new.start_time, 1, 10) begin
      ${countSession("old", -1)}
      ${countSession("new", 1)}
    end`,
  ],
};

function sessionsOf(column: string): string {
  return `create index sessions_by_${column.replace("_id", "")}
    on sessions (organization_id, ${column}, start_time, public_id) where ${column} is not null`;
}

function countSession(row: "old" | "new", change: 1 | -1): string {
  return `insert into session_counts (organization_id, day, sessions)
    values (${row}.organization_id, substr(${row}.start_time, 1, 10), ${change})
    on conflict do update set sessions = sessions + excluded.sessions;`;
}
