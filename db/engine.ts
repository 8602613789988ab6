import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "./database.ts";
import { Parameter } from "./prepared.ts";
import type { Schema, UserRow } from "./schema.ts";

/**
 * Whether a column holds one of some ids. The ids travel as one parameter, so that a statement's text does
 * not depend on how many there are and is prepared once.
 */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${listParameter(ids)}))`;
}

/** A list as one parameter; that of a prepared query gets this form when it is executed. */
function listParameter(values: readonly string[]): unknown {
  return (values as unknown) instanceof Parameter ? values : JSON.stringify(values);
}

/** Whether a column holds a text somewhere. */
export function contains(column: string, text: string): RawBuilder<SqlBool> {
  return isLike(column, likePattern(text));
}

/** Whether a column is like a pattern, such as a `likePattern` that is a value of a prepared query. */
export function isLike(column: string, pattern: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}

/** What `like` compares with, to find a text somewhere; `%`, `_` and `\` in it stand for themselves. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/**
 * Users, to be found by what their texts contain. SQLite would look up each user of a role, to whom an index of its
 * own leads, where the index of texts has all that it takes to find them.
 */
export function selectUsersByText(db: Db): SelectQueryBuilder<Schema, "users", object> {
  const users = sql<UserRow>`users`.as<"users">(sql`users indexed by users_by_text`);
  return db.selectFrom(users);
}
