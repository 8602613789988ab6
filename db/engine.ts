import { type RawBuilder, type RawNode, type SqlBool, sql } from "kysely";
import type { Engine } from "./database.ts";
import { Parameter } from "./prepared.ts";

/** What differs between the engines within a query. */

/** A node of a query that each engine's compiler replaces by its own form. */
interface Choice extends RawNode {
  readonly forms: Record<Engine, RawNode>;
}

/** A part of a query that the engines word differently. */
export function byEngine<Result>(parts: Record<Engine, RawBuilder<Result>>): RawBuilder<Result> {
  return sql<Result>`${{ toOperationNode: () => newChoice(parts) }}`;
}

function newChoice({ sqlite, postgresql }: Record<Engine, RawBuilder<unknown>>): Choice {
  return {
    kind: "RawNode",
    sqlFragments: [""],
    parameters: [],
    forms: {
      sqlite: sqlite.toOperationNode() as RawNode,
      postgresql: postgresql.toOperationNode() as RawNode,
    },
  };
}

/** The node that an engine compiles: its form of a `byEngine`, or any other node as it is. */
export function chosen(node: RawNode | Choice, engine: Engine): RawNode {
  return "forms" in node ? node.forms[engine] : node;
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
