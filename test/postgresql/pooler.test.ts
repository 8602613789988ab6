import { afterAll, expect, test } from "bun:test";
import { chownSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { runInProcess } from "../support/commands/program.ts";
import { newOrganization } from "../support/factories.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { unusedPort } from "../support/ports.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/** Poolers between the program and PostgreSQL, with Debian's `pgbouncer` where it is installed. */

const PGBOUNCER = "/usr/sbin/pgbouncer";
const isInstalled = existsSync(PGBOUNCER);

const server = isInstalled ? await newTestServer() : undefined;
const direct = server && new URL(await newDatabaseUrl(server.url, "pooled", "template0"));
const poolers: Bun.Subprocess[] = [];
afterAll(async () => {
  for (const pooler of poolers) pooler.kill();
  await server?.remove();
});

/** Starts a pooler. @returns the URL of the database through it. */
async function pooled(settings: Record<string, string>): Promise<string> {
  const folder = temporaryFolder();
  const port = unusedPort();
  const lines = Object.entries({
    ...{ listen_addr: "127.0.0.1", listen_port: String(port), unix_socket_dir: "" },
    ...{ auth_type: "any", logfile: join(folder, "log"), pidfile: join(folder, "pid") },
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const database = `pooled = host=127.0.0.1 port=${direct!.port} dbname=pooled user=postgres`;
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, ["[databases]", database, "[pgbouncer]", ...lines, ""].join("\n"));
  const isRoot = process.getuid?.() === 0;
  for (const path of [folder, file]) if (isRoot) chownSync(path, 65_534, 65_534);
  poolers.push(
    Bun.spawn([PGBOUNCER, "-q", ...(isRoot ? ["-u", "nobody"] : []), file], {
      stdout: "ignore",
      stderr: "ignore",
    }),
  );
  const url = new URL(direct!);
  url.port = String(port);
  for (let tries = 0; tries < 100; tries += 1) {
    const socket = await Bun.connect({
      ...{ hostname: "127.0.0.1", port },
      socket: { data() {}, error() {} },
    }).catch(() => undefined);
    socket?.end();
    if (socket !== undefined) return url.href;
    await Bun.sleep(50);
  }
  throw new Error("The pooler does not start");
}

const LETS_PARAMETERS_THROUGH = {
  ignore_startup_parameters:
    "options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout",
};
const IN_TRANSACTION_MODE =
  "The connection leads through a pooler that gives each transaction another one, which loses prepared statements and timeouts: set pool_mode = session for this database, or connect to PostgreSQL itself.";

test.skipIf(!isInstalled)("in transaction mode is refused, also by doctor", async () => {
  const url = await pooled({ ...LETS_PARAMETERS_THROUGH, pool_mode: "transaction" });
  await expect(connect(url, "existing")).rejects.toThrow(IN_TRANSACTION_MODE);
  for (const command of ["serve", "doctor"]) {
    const env = { DATABASE_URL: url };
    const { status, stderr } = await runInProcess([command], { cwd: temporaryFolder(), env });
    expect([status, stderr]).toEqual([1, `error: ${IN_TRANSACTION_MODE}\n`]);
  }
});

test.skipIf(!isInstalled)("in session mode works, if the timeouts arrive", async () => {
  const url = await pooled({ ...LETS_PARAMETERS_THROUGH, pool_mode: "session" });
  await expect(connect(url, "existing")).rejects.toThrow(
    "The connection leads through a pooler that keeps statement_timeout back",
  );
  const admin = new Client({ connectionString: direct!.href });
  await admin.connect();
  await admin.query("alter role postgres set statement_timeout = '20s'");
  await admin.end();
  const other = await pooled({ ...LETS_PARAMETERS_THROUGH, pool_mode: "session" });
  const database = await connect(other, "existing");
  await migrate(database, NOW as Instant);
  const organization = await newOrganization(database);
  const ids = await database.read((db) =>
    db.selectFrom("organizations").select("public_id").execute(),
  );
  expect(ids).toEqual([{ public_id: organization }]);
  await database.close();
});

test.skipIf(!isInstalled)("an error of it names its log", async () => {
  const url = await pooled({ pool_mode: "session" });
  await expect(connect(url, "existing")).rejects.toThrow(
    /^Cannot open .* \(08P01\); see the log of the pooler, or of PostgreSQL\.$/,
  );
});
