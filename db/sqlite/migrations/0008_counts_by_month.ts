import type { Migration } from "../../migration.ts";

/**
 * Totals by the month of a session's start and of a user's creation, kept by triggers like those by day and by role,
 * of which deep pages skip whole ones: a month is read in one row, and so are ten years of them in a hundred.
 */
export const countsByMonth: Migration = {
  name: "0008_counts_by_month",
  statements: [
    `create table session_month_counts (
      organization_id text not null,
      month text not null,
      sessions integer not null,
      primary key (organization_id, month)
    ) strict, without rowid`,
    `insert into session_month_counts (organization_id, month, sessions)
      select organization_id, substr(day, 1, 7), sum(sessions) from session_counts
      group by organization_id, substr(day, 1, 7)`,
    // On the counts by day, which change with every session that comes, goes or moves to another day.
    `create trigger session_counts_month_insert after insert on session_counts begin
      ${countSessions("new.sessions")}
    end`,
    `create trigger session_counts_month_update after update of sessions on session_counts begin
      ${countSessions("new.sessions - old.sessions")}
    end`,

    `create table user_month_counts (
      organization_id text not null,
      month text not null,
      role text not null,
      is_active integer not null,
      users integer not null,
      primary key (organization_id, month, role, is_active)
    ) strict, without rowid`,
    `insert into user_month_counts (organization_id, month, role, is_active, users)
      select organization_id, substr(created_at, 1, 7), role, is_active, count(*) from users
      group by organization_id, substr(created_at, 1, 7), role, is_active`,
    `create trigger users_month_count_insert after insert on users begin
      ${countUser("new", 1)}
    end`,
    `create trigger users_month_count_delete after delete on users begin
      ${countUser("old", -1)}
    end`,
    `create trigger users_month_count_update after update of role, is_active, created_at on users begin
      ${countUser("old", -1)}
      ${countUser("new", 1)}
    end`,
  ],
};

function countSessions(change: string): string {
  return `insert into session_month_counts (organization_id, month, sessions)
    values (new.organization_id, substr(new.day, 1, 7), ${change})
    on conflict do update set sessions = sessions + excluded.sessions;`;
}

function countUser(row: "old" | "new", change: 1 | -1): string {
  return `insert into user_month_counts (organization_id, month, role, is_active, users)
    values (${row}.organization_id, substr(${row}.created_at, 1, 7), ${row}.role, ${row}.is_active, ${change})
    on conflict do update set users = users + excluded.users;`;
}
