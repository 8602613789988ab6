import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../support/harness.ts";
import { runInProcess, startServer } from "../support/commands/program.ts";

/** The addresses on which the server may listen, and the protection that they need. */

const cwd = temporaryFolder();
const [certificate, key] = [join(cwd, "certificate.pem"), join(cwd, "key.pem")];
const made = Bun.spawnSync(
  // With the address in the certificate, as clients require.
  `openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${certificate}`.split(
    " ",
  ),
);

describe("serve", () => {
  for (const host of ["0.0.0.0", "::", "192.0.2.1"])
    test(`refuses to listen on ${host} without TLS or a proxy, with the reason`, async () => {
      expect(await runInProcess(["serve", "--port", "0", "--host", host], { cwd })).toEqual({
        status: 1,
        stdout: "",
        stderr: `error: Listening on ${host} would send patients' data over the network unencrypted. Give --tls-cert and --tls-key, or --behind-proxy if a proxy in front terminates TLS.\n`,
      });
    });

  test("listens on all addresses behind a proxy", async () => {
    const { program, url } = await startServer(["--host", "0.0.0.0", "--behind-proxy"], { cwd });
    const { port } = new URL(url);
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    program.kill();
    expect(await program.exited).toBe(0);
  });

  test.each<[string[], Record<string, string>]>([
    [["--trusted-proxy", "192.0.2.0/24", "--trusted-proxy", "2001:db8::1"], {}],
    [[], { TRUSTED_PROXIES: "192.0.2.0/24, 2001:db8::1" }],
  ])("trusts the proxies of %j or %j", async (args, env) => {
    const { program, url } = await startServer(["--behind-proxy", ...args], { cwd, env });
    const ask = async (forwarded: string) => {
      const headers = { "X-Forwarded-For": forwarded };
      return (await fetch(`${url}/api/v1/users`, { headers })).status;
    };
    for (let time = 0; time < 20; time++) await ask("198.51.100.1, 192.0.2.7, 2001:db8::1");
    expect(await ask("198.51.100.1:4711, 192.0.2.9")).toBe(429);
    expect(await ask("198.51.100.2, 192.0.2.7")).toBe(401);
    expect(await ask("198.51.100.1, 2001:db8::2")).toBe(401);
    program.kill();
    await program.exited;
  });

  test("responds over HTTPS with a certificate", async () => {
    expect(made.exitCode).toBe(0);
    const tls = ["--host", "0.0.0.0", "--tls-cert", certificate, "--tls-key", key];
    const { program, url } = await startServer(tls, { cwd });
    expect(url).toStartWith("https://0.0.0.0:");
    const address = `https://127.0.0.1:${new URL(url).port}/livez`;
    const ca = await Bun.file(certificate).text();
    expect((await fetch(address, { tls: { ca } })).status).toBe(200);
    expect(await runInProcess(["health", "--url", new URL(address).origin], { cwd })).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: Cannot connect to ${new URL(address).origin} (DEPTH_ZERO_SELF_SIGNED_CERT): check the address, and with https: the certificate.\n`,
    });
    program.kill();
    await program.exited;
  });

  const refused: [string[], number, RegExp][] = [
    [["--tls-cert", certificate], 2, /--tls-cert and --tls-key go together/],
    [["--tls-key", key], 2, /--tls-cert and --tls-key go together/],
    [["--tls-cert", "none.pem", "--tls-key", key], 1, /Cannot read none\.pem/],
    [["--tls-cert", "/dev/null", "--tls-key", key], 1, /Cannot read \/dev\/null; .* PEM files/],
    [["--tls-cert", key, "--tls-key", key], 1, /Check --host, --port and the certificate/],
    [["--key-rate-limit", "many"], 2, /whole number/],
    [["--key-rate-limit", "0"], 2, /1 or more/],
    [["--trusted-proxy", "10.0.0.0/8"], 2, /TRUSTED_PROXIES need --behind-proxy/],
    ...["10.0.0.0/33", "2001:db8::/129", "10.0.0/8", "proxy.example", "10.0.0.0/8/8", ""].map(
      (network): [string[], number, RegExp] => [
        ["--behind-proxy", "--trusted-proxy", network],
        2,
        /A trusted proxy must be an address or a network such as 10\.0\.0\.0\/8, not "/,
      ],
    ),
  ];
  for (const [args, status, message] of refused)
    test(`refuses ${args.map((arg) => arg.replace(`${cwd}/`, "")).join(" ")}`, async () => {
      const result = await runInProcess(["serve", "--port", "0", ...args], { cwd });
      expect(result).toEqual({ status, stdout: "", stderr: expect.stringMatching(message) });
    });
});
