import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

/**
 * Makes a database with one of everything, as a version of the program makes it, for the tests of upgrades
 * (`test/upgrade`): `bun run fixture CHECKOUT FOLDER [postgres: URL]`.
 *
 * It runs that version's program as a user does, beside its server. The folder gets the database (a file, or the SQL of
 * `pg_dump`), its export, the archive of its trail, and all that was shown once (keys, tokens, secrets), each compressed
 * but for the last. Nothing in it is of a real person.
 */

const [, , checkout = "", folder = "", server] = process.argv;
if (folder === "") throw new Error("Give a checkout of the version, and a folder for the fixture.");

const ORGANIZATION = "org_maple";
const ORIGIN = "http://localhost:8400";
const work = resolve(folder, "work");
rmSync(folder, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const url = server ?? join(work, "caseload.db");

const support = (path: string) => import(resolve(checkout, "test/support", path));
const { fileOf } = await support("practice-file/practice-file.ts");
const { fullPractice } = await support("practice-file/full-practice.ts");
const { SoftwarePasskey } = await support("sign-in/authenticator.ts");

/** Runs a command of that version. @returns its standard output. */
function run(...args: string[]): string {
  const main = resolve(checkout, "src/main.ts");
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, main, "--database", url, ...args],
    { cwd: work },
  );
  if (exitCode !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout.toString().trim();
}

const ofPractice = ["--organization", ORGANIZATION];
const key = (name: string, ...flags: string[]) =>
  run("keys", "create", ...ofPractice, "--name", name, ...flags);

writeFileSync(join(work, "practice.ndjson"), fileOf(fullPractice));
run("import", "practice.ndjson");

const keys = {
  admin: key("Reports", "--role", "ADMIN"),
  readOnly: key("Payroll", "--role", "BILLING_MANAGER", "--read-only"),
  ofUser: key("A clinician's own program", "--user", "usr_bcba"),
  expiring: key("Until the end of the century", "--role", "ADMIN", "--expires", "2099-12-31"),
  agent: key("Assistant", "--role", "ADMIN", "--agent"),
};
const revoked = key("Old laptop", "--role", "ADMIN");
const listed = JSON.parse(run("keys", "list", "--json")) as { id: string; name: string }[];
run("keys", "revoke", listed.find(({ name }) => name === "Old laptop")?.id ?? "");
const calendar = run("calendars", "create", ...ofPractice, "--user", "usr_tech", "--name", "Phone");
// Nothing listens there, so a call is always due.
const webhook = run(
  "webhooks",
  "add",
  "http://127.0.0.1:9/doorbell",
  ...ofPractice,
  "--name",
  "Copy",
);

const running = Bun.spawn(
  [
    ...[process.execPath, resolve(checkout, "src/main.ts"), "--database", url],
    ...["serve", "--port", "0", "--origin", ORIGIN, "--log", "json"],
  ],
  { cwd: work, stdout: "pipe", stderr: "ignore" },
);
const { value } = await running.stdout.getReader().read();
const [address = ""] = /http:\S+/.exec(new TextDecoder().decode(value)) ?? [];

let cookie = "";

/** A request, in the browser of a page if it has no key. */
async function request(line: string, options: { key?: string; json?: object; once?: string } = {}) {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(address + path, {
    method,
    headers: {
      ...(options.key === undefined
        ? {
            "Sec-Fetch-Site": "same-origin",
            Origin: ORIGIN,
            ...(cookie !== "" && { Cookie: cookie }),
          }
        : { Authorization: `Bearer ${options.key}` }),
      ...(options.json !== undefined && { "Content-Type": "application/json" }),
      ...(options.once !== undefined && { "Idempotency-Key": options.once }),
    },
    ...(options.json !== undefined && { body: JSON.stringify(options.json) }),
  });
  const [set] = response.headers.getSetCookie();
  if (set !== undefined) [cookie = ""] = set.split(";");
  const text = await response.text();
  if (!response.ok) throw new Error(`${line}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Registers a passkey of a person, who stays signed in. */
async function person(userId: string, algorithm: number) {
  cookie = "";
  const invited = await request(`POST /api/v1/users/${userId}/invitation`, { key: keys.admin });
  const invitation = invited.url.split("/#/invitation/")[1];
  const passkey = new SoftwarePasskey(ORIGIN, { algorithm, isCounting: true });
  const { create } = await request("POST /api/sign-in/options", { json: { invitation } });
  await request("POST /api/sign-in/passkey", {
    json: { invitation, name: "Laptop", credential: passkey.register(create) },
  });
  const { get } = await request("POST /api/sign-in/options", { json: {} });
  await request("POST /api/sign-in", { json: { credential: passkey.use(get) } });
  const privateKey = passkey.privateKey.export({ format: "jwk" });
  const ofPasskey = { id: passkey.id, algorithm, privateKey, userHandle: create.user.id, count: 1 };
  return { userId, ...ofPasskey, cookie };
}

const people = [
  await person("usr_tech2", -7),
  await person("usr_bcba", -257),
  await person("usr_tech", -8),
];
const invited = await request("POST /api/v1/users/usr_y0/invitation", { key: keys.admin });

const lead = {
  primaryContact: "CLIENT",
  client: { firstName: "Rosa", lastName: "Núñez", birthdate: "2019-05-04" },
  caregiver: {
    ...{ firstName: "Inés", lastName: "Núñez", relationship: "MOTHER" },
    ...{ email: "ines@maple.example", phone: "+14155552671" },
  },
};
const answer = await request("POST /api/v1/intake-leads", {
  ...{ key: keys.admin, json: lead, once: "lead-1" },
});
for (let count = 0; count < 100; count += 1)
  await request("GET /api/v1/users?role=PATIENT", { key: keys.readOnly });
run("audit", "archive", "archive.ndjson", "--before", new Date().toISOString());
for (let count = 0; count < 200; count += 1)
  await request("GET /api/v1/sessions", { key: keys.ofUser });
await request("GET /api/v1/users", { key: revoked }).catch(() => undefined);
const practiceFile = await fetch(`${address}/api/v1/practice-file`, {
  headers: { Authorization: `Bearer ${keys.admin}` },
});
const sequence = Number(practiceFile.headers.get("Caseload-Sequence"));
await practiceFile.body?.cancel();
running.kill();
await running.exited;

const exported = run("export", ORGANIZATION);
const time = new Date().toISOString();
const shown = {
  ...{
    time,
    origin: ORIGIN,
    organization: ORGANIZATION,
    sequence,
    keys,
    revoked,
    people,
    calendar,
    webhook,
  },
  ...{ invitation: invited.url, stored: { key: "lead-1", body: lead, answer } },
};
const compressed = (name: string, content: string | Uint8Array) =>
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
compressed("export.ndjson", `${exported}\n`);
compressed("archive.ndjson", readFileSync(join(work, "archive.ndjson")));
writeFileSync(join(folder, "shown.json"), `${JSON.stringify(shown, null, 2)}\n`);
if (server === undefined) {
  run("backup", "whole.db");
  compressed("caseload.db", readFileSync(join(work, "whole.db")));
} else {
  const dump = ["pg_dump", "--no-owner", "--no-privileges", "--rows-per-insert=100", server];
  compressed("caseload.sql", Bun.spawnSync(dump).stdout);
}
rmSync(work, { recursive: true });
