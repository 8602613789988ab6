import { spyOn } from "bun:test";
import { Client } from "pg";
import { CachingSqliteFile } from "../../db/sqlite/dialect.ts";
import { onPostgresql } from "./postgresql/databases.ts";

/** Runs `work` and says which SQL statements it executed, transactions included, in order. */
export async function statementsOf<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: string[] }> {
  // On SQLite, a snapshot is that of a turn of the event loop.
  await endOfTurn();
  // Each engine's driver asks for each statement that it executes; those known already come from a cache.
  const asked = onPostgresql
    ? spyOn(Client.prototype, "query")
    : spyOn(CachingSqliteFile.prototype, "prepare");
  try {
    const result = await work();
    await endOfTurn();
    const calls = asked.mock.calls as unknown as [string | { text: string }][];
    const texts = calls.map(([text]) => (typeof text === "string" ? text : text.text));
    // PostgreSQL is asked for the rows of a stream some at a time.
    const statements = texts
      .filter((text) => !/^(fetch|close) /.test(text))
      .map((text) => text.replace(/^declare \w+ no scroll cursor for /, ""));
    return { result, statements };
  } finally {
    asked.mockRestore();
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
