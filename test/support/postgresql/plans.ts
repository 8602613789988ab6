import { Client } from "pg";
import { REFERENCE_TABLES } from "../../../db/postgresql/citus.ts";

/** Finds out whose rows statements touch, from PostgreSQL's generic plans. */

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Alias?: string;
  Plans?: Plan[];
  [condition: string]: unknown;
}

const CONDITIONS = ["Index Cond", "Recheck Cond", "Filter"];

/**
 * The tables that a statement accesses without the organization. For reads, updates and deletes, the plan must restrict
 * the rows to a given organization; for inserts, a column must be the organization. A subquery that takes the
 * organization from the outer row is not enough: Citus would query all servers.
 */
export async function tablesWithoutOrganization(client: Client, text: string): Promise<string[]> {
  const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `explain (generic_plan, verbose, format json) ${text}`,
  );
  const nodes = rows.flatMap((row) => row["QUERY PLAN"].flatMap(({ Plan }) => nodesOf(Plan)));
  const unnamed = nodes.filter((node) => isDistributedScan(node) && !namesOrganization(node));
  return [...unnamed.map((scan) => scan["Relation Name"] ?? ""), ...addedWithout(text)];
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function isDistributedScan(plan: Plan): boolean {
  const { "Relation Name": table, "Node Type": type } = plan;
  return table !== undefined && type !== "ModifyTable" && isDistributed(table);
}

/** Whether a table has rows of organizations. Catalog tables are complete on every server. */
export function isDistributed(table: string): boolean {
  return !REFERENCE_TABLES.includes(table) && !table.startsWith("pg_");
}

/** Whether a conjunct of the conditions restricts the organization to a given one. */
function namesOrganization(scan: Plan): boolean {
  const column = `"?${scan.Alias}"?\\.${organizationColumn(scan["Relation Name"] ?? "")}`;
  const naming = new RegExp(`^\\(${column} = (?:\\$\\d+|''::text)\\)$`);
  return CONDITIONS.flatMap((name) => conjunctsOf(String(scan[name] ?? ""))).some((condition) =>
    naming.test(condition),
  );
}

/** The conjuncts of a condition, each in parentheses. */
function conjunctsOf(condition: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  const inner = condition.startsWith("((") ? condition.slice(1, -1) : condition;
  for (let index = 0; index < inner.length; index += 1) {
    if (inner[index] === "(") depth += 1;
    if (inner[index] === ")") depth -= 1;
    if (depth === 0 && inner.startsWith(" OR ", index)) return [];
    if (depth > 0 || !inner.startsWith(" AND ", index)) continue;
    parts.push(inner.slice(start, index));
    start = index + " AND ".length;
  }
  return [...parts, inner.slice(start)];
}

function organizationColumn(table: string): string {
  return table === "organizations" ? "public_id" : "organization_id";
}

function addedWithout(text: string): string[] {
  const [, table = "", columns = ""] = /^\s*insert into "?(\w+)"?\s*\(([^)]*)\)/.exec(text) ?? [];
  const isAdded = columns.match(/\w+/g)?.includes(organizationColumn(table)) ?? false;
  return table === "" || isAdded || !isDistributed(table) ? [] : [table];
}
