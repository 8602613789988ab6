import { type RawBuilder, type SqlBool, sql } from "kysely";
import { Parameter } from "./prepared.ts";

/**
 * Whether a column holds one of some ids. The ids travel as one parameter, so that a statement's text does
 * not depend on how many there are and is prepared once.
 */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<SqlBool> {
  const list = (ids as unknown) instanceof Parameter ? ids : JSON.stringify(ids);
  return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${list}))`;
}

/** Whether a column holds a text somewhere; `%`, `_` and `\` in it stand for themselves. */
export function contains(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
