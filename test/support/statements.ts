import { spyOn } from "bun:test";
import { Client } from "pg";
import { CachingSqliteFile } from "../../db/sqlite/dialect.ts";
import { onPostgresql } from "./postgresql/databases.ts";

/** Runs `work` and returns the SQL statements that it executed, including those of transactions, in order. */
export async function statementsOf<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: string[] }> {
  // On SQLite, reads of the same turn of the event loop share a snapshot.
  await endOfTurn();
  // The drivers' points through which all statements pass, including cached ones.
  const asked = onPostgresql
    ? spyOn(Client.prototype, "query")
    : spyOn(CachingSqliteFile.prototype, "prepare");
  try {
    const result = await work();
    await endOfTurn();
    const calls = asked.mock.calls as unknown as [string | { text: string }][];
    const texts = calls.map(([text]) => (typeof text === "string" ? text : text.text));
    // PostgreSQL's streams fetch rows in batches.
    const statements = texts
      .filter((text) => !/^(fetch|close) /.test(text))
      // Of a connection itself: its heartbeat while it waits, and what it asks when it is new.
      .filter((text) => text !== "select 1" && text !== "show transaction_read_only")
      .map((text) => text.replace(/^declare \w+ no scroll cursor for /, ""));
    return { result, statements };
  } finally {
    asked.mockRestore();
  }
}

/**
 * How many statements `work` reads with, besides those of writes: the first use of a key is written when there is time,
 * and rows of several requests in the audit trail together.
 */
export async function countReads(work: () => Promise<unknown>, of = /./): Promise<number> {
  const { statements } = await statementsOf(work);
  return statements.filter(
    (text) =>
      /^(select|with) /.test(text) &&
      !/audit_|advisory|for no key update/.test(text) &&
      of.test(text),
  ).length;
}

/** Statements without the boundaries of transactions, which depend on the turns in which requests are read. */
export function withoutBoundaries(statements: readonly string[]): string[] {
  return statements.filter((text) => !/^(begin|commit)\b/.test(text));
}

/** Statements about all organizations: run by operators and at startup, never by a request. */
export const ofAllOrganizations = [
  // Which organizations there are, and which keys.
  /^select .* from "organizations" order by "public_id"$/,
  /^select .* from "api_keys" as "key" order by/,
  // How many passkeys each host has.
  /^select "host", count\(\*\) as "passkeys" from "passkeys" group/,
  // Which time zones are in use.
  /^select "time_zone" from "organizations" union select "time_zone" from "users"$/,
  // By which rules of time zones organizations' sessions were written.
  /^select .* from "organizations" as "organization" left join "zone_rules" /,
  /^select .* from "zone_rules" as "rules" inner join "organizations" /,
  // Which chains the audit trail has, and where they end.
  /^select (\*|distinct "organization_id") from "audit_(heads|entries)" order by "organization_id"$/,
  // Which rows of the audit trail are dated in the future.
  /^select .* from "audit_entries" where "time" > (\$1|\?) order by/,
  // Which files commands have written, for their leftovers.
  /^select distinct "target" from "audit_entries" where "method" = (\$1|\?) and "route" in/,
  // Which webhooks there are, which one an id is of, and which are due.
  /^select "webhook"\.\*, .*"webhook"\."organization_id" (where "webhook"\."(id|is_off)" |order by )/,
  // Whether a copy is as large, and its place.
  /^select count\(\*\) as "total" from "\w+"$/,
  /^delete from "audit_(heads|entries)"$/,
];

export function isOfAllOrganizations(statement: string): boolean {
  return ofAllOrganizations.some((pattern) => pattern.test(statement));
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
