import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Client } from "pg";
import { connect } from "../../db/connect.ts";
import { type Db, NO_ORGANIZATION, type OpenDatabase } from "../../db/database.ts";
import { DatabaseError } from "../../db/errors.ts";
import { migrate } from "../../db/migrate.ts";
import { requireSuitable } from "../../db/postgresql/inspection.ts";
import { parseServerUrl, type ServerAddress, type SslMode } from "../../db/postgresql/url.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { checkConnection } from "../../src/doctor/connection.ts";
import { runProgram } from "../support/commands/program.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { execute, newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/** Connections: TLS, passwords, and servers that do not meet the requirements. */

const folder = temporaryFolder();
const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
const made = Bun.spawnSync([
  ...`openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost`.split(" "),
  ...["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
]);
expect(made.exitCode).toBe(0);

const server = await newTestServer({
  access: [
    "hostssl all ana 127.0.0.1/32 scram-sha-256",
    "host all ana 127.0.0.1/32 reject",
    "hostnossl all open 127.0.0.1/32 trust",
    "host all open 127.0.0.1/32 reject",
  ],
  tls: { certificate, key },
});
afterAll(() => server.remove());
const plain = await newTestServer({ access: ["host all ana 127.0.0.1/32 scram-sha-256"] });
afterAll(() => plain.remove());
await execute(plain.url, "create role ana login password 's3cret'");
for (const role of ["ana login password 's3cret'", "open login", "careless login"])
  await execute(server.url, `create role ${role}`);
await execute(server.url, "alter role careless set synchronous_commit = off");

/** The URL of a database of the server for a user. */
function urlFor(user: string, parameters: Record<string, string> = {}, database = "postgres") {
  const url = new URL(`postgres://${user}@${new URL(server.url).host}/${database}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The address of the server, as messages show it. */
const { host: place } = new URL(server.url);

async function refusalOf(url: string): Promise<string> {
  try {
    await (await connect(url, "existing")).close();
    return "none";
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    expect(error.message).not.toContain("s3cret");
    expect(error.message.split("\n")).toHaveLength(1);
    return error.message;
  }
}

/** A value of the first row that a statement returns. */
async function valueOf(database: OpenDatabase, expression: string): Promise<unknown> {
  const read = (db: Db) =>
    sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(db);
  return (await database.read(read)).rows[0]?.value;
}

const NOT_TRUSTED = `The certificate of PostgreSQL at ${place} is not trusted; name its authority with sslrootcert.`;

describe("sslmode", () => {
  const isEncrypted = "(select ssl from pg_stat_ssl where pid = pg_backend_pid())";
  const outcomes: [user: string, parameters: Record<string, string>, outcome: unknown][] = [
    ["ana:s3cret", {}, true],
    ["ana:s3cret", { sslmode: "allow" }, true],
    ["ana:s3cret", { sslmode: "prefer" }, true],
    ["ana:s3cret", { sslmode: "require" }, true],
    ["ana:s3cret", { sslmode: "require", sslrootcert: certificate }, true],
    ["ana:s3cret", { sslmode: "verify-ca", sslrootcert: certificate }, true],
    ["open", { sslmode: "disable" }, false],
    ["open", { sslmode: "allow" }, false],
    ["open", { sslmode: "prefer" }, false],
    ["ana:s3cret", { sslmode: "verify-ca" }, NOT_TRUSTED],
    ["ana:s3cret", { sslmode: "verify-full" }, NOT_TRUSTED],
    [
      "ana:s3cret",
      { sslmode: "verify-full", sslrootcert: certificate },
      `The certificate of PostgreSQL at ${place} is another host's; connect by the name that is in it.`,
    ],
    [
      "ana:s3cret",
      { sslmode: "disable" },
      `PostgreSQL at ${place} does not let in the user ana; check user, password and pg_hba.conf.`,
    ],
    [
      "ana:s3cret",
      { sslmode: "always" },
      "The database URL has an unknown sslmode; it must be one of disable, allow, prefer, require, verify-ca and verify-full.",
    ],
    [
      "ana:s3cret",
      { sslrootcert: "/nowhere.pem" },
      "The database URL names a certificate or key file that cannot be read: /nowhere.pem.",
    ],
    [
      "ana:s3cret",
      { sslmoed: "require" },
      "The database URL has a parameter that is not known here; known are host, sslmode, sslrootcert, sslcert, sslkey.",
    ],
  ];
  for (const [user, parameters, outcome] of outcomes)
    test(`${JSON.stringify(parameters)} for ${user}`, async () => {
      const url = urlFor(user, parameters);
      if (typeof outcome === "string") return expect(await refusalOf(url)).toBe(outcome);
      const database = await connect(url, "existing");
      expect(await valueOf(database, isEncrypted)).toBe(outcome);
      await database.close();
    });

  test("verify-full compares the name in the certificate", async () => {
    const url = new URL(urlFor("ana:s3cret", { sslmode: "verify-full", sslrootcert: certificate }));
    url.hostname = "localhost";
    const database = await connect(url.href, "existing");
    expect(await valueOf(database, isEncrypted)).toBe(true);
    await database.close();
  });

  test("require is refused by a server without TLS", async () => {
    const url = plain.url.replace("sslmode=disable", "sslmode=require");
    expect(await refusalOf(url)).toBe(
      `PostgreSQL at ${new URL(url).host} speaks no TLS, which sslmode asks for.`,
    );
  });
});

