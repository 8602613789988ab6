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
      // The heartbeat of a connection that waits.
      .filter((text) => text !== "select 1")
      .map((text) => text.replace(/^declare \w+ no scroll cursor for /, ""));
    return { result, statements };
  } finally {
    asked.mockRestore();
  }
}

/** Statements without the boundaries of transactions, which depend on the turns in which requests are read. */
export function withoutBoundaries(statements: readonly string[]): string[] {
  return statements.filter((text) => !/^(begin|commit)\b/.test(text));
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
