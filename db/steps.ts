import type { Engine } from "./database.ts";
import type { Migration } from "./migration.ts";
import { keyOrganizations as keyOrganizationsOfPostgresql } from "./postgresql/migrations/0015_key_organizations.ts";
import { usersCountedLater } from "./postgresql/migrations/0016_users_counted_later.ts";
import { keyOrganizations as keyOrganizationsOfSqlite } from "./sqlite/migrations/0015_key_organizations.ts";

/** A step that both engines understand, or a migration of each, or of the one that needs it. */
type Step = Migration | Partial<Record<Engine, Migration>>;

/**
 * The steps since PostgreSQL is one of the engines, in order, after those of each one's own folder. A step that was
 * released never changes, and takes nothing from the program, since it must do the same in years.
 */
const steps: readonly Step[] = [
  {
    // The key that a rotation made in the place of another: a key is rotated once. SQLite adds no column that a
    // foreign key of two is on; keys are never deleted, so it cannot lead nowhere.
    name: "0014_key_successors",
    statements: ["alter table api_keys add column successor_id text"],
  },
  { sqlite: keyOrganizationsOfSqlite, postgresql: keyOrganizationsOfPostgresql },
  { postgresql: usersCountedLater },
  { sqlite: readOnlyKeys("integer"), postgresql: readOnlyKeys("bigint") },
  {
    name: "0018_lists_by_start",
    statements: [
      "create index intake_leads_by_creation on intake_leads (organization_id, created_at, public_id)",
      "create index encounters_by_start on encounters (organization_id, start_time, public_id)",
      "create index sessions_by_status on sessions (organization_id, status, start_time, public_id)",
      "drop index encounters_by_authorization",
      "create index encounters_by_authorization on encounters (organization_id, authorization_id, start_time, public_id, units)",
      "drop index encounters_by_session",
      "create index encounters_by_session on encounters (organization_id, session_id, start_time, public_id, authorization_id) where session_id is not null",
    ],
  },
  {
    name: "0019_checks",
    statements: [
      "alter table authorizations add column payor_id text",
      // Finds the sessions that go on over a midnight without a look at all that ever began before it.
      `create index sessions_over_midnight on sessions (organization_id, end_time, start_time)
        where substr(end_time, 1, 10) > substr(start_time, 1, 10)`,
    ],
  },
];

/** Keys that may write nothing. */
function readOnlyKeys(integer: string): Migration {
  const column = `is_read_only ${integer} not null default 0 check (is_read_only in (0, 1))`;
  return { name: "0017_read_only_keys", statements: [`alter table api_keys add column ${column}`] };
}

/** The steps of an engine. */
export function stepsOf(engine: Engine): readonly Migration[] {
  return steps.flatMap((step) => ("statements" in step ? step : (step[engine] ?? [])));
}
