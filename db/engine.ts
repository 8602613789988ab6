import {
  type OperationNode,
  type RawBuilder,
  type RawNode,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import type { Db } from "./database.ts";
import { Parameter } from "./prepared.ts";
import type { Schema, UserRow } from "./schema.ts";

/** What differs between the engines within a query. */

export type Engine = "sqlite" | "postgresql";

const choices = new WeakMap<OperationNode, Record<Engine, OperationNode>>();

/** A part of a query that each engine has in words of its own. */
export function byEngine<Result>(parts: Record<Engine, RawBuilder<Result>>): RawBuilder<Result> {
  return sql<Result>`${{ toOperationNode: () => newChoice(parts) }}`;
}

function newChoice({ sqlite, postgresql }: Record<Engine, RawBuilder<unknown>>): OperationNode {
  const node: RawNode = { kind: "RawNode", sqlFragments: [""], parameters: [] };
  choices.set(node, {
    sqlite: sqlite.toOperationNode(),
    postgresql: postgresql.toOperationNode(),
  });
  return node;
}

/** What an engine's compiler takes for a part of a query: one of `byEngine`, or the part itself. */
export function chosen(node: RawNode, engine: Engine): RawNode {
  return (choices.get(node)?.[engine] as RawNode | undefined) ?? node;
}

/**
 * Whether a column holds one of some ids. The ids travel as one parameter, so that a statement's text does
 * not depend on how many there are and is prepared once.
 */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<SqlBool> {
  const list = (ids as unknown) instanceof Parameter ? ids : JSON.stringify(ids);
  return byEngine<SqlBool>({
    sqlite: sql`${sql.ref(column)} in (select value from json_each(${list}))`,
    postgresql: sql`${sql.ref(column)} = any(${ids})`,
  });
}

/**
 * How many rows a page has, or passes over, where one index has all of them in their order. PostgreSQL's planner does not
 * look into a subquery: told the number, it takes a plan for that number alone to be better than one for any, and makes
 * it anew for each page, which takes longer than to read it. With a filter that many or few rows pass, it is to be told.
 */
export function rowCount(count: number): RawBuilder<number> {
  return byEngine<number>({
    sqlite: sql`${count}`,
    postgresql: sql`(select cast(${count} as bigint))`,
  });
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
  const byText = byEngine({
    sqlite: sql`users indexed by users_by_text`,
    postgresql: sql`users`,
  });
  const users = sql<UserRow>`users`.as<"users">(byText);
  return db.selectFrom(users);
}
