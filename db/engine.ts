import { type RawBuilder, type RawNode, type SqlBool, sql } from "kysely";
import type { Engine } from "./database.ts";
import { Parameter } from "./prepared.ts";

/** Query parts that differ between the engines. */

/** A query node that the engine's compiler replaces by its own variant. */
interface Choice extends RawNode {
  readonly forms: Record<Engine, RawNode>;
}

/** A query part with one variant per engine. */
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

/** The node to compile for an engine: its variant of a `byEngine` node; other nodes as they are. */
export function chosen(node: RawNode | Choice, engine: Engine): RawNode {
  return "forms" in node ? node.forms[engine] : node;
}

/**
 * Condition: the column has one of the given ids. The ids are one parameter, so that the statement's text does not
 * depend on their number and it can be prepared once.
 */
export function isOneOf(
  column: string,
  ids: readonly string[] | readonly number[],
): RawBuilder<SqlBool> {
  const list = (ids as unknown) instanceof Parameter ? ids : JSON.stringify(ids);
  return byEngine<SqlBool>({
    sqlite: sql`${sql.ref(column)} in (select value from json_each(${list}))`,
    postgresql: sql`${sql.ref(column)} = any(${ids})`,
  });
}

/** A table with a column `value` of the given texts, which are one parameter. */
export function valuesOf(texts: readonly string[]): RawBuilder<{ value: string }> {
  const list = (texts as unknown) instanceof Parameter ? texts : JSON.stringify(texts);
  return byEngine<{ value: string }>({
    sqlite: sql`(select value from json_each(${list}))`,
    postgresql: sql`(select value from unnest(cast(${texts} as text[])) as list (value))`,
  });
}

/**
 * A `limit` or `offset` parameter for queries whose order one index provides. On PostgreSQL it is wrapped in a
 * subquery, to hide its value from the planner: otherwise the planner prefers a specific plan for each value and
 * replans every page, which takes longer than the page. With selective filters, pass the plain number instead, since
 * the best plan depends on it.
 */
export function rowCount(count: number): RawBuilder<number> {
  return byEngine<number>({
    sqlite: sql`${count}`,
    postgresql: sql`(select cast(${count} as bigint))`,
  });
}

/** Condition: the column matches a pattern, such as a `likePattern` passed as parameter of a prepared query. */
export function isLike(column: string, pattern: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}

/** The pattern that finds a text anywhere. Escapes `%`, `_` and `\`. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
