import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { check, expectEqual, printSum } from "../../support/checks.ts";
import { runProgram, startServer } from "../../support/commands/program.ts";
import { unusedPort } from "../../support/ports.ts";
import { newDatabaseUrl } from "../../support/postgresql/databases.ts";
import { newTestServer } from "../../support/postgresql/server.ts";

/**
 * Passkeys at a name over TLS, in Chromium that trusts an authority of the test: with a certificate of the server, and
 * behind nginx with two nodes on PostgreSQL. `bun run test:passkeys`; needs Debian's chromium, libnss3-tools, nginx and
 * openssl.
 */

const NAME = "caseload.example";
const ROOT = join(import.meta.dir, "../../..");
const cwd = mkdtempSync(join(tmpdir(), "caseload-tls-"));
const file = (name: string) => join(cwd, name);

function run(...command: string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, { cwd });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return stdout.toString();
}

const days = ["-days", "1"];
run(
  ...`openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=Caseload-test-CA`.split(" "),
  ...[...days, "-keyout", "ca-key.pem", "-out", "ca.pem"],
);
run(
  ...`openssl req -newkey rsa:2048 -nodes -subj /CN=${NAME} -addext subjectAltName=DNS:${NAME}`.split(
    " ",
  ),
  ...["-keyout", "key.pem", "-out", "request.pem"],
);
run(
  ...`openssl x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -copy_extensions copy`.split(
    " ",
  ),
  ...[...days, "-out", "certificate.pem"],
);

/** Chromium that knows this name, and has the authority of its certificate in its store. */
async function launchWithAuthority(): Promise<Browser> {
  const store = file(".pki/nssdb");
  mkdirSync(store, { recursive: true });
  run("certutil", "-d", `sql:${store}`, "-N", "--empty-password");
  run("certutil", "-d", `sql:${store}`, "-A", "-n", "test", "-t", "C,,", "-i", file("ca.pem"));
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    env: { ...process.env, HOME: cwd },
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic"],
      `--host-resolver-rules=MAP ${NAME} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
  });
}

/** Registers a passkey by an invitation, signs out, and signs in again several times. */
async function usePasskeys(browser: Browser, origin: string, link: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto(link);
  await page.getByRole("button", { name: "Register a passkey" }).click();
  for (let times = 0; times < 4; times += 1) {
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out").waitFor();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
  }
  const [cookie] = await context.cookies();
  expectEqual([cookie?.name, cookie?.domain, cookie?.secure], ["__Host-caseload", NAME, true]);
  const framed = await page.evaluate<string>(
    `fetch("${origin}/").then(({ headers }) => headers.get("permissions-policy"))`,
  );
  expectEqual(framed, "publickey-credentials-get=(self), publickey-credentials-create=(self)");
  await context.close();
}

async function invitation(origin: string, env: Record<string, string>): Promise<string> {
  const invite = ["invite", "usr_admin_000001", "--organization", "org_maple"];
  return (await runProgram(invite, { cwd, env: { ...env, ORIGIN: origin } })).stdout.trim();
}

const browser = await launchWithAuthority();
const postgresql = await newTestServer();
try {
  await check("with a certificate of the server's own", async () => {
    const port = unusedPort();
    const origin = `https://${NAME}:${port}`;
    const tls = ["--tls-cert", file("certificate.pem"), "--tls-key", file("key.pem")];
    const flags = [...tls, "--port", String(port), "--origin", origin, "--demo"];
    const { program } = await startServer(flags, { cwd, env: { DATABASE_URL: "caseload.db" } });
    await usePasskeys(browser, origin, await invitation(origin, {}));
    program.kill();
    await program.exited;
  });

  await check("behind nginx, which rewrites the host, on two nodes", async () => {
    const [port, one, other] = [unusedPort(), unusedPort(), unusedPort()];
    const origin = `https://${NAME}:${port}`;
    const env = { DATABASE_URL: await newDatabaseUrl(postgresql.url, "nodes", "template0") };
    const node = (nodePort: number, ...more: string[]) =>
      startServer(["--port", String(nodePort), "--behind-proxy", "--origin", origin, ...more], {
        ...{ cwd, env },
      });
    const nodes = [await node(one, "--demo"), await node(other)];
    const shipped = readFileSync(join(ROOT, "src/nginx/caseload.conf"), "utf8")
      .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
      .replace("listen [::]:443 ssl;", "")
      .replace("127.0.0.1:3001", `127.0.0.1:${one}`)
      .replace("127.0.0.1:3002", `127.0.0.1:${other}`)
      .replace("Host $host", "Host internal.invalid")
      .replaceAll("/etc/caseload/", `${cwd}/`)
      .replace("/var/log/nginx/caseload.log", file("nginx.log"));
    writeFileSync(
      file("nginx.conf"),
      `pid ${file("nginx.pid")};\nerror_log ${file("nginx.log")};\nevents {}\nhttp {\n${shipped}\n}\n`,
    );
    const nginx = Bun.spawn(["nginx", "-c", file("nginx.conf"), "-g", "daemon off;"], {
      stderr: "inherit",
    });
    await usePasskeys(browser, origin, await invitation(origin, env));
    nginx.kill();
    await nginx.exited;
    for (const { program } of nodes) {
      program.kill();
      await program.exited;
    }
  });
} finally {
  await browser.close();
  await postgresql.remove();
  rmSync(cwd, { recursive: true, force: true });
}
printSum();
