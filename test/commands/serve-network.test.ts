import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../harness.ts";
import { runProgram, startServer } from "./program.ts";

/** Where the server may listen, and what protects it there. */

const cwd = temporaryFolder();
const [certificate, key] = [join(cwd, "certificate.pem"), join(cwd, "key.pem")];
const made = Bun.spawnSync(
  // One that names the address, as a client demands.
  `openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${certificate}`.split(
    " ",
  ),
);

describe("serve", () => {
  for (const host of ["0.0.0.0", "::", "192.0.2.1"])
    test(`refuses to listen on ${host} without TLS or a proxy, and says why`, async () => {
      expect(await runProgram(["serve", "--port", "0", "--host", host], { cwd })).toEqual({
        status: 1,
        stdout: "",
        stderr: `error: Listening on ${host} would send patients' data over the network in the clear. Give --tls-cert and --tls-key, or --behind-proxy if a proxy in front ends TLS.\n`,
      });
    });

  test("listens on all addresses behind a proxy", async () => {
    const { program, url } = await startServer(["--host", "0.0.0.0", "--behind-proxy"], { cwd });
    const { port } = new URL(url);
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    program.kill();
    expect(await program.exited).toBe(0);
  });

  test("answers over HTTPS with a certificate", async () => {
    expect(made.exitCode).toBe(0);
    const tls = ["--host", "0.0.0.0", "--tls-cert", certificate, "--tls-key", key];
    const { program, url } = await startServer(tls, { cwd });
    expect(url).toStartWith("https://0.0.0.0:");
    const address = `https://127.0.0.1:${new URL(url).port}/livez`;
    const ca = await Bun.file(certificate).text();
    expect((await fetch(address, { tls: { ca } })).status).toBe(200);
    program.kill();
    await program.exited;
  });

  const refused: [string[], number, RegExp][] = [
    [["--tls-cert", certificate], 2, /--tls-cert and --tls-key go together/],
    [["--tls-key", key], 2, /--tls-cert and --tls-key go together/],
    [["--tls-cert", "none.pem", "--tls-key", key], 1, /Cannot read none\.pem/],
    [["--tls-cert", key, "--tls-key", key], 1, /Check --host, --port and the certificate/],
    [["--key-rate-limit", "many"], 2, /whole number/],
  ];
  for (const [args, status, message] of refused)
    test(`refuses ${args.map((arg) => arg.replace(`${cwd}/`, "")).join(" ")}`, async () => {
      const result = await runProgram(["serve", "--port", "0", ...args], { cwd });
      expect(result).toEqual({ status, stdout: "", stderr: expect.stringMatching(message) });
    });
});
