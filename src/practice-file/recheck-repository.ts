import { sql } from "kysely";
import type { Role } from "../access/roles.ts";
import { isOneOf } from "../../db/engine.ts";
import { MAX_BAD_LINES } from "./problems.ts";
import type { ImportStatements } from "./repository.ts";
import type { UserReference } from "./user-references.ts";

/**
 * Users of the file whose field names nobody, or a user whose role does not fit. Those who name a user whose
 * own line is bad are left out: they are not to blame.
 */
export async function findUnfitUsers(
  { trx, organizationId }: ImportStatements,
  { table, owner, user, roles }: UserReference,
): Promise<{ line: number; owner: string; user: string; role: Role | null }[]> {
  const named = sql.ref(`reference.${user}`);
  const { rows } = await sql<{ line: number; owner: string; user: string; role: Role | null }>`
    select file.line, file.public_id as owner, ${named} as "user", named.role
    from file_records as file
    join ${sql.table(table)} as reference
      on reference.organization_id = ${organizationId}
      and ${sql.ref(`reference.${owner}`)} = file.public_id
    left join users as named
      on named.organization_id = reference.organization_id and named.public_id = ${named}
    left join file_records as elsewhere
      on elsewhere.type = 'user' and elsewhere.public_id = ${named}
    where file.type = 'user' and ${named} is not null
      and (named.role not in (${sql.join(roles)}) or (named.role is null and elsewhere.line is null))
    order by file.line
    limit ${MAX_BAD_LINES}
  `.execute(trx);
  return rows;
}

/**
 * Of some users with new roles, those whom a record names that needs another role: one such record each.
 * Users of the file are left out, since `findUnfitUsers` finds them on their own lines.
 */
export async function findMisfitsOfChangedUsers(
  { trx, organizationId }: ImportStatements,
  { table, owner, user, roles }: UserReference,
  userIds: readonly string[],
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
      and not exists (
        select from_file.line from file_records as from_file
        where from_file.type = 'user' and from_file.public_id = ${naming}
      )
    group by ${named}
    limit ${MAX_BAD_LINES}
  `.execute(trx);
  return rows;
}

/** Of some authorizations, those with a session of another client or service line: one such session each. */
export function findBrokenBindings(
  { trx, organizationId }: ImportStatements,
  authorizationIds: readonly string[],
): Promise<{ authorization: string; session: string }[]> {
  return trx
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
  { trx, organizationId }: ImportStatements,
  sessionIds: readonly string[],
): Promise<{ session: string; encounter: string }[]> {
  return trx
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
