import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, expectEqual, printSum } from "../../support/checks.ts";
import { startProgram } from "../../support/commands/program.ts";

/**
 * The OpenAPI document in the hands of tools that know nothing else of the service: `bun run test:openapi [EXAMPLES]`.
 * Spectral reads it, Prism answers for the service, and Schemathesis sends requests of its own making, about EXAMPLES
 * (30) random ones for each operation. Requires npm's registry, and Python with PyPI.
 */

const SPECTRAL = "@stoplight/spectral-cli@6.16.3";
const PRISM = "@stoplight/prism-cli@5.14.2";
const SCHEMATHESIS = "schemathesis==4.32.5";
const examples = process.argv[2] ?? "30";

interface Operation {
  operationId: string;
  parameters: {
    in?: string;
    name?: string;
    required?: boolean;
    schema?: { examples?: string[] };
  }[];
  responses: Record<string, { content: Record<string, { example?: unknown }> }>;
}

const folder = mkdtempSync(join(tmpdir(), "caseload-openapi-"));
const service = startProgram(["serve", "--ephemeral", "--json", "--port", "0"], { cwd: folder });
const { value } = await service.stdout.getReader().read();
const { url, key } = JSON.parse(new TextDecoder().decode(value)) as { url: string; key: string };

const authorization = { Authorization: `Bearer ${key}` };
const text = await (await fetch(`${url}/swagger/json`)).text();
const { paths } = JSON.parse(text) as { paths: Record<string, { get?: Operation }> };
writeFileSync(join(folder, "openapi.json"), text);
writeFileSync(join(folder, ".spectral.yaml"), JSON.stringify({ extends: ["spectral:oas"] }));

/** What a command prints. @throws Error with it if the command fails. */
async function run(command: string[], env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${output}${errors}`);
  return output;
}

await check("Spectral's rules for OpenAPI give not even a hint", () =>
  run(["npx", "-y", SPECTRAL, "lint", "openapi.json", "--fail-severity", "hint"]),
);

await run(["npm", "install", "--silent", "--prefix", folder, PRISM]);
const prism = Bun.spawn(
  [join(folder, "node_modules/.bin/prism"), "mock", "openapi.json", "--port", "0"],
  { cwd: folder, stdout: "pipe", stderr: "ignore" },
);
const mock = await addressIn(prism.stdout);

await check("Prism answers each GET with its example", async () => {
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined) continue;
    const own = get.parameters.find((parameter) => parameter.in === "path");
    const filled = path.replace(`{${own?.name}}`, own?.schema?.examples?.[0] ?? "");
    const required = get.parameters.filter((one) => one.in === "query" && one.required === true);
    const query = required.map(({ name }) => `${name}=usr_1`).join("&");
    const target = `${filled}${query && `?${query}`}`;
    const response = await fetch(mock + target, { headers: authorization });
    const [content] = Object.values(get.responses[200]?.content ?? {});
    const body = await response.text();
    const shown = typeof content?.example === "string" ? body : JSON.parse(body);
    expectEqual([target, response.status, shown], [target, 200, content?.example]);
  }
});

await check("Prism refuses what the service refuses by its schema", async () => {
  const bodies: [path: string, json: unknown][] = [
    ["/v1/users", { firstName: "Ana", lastName: "Ruiz", role: "NURSE" }],
    ["/v1/users", { firstName: "", lastName: "Ruiz" }],
    ["/v1/goals", { type: "rating", treatmentPlanId: "tp_000001", title: null }],
    ["/v1/intake-leads", { client: {} }],
  ];
  const queries = [
    ...["/v1/users?pageSize=101", "/v1/sessions?status=CONFIRMED,LATE", "/v1/users/a.b"],
    ...["/v1/delivery?month=2026-13", "/v1/sessions?timezone=%2B02:00", "/v1/checks?check=LATE"],
  ];
  const json = { ...authorization, "Content-Type": "application/json" };
  const requests: [string, RequestInit][] = [
    ...queries.map((path): [string, RequestInit] => [path, { headers: authorization }]),
    ...bodies.map(([path, body]): [string, RequestInit] => [
      path,
      { method: "POST", headers: json, body: JSON.stringify(body) },
    ]),
    ["/v1/me", {}],
  ];
  for (const [path, request] of requests) {
    const responses = await Promise.all(
      [`${url}/api`, mock].map((at) => fetch(at + path, request)),
    );
    const [status, mocked] = responses.map((response) => response.status);
    // Prism's own status for input that the schema refuses is 422, where an operation documents one.
    expectEqual([path, mocked === 422 ? 400 : mocked], [path, status]);
    if (status === undefined || status < 400) throw new Error(`${path} is not refused`);
  }
});
prism.kill();

await check("Schemathesis finds no response that the document does not describe", async () => {
  const environment = join(folder, "python");
  await run(["python3", "-m", "venv", environment]);
  await run([join(environment, "bin/pip"), "install", "--quiet", SCHEMATHESIS]);
  const checks = ["--checks", "all", "--exclude-checks", "positive_data_acceptance"];
  const key = ["--header", `Authorization: ${authorization.Authorization}`];
  const found = await run(
    [
      ...[join(environment, "bin/schemathesis"), "run", `${url}/swagger/json`],
      ...[...key, ...checks, "--max-examples", examples, "--continue-on-failure"],
    ],
    { SCHEMATHESIS_HOOKS: "rules", PYTHONPATH: import.meta.dir },
  );
  console.log(/^Test cases:\n.*$/m.exec(found)?.[0]);
});

service.kill();
await Promise.all([service.exited, prism.exited]);
rmSync(folder, { recursive: true });
printSum();

/** The address that Prism prints. It ends when nobody reads on. */
async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  const reader = output.getReader();
  let printed = "";
  for (;;) {
    const { done, value: chunk } = await reader.read();
    if (done) throw new Error(`Prism ended: ${printed}`);
    printed += new TextDecoder().decode(chunk);
    const address = /listening on (http:\/\/[\w.:]+)/.exec(printed)?.[1];
    if (address !== undefined) return address;
  }
}
