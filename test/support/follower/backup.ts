import { join } from "node:path";
import { dropDatabase, execute, newDatabaseUrl } from "../postgresql/databases.ts";

/** How a practice is backed up and restored while no server runs, by the means of each engine. */
export interface EngineBackup {
  make(): Promise<unknown>;
  restore(): Promise<unknown>;
  remove(): Promise<unknown>;
}

/** SQLite: by the program's own commands. */
export function fileBackup(caseload: (...args: string[]) => Promise<unknown>): EngineBackup {
  return {
    make: () => caseload("backup", "backup.db"),
    restore: () => caseload("restore", "backup.db"),
    remove: async () => {},
  };
}

/** PostgreSQL: by its own means, here a copy of the database; then the statement of `docs/keeping-a-copy.md`. */
export function serverBackup(url: string): EngineBackup {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = "/postgres";
  const copy = `${name}_backup`;
  return {
    make: () => newDatabaseUrl(server.href, copy, name),
    async restore() {
      await newDatabaseUrl(server.href, name, copy);
      await execute(url, await statementAfterRestore());
    },
    async remove() {
      for (const database of [name, copy]) {
        server.pathname = `/${database}`;
        await dropDatabase(server.href);
      }
    },
  };
}

async function statementAfterRestore(): Promise<string> {
  const page = Bun.file(join(import.meta.dir, "../../../docs/keeping-a-copy.md"));
  const [, statement] = /^```sql\n([^]*?)^```$/m.exec(await page.text()) ?? [];
  if (statement === undefined) throw new Error("docs/keeping-a-copy.md has no statement");
  return statement;
}
