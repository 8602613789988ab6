import type { Migration } from "../../migration.ts";

/** The subjects that some authorizations are, or make together. */
function subjectsOf(condition: string): string {
  return `insert into utilization_subjects (
      organization_id, subject, public_id, patient_id, patient_is_active, patient_time_zone, start_date, end_date
    )
    select member.organization_id,
      case when member.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end as subject,
      coalesce(member.authorization_pool_id, member.public_id) as subject_id,
      member.patient_id, patient.is_active, patient.time_zone,
      min(member.authorization_date), max(member.authorization_expiration_date)
    from authorizations as member
    join users as patient
      on patient.organization_id = member.organization_id and patient.public_id = member.patient_id
    where ${condition}
    group by 1, 2, 3, 4, 5, 6`;
}

const add = `${subjectsOf(
  "member.organization_id = new.organization_id and member.public_id = new.public_id",
)}
  on conflict do update
    set start_date = min(start_date, excluded.start_date), end_date = max(end_date, excluded.end_date);`;

/** Its pool, if it was in one, is made anew of the members that it still has. */
const remove = `delete from utilization_subjects
    where organization_id = old.organization_id
      and subject = case when old.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end
      and public_id = coalesce(old.authorization_pool_id, old.public_id);
  ${subjectsOf(
    "member.organization_id = old.organization_id and member.authorization_pool_id = old.authorization_pool_id",
  )};`;

/**
 * What has units of its own to use up: an authorization that is in no pool, or a pool with members, which lives from
 * the earliest start to the latest expiration of these. Triggers keep them in the transaction of each write, with what
 * chooses among them of their patient. Which are alive on a day, and in what order they end, is then read from one
 * index, where pools would otherwise have to be put together from all authorizations each time.
 */
export const utilizationSubjects: Migration = {
  name: "0013_utilization_subjects",
  statements: [
    `create table utilization_subjects (
      organization_id text not null,
      subject text not null check (subject in ('AUTHORIZATION', 'POOL')),
      public_id text not null,
      patient_id text not null,
      patient_is_active integer not null,
      patient_time_zone text,
      start_date text not null,
      end_date text not null,
      primary key (organization_id, public_id, subject)
    ) strict`,
    subjectsOf("true"),
    // All that it takes to find the subjects of a page, in any time zone.
    `create index utilization_subjects_by_end on utilization_subjects
      (organization_id, patient_is_active, end_date, public_id, subject, start_date, patient_time_zone)`,
    `create index utilization_subjects_by_patient on utilization_subjects
      (organization_id, patient_id, end_date, public_id)`,

    `create index authorizations_by_subject on authorizations
      (organization_id, cast(coalesce(authorization_pool_id, public_id) as text), authorization_date, public_id)`,

    `create trigger utilization_subjects_insert after insert on authorizations begin
      ${add}
    end`,
    `create trigger utilization_subjects_delete after delete on authorizations begin
      ${remove}
    end`,
    `create trigger utilization_subjects_update
      after update of patient_id, authorization_pool_id, authorization_date, authorization_expiration_date
      on authorizations
      when old.patient_id <> new.patient_id
        or old.authorization_pool_id is not new.authorization_pool_id
        or old.authorization_date <> new.authorization_date
        or old.authorization_expiration_date <> new.authorization_expiration_date
      begin
      ${remove}
      ${add}
    end`,
    `create trigger utilization_subjects_patient after update of is_active, time_zone on users
      when old.is_active <> new.is_active or old.time_zone is not new.time_zone begin
      update utilization_subjects
        set patient_is_active = new.is_active, patient_time_zone = new.time_zone
        where organization_id = new.organization_id and patient_id = new.public_id;
    end`,

    // Tells the sessions that were delivered.
    `create index encounters_by_session on encounters (organization_id, session_id, authorization_id)
      where session_id is not null`,
    // With the id, to look for their encounters, and in its place, so that it is the order of lists, too.
    `drop index sessions_by_authorization`,
    `create index sessions_by_authorization on sessions
      (organization_id, authorization_id, start_time, public_id, end_time, status)
      where authorization_id is not null`,

    // The orders of what else is listed.
    ...["locations", "payors", "service_lines", "non_billable_codes", "intake_labels"].map(
      (table) => `create index ${table}_by_name on ${table} (organization_id, name, public_id)`,
    ),
    `create index intake_stages_by_position on intake_stages (organization_id, position, public_id)`,
    `create index treatment_plans_by_patient
      on treatment_plans (organization_id, patient_id, public_id)`,
    `create index goals_without_parent on goals (organization_id, public_id)
      where parent_goal_id is null`,
    `create index goals_without_parent_by_plan on goals (organization_id, treatment_plan_id, public_id)
      where parent_goal_id is null`,
  ],
};
