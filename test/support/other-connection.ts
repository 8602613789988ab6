import { Database as SqliteFile } from "bun:sqlite";
import { afterAll } from "bun:test";
import { join } from "node:path";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { toInstant } from "../../src/lib/instant.ts";
import { NOW, temporaryFolder, TestService } from "./harness.ts";

/** A service, and a connection to its file that SQLite treats like another process's. */
export async function newServiceWithOtherConnection(): Promise<{
  service: TestService;
  otherConnection: SqliteFile;
}> {
  const path = join(temporaryFolder(), "caseload.db");
  const database = connectFile(path, "create");
  await migrate(database, toInstant(Date.parse(NOW)));
  const otherConnection = new SqliteFile(path, { strict: true });
  afterAll(async () => {
    otherConnection.close();
    await database.close();
  });
  return { service: new TestService(database), otherConnection };
}

/** How long the file stays locked, in milliseconds: long enough for requests to wait for it. */
const HELD = 200;

/** Sends requests while the foreign connection holds the write lock, and releases it when all of them wait. */
export async function whileHeld<Result>(
  otherConnection: SqliteFile,
  send: () => Promise<Result>,
  beforeRelease: () => void = () => {},
): Promise<Result> {
  otherConnection.run("begin immediate");
  try {
    const answers = send();
    // In steps: even if the process stands still for a while, the requests go on between them.
    for (let step = 0; step < HELD; step += 10) await Bun.sleep(10);
    beforeRelease();
    otherConnection.run("commit");
    return await answers;
  } finally {
    if (otherConnection.inTransaction) otherConnection.run("rollback");
  }
}