describe("doctor reports the protection of a connection:", () => {
  const protection = async (url: string, overrides: Partial<ServerAddress> = {}) => {
    const database = await connect(url, "existing");
    const { ok, message } = await checkConnection(database, {
      ...parseServerUrl(url),
      ...overrides,
    });
    await database.close();
    return [ok, message];
  };
  const encrypted = urlFor("ana:s3cret", { sslmode: "require" });
  // The servers of these tests are on this machine. The protection is reported as if they were not.
  const away = (sslmode: SslMode) => ({ sslmode, isLocal: false });

  test("on the same machine", async () => {
    expect(await protection(encrypted)).toEqual([true, "within this machine, TLSv1.3"]);
    expect(await protection(urlFor("open", { sslmode: "disable" }))).toEqual([
      true,
      "within this machine, without TLS",
    ]);
  });

  test("to another machine", async () => {
    expect(await protection(encrypted, away("verify-full"))).toEqual([
      true,
      "TLSv1.3, with a verified certificate and name",
    ]);
    expect(await protection(encrypted, away("verify-ca"))).toEqual([
      false,
      "TLSv1.3, but the name in the certificate is not verified: sslmode=verify-full",
    ]);
    expect(await protection(encrypted, away("require"))).toEqual([
      false,
      "TLSv1.3, but the certificate is not verified: sslmode=verify-full",
    ]);
    expect(await protection(urlFor("open", { sslmode: "disable" }), away("disable"))).toEqual([
      false,
      "unencrypted: remove sslmode from the URL, and enable TLS on the server",
    ]);
  });
});

describe("a password that is not in the URL", () => {
  const url = new URL(plain.url);
  const withoutPassword = `postgres://ana@${url.host}/postgres`;
  const doctor = (env: Record<string, string>) =>
    runProgram(["doctor"], { cwd: folder, env: { DATABASE_URL: withoutPassword, ...env } });
  // The database has no tables. This message therefore shows that the connection succeeded.
  const LET_IN = /no tables of Caseload yet/;

  test("is read from PGPASSWORD, or from a file with mode 600", async () => {
    const file = join(folder, "pgpass");
    writeFileSync(file, `127.0.0.1:${url.port}:*:ana:s3cret\n`, { mode: 0o600 });
    for (const env of [{ PGPASSWORD: "s3cret" }, { PGPASSFILE: file }]) {
      const { stdout, stderr } = await doctor(env);
      expect(stdout).toMatch(LET_IN);
      expect(stderr).not.toContain("Warning");
    }
    const { stderr } = await doctor({ PGPASSFILE: "/nowhere" });
    expect(stderr).toBe(
      `error: PostgreSQL at ${url.host} asks for a password; set PGPASSWORD, or put it into ~/.pgpass or the URL.\n`,
    );
  });
});

