import { spyOn } from "bun:test";
import { CachingSqliteFile } from "../db/sqlite/dialect.ts";

/** Runs `work` and says which SQL statements it executed, transactions included, in order. */
export async function statementsOf<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: string[] }> {
  // Kysely's driver asks for each statement that it executes; those known already come from a cache.
  const prepare = spyOn(CachingSqliteFile.prototype, "prepare");
  try {
    const result = await work();
    return { result, statements: prepare.mock.calls.map(([text]) => text) };
  } finally {
    prepare.mockRestore();
  }
}
