import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { useEverything } from "../support/everything.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { newTestDatabaseUrl, onPostgresql } from "../support/postgresql/databases.ts";

/**
 * Work that holds a connection must not wait for another one: as many requests as there are connections would then wait
 * for each other until they time out, and all others with them.
 */

const folder = temporaryFolder();
const newUrl = (name: string) => (onPostgresql ? newTestDatabaseUrl() : join(folder, name));

/** What the current work holds, from the outermost to the innermost. */
const held = new AsyncLocalStorage<string[]>();
const nested: string[] = [];

/** The database, with a note of each read, snapshot or write that begins within another. */
function noting(database: OpenDatabase): OpenDatabase {
  const holding = (name: string) => {
    const names = [...(held.getStore() ?? []), name];
    if (names.length > 1) nested.push(names.join(" > "));
    return names;
  };
  return {
    ...database,
    read(work) {
      const names = holding("read");
      return database.read((db) => held.run(names, () => work(db)));
    },
    write(work, options) {
      const names = holding("write");
      return database.write((trx) => held.run(names, () => work(trx)), options);
    },
    openSnapshot() {
      holding("snapshot");
      return database.openSnapshot();
    },
  };
}

test("no command and no request takes a second connection while it holds one", async () => {
  const url = await newUrl("caseload.db");
  const database = await connect(url, "create");
  await migrate(database, NOW as Instant);
  const targetUrl = await newUrl("target.db");
  await useEverything({ database: noting(database), url, targetUrl, folder });
  await database.close();
  expect(nested).toEqual([]);
});

test("a read within a write is detected", async () => {
  const database = noting(await connect(join(folder, "caseload.db"), "create"));
  await database.write((trx) => database.read(async () => trx), { organizationId: "" });
  await database.close();
  expect(nested.splice(0)).toEqual(["write > read"]);
});
