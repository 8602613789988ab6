import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type SecureVersion, type TLSSocket } from "node:tls";
import { temporaryFolder } from "../support/harness.ts";
import { runInProcess, startServer } from "../support/commands/program.ts";

/**
 * The TLS protocols and ciphers of a server with a certificate, and the reload of the certificate.
 */

const cwd = temporaryFolder();
const [certificate, key] = [join(cwd, "certificate.pem"), join(cwd, "key.pem")];

function makeCertificate(name: string): void {
  const made = Bun.spawnSync([
    ...`openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=${name}`.split(" "),
    ...["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
  ]);
  expect(made.exitCode).toBe(0);
}

let server: Awaited<ReturnType<typeof startServer>>;
let port = 0;
beforeAll(async () => {
  makeCertificate("first");
  server = await startServer(["--tls-cert", certificate, "--tls-key", key], { cwd });
  port = Number(new URL(server.url).port);
}, 30_000);
afterAll(async () => {
  server.program.kill();
  expect(await server.program.exited).toBe(0);
});

/** The connection that a client gets, or the error. */
function handshake(options: { maxVersion?: SecureVersion; ciphers?: string } = {}) {
  return new Promise<TLSSocket | string>((resolve) => {
    const socket = connect(
      { port, host: "127.0.0.1", rejectUnauthorized: false, minVersion: "TLSv1", ...options },
      () => resolve(socket),
    );
    socket.on("error", (error) => resolve(String((error as { code?: string }).code ?? error)));
  });
}

async function commonName(): Promise<unknown> {
  let socket = await handshake();
  // The operating system may reset a connection at the moment in which the certificate changes.
  if (typeof socket === "string") socket = await handshake();
  if (typeof socket === "string") throw new Error(socket);
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return subject.CN;
}

/** Sends a request unchanged and returns the whole response. */
async function send(request: string): Promise<string> {
  const socket = (await handshake()) as TLSSocket;
  socket.write(request);
  let received = "";
  for await (const chunk of socket) received += chunk;
  return received;
}

describe("a server with a certificate", () => {
  test.each(["TLSv1", "TLSv1.1"] as const)("refuses %s", async (maxVersion) => {
    expect(typeof (await handshake({ maxVersion, ciphers: "ALL" }))).toBe("string");
  });

  test.each(["AES128-SHA", "AES256-GCM-SHA384", "AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA"])(
    "refuses %s, which is outdated or has no forward secrecy",
    async (ciphers) => {
      const result = await handshake({ maxVersion: "TLSv1.2", ciphers });
      expect(typeof result).toBe("string");
    },
  );

  test.each([
    ["TLSv1.2", "ECDHE-RSA-AES128-GCM-SHA256"],
    ["TLSv1.2", "ECDHE-RSA-CHACHA20-POLY1305"],
    ["TLSv1.3", undefined],
  ] as const)("accepts %s with %s", async (maxVersion, ciphers) => {
    const socket = await handshake({ maxVersion, ...(ciphers && { ciphers }) });
    expect(typeof socket).not.toBe("string");
    expect((socket as TLSSocket).getProtocol()).toBe(maxVersion);
    (socket as TLSSocket).destroy();
  });

  test.each(["a", "ab", "abc", "localhost", "127.0.0.1:3000", "api.maple.example"])(
    "responds to the Host %s with Strict-Transport-Security",
    async (host) => {
      for (const [path, status] of [
        ["/livez", 200],
        ["/api/v1/users?page=1", 401],
        ["/none", 404],
      ] as const) {
        const answer = await send(
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        );
        expect(answer).toStartWith(`HTTP/1.1 ${status} `);
        expect(answer).toMatch(/\r\nstrict-transport-security: max-age=31536000\r\n/i);
      }
    },
  );
});

test("the audit trail has the client's address, whatever the Host header", async () => {
  const { stdout } = await runInProcess(["audit", "list", "--json"], { cwd });
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const addresses = rows.filter(({ route }) => route === "/v1/users").map(({ address }) => address);
  expect(addresses).toEqual(Array(6).fill("127.0.0.1"));
});

describe("SIGHUP", () => {
  const hangUp = async () => {
    server.program.kill("SIGHUP");
    await Bun.sleep(500);
  };
  const ask = () =>
    fetch(`${server.url}/livez`, { keepalive: false, tls: { rejectUnauthorized: false } });

  test("reloads the certificate without interrupting the server", async () => {
    expect(await commonName()).toBe("first");
    makeCertificate("second");
    let stopped = false;
    const asking = (async () => {
      const statuses = new Set<number>();
      // The operating system may reset a connection at the moment of the change. Clients then
      // retry.
      while (!stopped) statuses.add((await ask().catch(ask)).status);
      return [...statuses];
    })();
    await hangUp();
    for (let time = 0; time < 50 && (await commonName()) !== "second"; time++) await Bun.sleep(100);
    stopped = true;
    expect(await asking).toEqual([200]);
    expect(await commonName()).toBe("second");
  });

  test("with an invalid certificate changes nothing", async () => {
    const good = await Bun.file(certificate).text();
    writeFileSync(certificate, "no certificate");
    await hangUp();
    expect(await commonName()).toBe("second");
    expect((await ask()).status).toBe(200);
    writeFileSync(certificate, good);
  });
});
