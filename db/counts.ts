import { sql } from "kysely";
import type { Db } from "./database.ts";
import type { Schema } from "./schema.ts";

/** How many rows there are of a day, a month or a role: triggers count them one by one, and here many are counted at once. */

/**
 * From here on, the users that a transaction writes wait to be counted by `recountUsers`: on PostgreSQL, whoever counts
 * them at once keeps all others from making users until the transaction ends.
 */
export async function countUsersLater(trx: Db): Promise<void> {
  if (trx.engine === "postgresql")
    await sql`set local caseload.users_are_counted_later = 'on'`.execute(trx);
}

/** Counts an organization's users anew. Nobody else may write any meanwhile. */
export async function recountUsers(trx: Db, organizationId: string): Promise<void> {
  if (trx.engine === "postgresql") await countAnew(trx, organizationId, userCounts);
}

/** Counts an organization's sessions anew, which nobody has counted one by one. */
export function recountSessions(trx: Db, organizationId: string): Promise<void> {
  return countAnew(trx, organizationId, sessionCounts);
}

/** A table of how many rows there are, which triggers keep: the columns of a group, and how each comes of a row. */
interface Count {
  table: keyof Schema;
  /** What is counted, as the column of the number has it. */
  of: keyof Schema;
  /** Smaller groups whose numbers make up those of this table, and which are there already; else rows are counted. */
  sumOf?: keyof Schema;
  groups: Record<string, string>;
}

const userCounts: Count[] = [
  {
    table: "user_month_counts",
    of: "users",
    groups: { month: "substr(created_at, 1, 7)", role: "role", is_active: "is_active" },
  },
  {
    table: "user_counts",
    of: "users",
    sumOf: "user_month_counts",
    groups: { role: "role", is_active: "is_active" },
  },
];
const sessionCounts: Count[] = [
  { table: "session_counts", of: "sessions", groups: { day: "substr(start_time, 1, 10)" } },
  {
    table: "session_month_counts",
    of: "sessions",
    sumOf: "session_counts",
    groups: { month: "substr(day, 1, 7)" },
  },
];

async function countAnew(trx: Db, organizationId: string, counts: Count[]): Promise<void> {
  for (const { table, of, sumOf, groups } of counts) {
    const columns = sql.join(Object.keys(groups).map((column) => sql.ref(column)));
    const values = sql.join(Object.values(groups).map((value) => sql.raw(value)));
    const number = sumOf === undefined ? sql`count(*)` : sql`sum(${sql.ref(of)})`;
    await sql`delete from ${sql.table(table)} where organization_id = ${organizationId}`.execute(
      trx,
    );
    await sql`
      insert into ${sql.table(table)} (organization_id, ${columns}, ${sql.ref(of)})
      select organization_id, ${values}, ${number} from ${sql.table(sumOf ?? of)}
      where organization_id = ${organizationId}
      group by organization_id, ${values}
    `.execute(trx);
  }
}
