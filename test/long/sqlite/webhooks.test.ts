import { Database as SqliteFile } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { contentsOf } from "../../support/commands/practice.ts";
import { runInProcess, startServer } from "../../support/commands/program.ts";
import { writePracticeFile } from "../../support/follower/follower.ts";
import { temporaryFolder } from "../../support/harness.ts";
import { Receiver } from "../../support/webhooks/receiver.ts";

/** `caseload webhooks`, and a server that calls endpoints (beyond the specification, section 8). */

const own = { type: "organization", publicId: "org_maple", name: "Maple Street ABA" };

async function newPractice() {
  const cwd = temporaryFolder();
  const caseload = (...args: string[]) => runInProcess(args, { cwd });
  const change = async (name: string) => {
    const file = writePracticeFile(cwd, [own, { type: "location", publicId: "loc_1", name }]);
    expect((await caseload("import", file)).status).toBe(0);
  };
  await change("Main clinic");
  const receiver = new Receiver();
  const add = ["webhooks", "add", "--organization", "org_maple", "--name", "mirror"];
  return { cwd, caseload, change, receiver, add };
}

async function until(isDone: () => boolean): Promise<void> {
  for (let waited = 0; !isDone(); waited += 50) {
    if (waited > 30_000) throw new Error("Nothing was received within half a minute");
    await Bun.sleep(50);
  }
}

describe("webhooks add", () => {
  test("prints only the secret, once; list never shows it", async () => {
    const { caseload, receiver, add } = await newPractice();
    const added = await caseload(...add, receiver.url);
    expect([added.status, added.stdout]).toEqual([
      0,
      expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=\n$/),
    ]);
    const id = /hook_\w+/.exec(added.stderr)?.[0];
    const listed = await caseload("webhooks", "list", "--json");
    expect(JSON.parse(listed.stdout)).toEqual([
      {
        id,
        name: "mirror",
        url: receiver.url,
        organizationId: "org_maple",
        acknowledged: 1,
        state: "active",
        behind: 0,
        lastAttemptAt: null,
        lastStatus: null,
        nextAttemptAt: null,
      },
    ]);
    const table = await caseload("webhooks", "list");
    expect(table.stdout).toMatch(
      /^ID +NAME +URL +ORGANIZATION +ACKNOWLEDGED +BEHIND +STATE +LAST ATTEMPT +STATUS +NEXT ATTEMPT\n/,
    );
    expect(`${listed.stdout}${table.stdout}`).not.toContain("whsec_");
  });

  test.each([
    "http://example.com/changed",
    "http://192.168.1.5/changed",
    "ftp://127.0.0.1/",
    "https://user:secret@example.com/",
    "mirror",
  ])("accepts https or this machine, and refuses %s", async (url) => {
    const { caseload, add } = await newPractice();
    const { status, stderr } = await caseload(...add, url);
    expect([status, stderr]).toEqual([2, expect.stringContaining("It must")]);
    expect(stderr).not.toContain("whsec_");
  });

  test("refuses a URL that the organization already has", async () => {
    const { caseload, receiver, add } = await newPractice();
    const first = await caseload(...add, receiver.url);
    const id = /hook_\w+/.exec(first.stderr)?.[0];
    const second = await caseload(...add, receiver.url);
    expect([second.status, second.stdout, second.stderr]).toEqual([
      1,
      "",
      `error: The webhook ${id} of org_maple has this URL already; for a new secret: "caseload webhooks rotate ${id}".\n`,
    ]);
    expect((await caseload(...add, `${receiver.url}?other`)).status).toBe(0);
  });

  test("refuses an unknown organization", async () => {
    const { caseload } = await newPractice();
    const flags = ["--organization", "org_none", "--name", "mirror", "https://example.com/"];
    const { status, stderr } = await caseload("webhooks", "add", ...flags);
    expect([status, stderr]).toEqual([1, expect.stringContaining("no organization org_none")]);
  });
});

test("webhooks rotate prints only the new secret, with which calls are signed, too", async () => {
  const { caseload, receiver, add } = await newPractice();
  const added = await caseload(...add, receiver.url);
  const id = /hook_\w+/.exec(added.stderr)?.[0] ?? "";
  const rotated = await caseload("webhooks", "rotate", id);
  expect([rotated.status, rotated.stdout]).toEqual([
    0,
    expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=\n$/),
  ]);
  const signatures: unknown[] = [];
  receiver.answer = (request) => {
    signatures.push(request.headers.get("webhook-signature"));
    return new Response();
  };
  expect((await caseload("webhooks", "test", id)).status).toBe(0);
  const value = "v1,[A-Za-z0-9+/]{43}=";
  expect(signatures).toEqual([expect.stringMatching(new RegExp(`^${value} ${value}$`))]);
  const unknown = await caseload("webhooks", "rotate", "hook_none");
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining("no webhook")]);
  const trail = (await caseload("audit", "list", "--json")).stdout;
  expect(trail).toContain('"webhooks rotate"');
  expect(trail).not.toContain("whsec_");
});

