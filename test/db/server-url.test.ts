import { describe, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import { DatabaseError } from "../../db/errors.ts";
import { parseServerUrl } from "../../db/postgresql/url.ts";
import { filePath } from "../../db/sqlite/connect.ts";
import { newManInTheMiddle } from "../support/postgresql/man-in-the-middle.ts";

/** The protection of the connection to a PostgreSQL server, decided before it is made. */

const withMode = (host: string, sslmode?: string) =>
  `postgres://ana:s3cret@${host}/caseload${sslmode === undefined ? "" : `?sslmode=${sslmode}`}`;

describe("without sslmode", () => {
  test.each(["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "[::1]"])(
    "%s is this machine: TLS if the server supports it",
    (host) => {
      const { sslmode, isLocal, tls } = parseServerUrl(withMode(host));
      expect([sslmode, isLocal, tls.length]).toEqual(["prefer", true, 2]);
    },
  );

  test.each(["db.example", "10.0.0.1", "127.0.0.1.example", "[2001:db8::1]", "localhost.example"])(
    "%s is another machine: TLS with a verified certificate",
    (host) => {
      const { sslmode, isLocal, tls } = parseServerUrl(withMode(host));
      expect([sslmode, isLocal, tls]).toEqual(["verify-full", false, [{}]]);
    },
  );

  test("a socket uses no TLS", () => {
    const { sslmode, isLocal, tls } = parseServerUrl("postgres:///caseload?host=/run/postgresql");
    expect([sslmode, isLocal, tls]).toEqual([undefined, true, [false]]);
  });
});

describe("a server on another machine", () => {
  test.each(["disable", "allow", "prefer"])("sslmode=%s is refused", (mode) => {
    expect(() => parseServerUrl(withMode("db.example", mode))).toThrow(
      new DatabaseError(
        `The database URL has sslmode=${mode}, with which passwords and patients' data may cross the network in the clear; leave it out, or give --insecure-database.`,
      ),
    );
    expect(parseServerUrl(withMode("localhost", mode)).sslmode).toBe(mode as never);
  });

  test.each(["disable", "allow", "prefer"])(
    "sslmode=%s is accepted if insecure connections are allowed",
    (mode) => {
      const { sslmode } = parseServerUrl(withMode("db.example", mode), { isInsecure: true });
      expect(sslmode).toBe(mode as never);
    },
  );

  test.each(["require", "verify-ca", "verify-full"])("sslmode=%s is accepted", (mode) => {
    expect(parseServerUrl(withMode("db.example", mode)).sslmode).toBe(mode as never);
  });

  test("without sslmode, allowing insecure connections changes nothing", () => {
    const { sslmode } = parseServerUrl(withMode("db.example"), { isInsecure: true });
    expect(sslmode).toBe("verify-full");
  });
});

test.each(["clear", "md5"] as const)(
  "a password that the server requests as %s is never sent without TLS",
  async (request) => {
    const { port, heard, stop } = await newManInTheMiddle(request);
    const modes = [undefined, "disable", "allow", "prefer"];
    const tries = [false, true].flatMap((isInsecure) =>
      modes.map((mode) =>
        connect(withMode(`127.0.0.1:${port}`, mode), "existing", { isInsecure }).catch(String),
      ),
    );
    const refusal = new DatabaseError(
      "PostgreSQL asks for the password in a form that others on the way could use; have it use scram-sha-256, or TLS.",
    );
    expect(await Promise.all(tries)).toEqual(tries.map(() => String(refusal)));
    stop();
    // A refused connection ends with its own message.
    expect(heard.filter((text) => text.startsWith("p"))).toEqual([]);
  },
);

test.each([
  "postgres:/ana:s3cret@db.example/caseload",
  "postgres:ana:s3cret@db.example/caseload",
  "postgresql//ana:s3cret@db.example/caseload",
  "postgres//db.example/caseload",
  "POSTGRES@db.example:s3cret",
])("%s is refused, and the message does not repeat it", async (url) => {
  const sentence =
    "The database is not a valid PostgreSQL URL: write postgres://user@host:5432/caseload.";
  await expect(connect(url, "create")).rejects.toThrow(new DatabaseError(sentence));
});

const SECRET_URL = "postgres://ana:s3cret@localhost:1/caseload";

test.each([
  `'${SECRET_URL}'`,
  `"${SECRET_URL}"`,
  `\`${SECRET_URL}\``,
  ` ${SECRET_URL}`,
  `\t${SECRET_URL}`,
  `${SECRET_URL}\n`,
  `${SECRET_URL}'`,
  "'caseload.db'",
  "caseload.db ",
])(
  "%j: the quotes or white space around it are reported, and the value is not repeated",
  async (url) => {
    const error = new DatabaseError(
      "The database URL has quotes or white space around it; remove them, also where it is set.",
    );
    for (const mode of ["create", "existing"] as const)
      await expect(connect(url, mode)).rejects.toThrow(error);
  },
);

test.each([`jdbc:${SECRET_URL}`, `DATABASE_URL=${SECRET_URL}`, "mysql://ana:s3cret@db/caseload"])(
  "%s is refused, and its password is not repeated",
  async (url) => {
    const refusal: Error = await connect(url, "existing").catch((error) => error);
    expect(refusal.message).toMatch(/^Caseload keeps its data in a SQLite file or in PostgreSQL; /);
    expect(refusal.message).not.toContain("s3cret");
  },
);

test("a file may be named postgres", () => {
  expect(filePath("postgres.db")).toBe("postgres.db");
});
