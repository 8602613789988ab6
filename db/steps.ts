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