test("list and doctor say that a call was due by a clock that was wrong", async () => {
  const { cwd, caseload, change, receiver, add } = await newPractice();
  const id = /hook_\w+/.exec((await caseload(...add, receiver.url)).stderr)?.[0] ?? "";
  await change("Annex");
  const file = new SqliteFile(join(cwd, "caseload.db"));
  file.run("update webhooks set due_at = '2090-01-01T00:00:00.000Z'");
  file.close();
  const listed = await caseload("webhooks", "list", "--json");
  expect(listed.stderr).toBe(
    `${id} was due at 2090-01-01T00:00:00.000Z, by a clock that was wrong, so it is due now.\n`,
  );
  const [webhook] = JSON.parse(listed.stdout) as [{ behind: number; nextAttemptAt: string }];
  expect(webhook.behind).toBe(1);
  expect(Math.abs(Date.parse(webhook.nextAttemptAt) - Date.now())).toBeLessThan(60_000);
  const doctor = JSON.parse((await caseload("doctor", "--json")).stdout) as { name: string }[];
  expect(doctor.find(({ name }) => name === "webhooks")).toMatchObject({
    ok: false,
    message: `${id} was due at 2090-01-01T00:00:00.000Z, by a clock that was wrong: it is due now, check the clock`,
  });
});

test("webhooks test makes one call, and fails unless the endpoint acknowledges", async () => {
  const { cwd, caseload, receiver, add } = await newPractice();
  const { stdout, stderr } = await caseload(...add, receiver.url);
  receiver.secrets.push(stdout.trim());
  const id = /hook_\w+/.exec(stderr)?.[0] ?? "";
  expect((await caseload("webhooks", "test", id)).status).toBe(0);
  expect(receiver.received.map(({ message }) => message)).toMatchObject([
    { type: "practice.test", data: { organizationId: "org_maple", sequence: 1 } },
  ]);
  receiver.answer = () => new Response(null, { status: 500 });
  const failed = await caseload("webhooks", "test", id);
  expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining("status 500")]);
  const rows = contentsOf(join(cwd, "caseload.db")).audit_entries as { route: string }[];
  expect(rows.filter(({ route }) => route === "webhooks test")).toMatchObject([
    { status: 0, target: id },
    { status: 1, target: id },
  ]);
  const unknown = await caseload("webhooks", "test", "hook_none");
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining("no webhook")]);
});

test("a server reports its own and commands' writes within five seconds, also those before a kill", async () => {
  const { cwd, caseload, change, receiver, add } = await newPractice();
  const added = await caseload(...add, receiver.url);
  const secret = added.stdout.trim();
  receiver.secrets.push(secret);
  const created = await caseload("keys", "create", ...add.slice(2), "--role", "ADMIN");
  const first = await startServer([], { cwd });
  await change("Annex");
  const started = performance.now();
  await until(() => receiver.sequences.includes(2));
  expect(performance.now() - started).toBeLessThan(7_000);
  const { status } = await fetch(`${first.url}/api/v1/users`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${created.stdout.trim()}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ firstName: "Ana", lastName: "Ruiz", role: "TECHNICIAN" }),
  });
  first.program.kill("SIGKILL");
  await first.program.exited;
  expect(status).toBe(200);
  const second = await startServer([], { cwd });
  await until(() => receiver.sequences.includes(3));
  expect(receiver.unsigned).toBe(0);
  // The acknowledgement is stored a moment after the response has left the receiver.
  await Bun.sleep(1_000);
  second.program.kill();
  await second.program.exited;
  for (const { program } of [first, second])
    expect(await program.stderr.text()).not.toContain(secret);
  expect((await caseload("audit", "list", "--json")).stdout).not.toContain(secret);
  const doctor = JSON.parse((await caseload("doctor", "--json")).stdout) as { name: string }[];
  expect(doctor.find(({ name }) => name === "webhooks")).toMatchObject({ ok: true });

  const id = /hook_\w+/.exec(added.stderr)?.[0] ?? "";
  await change("New mill");
  const behind = JSON.parse((await caseload("doctor", "--json")).stdout) as { name: string }[];
  expect(behind.find(({ name }) => name === "webhooks")).toMatchObject({
    ok: false,
    message: `${id} is 1 writes behind: check that a server runs`,
  });
  expect((await caseload("webhooks", "remove", id)).status).toBe(0);
  expect(JSON.parse((await caseload("webhooks", "list", "--json")).stdout)).toEqual([]);
}, 60_000);

test("list and doctor say which endpoint fails, and which is off since it answered 410", async () => {
  const { cwd, caseload, change, receiver, add } = await newPractice();
  const gone = new Receiver();
  receiver.answer = () => new Response(null, { status: 500 });
  gone.answer = () => new Response(null, { status: 410 });
  const idOf = ({ stderr }: { stderr: string }) => /hook_\w+/.exec(stderr)?.[0] ?? "";
  const ids = [idOf(await caseload(...add, receiver.url)), idOf(await caseload(...add, gone.url))];
  const { program } = await startServer([], { cwd });
  await change("Annex");
  await until(() => receiver.unsigned + gone.unsigned === 2);
  // Outcomes are stored a moment after the answers.
  await Bun.sleep(500);
  program.kill();
  await program.exited;
  const listed = JSON.parse((await caseload("webhooks", "list", "--json")).stdout) as object[];
  const anInstant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(listed).toMatchObject([
    {
      ...{ id: ids[0], acknowledged: 1, state: "failing", behind: 1 },
      ...{ lastStatus: 500, lastAttemptAt: anInstant, nextAttemptAt: anInstant },
    },
    {
      ...{ id: ids[1], acknowledged: 1, state: "off", behind: 1 },
      ...{ lastStatus: 410, lastAttemptAt: anInstant, nextAttemptAt: null },
    },
  ]);
  const doctor = JSON.parse((await caseload("doctor", "--json")).stdout) as { name: string }[];
  expect(doctor.find(({ name }) => name === "webhooks")).toMatchObject({
    ok: false,
    message: `${ids[0]} fails: "caseload webhooks test ${ids[0]}"; ${ids[1]} is off, since it answered 410: remove it`,
  });
}, 60_000);
