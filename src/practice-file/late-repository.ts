import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { MAX_BAD_LINES } from "./problems.ts";
import type { UserReference } from "./user-references.ts";

/** What stands in the way of new versions of records, once all of the file has been written. */

/**
 * Of some users with new roles, those whom a record names that needs another role: one such record each.
 *
 * @param owners records of the file that name them, and whose own lines tell.
 */
export async function findMisfits(
  db: Db,
  organizationId: string,
  { table, owner, user, roles }: UserReference,
  { userIds, owners }: { userIds: readonly string[]; owners: readonly string[] },
): Promise<{ owner: string; user: string }[]> {
  const named = sql.ref(`reference.${user}`);
  const naming = sql.ref(`reference.${owner}`);
  const { rows } = await sql<{ owner: string; user: string }>`
    select min(${naming}) as owner, ${named} as "user"
    from ${sql.table(table)} as reference
    join users as named
      on named.organization_id = reference.organization_id and named.public_id = ${named}
    where reference.organization_id = ${organizationId}
      and ${isOneOf(`reference.${user}`, userIds)}
      and named.role not in (${sql.join(roles)})
      and not ${isOneOf(`reference.${owner}`, owners)}
    group by ${named}
    limit ${MAX_BAD_LINES}
  `.execute(db);
  return rows;
}

/** Of some authorizations, those with a session of another client or service line: one such session each. */
export function findBrokenBindings(
  db: Db,
  organizationId: string,
  authorizationIds: readonly string[],
): Promise<{ authorization: string; session: string }[]> {
  return db
    .selectFrom("authorizations as authorization")
    .innerJoin("sessions as session", (join) =>
      join
        .onRef("session.organization_id", "=", "authorization.organization_id")
        .onRef("session.authorization_id", "=", "authorization.public_id"),
    )
    .select((select) => [
      "authorization.public_id as authorization",
      select.fn.min<string>("session.public_id").as("session"),
    ])
    .where("authorization.organization_id", "=", organizationId)
    .where(isOneOf("authorization.public_id", authorizationIds))
    .where((where) =>
      where.or([
        where("session.client_id", "is", null),
        where("session.client_id", "<>", where.ref("authorization.patient_id")),
        where("session.service_line_id", "<>", where.ref("authorization.service_line_id")),
      ]),
    )
    .groupBy("authorization.public_id")
    .limit(MAX_BAD_LINES)
    .execute();
}

/** Of some sessions, those with an encounter of another authorization: one such encounter each. */
export function findBrokenEncounters(
  db: Db,
  organizationId: string,
  sessionIds: readonly string[],
): Promise<{ session: string; encounter: string }[]> {
  return db
    .selectFrom("encounters as encounter")
    .innerJoin("sessions as session", (join) =>
      join
        .onRef("session.organization_id", "=", "encounter.organization_id")
        .onRef("session.public_id", "=", "encounter.session_id"),
    )
    .select((select) => [
      "session.public_id as session",
      select.fn.min<string>("encounter.public_id").as("encounter"),
    ])
    .where("encounter.organization_id", "=", organizationId)
    .where(isOneOf("encounter.session_id", sessionIds))
    .where((where) =>
      where.or([
        where("session.authorization_id", "is", null),
        where("session.authorization_id", "<>", where.ref("encounter.authorization_id")),
      ]),
    )
    .groupBy("session.public_id")
    .limit(MAX_BAD_LINES)
    .execute();
}
