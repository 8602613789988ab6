import { spyOn } from "bun:test";
import { Wire } from "../db/postgresql/wire.ts";
import { CachingSqliteFile } from "../db/sqlite/dialect.ts";
import { onPostgresql } from "./postgresql/databases.ts";

/** Runs `work` and says which SQL statements it executed, transactions included, in order. */
export async function statementsOf<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: string[] }> {
  // On SQLite, a snapshot is that of a turn of the event loop.
  await endOfTurn();
  // Each engine's driver asks for each statement that it executes; those known already come from a cache.
  const asked = onPostgresql
    ? spyOn(Wire.prototype, "execute")
    : spyOn(CachingSqliteFile.prototype, "prepare");
  try {
    const result = await work();
    await endOfTurn();
    const calls = asked.mock.calls as unknown as [text: string][];
    const texts = calls.map(([text]) => text);
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