describe("a server that does not meet the requirements is reported in one line, without the password:", () => {
  test("a wrong password", async () => {
    expect(await refusalOf(urlFor("ana:s3cret1"))).toBe(
      `PostgreSQL at ${place} does not let in the user ana; check user, password and pg_hba.conf.`,
    );
  });

  test("a wrong password on a server without TLS", async () => {
    const { host: elsewhere } = new URL(plain.url);
    expect(await refusalOf(`postgres://ana:s3cret1@${elsewhere}/postgres`)).toBe(
      `PostgreSQL at ${elsewhere} does not let in the user ana; check user, password and pg_hba.conf.`,
    );
  });

  test("a host without an address", async () => {
    expect(await refusalOf("postgres://ana:s3cret@db.invalid/caseload")).toMatch(
      /^Cannot reach PostgreSQL at db\.invalid:5432 \(E[A-Z_]+\); start it, or check host and port\.$/,
    );
  });

  test.each([
    [
      "full_up",
      "alter database full_up connection limit 0",
      "no connection is left for it: raise the limit, or stop other programs",
    ],
    [
      "forbidden",
      "revoke connect on database forbidden from public",
      "the user may not use it: grant connect",
    ],
  ])("a database that is %s", async (name, closing, why) => {
    await execute(server.url, `create database ${name}`);
    await execute(server.url, closing);
    expect(await refusalOf(urlFor("careless", {}, name))).toBe(
      `Cannot open the database ${name} of PostgreSQL at ${place}: ${why}.`,
    );
  });

  // No older server is available. This is the row that the program reads from it.
  test("a server before PostgreSQL 15", async () => {
    const row = { version: 14, synchronous_commit: "on", encoding: "UTF8", database: {} };
    const older = { query: async () => ({ rows: [row] }) } as unknown as Client;
    await expect(requireSuitable(older, parseServerUrl(server.url))).rejects.toThrow(
      new DatabaseError("PostgreSQL 14 is too old; Caseload needs 15 or later."),
    );
  });

  const collations: [settings: string, outcome: string][] = [
    ["encoding 'UTF8' locale 'C'", "none"],
    ["encoding 'UTF8' locale 'C.UTF-8'", "none"],
    ["encoding 'UTF8' locale 'C' locale_provider builtin builtin_locale 'C.UTF-8'", "none"],
    ["encoding 'LATIN1' locale 'C'", "C (LATIN1)"],
    ["encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'en-US'", "of ICU (UTF8)"],
  ];
  for (const [index, [settings, outcome]] of collations.entries())
    test(`a database with ${settings}: ${outcome}`, async () => {
      const name = `collation_${index}`;
      await execute(server.url, `create database ${name} template template0 ${settings}`);
      const refusal = await refusalOf(urlFor("postgres", {}, name));
      expect(refusal).toBe(
        outcome === "none"
          ? "none"
          : `The database ${name} has the collation ${outcome}, but Caseload needs C or C.UTF-8 in UTF8. Create another one: create database "${name}_c" template template0 encoding 'UTF8' locale 'C.UTF-8';`,
      );
    });
});

describe("settings of a role that would change what is stored, or refuse it:", () => {
  test("numbers are read whole, whatever extra_float_digits says", async () => {
    await execute(server.url, "create role rounding login");
    await execute(server.url, "alter role rounding set extra_float_digits = -15");
    const database = await connect(urlFor("rounding"), "existing");
    expect(await valueOf(database, "53.25::double precision")).toBe(53.25);
    await database.close();
  });

  const refused = [
    [
      "poor",
      "reset all",
      "its user lacks rights; make it the owner of the database, and of the tables that are there",
    ],
    [
      "lost",
      "set search_path = nowhere",
      "there is no schema for its tables; create one, or set search_path for its user",
    ],
  ] as const;
  for (const [role, setting, whatToDo] of refused)
    test(`a role without a place for tables (${setting}) is told what to do`, async () => {
      await execute(server.url, `create role ${role} login`);
      await execute(server.url, `alter role ${role} ${setting}`);
      const { status, stderr } = await runProgram(["migrate"], {
        ...{ cwd: folder, env: { DATABASE_URL: urlFor(role) } },
      });
      expect([status, stderr]).toEqual([1, `error: The database was not changed: ${whatToDo}.\n`]);
    });
});

describe("acknowledged writes are durable:", () => {
  test("a role with synchronous_commit = off is refused", async () => {
    expect(await refusalOf(urlFor("careless"))).toBe(
      "PostgreSQL may lose what it has acknowledged: set synchronous_commit = on.",
    );
  });

  test("later changes of synchronous_commit have no effect", async () => {
    await execute(server.url, "create role later login");
    const database = await connect(urlFor("later"), "existing");
    await execute(server.url, "alter role later set synchronous_commit = off");
    expect(await valueOf(database, "current_setting('synchronous_commit')")).toBe("on");
    await database.close();
  });
});

test("work that throws keeps its connection", async () => {
  const database = await connect(plain.url, "existing");
  const pid = () => valueOf(database, "pg_backend_pid()");
  const first = await pid();
  const refused = new Error("not allowed");
  await expect(database.read(() => Promise.reject(refused))).rejects.toThrow(refused);
  expect(await pid()).toBe(first);
  await expect(database.changeSchema(() => Promise.reject(refused))).rejects.toThrow(refused);
  expect(await pid()).toBe(first);
  await expect(valueOf(database, "1 / 0")).rejects.toThrow("division by zero");
  expect(await pid()).toBe(first);
  await database.close();
});

test("a write is refused for its first statement that failed, even if nobody waited for it", async () => {
  const url = await newDatabaseUrl(plain.url, "writes", "template0");
  const database = await connect(url, "existing");
  await migrate(database, NOW as Instant);
  const failing = (trx: Db) => {
    trx.executor.add("select 1 / 0", []);
    return trx.executor.all("select 1", []) as Promise<object[]>;
  };
  const reasonOf = (error: Error) => error.message;
  const together = [failing, failing].map((work) => database.write(work, NO_ORGANIZATION));
  const alone = database.write(failing, { ...NO_ORGANIZATION, isLong: true });
  const reasons = [...together, alone].map((write) => write.then(() => "none", reasonOf));
  expect(await Promise.all(reasons)).toEqual(Array(3).fill("division by zero"));
  await database.close();
});
