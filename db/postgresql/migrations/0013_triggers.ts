import type { Migration } from "../../migration.ts";

/** What the hash of a chain without rows is. */
const NO_HASH = "0".repeat(64);

/**
 * Sums what a statement has changed, group by group, and adds each sum to the row of its group. The loop inserts single
 * rows, which is the one form that Citus takes, too.
 *
 * @param table counts, in a column `counted`, the rows of each group.
 * @param groups the columns of that table, and how a row of the changed table gives them.
 */
function addSums(table: string, counted: string, groups: Record<string, string>): string {
  const columns = Object.keys(groups);
  const values = Object.entries(groups).map(([column, value]) => `${value} as ${column}`);
  const sums = (rows: string) => `
        for changed in
          select ${columns.join(", ")}, sum(change) as change
          from (${rows}) as rows group by ${columns.join(", ")} having sum(change) <> 0
        loop
          insert into ${table} (${columns.join(", ")}, ${counted})
          values (${columns.map((column) => `changed.${column}`).join(", ")}, changed.change)
          on conflict (${columns.join(", ")}) do update set ${counted} = ${table}.${counted} + excluded.${counted};
        end loop;`;
  const added = `select ${values.join(", ")}, 1 as change from added`;
  const removed = `select ${values.join(", ")}, -1 as change from removed`;
  return `
      if tg_op = 'INSERT' then${sums(added)}
      elsif tg_op = 'DELETE' then${sums(removed)}
      else${sums(`${added} union all ${removed}`)}
      end if;`;
}

function newFunction(name: string, body: string): string {
  return `create function ${name}() returns trigger language plpgsql as $$
    declare changed record;
    begin${body}
      return null;
    end $$`;
}

/** A trigger a statement, for which PostgreSQL keeps the rows of before and after. */
function onEachStatement(table: string, run: string): string[] {
  return [
    `create trigger ${run}_insert after insert on ${table}
      referencing new table as added for each statement execute function ${run}()`,
    `create trigger ${run}_delete after delete on ${table}
      referencing old table as removed for each statement execute function ${run}()`,
    `create trigger ${run}_update after update on ${table}
      referencing old table as removed new table as added for each statement execute function ${run}()`,
  ];
}

/** The subjects that some authorizations are, or make together. */
function subjectsOf(condition: string): string {
  return `insert into utilization_subjects (
        organization_id, subject, public_id, patient_id, patient_is_active, patient_time_zone, start_date, end_date
      )
      select member.organization_id,
        case when member.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end,
        coalesce(member.authorization_pool_id, member.public_id),
        member.patient_id, patient.is_active, patient.time_zone,
        min(member.authorization_date), max(member.authorization_expiration_date)
      from authorizations as member
      join users as patient
        on patient.organization_id = member.organization_id and patient.public_id = member.patient_id
      where ${condition}
      group by 1, 2, 3, 4, 5, 6`;
}

const addSubject = `${subjectsOf(
  "member.organization_id = new.organization_id and member.public_id = new.public_id",
)}
      on conflict (organization_id, public_id, subject) do update set
        start_date = least(utilization_subjects.start_date, excluded.start_date),
        end_date = greatest(utilization_subjects.end_date, excluded.end_date);`;

/** Its pool, if it was in one, is made anew of the members that it still has. */
const removeSubject = `delete from utilization_subjects
        where organization_id = old.organization_id
          and subject = case when old.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end
          and public_id = coalesce(old.authorization_pool_id, old.public_id);
      ${subjectsOf(
        "member.organization_id = old.organization_id and member.authorization_pool_id = old.authorization_pool_id",
      )};`;

/** What SQLite's triggers do. */
export const triggers: Migration = {
  name: "0013_triggers",
  statements: [
    newFunction(
      "users_count",
      addSums("user_counts", "users", {
        organization_id: "organization_id",
        role: "role",
        is_active: "is_active",
      }) +
        addSums("user_month_counts", "users", {
          organization_id: "organization_id",
          month: "substr(created_at, 1, 7)",
          role: "role",
          is_active: "is_active",
        }),
    ),
    ...onEachStatement("users", "users_count"),
    newFunction(
      "sessions_count",
      addSums("session_counts", "sessions", {
        organization_id: "organization_id",
        day: "substr(start_time, 1, 10)",
      }) +
        addSums("session_month_counts", "sessions", {
          organization_id: "organization_id",
          month: "substr(start_time, 1, 7)",
        }),
    ),
    ...onEachStatement("sessions", "sessions_count"),

    newFunction(
      "organizations_audit",
      `
      insert into audit_heads (organization_id, sequence, hash) values (new.public_id, 0, '${NO_HASH}');`,
    ),
    `create trigger organizations_audit_insert after insert on organizations
      for each row execute function organizations_audit()`,

    newFunction(
      "subjects",
      `
      if tg_op <> 'INSERT' then
        ${removeSubject}
      end if;
      if tg_op <> 'DELETE' then
        ${addSubject}
      end if;`,
    ),
    `create trigger utilization_subjects_insert after insert on authorizations
      for each row execute function subjects()`,
    `create trigger utilization_subjects_delete after delete on authorizations
      for each row execute function subjects()`,
    `create trigger utilization_subjects_update
      after update of patient_id, authorization_pool_id, authorization_date, authorization_expiration_date
      on authorizations for each row
      when (old.patient_id <> new.patient_id
        or old.authorization_pool_id is distinct from new.authorization_pool_id
        or old.authorization_date <> new.authorization_date
        or old.authorization_expiration_date <> new.authorization_expiration_date)
      execute function subjects()`,
    newFunction(
      "subjects_of_patient",
      `
      update utilization_subjects
        set patient_is_active = new.is_active, patient_time_zone = new.time_zone
        where organization_id = new.organization_id and patient_id = new.public_id;`,
    ),
    `create trigger utilization_subjects_patient after update of is_active, time_zone on users for each row
      when (old.is_active <> new.is_active or old.time_zone is distinct from new.time_zone)
      execute function subjects_of_patient()`,
  ],
};
