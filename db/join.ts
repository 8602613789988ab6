import { type JoinBuilder, sql, type SqlBool } from "kysely";
import type { Schema } from "./schema.ts";

/** The columns of all tables that hold the id of a record. */
type ReferenceColumn = {
  [Table in keyof Schema]: Extract<keyof Schema[Table], `${string}_id`>;
}[keyof Schema];

/**
 * Joins the record with the id in a column. It is in the same organization, so that no join crosses them.
 *
 * @param alias of the joined table.
 * @param reference the column, with the alias of its table.
 */
export function byId(alias: string, reference: `${string}.${ReferenceColumn}`) {
  const [owner] = reference.split(".");
  const organization = sql`${sql.ref(`${alias}.organization_id`)} = ${sql.ref(`${owner}.organization_id`)}`;
  const id = sql`${sql.ref(`${alias}.public_id`)} = ${sql.ref(reference)}`;
  return <DB, Table extends keyof DB>(join: JoinBuilder<DB, Table>): JoinBuilder<DB, Table> =>
    join.on(sql<SqlBool>`${organization} and ${id}`);
}
